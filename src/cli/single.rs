//! Commands that show one record.

use serde::de::DeserializeOwned;

use super::{
    CommandError,
    arguments::Format,
    evm_hash,
    indexer::{Indexer, inner},
    names,
    output::CommandOutput,
    record::CommandRecord,
    table::{TableCell, details},
};
use crate::{
    client::endpoints::{self, Endpoint},
    columns::{CsvCell, PagePosition, csv_header, csv_lines, one_line},
    domain::{Address, EvmTxHash, Height, text::group},
    story::{AbiRegistry, ContractLog},
    wire::{ApiError, Block, Collection, EvmLog, EvmTx, RawJson, Status, Verbatim},
};

pub(super) async fn status(indexer: &Indexer, output: &mut CommandOutput) -> Result<(), CommandError> {
    let status: Verbatim<Status> = record(indexer, endpoints::status(), None, "the status").await?;
    print(&status, output)
}

pub(super) async fn block(indexer: &Indexer, height: Height, output: &mut CommandOutput) -> Result<(), CommandError> {
    let subject = format!("block {}", group(height.get()));
    let block: Verbatim<Block> = record(indexer, endpoints::block(height), Some("block"), &subject).await?;
    print(&block, output)
}

pub(super) async fn evm_tx(indexer: &Indexer, hash: EvmTxHash, output: &mut CommandOutput) -> Result<(), CommandError> {
    let subject = format!("receipt {hash}");
    let find = async || match indexer.client.one_and_body(endpoints::evm_tx(hash)).await {
        Err(absent) if absent.is_not_held() => Ok(evm_hash::find_receipt(indexer, hash).await?.ok_or(absent)),
        answered => recorded(answered, Some("tx"), &subject).map(Ok),
    };
    let receipt = indexer.until_found(&subject, find).await?;
    if output.format != Format::Table {
        return print(&receipt, output);
    }
    let abi = names::own_abi(indexer);
    let logs = receipt.value.logs().iter().map(|log| ("Log", TableCell::new(log_words(log, &abi))));
    let lines: Vec<_> = receipt.value.details().into_iter().chain(logs).collect();
    output.text(&details(&lines, output.colored))?;
    output.flush()
}

/// Returns a log's contract and event, with the values if its topics and data fit a known event, else its topics.
fn log_words(log: &EvmLog, abi: &AbiRegistry) -> String {
    let log = ContractLog::of_receipt(log);
    let reading = abi.decode_log(&log);
    let words = match &reading.arguments {
        Some(arguments) => {
            let values = arguments.iter().map(|argument| format!("{} {}", argument.name, argument.value.write()));
            format!(
                "{}({})",
                reading.title(),
                values.map(|value| value.trim().to_owned()).collect::<Vec<_>>().join(", ")
            )
        }
        None => log.topics.join(" "),
    };
    format!("{}  {words}", log.address).trim_end().to_owned()
}

/// Requests a receipt by its EVM hash.
pub(super) async fn receipt(
    indexer: &Indexer,
    hash: EvmTxHash,
    subject: &str,
) -> Result<Verbatim<EvmTx>, CommandError> {
    record(indexer, endpoints::evm_tx(hash), Some("tx"), subject).await
}

pub(super) async fn collection(
    indexer: &Indexer,
    address: Address,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let subject = format!("collection {}", address.hex());
    let endpoint = endpoints::collection(address);
    let collection: Verbatim<Collection> = record(indexer, endpoint, Some("collection"), &subject).await?;
    print(&collection, output)
}

/// Prints the average time between recent blocks.
pub(super) async fn block_time(indexer: &Indexer, output: &mut CommandOutput) -> Result<(), CommandError> {
    let seconds: Verbatim<f64> =
        record(indexer, endpoints::avg_block_time(), None, "the average time between blocks").await?;
    match output.format {
        Format::Json | Format::Jsonl => write_json(seconds.raw.get(), output)?,
        Format::Csv => {
            output.csv(["avg_block_time"])?;
            output.csv([CsvCell::Number(seconds.value.to_string())])?;
        }
        Format::Table => {
            let seconds = seconds.value;
            output.text(&details(&[("Block time", TableCell::new(format!("{seconds:.3} s")))], output.colored))?;
        }
    }
    output.flush()
}

/// Requests one record with its JSON: the whole response, or the response's `field`. Errors name the subject.
pub(super) async fn record<W: DeserializeOwned + Send + 'static, T>(
    indexer: &Indexer,
    endpoint: Endpoint<W, T>,
    field: Option<&str>,
    subject: &str,
) -> Result<Verbatim<T>, CommandError> {
    recorded(indexer.client.one_and_body(endpoint).await, field, subject)
}

/// Extracts the record from a response, as [`record`] does.
pub(super) fn recorded<T>(
    answered: Result<(T, Vec<u8>), ApiError>,
    field: Option<&str>,
    subject: &str,
) -> Result<Verbatim<T>, CommandError> {
    let (value, body) = answered.map_err(|error| CommandError::about(subject, error))?;
    let json = match field {
        None => Some(String::from_utf8_lossy(&body).into_owned()),
        Some(field) => inner(&body, field),
    };
    let raw = json.and_then(|json| RawJson::parse(json).ok());
    let raw = raw.ok_or_else(|| CommandError::Failed(format!("{subject}: unexpected response format")))?;
    Ok(Verbatim { value, raw })
}

/// Prints a record as received, as a line of CSV, or as lines of details.
pub(super) fn print<T: CommandRecord>(record: &Verbatim<T>, output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Json | Format::Jsonl => write_json(record.raw.get(), output)?,
        Format::Csv => {
            output.csv(csv_header::<T>())?;
            csv_lines(&[&record.value], PagePosition::ALONE).try_for_each(|line| output.csv(line))?;
        }
        Format::Table => output.text(&details(&record.value.details(), output.colored))?,
    }
    output.flush()
}

/// Writes JSON as received. JSON lines need one line, which a compact response already is.
fn write_json(json: &str, output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Jsonl => output.json(&one_line(json))?,
        _ => output.json(json)?,
    }
    output.line("")
}
