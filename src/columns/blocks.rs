use std::borrow::Cow;

use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::{
    config::Meaning,
    domain::text::group,
    wire::{Block, Proposer},
};

pub(crate) struct Blocks;

impl Resource for Blocks {
    type Row<'a> = &'a Block;

    const LISTS: &'static [List] = &[List::Blocks];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new(
            "height",
            "Height",
            ColumnHeader::new("height", 11).right().of(Meaning::Link),
            |block, _| CellValue::number(block.height.get()),
        )
        .on(List::Blocks, 10)
        .table(10)
        .csv(10),
        Column::<Self>::new("hash", "Hash", ColumnHeader::new("hash", 10).rank(4).of(Meaning::Link), |block, _| {
            CellValue::hash(block.hash.to_string(), block.hash.short())
        })
        .on(List::Blocks, 60)
        .table(70)
        .csv(20),
        Column::<Self>::new("timestamp", "Time (UTC)", ColumnHeader::time(), |block, _| {
            CellValue::time(block.timestamp)
        })
        .on(List::Blocks, 20)
        .table(20)
        .csv(30),
        Column::<Self>::new(
            "block_time_ms",
            "Took",
            ColumnHeader::new("after", 8).right().rank(2).of(Meaning::Muted),
            |block, _| CellValue::milliseconds(block.block_time),
        )
        .on(List::Blocks, 40)
        .table(30)
        .csv(40),
        Column::<Self>::new("tx_count", "Txs", ColumnHeader::new("txs", 5).right(), |block, _| {
            let meaning = if block.tx_count == 0 { Meaning::Muted } else { Meaning::Number };
            CellValue::number(block.tx_count).of(meaning)
        })
        .on(List::Blocks, 30)
        .table(40)
        .csv(50),
        Column::<Self>::new(
            "gas_used",
            "Gas used",
            ColumnHeader::new("gas", 14).right().rank(3).of(Meaning::Number),
            |block, _| CellValue::number(block.gas_used),
        )
        .on(List::Blocks, 50)
        .table(50)
        .csv(60),
        Column::<Self>::new(
            "gas_wanted",
            "Gas wanted",
            ColumnHeader::new("gas wanted", 14).right().rank(3).of(Meaning::Number),
            |block, _| CellValue::number(block.gas_wanted),
        )
        .csv(70),
        Column::<Self>::new(
            "total_fee",
            "Fees",
            ColumnHeader::new("fees", 20).right().rank(3).of(Meaning::Number),
            |block, _| CellValue::coins(&block.total_fee),
        )
        .table(80)
        .csv(80),
        Column::<Self>::new(
            "proposer_moniker",
            "Proposer",
            ColumnHeader::new("proposer", 8).growing(1).rank(5).of(Meaning::Muted),
            |block, _| CellValue::text(proposer_name(&block.proposer)),
        )
        .exact(|block| Cow::Borrowed(block.proposer.moniker.as_received()))
        .on(List::Blocks, 70)
        .table(60)
        .csv(90),
        Column::<Self>::new(
            "proposer_operator_address",
            "Proposer's address",
            ColumnHeader::new("proposer's address", 51).rank(5).of(Meaning::Muted),
            |block, _| CellValue::text(&block.proposer.operator_address),
        )
        .csv(100),
        Column::<Self>::new(
            "chain_id",
            "Chain",
            ColumnHeader::new("chain", 12).rank(5).of(Meaning::Muted),
            |block, _| CellValue::text(&block.chain_id),
        )
        .csv(110),
    ];
}

/// Returns the proposer's name; without a name, its address.
pub(crate) fn proposer_name(proposer: &Proposer) -> Cow<'_, str> {
    let Proposer { moniker, operator_address, consensus_address, .. } = proposer;
    match consensus_address {
        _ if !moniker.is_empty() => moniker.as_received().into(),
        Some(address) if operator_address.is_empty() => format!("consensus address {address}").into(),
        _ => operator_address.into(),
    }
}

/// Returns what a named proposer is beside its name: the operator address, and the height of the validator set.
pub(crate) fn proposer_details(proposer: &Proposer) -> String {
    let operator = (!proposer.moniker.is_empty()).then(|| proposer.operator_address.clone());
    let height = proposer.validator_height.map(|height| format!("as of height {}", group(height)));
    operator.into_iter().chain(height).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_proposer_is_its_consensus_address() {
        let words = |moniker: &str, operator: &str, consensus: Option<&str>, height| {
            let proposer = Proposer {
                moniker: moniker.into(),
                operator_address: operator.to_owned(),
                consensus_address: consensus.map(str::to_owned),
                validator_height: height,
                ..Proposer::default()
            };
            format!("{}  {}", proposer_name(&proposer), proposer_details(&proposer))
        };
        assert_eq!(words("live", "initvaloper1a", Some("D1"), Some(1110)), "live  initvaloper1a · as of height 1,110");
        assert_eq!(words("", "initvaloper1a", None, None), "initvaloper1a  ");
        assert_eq!(words("", "", Some("D1"), None), "consensus address D1  ");
    }
}
