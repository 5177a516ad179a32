//! Records that commands print as tables, CSV or details; the module `columns` defines the columns.

use super::table::{Align, Heading, TableCell};
use crate::{
    columns::{Forms, ListRecord, PagePosition, Resource, SignedParts, proposer_details, proposer_name},
    config::Meaning,
    domain::text::{group, group_digits},
    story::{Glossary, PartialFailure},
    wire::{
        Block, BlockGap, Collection, EvmTx, HexText, Holder, InternalTx, NodeStatus, PartFloor, Status, Token, Tx,
        UndecodedPart, WireCoin,
    },
};

/// Record that commands also show alone.
pub(super) trait CommandRecord: ListRecord {
    /// Returns names and values of the record's details; by default the table's columns.
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let rows = Self::rows(&[self], PagePosition::ALONE, None);
        let cells = rows.iter().flat_map(|row| {
            let columns = Self::Columns::table().into_iter();
            columns.filter_map(|column| Some((column.label, column.table_cell(row, &Forms::PLAIN)?)))
        });
        cells.collect()
    }
}

pub(super) struct RecordTable {
    /// Indices of the shown columns.
    pub(super) kept: Vec<usize>,
    pub(super) headings: Vec<Heading>,
    pub(super) rows: Vec<Vec<TableCell>>,
}

/// Builds a table of the `kept` columns. Without `kept`, omits optional columns that are empty in every record.
pub(super) fn table<T: CommandRecord>(
    items: &[&T],
    place: PagePosition,
    glossary: Option<&Glossary>,
    kept: Option<&[usize]>,
) -> RecordTable {
    let columns = T::Columns::table();
    let rows = T::rows(items, place, glossary);
    let cells: Vec<Vec<Option<TableCell>>> =
        rows.iter().map(|row| columns.iter().map(|column| column.table_cell(row, &Forms::PLAIN)).collect()).collect();
    let has_any = |place: usize| cells.iter().any(|row| row.get(place).is_some_and(Option::is_some));
    let used = || {
        let used = columns.iter().enumerate().filter(|(place, column)| !column.is_optional || has_any(*place));
        used.map(|(place, _)| place).collect()
    };
    let kept: Vec<usize> = kept.map_or_else(used, <[usize]>::to_vec);
    let align = |right: bool| if right { Align::Right } else { Align::Left };
    let kept_columns = kept.iter().filter_map(|place| columns.get(*place));
    let headings = kept_columns.map(|column| (column.label, align(column.is_right_in_table()))).collect();
    let pick = |mut row: Vec<Option<TableCell>>| {
        let mut take = |place: usize| row.get_mut(place)?.take();
        kept.iter().map(|&place| take(place).unwrap_or_else(|| TableCell::new(""))).collect()
    };
    let rows = cells.into_iter().map(pick).collect();
    RecordTable { kept, headings, rows }
}

impl CommandRecord for Block {
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let took = if self.block_time == 0 { String::new() } else { self.interval_text() };
        vec![
            ("Block", TableCell::new(group(self.height.get()))),
            ("Chain", TableCell::new(&self.chain_id)),
            ("Hash", TableCell::new(self.hash.to_string())),
            ("Time", TableCell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
            ("Took", TableCell::new(took)),
            ("Transactions", TableCell::new(group(self.tx_count))),
            ("Gas", TableCell::new(gas(self.gas_used, self.gas_wanted))),
            ("Fees", TableCell::new(coins(&self.total_fee))),
            (
                "Proposer",
                TableCell::new(
                    format!("{}  {}", proposer_name(&self.proposer), proposer_details(&self.proposer)).trim(),
                ),
            ),
        ]
    }
}

