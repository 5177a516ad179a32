//! SQL functions: of the views, which unpack what the tables hold, and of queries, for exact amounts.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use alloy_primitives::U512;
use rusqlite::{
    Connection, Error,
    functions::{Aggregate, Context, FunctionFlags},
    types::Value,
};
use serde::Deserialize;

use super::EffectsOfRecord;
use crate::{
    domain::{Address, Balance, Timestamp, Vm},
    indexer::index::{codec::Codec, holders},
    wire::{RawJson, Tx},
};

/// Maximum nesting of JSON that SQLite reads.
const DEEPEST: usize = 1_000;

/// Adds the functions to a connection.
pub(super) fn add(connection: &Connection, codec: Codec, vm: Vm, effects: EffectsOfRecord) -> Result<(), Error> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let records = Arc::new(RecordReader { codec, vm, effects, held: Mutex::default() });
    for (name, part) in [
        ("rs_record", UnpackedRecord::record as RecordPart),
        ("rs_hash", UnpackedRecord::hash),
        ("rs_effects", UnpackedRecord::effects),
    ] {
        let records = Arc::clone(&records);
        connection.create_scalar_function(name, 1, flags, move |context| {
            records.read(context.get_raw(0).as_blob().map_err(failed)?, part)
        })?;
    }
    connection.create_scalar_function("rs_account", 1, flags, |context| {
        let bytes = context.get_raw(0).as_blob().map_err(failed)?;
        Ok(Address::from_bytes(bytes).map(|address| address.to_string()))
    })?;
    connection.create_scalar_function("rs_amount", 1, flags, |context| {
        let bytes = context.get_raw(0).as_blob().map_err(failed)?;
        Ok(holders::decode(bytes).map_err(failed)?.to_string())
    })?;
    connection.create_scalar_function("rs_time", 1, flags, |context| {
        Ok(Timestamp::from_nanos(i128::from(context.get::<i64>(0)?)).to_string())
    })?;
    // A database keeps texts as bytes.
    connection.create_scalar_function("rs_text", 1, flags, |context| context.get::<Value>(0))?;
    connection.create_scalar_function("amount_order", 1, flags, |context| Ok(amount(context)?.map(holders::encode)))?;
    connection.create_aggregate_function("amount_sum", 1, flags, AmountSum)
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::UserFunctionError(Box::new(error))
}

fn refused(reason: &str) -> Error {
    Error::UserFunctionError(reason.into())
}

/// Returns the amount in a function's only argument; `None` for NULL.
fn amount(context: &Context<'_>) -> Result<Option<Balance>, Error> {
    let text: Option<String> = match context.get_raw(0) {
        rusqlite::types::ValueRef::Integer(number) => Some(number.to_string()),
        _ => context.get(0)?,
    };
    text.map(|text| text.parse().map_err(|_| refused("not a whole number"))).transpose()
}

/// Exact sum of amounts, which `sum` would round. Twice as wide as an amount: a contract may report any amounts.
struct AmountSum;

/// [`SignedSums`] of the positive and of the negative amounts.
#[derive(Default)]
struct SignedSums {
    above: U512,
    below: U512,
}

impl Aggregate<SignedSums, String> for AmountSum {
    fn init(&self, _: &mut Context<'_>) -> Result<SignedSums, Error> {
        Ok(SignedSums::default())
    }

