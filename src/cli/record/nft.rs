use super::Record;
use crate::{
    cli::table::{Align, Cell, Column},
    domain::{Address, text::group},
    wire::{Collection, Token},
};

impl Record for Collection {
    const COLUMNS: &'static [Column] = &[
        ("Height", Align::Right),
        ("Name", Align::Left),
        ("NFTs", Align::Right),
        ("Address", Align::Left),
        ("Creator", Align::Left),
        ("From class", Align::Left),
    ];
    const CSV: &'static [&'static str] =
        &["object_addr", "name", "origin_name", "creator", "length", "height", "timestamp"];

    fn cells(&self) -> Vec<Cell> {
        let facts = &self.collection;
        vec![
            Cell::new(group(self.height.get())),
            Cell::new(&facts.name),
            Cell::new(group(facts.nfts.length)),
            hex(&self.object_addr),
            account(&facts.creator),
            Cell::new(&facts.origin_name),
        ]
    }

    fn csv(&self) -> Vec<String> {
        let facts = &self.collection;
        vec![
            self.object_addr.clone(),
            facts.name.clone(),
            facts.origin_name.clone(),
            facts.creator.clone(),
            facts.nfts.length.to_string(),
            self.height.to_string(),
            self.timestamp.to_string(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        let facts = &self.collection;
        let mut details = vec![("Collection", Cell::new(&facts.name)), ("Address", Cell::new(&self.object_addr))];
        if !facts.origin_name.is_empty() {
            details.push(("From class", Cell::new(&facts.origin_name)));
        }
        details.extend([
            ("Creator", Cell::new(&facts.creator)),
            ("NFTs", Cell::new(group(facts.nfts.length))),
            ("Since block", Cell::new(group(self.height.get()))),
            ("Time", Cell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
        ]);
        details
    }
}

impl Record for Token {
    const COLUMNS: &'static [Column] = &[
        ("Height", Align::Right),
        ("Collection", Align::Left),
        ("Id", Align::Left),
        ("Owner", Align::Left),
        ("URI", Align::Left),
        ("Collection address", Align::Left),
    ];
    const CSV: &'static [&'static str] = &[
        "collection_addr",
        "collection_name",
        "collection_origin_name",
        "token_id",
        "owner",
        "uri",
        "object_addr",
        "height",
        "timestamp",
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::new(group(self.height.get())),
            Cell::new(&self.collection_name),
            Cell::new(&self.nft.token_id),
            account(&self.owner),
            Cell::new(&self.nft.uri),
            hex(&self.collection_addr),
        ]
    }

    fn csv(&self) -> Vec<String> {
        vec![
            self.collection_addr.clone(),
            self.collection_name.clone(),
            self.collection_origin_name.clone(),
            self.nft.token_id.clone(),
            self.owner.clone(),
            self.nft.uri.clone(),
            self.object_addr.clone(),
            self.height.to_string(),
            self.timestamp.to_string(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        Self::COLUMNS.iter().map(|(name, _)| *name).zip(self.cells()).collect()
    }
}

fn account(text: &str) -> Cell {
    let short = text.parse::<Address>().map_or_else(|_| text.to_owned(), |address| address.short());
    Cell::new(text).or_short(short)
}

fn hex(text: &str) -> Cell {
    match (text.get(..6), text.get(text.len().saturating_sub(4)..)) {
        (Some(start), Some(end)) if text.len() > 12 => Cell::new(text).or_short(format!("{start}…{end}")),
        _ => Cell::new(text),
    }
}