impl CommandRecord for Tx {
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let signed = SignedParts::parse(self);
        let mut details = vec![
            ("Transaction", TableCell::new(self.txhash.to_string())),
            (
                "Result",
                match PartialFailure::verdict(&PartialFailure::all_of(self)) {
                    Some(partly) => TableCell::new(partly).meaning(Meaning::Warning),
                    None => {
                        result(self.is_success(), &format!(": code {} of {}", self.code, self.codespace.clipped(160)))
                    }
                },
            ),
            ("Block", TableCell::new(group(self.height.get()))),
            ("Time", TableCell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
            ("Gas", TableCell::new(gas(self.gas_used, self.gas_wanted))),
        ];
        if !signed.fee.is_empty() {
            let is_free = signed.fee.iter().all(|coin| coin.amount.is_zero());
            details.push(("Fee", TableCell::new(if is_free { "none".to_owned() } else { coins(&signed.fee) })));
        }
        if !signed.memo.is_empty() {
            details.push(("Memo", TableCell::new(&signed.memo)));
        }
        if !self.is_success() {
            details.push(("Reason", TableCell::new(self.raw_log.as_received())));
        }
        details.extend(self.message_types().iter().map(|message| ("Message", TableCell::new(message.as_str()))));
        details
    }
}

impl CommandRecord for Status {
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let behind = |height: Option<u64>| match height {
            None => TableCell::new("not indexed"),
            Some(height) if height >= self.height.get() => TableCell::new(group(height)),
            Some(height) => {
                TableCell::new(format!("{}  ({} behind)", group(height), group(self.height.get() - height)))
            }
        };
        let mut details = vec![
            ("Chain", TableCell::new(&self.chain_id)),
            ("Height", TableCell::new(group(self.height.get()))),
            ("Internal transactions", behind(self.internal_tx_height)),
            ("Rich list", behind(self.rich_list_height)),
            ("Indexer", TableCell::new(format!("{} {}", self.version, self.commit_hash).trim())),
        ];
        let mut add = |name, value: Option<String>| details.extend(value.map(|value| (name, TableCell::new(value))));
        add("Oldest block", self.oldest_height.map(group));
        let gap = |gap: &BlockGap| format!("blocks {} to {}", group(gap.from.get()), group(gap.to.get()));
        let gaps: Vec<String> = self.gaps.iter().map(gap).collect();
        add("Pruned before read", (!gaps.is_empty()).then(|| gaps.join(", ")));
        add(
            "Older blocks",
            self.is_complete.map(|is_complete| if is_complete { "none to index" } else { "follow" }.into()),
        );
        let listed = |has| if has { "listed" } else { "not listed" }.into();
        add("IBC packets", self.has_packets.map(listed));
        add("Token contracts", self.has_token_contracts.map(listed));
        add("Store", self.store_trouble.as_ref().map(|trouble| trouble.clipped(400)));
        add("Return data cleaned to", self.evm_ret_cleanup_height.map(group));
        add("Account links to check", self.tx_account_cleanup_sequence.map(|left| left.to_string()));
        add("Account links deleted", self.tx_account_cleanup_deleted.map(|links| links.to_string()));
        add("Account links inserted", self.tx_account_cleanup_inserted.map(|links| links.to_string()));
        details.extend(self.node.iter().flat_map(node_details));
        details
    }
}

impl CommandRecord for EvmTx {
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let mut details = vec![
            ("EVM transaction", TableCell::new(self.transaction_hash.to_string())),
            ("Result", result(self.is_success(), "")),
            ("Block", TableCell::new(grouped(&self.block_number))),
            ("Index", TableCell::new(grouped(&self.transaction_index))),
            ("From", TableCell::new(&self.from)),
        ];
        if !self.to.is_empty() {
            details.push(("To", TableCell::new(&self.to)));
        }
        if let Some(contract) = &self.contract_address {
            details.push(("Deployed", TableCell::new(contract)));
        }
        details.extend([
            ("Gas used", TableCell::new(grouped(&self.gas_used))),
            ("Gas price charged", TableCell::new(format!("{} wei", grouped(&self.effective_gas_price)))),
        ]);
        details
    }
}

impl CommandRecord for InternalTx {}

impl CommandRecord for Collection {
    fn details(&self) -> Vec<(&'static str, TableCell)> {
        let facts = &self.collection;
        let mut details = vec![
            ("Collection", TableCell::new(facts.name.as_received())),
            ("Address", TableCell::new(&self.object_addr)),
        ];
        if !facts.origin_name.is_empty() {
            details.push(("Origin class", TableCell::new(facts.origin_name.as_received())));
        }
        details.extend([
            ("Creator", TableCell::new(&facts.creator)),
            ("NFTs", TableCell::new(group(facts.nfts.length))),
            ("Since block", TableCell::new(group(self.height.get()))),
            ("Time", TableCell::new(format!("{} UTC", self.timestamp.day_and_clock()))),
        ]);
        details
    }
}

