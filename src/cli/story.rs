//! Stories of transactions, as text for humans and as JSON for scripts.

mod text;

use std::sync::Arc;

use super::{
    CommandError,
    arguments::{Format, ListArguments, TxsArguments},
    evm_hash,
    indexer::Indexer,
    list,
    names::{self, CommandNames},
    output::CommandOutput,
    single,
    table::paint,
};
use crate::{
    client::{IndexerClient, NodeClient, endpoints},
    columns::PagePosition,
    config::Meaning,
    domain::{LocalPacket, TxHash, text::group},
    listing::{ListWriter, OddRows, WalkedRow},
    msg::{ListedRow, PageRequest, TxQuery, TxScope},
    story::{FactDispute, Glossary, PacketTrail, Story, StoryRecord, packet_queries},
    wire::{ApiError, Tx, Verbatim},
};

/// Returns the output format of `txs`: stories default to JSON lines and have no CSV.
pub(super) fn form(arguments: &TxsArguments) -> Result<Option<Format>, CommandError> {
    match arguments.output.format {
        Some(Format::Csv) if arguments.story => {
            Err(CommandError::Usage("a story has no columns: use --format jsonl, json or table".to_owned()))
        }
        None if arguments.story => Ok(Some(Format::Jsonl)),
        format => Ok(format),
    }
}

/// Prints one transaction: as text the story and the record's fields, else the server's record or the story.
pub(super) async fn tx(
    indexer: &Indexer,
    hash: TxHash,
    is_story: bool,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let subject = format!("transaction {hash}");
    let tx = indexer.until_found(&subject, async || tx_of(indexer, hash, &subject).await).await?;
    if output.format != Format::Table
        && let Some(records) = tx.value.other_records()
    {
        eprintln!("note: {hash}: {records}");
    }
    if output.format != Format::Table && !is_story {
        return single::print(&tx, output);
    }
    let mut names = CommandNames::collect(indexer).await?;
    names::learn_collections(&mut names.glossary, indexer, &tx.value).await;
    see(&tx.value, &names.glossary);
    names.look_up().await;
    if output.format == Format::Table {
        let evm_hash = evm_hash::of(indexer, &tx.value).await;
        output.text(&text::of(&tx.value, evm_hash, &names.glossary, output.width, output.colored))?;
    } else {
        let mut steps = PacketSteps::of(indexer, names.node()).await;
        steps.look_up(&tx.value, &names.glossary).await;
        output.json(&steps.record(&tx.value, &names.glossary)?)?;
        output.line("")?;
    }
    output.flush()
}

/// Requests a transaction by its Cosmos or EVM hash; returns the server's answer if it is absent.
async fn tx_of(indexer: &Indexer, hash: TxHash, subject: &str) -> Result<Result<Verbatim<Tx>, ApiError>, CommandError> {
    match indexer.client.one_and_body(endpoints::tx(hash)).await {
        Err(absent) if absent.is_not_held() => Ok(evm_hash::find(indexer, hash).await?.ok_or(absent)),
        answered => single::recorded(answered, Some("tx"), subject).map(Ok),
    }
}

pub(super) async fn list(
    txs: &TxQuery,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let is_terminal = output.is_terminal;
    let names = CommandNames::collect(indexer).await?;
    let steps = PacketSteps::of(indexer, names.node()).await;
    let mut stories = StoryWriter { output, names, steps, begun: false };
    list::print_by(&mut stories, txs, indexer, arguments, is_terminal).await
}

/// Steps of packets on the indexer's chain, from its list of a packet's transactions, else from its node's search.
struct PacketSteps<'a> {
    client: &'a IndexerClient,
    /// Whether the indexer lists the transactions of a packet.
    is_listed: bool,
    /// Node to search; `None` without a node, and after a failed search.
    node: Option<NodeClient>,
    /// Chain id; `None` if neither tells steps.
    chain_id: Option<String>,
    trail: PacketTrail,
}

impl<'a> PacketSteps<'a> {
    async fn of(indexer: &'a Indexer, node: Option<&NodeClient>) -> Self {
        let status = indexer.client.status().await.ok();
        let is_listed = status.as_ref().is_some_and(|status| status.has_packets == Some(true));
        let node = node.filter(|_| !is_listed).cloned();
        let chain_id = status.filter(|_| is_listed || node.is_some()).map(|status| status.chain_id);
        Self { client: &indexer.client, is_listed, node, chain_id, trail: PacketTrail::default() }
    }

