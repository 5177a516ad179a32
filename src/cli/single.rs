//! The commands that show one thing.

use super::{
    CommandError,
    arguments::Format,
    indexer::{Indexer, inner},
    list::one_line,
    output::CommandOutput,
    record::{self, CommandRecord, PagePosition},
    table::{TableCell, details},
};
use crate::{
    client::endpoints,
    domain::{Address, EvmTxHash, Height},
    wire::{AvgBlockTime, Block, Collection, EvmTx, Status, Tx},
};

pub(super) async fn status(indexer: &Indexer, output: &mut CommandOutput) -> Result<(), CommandError> {
    let body = indexer.client.raw(endpoints::status()).await?;
    print::<Status>(&String::from_utf8_lossy(&body), output)
}

pub(super) async fn block(indexer: &Indexer, height: Height, output: &mut CommandOutput) -> Result<(), CommandError> {
    print::<Block>(&field(&indexer.client.raw(endpoints::block(height)).await?, "block")?, output)
}

/// Prints the record of a transaction.
pub(super) fn tx(json: &str, output: &mut CommandOutput) -> Result<(), CommandError> {
    print::<Tx>(json, output)
}

pub(super) async fn evm_tx(indexer: &Indexer, hash: EvmTxHash, output: &mut CommandOutput) -> Result<(), CommandError> {
    print::<EvmTx>(&field(&indexer.client.raw(endpoints::evm_tx(hash)).await?, "tx")?, output)
}

pub(super) async fn collection(
    indexer: &Indexer,
    address: Address,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    print::<Collection>(&field(&indexer.client.raw(endpoints::collection(address)).await?, "collection")?, output)
}

/// Prints the average time between the newest blocks.
pub(super) async fn block_time(indexer: &Indexer, output: &mut CommandOutput) -> Result<(), CommandError> {
    let body = indexer.client.raw(endpoints::avg_block_time()).await?;
    let body = String::from_utf8_lossy(&body);
    match output.format {
        Format::Json | Format::Jsonl => write_json(&body, output)?,
        Format::Csv => {
            output.csv(["avg_block_time"])?;
            output.csv([decode::<AvgBlockTime>(&body)?.avg_block_time.to_string()])?;
        }
        Format::Table => {
            let seconds = decode::<AvgBlockTime>(&body)?.avg_block_time;
            output.text(&details(&[("Block time", TableCell::new(format!("{seconds:.3} s")))], output.colored))?;
        }
    }
    output.flush()
}

fn print<T: CommandRecord + serde::de::DeserializeOwned>(
    json: &str,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    match output.format {
        Format::Json | Format::Jsonl => write_json(json, output)?,
        Format::Csv => {
            output.csv(record::csv_header::<T>())?;
            let value = decode::<T>(json)?;
            record::csv_lines(&[&value], PagePosition::ALONE).try_for_each(|line| output.csv(line))?;
        }
        Format::Table => output.text(&details(&decode::<T>(json)?.details(), output.colored))?,
    }
    output.flush()
}

/// The answer as received; a compact answer is one line already, as JSON lines need it.
fn write_json(json: &str, output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Jsonl => output.json(&one_line(json))?,
        _ => output.json(json)?,
    }
    output.line("")
}

pub(super) fn decode<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, CommandError> {
    serde_json::from_str(json)
        .map_err(|error| CommandError::Failed(format!("the answer has another form ({error}); --format json shows it")))
}

/// What an answer has under this name, as received.
pub(super) fn field(body: &[u8], name: &str) -> Result<String, CommandError> {
    inner(body, name).ok_or_else(|| {
        CommandError::Failed(format!("the answer has no “{name}”; check that the address is an indexer's"))
    })
}
