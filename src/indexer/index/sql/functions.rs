//! SQL functions: of the views, which unpack what the tables hold, and of queries, for exact amounts.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{
    Connection, Error,
    functions::{Aggregate, Context, FunctionFlags},
};

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
    let records = Arc::new(RecordReader { codec, last: Mutex::default(), effects: Mutex::default() });
    let reader = Arc::clone(&records);
    connection.create_scalar_function("rs_record", 1, flags, move |context| {
        let packed = context.get_raw(0).as_blob().map_err(failed)?;
        Ok(Some(reader.record(packed)?))
    })?;
    connection.create_scalar_function("rs_effects", 1, flags, move |context| {
        let packed = context.get_raw(0).as_blob().map_err(failed)?;
        records.effects(packed, |record| effects(vm, record))
    })?;
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

/// Exact sum of amounts, which `sum` would round.
struct AmountSum;

impl Aggregate<Balance, String> for AmountSum {
    fn init(&self, _: &mut Context<'_>) -> Result<Balance, Error> {
        Ok(Balance::default())
    }

    fn step(&self, context: &mut Context<'_>, sum: &mut Balance) -> Result<(), Error> {
        if let Some(amount) = amount(context)? {
            *sum = sum.checked_add(amount).ok_or_else(|| refused("the sum has more than 256 bits"))?;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sum: Option<Balance>) -> Result<String, Error> {
        Ok(sum.unwrap_or_default().to_string())
    }
}

/// Text that was made from a packed record.
type MadeText = Option<(Vec<u8>, Arc<str>)>;

/// Reader of packed records; each column of a row needs the same one.
struct RecordReader {
    codec: Codec,
    last: Mutex<MadeText>,
    effects: Mutex<MadeText>,
}

impl RecordReader {
    fn record(&self, packed: &[u8]) -> Result<Arc<str>, Error> {
        remembered(&self.last, packed, || {
            let mut record = Vec::new();
            self.codec.expand(packed, &mut record).map_err(failed)?;
            readable(String::from_utf8(record).map_err(failed)?)
        })
    }

    /// Returns a record's effects; `None` if it is unreadable.
    fn effects(&self, packed: &[u8], read: impl Fn(&str) -> Option<String>) -> Result<Option<Arc<str>>, Error> {
        let record = self.record(packed)?;
        remembered(&self.effects, packed, || Ok(read(&record).unwrap_or_default()))
            .map(|effects| Some(effects).filter(|effects| !effects.is_empty()))
    }
}

fn remembered(
    last: &Mutex<MadeText>,
    packed: &[u8],
    make: impl FnOnce() -> Result<String, Error>,
) -> Result<Arc<str>, Error> {
    // No code panics halfway through a change, so a poisoned lock holds valid data.
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, text)) = last.as_ref().filter(|(of, _)| of == packed) {
        return Ok(Arc::clone(text));
    }
    let text: Arc<str> = make()?.into();
    *last = Some((packed.to_vec(), Arc::clone(&text)));
    Ok(text)
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
