//! What transactions mean, as text for people and as JSON for scripts.

mod text;

use std::sync::Arc;

use super::{
    CommandError,
    arguments::{Format, ListArguments, TxsArguments},
    indexer::Indexer,
    list::{self, ListWriter},
    names,
    output::CommandOutput,
    record::PagePosition,
    single::{self, decode, field},
    table::paint,
};
use crate::{
    client::endpoints,
    config::Meaning,
    domain::{TxHash, text::group},
    msg::TxQuery,
    story::{Glossary, Story, StoryRecord},
    wire::{Tx, Verbatim},
};

/// The form in which `txs` answers: stories are JSON lines unless something else is asked for, and never CSV.
pub(super) fn form(arguments: &TxsArguments) -> Result<Option<Format>, CommandError> {
    match arguments.output.format {
        Some(Format::Csv) if arguments.story => {
            Err(CommandError::Usage("a story does not fit into columns: take --format jsonl, json or table".to_owned()))
        }
        None if arguments.story => Ok(Some(Format::Jsonl)),
        format => Ok(format),
    }
}

/// Prints one transaction: as text its story with the record's fields below, else the server's record or its story.
pub(super) async fn tx(
    indexer: &Indexer,
    hash: TxHash,
    is_story: bool,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if output.format != Format::Table && !is_story {
        let json = field(&indexer.client.raw(endpoints::tx(hash)).await?, "tx")?;
        return single::tx(&json, output);
    }
    let (body, glossary) = tokio::join!(indexer.client.raw(endpoints::tx(hash)), names::glossary(indexer));
    let tx: Tx = decode(&field(&body?, "tx")?)?;
    if output.format == Format::Table {
        output.text(&text::of(&tx, &glossary, output.width, output.colored))?;
    } else {
        output.json(&record(&tx, &glossary)?)?;
        output.line("")?;
    }
    output.flush()
}

/// Prints the stories of a list's transactions.
pub(super) async fn list(
    txs: &TxQuery,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let is_terminal = output.is_terminal;
    let mut stories = StoryWriter { output, glossary: names::glossary(indexer).await, begun: false };
    list::print_by(&mut stories, txs, indexer, arguments, is_terminal).await
}

/// The story of a transaction as one line of JSON.
fn record(tx: &Tx, glossary: &Glossary) -> Result<String, CommandError> {
    let story = Story::of(tx, glossary);
    serde_json::to_string(&StoryRecord::of(tx, &story)).map_err(CommandError::failed)
}

/// Writes stories as they come, in the output's format.
struct StoryWriter<'a> {
    output: &'a mut CommandOutput,
    glossary: Glossary,
    /// Whether one is out.
    begun: bool,
}

impl ListWriter<Tx> for StoryWriter<'_> {
    fn write(&mut self, items: &[Arc<Verbatim<Tx>>], _: PagePosition) -> Result<(), CommandError> {
        for item in items {
            let before = match self.output.format {
                Format::Json => {
                    if self.begun {
                        ",\n"
                    } else {
                        "[\n"
                    }
                }
                Format::Table if self.begun => "\n\n",
                _ => "",
            };
            self.output.text(before)?;
            match self.output.format {
                Format::Table => {
                    let title = format!("{} in block {}", item.value.txhash, group(item.value.height.get()));
                    self.output.line(&paint(Meaning::Heading, &title, self.output.colored))?;
                    let text = text::of(&item.value, &self.glossary, self.output.width, self.output.colored);
                    self.output.text(&text)?;
                }
                _ => self.output.json(&record(&item.value, &self.glossary)?)?,
            }
            if self.output.format == Format::Jsonl {
                self.output.line("")?;
            }
            self.begun = true;
        }
        self.output.flush()
    }

    fn finish(&mut self) -> Result<(), CommandError> {
        if self.output.format == Format::Json {
            self.output.text(if self.begun { "\n]\n" } else { "[]\n" })?;
        }
        self.output.flush()
    }
}