impl CommandRecord for Token {}

impl CommandRecord for Holder {}

fn node_details(node: &NodeStatus) -> Vec<(&'static str, TableCell)> {
    let state = if node.is_catching_up { "syncing" } else { "synced" };
    let height =
        node.height.map_or_else(|| "not answered yet".to_owned(), |height| format!("{}, {state}", group(height)));
    let mut details =
        vec![("Node", TableCell::new(height)), ("Missing blocks", TableCell::new(group(node.missing_blocks)))];
    details.extend(node.url.iter().map(|url| ("Node URL", TableCell::new(url))));
    let rate = node.blocks_per_minute.map(|rate| format!("{} blocks per minute", group(rate)));
    details.extend(rate.map(|rate| ("Backfill", TableCell::new(rate))));
    details.extend(
        node.trouble.iter().map(|trouble| ("Problem", TableCell::new(trouble.as_received()).meaning(Meaning::Bad))),
    );
    details.extend(node.notes.iter().map(|note| ("Note", TableCell::new(note.as_received()))));
    details.push(("Undecoded parts", TableCell::new(group(node.undecoded))));
    let written = |part: &UndecodedPart| {
        let place = part.index.map(|index| format!(" {}", group(index))).unwrap_or_default();
        format!("{}{place} of block {}: {}", part.part, group(part.height.get()), part.cause.clipped(160))
    };
    details.extend(node.undecoded_parts.iter().map(|part| ("Undecoded", TableCell::new(written(part)))));
    details.push(("Parts left out", TableCell::new(group(node.left_out))));
    details.extend(node.left_out_parts.iter().map(|part| ("Left out", TableCell::new(written(part)))));
    let floor = |floor: &PartFloor| {
        format!("{} only from block {}: {}", floor.part, group(floor.height.get()), floor.cause.clipped(160))
    };
    details.extend(node.floors.iter().map(|one| ("Floor", TableCell::new(floor(one)))));
    details
}

fn result(is_success: bool, why: &str) -> TableCell {
    if is_success {
        TableCell::new("✓ success").meaning(Meaning::Good)
    } else {
        TableCell::new(format!("✗ failed{why}")).meaning(Meaning::Bad)
    }
}

fn coins(coins: &[WireCoin]) -> String {
    coins.iter().map(|coin| format!("{}{}", coin.amount, coin.denom)).collect::<Vec<_>>().join(",")
}

fn gas(used: u64, wanted: u64) -> String {
    let percent = u128::from(used).saturating_mul(100).checked_div(u128::from(wanted));
    let share = percent.map(|percent| format!("  ({percent} %)")).unwrap_or_default();
    format!("{} of {}{share}", group(used), group(wanted))
}

