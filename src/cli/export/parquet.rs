//! Rows as Parquet, compressed by zstd. An amount is text, and beside it a decimal of 38 digits where it fits.

use std::{io, sync::Arc};

use ::parquet::{
    basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel},
    data_type::{ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::types::{Type, TypePtr},
};

use super::manifest::{DECIMAL, DIGITS};
use crate::indexer::index::{SqlKind, SqlValue, SqlView};

/// Maximum bytes of a row group, which stays in memory, and of one more row.
const MOST_BYTES: usize = 16 << 20;

/// Bytes of a decimal.
const DECIMAL_BYTES: i32 = 16;

/// Compression level of zstd.
const LEVEL: i32 = 3;

/// Values of a column, and for each row whether it has one.
struct ColumnValues<T> {
    values: Vec<T>,
    levels: Vec<i16>,
}

enum ColumnBuffer {
    Integers(ColumnValues<i64>),
    Texts(ColumnValues<ByteArray>),
    Decimals(ColumnValues<FixedLenByteArray>),
}

/// Writer of a table's rows.
pub(super) struct ParquetRows<W: io::Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ColumnBuffer>,
    bytes: usize,
}

impl<W: io::Write + Send> ParquetRows<W> {
    pub(super) fn new(view: &SqlView, file: W) -> io::Result<Self> {
        let level = ZstdLevel::try_new(LEVEL).map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
        let writer = SerializedFileWriter::new(file, schema(view).map_err(failed)?, Arc::new(properties));
        let columns = view.columns.iter().flat_map(|column| match column.kind {
            SqlKind::Integer => vec![ColumnBuffer::Integers(ColumnValues::new())],
            SqlKind::Text | SqlKind::Json => vec![ColumnBuffer::Texts(ColumnValues::new())],
            SqlKind::Amount => {
                vec![ColumnBuffer::Texts(ColumnValues::new()), ColumnBuffer::Decimals(ColumnValues::new())]
            }
        });
        Ok(Self { writer: writer.map_err(failed)?, columns: columns.collect(), bytes: 0 })
    }

    pub(super) fn row(&mut self, row: &[SqlValue]) -> io::Result<()> {
        let mut values = row.iter();
        let mut value = &SqlValue::Null;
        for column in &mut self.columns {
            // A decimal follows the text of the same value.
            if !matches!(column, ColumnBuffer::Decimals(_)) {
                value = values.next().unwrap_or(&SqlValue::Null);
            }
            self.bytes += column.push(value)?;
        }
        if self.bytes >= MOST_BYTES { self.flush().map_err(failed) } else { Ok(()) }
    }

    /// Ends the file, which the writer may still hold a part of.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.flush().map_err(failed)?;
        self.writer.into_inner().map_err(failed)
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.bytes == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            match column {
                ColumnBuffer::Integers(column) => column.write::<Int64Type, _>(&mut group)?,
                ColumnBuffer::Texts(column) => column.write::<ByteArrayType, _>(&mut group)?,
                ColumnBuffer::Decimals(column) => column.write::<FixedLenByteArrayType, _>(&mut group)?,
            }
        }
        group.close()?;
        self.bytes = 0;
        Ok(())
    }
}

impl ColumnBuffer {
    /// Adds a value; returns its bytes.
    fn push(&mut self, value: &SqlValue) -> io::Result<usize> {
        match (self, value) {
            (Self::Integers(column), SqlValue::Integer(number)) => column.push(Some(*number)),
            (Self::Integers(column), SqlValue::Null) => column.push(None),
            (Self::Integers(_), _) => return Err(io::Error::other("a number has more than 64 bits")),
            (Self::Texts(column), SqlValue::Null) => column.push(None),
            (Self::Texts(column), SqlValue::Text(text)) => {
                column.push(Some(text.as_str().into()));
                return Ok(size_of::<ByteArray>() + text.len());
            }
            (Self::Texts(column), SqlValue::Integer(number)) => column.push(Some(number.to_string().as_str().into())),
            (Self::Texts(column), SqlValue::Real(number)) => column.push(Some(number.to_string().as_str().into())),
            (Self::Decimals(column), value) => column.push(decimal(value)),
        }
        Ok(size_of::<i128>())
    }
}

impl<T> ColumnValues<T> {
    fn new() -> Self {
        Self { values: Vec::new(), levels: Vec::new() }
    }

    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn write<D: DataType<T = T>, W: io::Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let missing = || ParquetError::General("the schema lacks a column".to_owned());
        let mut column = group.next_column()?.ok_or_else(missing)?;
        column.typed::<D>().write_batch(&self.values, Some(&self.levels), None)?;
        self.values.clear();
        self.levels.clear();
        column.close()
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

/// Returns an amount as a decimal; `None` if it has more digits.
fn decimal(value: &SqlValue) -> Option<FixedLenByteArray> {
    let SqlValue::Text(text) = value else { return None };
    let number: i128 = text.parse().ok()?;
    let most = 10_i128.checked_pow(DIGITS.unsigned_abs())?;
    (number.checked_abs()? < most).then(|| ByteArray::from(number.to_be_bytes().to_vec()).into())
}

fn schema(view: &SqlView) -> Result<TypePtr, ParquetError> {
    let mut fields = Vec::new();
    for column in view.columns {
        let text = |logical| {
            let builder = Type::primitive_type_builder(column.name, PhysicalType::BYTE_ARRAY);
            builder.with_repetition(Repetition::OPTIONAL).with_logical_type(Some(logical)).build()
        };
        fields.push(Arc::new(match column.kind {
            SqlKind::Integer => Type::primitive_type_builder(column.name, PhysicalType::INT64)
                .with_repetition(Repetition::OPTIONAL)
                .build()?,
            SqlKind::Text | SqlKind::Amount => text(LogicalType::String)?,
            SqlKind::Json => text(LogicalType::Json)?,
        }));
        if column.kind == SqlKind::Amount {
            let name = format!("{}{DECIMAL}", column.name);
            let builder = Type::primitive_type_builder(&name, PhysicalType::FIXED_LEN_BYTE_ARRAY)
                .with_repetition(Repetition::OPTIONAL)
                .with_length(DECIMAL_BYTES)
                .with_logical_type(Some(LogicalType::decimal(0, DIGITS)))
                .with_precision(DIGITS)
                .with_scale(0);
            fields.push(Arc::new(builder.build()?));
        }
    }
    Ok(Arc::new(Type::group_type_builder(view.name).with_fields(fields).build()?))
}
