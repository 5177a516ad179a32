use std::{borrow::Cow, cell::OnceCell};

use serde::Deserialize;

use super::{CellValue, Column, ColumnHeader, Forms, List, Resource};
use crate::{
    config::Meaning,
    domain::{Address, Amount, Balance, MsgType, RowSortKey, Target},
    story::{Direction, MessageSummary, NftMove, RowWords},
    wire::{Tx, WireCoin},
};

/// Id of the column with a transaction's sentence.
pub(crate) const SUMMARY: &str = "summary";
/// Minimum width of a list with sentences, in terminal columns; narrower lists show the message type.
const WORDS_FROM: u16 = 56;
/// Minimum width of lists that show the method beside the sentence, in terminal columns, and the method's width.
const METHOD_FROM: u16 = 130;
const METHOD: u16 = 26;

pub(crate) struct Txs;

/// Data of a transaction's row.
pub(crate) struct TxFields<'a> {
    pub(crate) tx: &'a Tx,
    /// Sentence of the row; `None` until it is computed.
    pub(crate) words: Option<Cow<'a, RowWords>>,
    /// Direction of funds for the account whose history is listed.
    pub(crate) direction: Option<Direction>,
    pub(crate) is_marked: bool,
    /// Moves of the history's NFT in this transaction.
    pub(crate) moves: &'a [NftMove],
    headline: Option<&'a MessageSummary>,
    read_headline: OnceCell<MessageSummary>,
    signed: OnceCell<SignedParts>,
}

impl<'a> TxFields<'a> {
    /// Creates the data of a single record, without a list.
    pub(crate) fn new(tx: &'a Tx) -> Self {
        Self {
            tx,
            words: None,
            direction: None,
            is_marked: false,
            moves: &[],
            headline: None,
            read_headline: OnceCell::new(),
            signed: OnceCell::new(),
        }
    }

    /// Sets the headline; without it, the columns compute the headline on demand.
    pub(crate) fn with_headline(self, headline: &'a MessageSummary) -> Self {
        Self { headline: Some(headline), ..self }
    }

    fn headline(&self) -> &MessageSummary {
        self.headline.unwrap_or_else(|| self.read_headline.get_or_init(|| MessageSummary::of(self.tx)))
    }

    fn signed(&self) -> &SignedParts {
        self.signed.get_or_init(|| SignedParts::parse(self.tx))
    }
}

/// Signed parts of a transaction that users look for; empty if the chain encodes them differently.
#[derive(Debug, Default)]
pub(crate) struct SignedParts {
    pub(crate) memo: String,
    pub(crate) fee: Vec<WireCoin>,
}

