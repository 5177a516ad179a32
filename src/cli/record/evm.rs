use super::{Meaning, Record};
use crate::{
    cli::table::{Align, Cell, Column},
    domain::text::{group, group_digits},
    wire::{EvmTx, HexText, InternalTx},
};

impl Record for EvmTx {
    const COLUMNS: &'static [Column] = &[
        ("", Align::Left),
        ("Height", Align::Right),
        ("Hash", Align::Left),
        ("From", Align::Left),
        ("To", Align::Left),
        ("Gas used", Align::Right),
        ("Logs", Align::Right),
    ];
    const CSV: &'static [&'static str] = &[
        "transaction_hash",
        "block_number",
        "transaction_index",
        "status",
        "type",
        "from",
        "to",
        "contract_address",
        "gas_used",
        "effective_gas_price",
        "cumulative_gas_used",
        "logs",
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            if self.is_success() {
                Cell::new("✓").meaning(Meaning::Good)
            } else {
                Cell::new("✗").meaning(Meaning::Bad)
            },
            Cell::new(grouped(&self.block_number)),
            Cell::new(self.transaction_hash.to_string()).or_short(self.transaction_hash.short()),
            address(&self.from),
            called(self),
            Cell::new(grouped(&self.gas_used)),
            Cell::new(group(self.logs().len() as u64)),
        ]
    }

    fn csv(&self) -> Vec<String> {
        vec![
            self.transaction_hash.to_string(),
            exact(&self.block_number),
            exact(&self.transaction_index),
            exact(&self.status),
            exact(&self.kind),
            self.from.clone(),
            self.to.clone(),
            self.contract_address.clone().unwrap_or_default(),
            exact(&self.gas_used),
            exact(&self.effective_gas_price),
            exact(&self.cumulative_gas_used),
            self.logs().len().to_string(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        let result = if self.is_success() {
            Cell::new("✓ success").meaning(Meaning::Good)
        } else {
            Cell::new("✗ failed").meaning(Meaning::Bad)
        };
        let mut details = vec![
            ("EVM transaction", Cell::new(self.transaction_hash.to_string())),
            ("Result", result),
            ("Block", Cell::new(grouped(&self.block_number))),
            ("Index", Cell::new(grouped(&self.transaction_index))),
            ("From", Cell::new(&self.from)),
        ];
        if !self.to.is_empty() {
            details.push(("To", Cell::new(&self.to)));
        }
        if let Some(contract) = &self.contract_address {
            details.push(("Deployed", Cell::new(contract)));
        }
        details.extend([
            ("Gas used", Cell::new(grouped(&self.gas_used))),
            ("Gas price", Cell::new(grouped(&self.effective_gas_price))),
        ]);
        details.extend(self.logs().iter().map(|log| {
            let topic = log.topics.first().map(ToString::to_string).unwrap_or_default();
            ("Log", Cell::new(format!("{}  {topic}", log.address).trim_end()))
        }));
        details
    }
}

impl Record for InternalTx {
    const COLUMNS: &'static [Column] = &[
        ("Height", Align::Right),
        ("Hash", Align::Left),
        ("Index", Align::Right),
        ("Parent", Align::Right),
        ("Type", Align::Left),
        ("From", Align::Left),
        ("To", Align::Left),
        ("Value", Align::Right),
        ("Gas used", Align::Right),
    ];
    const CSV: &'static [&'static str] = &[
        "height",
        "hash",
        "index",
        "parent_index",
        "type",
        "from",
        "to",
        "value",
        "gas",
        "gas_used",
        "input",
        "output",
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::new(group(self.height.get())),
            Cell::new(self.hash.to_string()).or_short(self.hash.short()),
            Cell::new(self.index.to_string()),
            Cell::new(if self.parent_index < 0 { String::new() } else { self.parent_index.to_string() }),
            Cell::new(&self.kind),
            address(&self.from),
            address(&self.to),
            Cell::new(grouped(&self.value)),
            Cell::new(grouped(&self.gas_used)),
        ]
    }

    fn csv(&self) -> Vec<String> {
        vec![
            self.height.to_string(),
            self.hash.to_string(),
            self.index.to_string(),
            self.parent_index.to_string(),
            self.kind.clone(),
            self.from.clone(),
            self.to.clone(),
            exact(&self.value),
            exact(&self.gas),
            exact(&self.gas_used),
            self.input.to_string(),
            self.output.to_string(),
        ]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        Self::COLUMNS.iter().map(|(name, _)| *name).zip(self.cells()).collect()
    }
}

/// Who was called; for a deployment what came of it.
fn called(tx: &EvmTx) -> Cell {
    match &tx.contract_address {
        Some(contract) if tx.to.is_empty() => {
            Cell::new(format!("new {contract}")).or_short(format!("new {}", short(contract)))
        }
        _ => address(&tx.to),
    }
}

fn address(text: &str) -> Cell {
    Cell::new(text).or_short(short(text))
}

/// First and last digits of an address as the EVM writes it.
fn short(text: &str) -> String {
    match (text.get(..6), text.get(text.len().saturating_sub(4)..)) {
        (Some(start), Some(end)) if text.len() > 12 => format!("{start}…{end}"),
        _ => text.to_owned(),
    }
}

/// A quantity in decimal digits; the text itself where it is none.
fn exact(quantity: &HexText) -> String {
    quantity.quantity().map_or_else(|| quantity.to_string(), |amount| amount.to_string())
}

fn grouped(quantity: &HexText) -> String {
    quantity.quantity().map_or_else(|| quantity.to_string(), |amount| group_digits(&amount.to_string()))
}