    fn step(&self, context: &mut Context<'_>, sums: &mut SignedSums) -> Result<(), Error> {
        if let Some(amount) = amount(context)? {
            let sum = if amount.is_negative() { &mut sums.below } else { &mut sums.above };
            // 2^256 rows would exceed it.
            *sum = sum.saturating_add(U512::from(amount.magnitude().get()));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sums: Option<SignedSums>) -> Result<String, Error> {
        let SignedSums { above, below } = sums.unwrap_or_default();
        Ok(if below > above { format!("-{}", below - above) } else { (above - below).to_string() })
    }
}

/// Maximum bytes of the records that wait to be read again, and of one more.
const MOST_HELD: usize = 16 << 20;

/// Record with what was read from it.
struct UnpackedRecord {
    record: Arc<str>,
    hash: Option<Arc<str>>,
    /// Empty if the record is unreadable.
    effects: Option<Arc<str>>,
}

/// Records that were read last, by their packed form.
#[derive(Default)]
struct HeldRecords {
    records: HashMap<Vec<u8>, UnpackedRecord>,
    bytes: usize,
}

/// Reader of packed records. The columns of a row need the same one, and so do the tables of an export.
struct RecordReader {
    codec: Codec,
    vm: Vm,
    effects: EffectsOfRecord,
    held: Mutex<HeldRecords>,
}

/// Part of a record; empty if the record is unreadable.
type RecordPart = fn(&mut UnpackedRecord, &RecordReader) -> Arc<str>;

impl HeldRecords {
    fn add(&mut self, packed: &[u8], record: UnpackedRecord) {
        if self.bytes > MOST_HELD {
            *self = Self::default();
        }
        self.bytes += packed.len() + record.record.len();
        self.records.insert(packed.to_owned(), record);
    }
}

impl RecordReader {
    /// Returns a part of a packed record; `None` if it is empty.
    fn read(&self, packed: &[u8], part: RecordPart) -> Result<Option<Arc<str>>, Error> {
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let text = if let Some(record) = held.records.get_mut(packed) {
            part(record, self)
        } else {
            let mut record = self.unpack(packed)?;
            let text = part(&mut record, self);
            held.add(packed, record);
            text
        };
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn unpack(&self, packed: &[u8]) -> Result<UnpackedRecord, Error> {
        let mut record = Vec::new();
        self.codec.expand(packed, &mut record).map_err(failed)?;
        let record = readable(String::from_utf8(record).map_err(failed)?)?.into();
        Ok(UnpackedRecord { record, hash: None, effects: None })
    }
}

impl UnpackedRecord {
    fn record(&mut self, _: &RecordReader) -> Arc<str> {
        Arc::clone(&self.record)
    }

    fn hash(&mut self, _: &RecordReader) -> Arc<str> {
        #[derive(Default, Deserialize)]
        struct HashOfRecord {
            txhash: String,
        }
        let read = || serde_json::from_str::<HashOfRecord>(&self.record).unwrap_or_default().txhash.into();
        Arc::clone(self.hash.get_or_insert_with(read))
    }

    fn effects(&mut self, reader: &RecordReader) -> Arc<str> {
        let read = || (reader.effects)(reader.vm, &self.record).unwrap_or_default().into();
        Arc::clone(self.effects.get_or_insert_with(read))
    }
}

/// Removes what a signer nested more deeply than SQLite reads, which would end every query that meets it.
fn readable(record: String) -> Result<String, Error> {
    if depth(&record) < DEEPEST {
        return Ok(record);
    }
    let null = RawJson::parse("null".to_owned()).map_err(failed)?;
    let tx = Tx { tx: null, ..serde_json::from_str(&record).map_err(failed)? };
    serde_json::to_string(&tx).map_err(failed)
}

fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_too_deeply_for_the_database_is_removed_and_the_rest_stays() {
        let nested = format!("{}{}", "[".repeat(DEEPEST), "]".repeat(DEEPEST));
        let record = |tx: &str| {
            format!(
                "{{\"txhash\":\"{}\",\"height\":\"7\",\"code\":3,\"raw_log\":\"[[{{\\\"\",\"tx\":{tx},\"timestamp\":\"2026-01-31T12:00:00Z\"}}",
                "AB".repeat(32)
            )
        };
        assert_eq!(readable(record("{\"body\":{}}")).unwrap(), record("{\"body\":{}}"));
        let cut = readable(record(&nested)).unwrap();
        let connection = Connection::open_in_memory().unwrap();
        let read = |json: &str| {
            connection.query_row("SELECT json_extract(?1, '$.code'), json_extract(?1, '$.tx')", [json], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?))
            })
        };
        assert_eq!(read(&cut).unwrap(), (3, None));
        assert!(read(&record(&nested)).is_err(), "the database refuses such a record");
    }
}