impl SignedParts {
    pub(crate) fn parse(tx: &Tx) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Outer {
            body: Body,
            auth_info: AuthInfo,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Body {
            memo: String,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct AuthInfo {
            fee: Fee,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Fee {
            amount: Vec<WireCoin>,
        }
        let Outer { body, auth_info } = serde_json::from_str(tx.tx.get()).unwrap_or_default();
        Self { memo: body.memo, fee: auth_info.fee.amount }
    }
}

impl Resource for Txs {
    type Row<'a> = TxFields<'a>;

    const LISTS: &'static [List] = &[List::Txs, List::AccountTxs, List::NftTxs];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("result", "", ColumnHeader::new("", 1), |row, _| result(row))
            .exact(|row| Cow::Borrowed(if row.tx.is_success() { "success" } else { "failed" }))
            .on(List::Txs, 10)
            .on(List::AccountTxs, 10)
            .table(10),
        Column::<Self>::new("nft_mark", "", ColumnHeader::new("", 1), nft_mark).on(List::NftTxs, 10).there_only(),
        Column::<Self>::new("direction", "Way", ColumnHeader::new("way", 7), |row, _| direction(row))
            .exact(|row| Cow::Borrowed(direction_word(row.direction)))
            .on(List::AccountTxs, 20)
            .there_only(),
        Column::<Self>::new("txhash", "Hash", ColumnHeader::new("hash", 9).of(Meaning::Link), |row, _| hash(row))
            .on(List::Txs, 40)
            .on(List::AccountTxs, 40)
            .on_as(List::NftTxs, 80, ColumnHeader::new("hash", 9).rank(1).of(Meaning::Link))
            .table(30)
            .csv(10),
        Column::<Self>::new("height", "Height", ColumnHeader::new("height", 10).right().rank(2), |row, _| {
            CellValue::number(row.tx.height.get())
        })
        .on(List::Txs, 30)
        .on(List::AccountTxs, 30)
        .on_as(List::NftTxs, 90, ColumnHeader::new("block", 11).right().rank(2).of(Meaning::Muted))
        .table(20)
        .csv(20),
        Column::<Self>::new("timestamp", "Time (UTC)", ColumnHeader::time().rank(1).of(Meaning::Muted), |row, _| {
            CellValue::time(row.tx.timestamp)
        })
        .on(List::Txs, 90)
        .on(List::AccountTxs, 90)
        .on_as(List::NftTxs, 20, ColumnHeader::time().of(Meaning::Muted))
        .table(60)
        .csv(30),
        Column::<Self>::new("code", "Code", ColumnHeader::new("code", 5).right().rank(4), |row, _| {
            CellValue::number(u64::from(row.tx.code))
        })
        .csv(40),
        Column::<Self>::new("codespace", "Codespace", ColumnHeader::new("codespace", 10).rank(4), |row, _| {
            CellValue::text(row.tx.codespace.as_received())
        })
        .csv(50),
        Column::<Self>::new(
            "gas_used",
            "Gas used",
            ColumnHeader::new("gas", 12).right().rank(3).of(Meaning::Number),
            |row, _| CellValue::number(row.tx.gas_used),
        )
        .table(50)
        .csv(60),
        Column::<Self>::new(
            "gas_wanted",
            "Gas wanted",
            ColumnHeader::new("gas wanted", 12).right().rank(3).of(Meaning::Number),
            |row, _| CellValue::number(row.tx.gas_wanted),
        )
        .csv(70),
        Column::<Self>::new("gas_percent", "Gas %", ColumnHeader::new("gas %", 6).right().rank(3), |row, _| {
            let percent = u128::from(row.tx.gas_used).saturating_mul(100).checked_div(u128::from(row.tx.gas_wanted));
            percent.map_or_else(CellValue::absent, |percent| CellValue::text(format!("{percent} %")))
        })
        .sorts_as(gas_share),
        Column::<Self>::new(
            "messages",
            "Messages",
            ColumnHeader::new("message", 16).growing(1).below(WORDS_FROM).of(Meaning::Kind),
            |row, _| messages(row),
        )
        .exact(|row| row.tx.message_types().iter().map(MsgType::as_str).collect::<Vec<_>>().join(";").into())
        .on(List::Txs, 50)
        .on(List::AccountTxs, 50)
        .table(40)
        .csv(80),
        Column::<Self>::new(
            "method",
            "Method",
            ColumnHeader::new("message", METHOD).rank(3).from(METHOD_FROM).of(Meaning::Kind),
            |row, _| if row.tx.is_injected() { injected() } else { CellValue::text(row.headline().method()) },
        )
        .on(List::Txs, 60)
        .on(List::AccountTxs, 60)
        .on_as(List::NftTxs, 30, ColumnHeader::new("message", 16).rank(3).of(Meaning::Kind)),
        Column::<Self>::new(
            SUMMARY,
            "Summary",
            ColumnHeader::new("what happened", 32).growing(2).from(WORDS_FROM).of(Meaning::Muted),
            |row, _| words(row),
        )
        .on(List::Txs, 70)
        .on_as(List::AccountTxs, 70, ColumnHeader::new("net effect", 24).growing(2).from(WORDS_FROM).of(Meaning::Muted))
        .there_only()
        .optional()
        .table(70),
        Column::<Self>::new("nft_change", "Change", ColumnHeader::new("what happened", 26).growing(2), nft_change)
            .on(List::NftTxs, 40)
            .there_only(),
        Column::<Self>::new(
            "fee",
            "Fee",
            ColumnHeader::new("fee", 24).right().rank(3).of(Meaning::Number),
            |row, _| CellValue::coins(&row.signed().fee),
        )
        .csv(90),
        Column::<Self>::new("memo", "Memo", ColumnHeader::new("memo", 24).rank(4).of(Meaning::Muted), |row, _| {
            CellValue::text(&row.signed().memo)
        })
        .csv(100),
        Column::<Self>::new("raw_log", "Reason", ColumnHeader::new("reason", 32).rank(4).of(Meaning::Bad), |row, _| {
            CellValue::text(if row.tx.is_success() { "" } else { row.tx.raw_log.as_received() })
        })
        .csv(110),
    ];
}

/// Returns the gas used, in billionths of the gas wanted.
fn gas_share(row: &TxFields<'_>) -> Option<RowSortKey> {
    let used = u128::from(row.tx.gas_used).saturating_mul(1_000_000_000);
    let share = used.checked_div(u128::from(row.tx.gas_wanted))?;
    Some(RowSortKey::Number(Balance::from(Amount::from(share))))
}

fn result(row: &TxFields<'_>) -> CellValue<'static> {
    match row.tx.is_success() {
        false if row.tx.is_injected() => sign(Meaning::Muted, "·"),
        false => sign(Meaning::Bad, "✗"),
        true if row.headline().partial.is_empty() => sign(Meaning::Good, "✓"),
        true => sign(Meaning::Warning, "!"),
    }
}

fn sign(meaning: Meaning, sign: &'static str) -> CellValue<'static> {
    CellValue::text(sign).of(meaning)
}

/// Returns the hash; the mark replaces its middle part, so that all columns keep their places.
fn hash(row: &TxFields<'_>) -> CellValue<'static> {
    let (whole, short) = (row.tx.txhash.to_string(), row.tx.txhash.short());
    if row.is_marked {
        CellValue::hash(whole, short.replace('…', "◆")).of(Meaning::Match)
    } else {
        CellValue::tx_hash(whole, short, Target::Tx(row.tx.txhash))
    }
}

/// Returns the first message type in lists, with the function of a known call; all types in tables.
fn messages(row: &TxFields<'_>) -> CellValue<'static> {
    if row.tx.is_injected() {
        return injected();
    }
    let headline = row.headline();
    let in_list = match &headline.call {
        Some(call) => format!("{} {call}", headline.kind()),
        None => headline.kind(),
    };
    let types = headline.types.iter().map(MsgType::short).collect::<Vec<_>>().join(", ");
    CellValue::written(in_list, types, Some(headline.kind()))
}

/// Names bytes that the proposer put into the block.
fn injected() -> CellValue<'static> {
    CellValue::text("no transaction: bytes of the proposer")
}

/// Returns the direction of funds for the account, as a sign and a word.
fn direction(row: &TxFields<'_>) -> CellValue<'static> {
    match row.direction {
        Some(Direction::In) => sign(Meaning::Good, "← in"),
        Some(Direction::Out) => sign(Meaning::Number, "→ out"),
        Some(Direction::Both) => sign(Meaning::Number, "⇄ both"),
        Some(Direction::Own) => sign(Meaning::Muted, "↺ self"),
        Some(Direction::Signed) => sign(Meaning::Muted, "• call"),
        Some(Direction::Mentioned) | None => sign(Meaning::Muted, ""),
    }
}

fn direction_word(direction: Option<Direction>) -> &'static str {
    match direction {
        Some(Direction::In) => "in",
        Some(Direction::Out) => "out",
        Some(Direction::Both) => "both",
        Some(Direction::Own) => "self",
        Some(Direction::Signed) => "call",
        Some(Direction::Mentioned) | None => "",
    }
}

fn words<'b>(row: &'b TxFields<'_>) -> CellValue<'b> {
    row.words.as_deref().map_or_else(CellValue::absent, CellValue::words)
}

/// Returns the result of the NFT's last move; a transaction without a move shows its own result.
fn nft_mark(row: &TxFields<'_>, _: &Forms<'_>) -> CellValue<'static> {
    match row.moves.last() {
        _ if !row.tx.is_success() => sign(Meaning::Bad, "✗"),
        None => sign(Meaning::Muted, "·"),
        Some(NftMove::Minted { .. }) => sign(Meaning::Good, "+"),
        Some(NftMove::Moved { .. }) => sign(Meaning::Link, "→"),
        Some(NftMove::Burned { .. }) => sign(Meaning::Bad, "×"),
    }
}

/// Describes the NFT's last move and counts the earlier moves; without moves, describes the transaction.
fn nft_change<'b>(row: &'b TxFields<'_>, forms: &Forms<'_>) -> CellValue<'b> {
    let own_name = |one: Address| forms.glossary.and_then(|glossary| glossary.personal_label(one));
    let name = |address: &Option<Address>| match *address {
        Some(one) => own_name(one).map_or_else(|| forms.address.short(one), ToString::to_string),
        None => "?".to_owned(),
    };
    let (last, before) = match row.moves {
        _ if !row.tx.is_success() => return words(row),
        [] => return words(row).of(Meaning::Muted),
        [before @ .., last] => (last, before.len()),
    };
    let sentence = match last {
        NftMove::Minted { to } => format!("minted to {}", name(to)),
        NftMove::Moved { from: None, to } => format!("moved to {}", name(to)),
        NftMove::Moved { from, to } => format!("{} → {}", name(from), name(to)),
        NftMove::Burned { from: None } => "burned".to_owned(),
        NftMove::Burned { from } => format!("burned by {}", name(from)),
    };
    let more = if before == 0 { String::new() } else { format!(", after {before} earlier") };
    CellValue::text(format!("{sentence}{more}"))
}