fn grouped(quantity: &HexText) -> String {
    quantity.quantity().map_or_else(|| quantity.to_string(), |amount| group_digits(&amount.to_string()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize as _;

    use super::*;
    use crate::{
        cli::table::{TableLayout, details},
        columns::csv_header,
    };

    fn lines(amounts: &[&str], place: PagePosition) -> Vec<String> {
        let holders: Vec<Holder> = amounts
            .iter()
            .map(|amount| Holder { account: "init1x".to_owned(), amount: amount.parse().unwrap() })
            .collect();
        let table = table(&holders.iter().collect::<Vec<_>>(), place, None, None);
        let layout = TableLayout::fit(&table.headings, &table.rows, None, false);
        std::iter::once(layout.heading()).chain(table.rows.iter().map(|row| layout.line(row))).collect()
    }

    #[test]
    fn ranks_and_shares_are_shown_where_they_are_true() {
        let amounts = ["2000", "1000", "0", "-5"];
        let place = PagePosition { first: Some(0), is_whole: true, is_terminal: true, ..PagePosition::ALONE };
        assert_eq!(
            lines(&amounts, place),
            [
                "Rank  Amount  Share of loaded total  Account",
                "   1   2,000                66.66 %  init1x",
                "   2   1,000                33.33 %  init1x",
                "   3       0                 0.00 %  init1x",
                "   4      -5                         init1x",
            ]
        );
        let piped = PagePosition { first: Some(20), is_terminal: false, ..place };
        assert_eq!(lines(&amounts[..1], piped), ["Rank  Amount  Account", "  21   2,000  init1x"]);
        let upside_down = PagePosition { first: None, ..place };
        assert_eq!(lines(&amounts[..1], upside_down), ["Amount  Account", " 2,000  init1x"]);
    }

    #[test]
    fn sums_that_do_not_fit_give_no_share_rather_than_a_wrong_one() {
        let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        let place = PagePosition { first: Some(0), is_whole: true, is_terminal: true, ..PagePosition::ALONE };
        assert!(lines(&[most, "1"], place).iter().all(|line| !line.contains('%')));
        assert!(lines(&["0"], place).iter().all(|line| !line.contains('%')));
    }

    #[test]
    fn the_table_of_a_status_has_every_value_of_its_json() {
        const FULL: &str = r#"{"version":"v1","commit_hash":"c0ffee","chain_id":"a-1","height":9000,
            "internal_tx_height":8999,"rich_list_height":8998,"evm_ret_cleanup_height":8997,
            "tx_account_cleanup_sequence":31,"tx_account_cleanup_deleted":32,"tx_account_cleanup_inserted":33,
            "oldest_height":8000,"is_complete":false,"has_packets":true,"has_token_contracts":true,
            "node":{"height":9001,"is_catching_up":true,"missing_blocks":7999,"blocks_per_minute":600,"trouble":"away","notes":["forked"],"undecoded":4,
            "undecoded_parts":[{"height":8123,"part":"tx","index":2,"cause":"odd bytes"}],"left_out":3}}"#;
        fn leaves(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
            match value {
                serde_json::Value::Object(fields) => {
                    fields.iter().for_each(|(name, value)| leaves(value, &format!("{path}/{name}"), found));
                }
                serde_json::Value::Array(items) => {
                    items.iter().enumerate().for_each(|(at, value)| leaves(value, &format!("{path}/{at}"), found));
                }
                _ => found.push(path.to_owned()),
            }
        }
        let shown = |json: &serde_json::Value| details(&Status::deserialize(json).unwrap().details(), false);
        let full: serde_json::Value = serde_json::from_str(FULL).unwrap();
        let mut paths = Vec::new();
        leaves(&serde_json::to_value(Status::deserialize(&full).unwrap()).unwrap(), "", &mut paths);
        assert_eq!(paths.len(), 26, "{paths:?}");
        for path in paths {
            let mut changed = full.clone();
            let leaf = changed.pointer_mut(&path).unwrap();
            *leaf = match leaf {
                serde_json::Value::Bool(is) => (!*is).into(),
                serde_json::Value::Number(number) => (number.as_u64().unwrap() - 1).into(),
                _ if path.ends_with("/part") => "header".into(),
                _ => "other".into(),
            };
            assert_ne!(shown(&changed), shown(&full), "{path}");
        }
    }

    #[test]
    fn every_column_of_a_table_and_of_csv_is_one_of_the_registry() {
        fn walk<T: CommandRecord>() -> usize {
            let registered: Vec<&str> = T::Columns::COLUMNS.iter().map(|column| column.id).collect();
            let header = csv_header::<T>();
            let table = table::<T>(&[], PagePosition::ALONE, None, None);
            assert!(!header.is_empty() && header.iter().all(|id| registered.contains(id)), "{header:?}");
            let optional = T::Columns::table().iter().filter(|column| column.is_optional).count();
            assert_eq!(table.headings.len() + optional, T::Columns::table().len());
            registered.len()
        }
        let columns = walk::<Block>()
            + walk::<Tx>()
            + walk::<EvmTx>()
            + walk::<InternalTx>()
            + walk::<Collection>()
            + walk::<Token>()
            + walk::<Holder>()
            + walk::<Status>();
        assert!(columns > 70, "{columns}");
    }
}