    /// Looks up the other steps of a transaction's packets; without them the story has no outcome.
    async fn look_up(&mut self, tx: &Tx, glossary: &Glossary) {
        if self.chain_id.is_none() {
            return;
        }
        for end in PacketTrail::ends(&Story::of(tx, glossary)).into_iter().take(PacketTrail::MOST_PACKETS) {
            let found = if self.is_listed { self.listed(end).await } else { self.searched(tx, end).await };
            for tx in found {
                self.trail.add(&tx, glossary);
            }
        }
    }

    async fn listed(&self, end: LocalPacket) -> Vec<Arc<Tx>> {
        let query = TxQuery { scope: TxScope::Packet(end), msgs: Vec::new() };
        let found = self.client.list(&query, &PageRequest::newest(PacketTrail::MOST_STEPS)).await;
        found.map(|page| page.items).unwrap_or_default()
    }

    /// Searches the node; notes what it tells of `tx` differently than the indexer.
    async fn searched(&mut self, tx: &Tx, end: LocalPacket) -> Vec<Arc<Tx>> {
        let Some(node) = &self.node else { return Vec::new() };
        match node.find_txs(&packet_queries(&end), PacketTrail::MOST_STEPS).await {
            Ok(found) => {
                let own = found.txs.iter().find(|found| found.txhash == tx.txhash);
                for dispute in own.into_iter().flat_map(|of_node| FactDispute::between(tx, of_node)) {
                    eprintln!("note: {}: {dispute}", tx.txhash);
                }
                found.txs
            }
            Err(error) => {
                eprintln!("note: what became of packets is not looked up: {error}");
                self.node = None;
                Vec::new()
            }
        }
    }

    /// Returns a transaction's story as one line of JSON.
    fn record(&self, tx: &Tx, glossary: &Glossary) -> Result<String, CommandError> {
        let story = Story::of(tx, glossary);
        let steps = (self.chain_id.as_deref().unwrap_or_default(), &self.trail);
        serde_json::to_string(&StoryRecord::of(tx, &story, glossary, steps)).map_err(CommandError::failed)
    }
}

/// Writes stories one by one in the output's format.
struct StoryWriter<'a> {
    output: &'a mut CommandOutput,
    names: CommandNames,
    steps: PacketSteps<'a>,
    begun: bool,
}

/// Looks up every denom of a story, so that the node can be asked for those without a name.
fn see(tx: &Tx, glossary: &Glossary) {
    Story::of(tx, glossary).named_tokens(glossary);
}

impl ListWriter<Tx> for StoryWriter<'_> {
    type Error = CommandError;

    async fn prepare(&mut self, rows: &[WalkedRow<Tx>], _: PagePosition) {
        for row in rows.iter().filter_map(ListedRow::read) {
            see(&row.value, &self.names.glossary);
        }
        self.names.look_up().await;
        for row in rows.iter().filter_map(ListedRow::read).filter(|_| self.output.format != Format::Table) {
            self.steps.look_up(&row.value, &self.names.glossary).await;
        }
    }

    fn write(&mut self, rows: &[WalkedRow<Tx>], _: PagePosition) -> Result<(), CommandError> {
        for row in rows {
            let item = match row {
                ListedRow::Read(item) => item,
                ListedRow::Unreadable(row) if self.output.format == Format::Table => {
                    let before = if self.begun { "\n\n" } else { "" };
                    let text = list::unreadable(row, self.output.width);
                    self.output.line(&format!("{before}{}", paint(Meaning::Bad, &text, self.output.colored)))?;
                    self.begun = true;
                    continue;
                }
                ListedRow::Unreadable(_) => continue,
            };
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
                    let (glossary, width) = (&self.names.glossary, self.output.width);
                    let text = text::of(&item.value, None, glossary, width, self.output.colored);
                    self.output.text(&text)?;
                }
                _ => self.output.json(&self.steps.record(&item.value, &self.names.glossary)?)?,
            }
            if self.output.format == Format::Jsonl {
                self.output.line("")?;
            }
            self.begun = true;
        }
        self.output.flush()
    }

    fn finish(&mut self, is_whole: bool) -> Result<(), CommandError> {
        if self.output.format == Format::Json {
            self.output.end_array(self.begun, is_whole)?;
        }
        self.output.flush()
    }

    fn odd_rows(&self) -> OddRows {
        if self.output.format == Format::Table { OddRows::Marked } else { OddRows::LeftOut }
    }
}
