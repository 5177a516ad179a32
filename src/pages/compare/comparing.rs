//! Compares two transactions: result, fee, messages, balances, events.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rows::{Cell, Group, position_in, position_of_event};
use crate::{
    app::page::{TxLine, TxPosition, TxTab},
    domain::{Address, AddressStyle, Balance, Coin, Denom, parse_coins, text},
    panes::tx_document::{coin, events::phase_title},
    story::{
        BalanceHolder, DecodedEvent, EventPhase, Glossary, PartialFailure, Story, Style, TokenUnit,
        diff::{Aligned, Differ, Pair, ValueDiff, ValuePath},
        text_of,
    },
    wire::Tx,
};

/// Maximum characters of a value on screen.
const MOST_SHOWN: usize = 2000;

pub(super) struct Side<'a> {
    pub(super) tx: &'a Tx,
    pub(super) story: &'a Story,
}

/// Change of a denom: the denom and its owner, the amount, and the indices of the events that prove it.
type Change<K> = ((Denom, K), Balance, Vec<usize>);

pub(super) struct Comparing<'a> {
    left: Side<'a>,
    right: Side<'a>,
    style: AddressStyle,
    glossary: &'a Glossary,
    differ: Differ,
}

pub(super) fn compare(left: Side<'_>, right: Side<'_>, style: &AddressStyle, glossary: &Glossary) -> Vec<Group> {
    let mut contracts = left.story.contracts();
    contracts.extend(right.story.contracts());
    let style = style.with_contracts(contracts);
    let comparing = Comparing { left, right, style, glossary, differ: Differ::default() };
    let messages =
        comparing.differ.messages(&comparing.left.story.decoded.messages, &comparing.right.story.decoded.messages);
    vec![comparing.facts(), comparing.messages(&messages), comparing.changes(), comparing.events(&messages)]
}

impl Comparing<'_> {
    fn facts(&self) -> Group {
        let mut group = Group::new("Transaction");
        let mut push = |label: &str, of: &dyn Fn(&Side<'_>) -> Option<(String, String)>| {
            let cell = |side| {
                of(side).map(|(text, copy)| Cell { text: shown(&text), copy, position: position_in(TxTab::Story) })
            };
            group.push(label, cell(&self.left), cell(&self.right));
        };
        let alike = |text: String| Some((text.clone(), text));
        push("result", &|side| {
            alike(match &side.story.decoded.failure {
                None => PartialFailure::verdict(&side.story.partial).unwrap_or_else(|| "✓ success".to_owned()),
                Some(failure) => match failure.message_index {
                    Some(index) => format!("✗ failed, message {} ({})", index + 1, failure.code),
                    None => format!("✗ failed before any message ran ({})", failure.code),
                },
            })
        });
        push("reason", &|side| {
            side.story.explanation.as_ref().map(|explanation| (explanation.text.clone(), explanation.text.clone()))
        });
        push("block", &|side| Some((text::group(side.tx.height.get()), side.tx.height.to_string())));
        push("time", &|side| {
            Some((format!("{} UTC", side.tx.timestamp.day_and_clock()), side.tx.timestamp.to_string()))
        });
        push("signer", &|side| side.story.decoded.signer.map(|signer| (self.style.write(signer), signer.bech32())));
        push("fee offered", &|side| Some(self.coins(&side.story.decoded.fee)));
        push("fee paid", &|side| {
            let fee = &side.story.changes.fee;
            (!fee.net_paid.is_empty()).then(|| self.coins(&fee.net_paid))
        });
        push("fee payer", &|side| side.story.changes.fee.payer.map(|payer| (self.style.write(payer), payer.bech32())));
        push("gas used", &|side| Some((text::group(side.tx.gas_used), side.tx.gas_used.to_string())));
        push("gas wanted", &|side| Some((text::group(side.tx.gas_wanted), side.tx.gas_wanted.to_string())));
        push("memo", &|side| side.story.decoded.memo.clone().and_then(alike));
        group
    }

    fn messages(&self, aligned: &[Aligned]) -> Group {
        let mut group = Group::new("Messages");
        for Aligned { pair, diff } in aligned {
            match *pair {
                Pair::Both(i, j) => group.groups.push(self.message(i, j, diff)),
                Pair::Left(i) => group.push(message_title(&self.left, i), Some(self.sentence_of(&self.left, i)), None),
                Pair::Right(j) => {
                    group.push(message_title(&self.right, j), None, Some(self.sentence_of(&self.right, j)));
                }
            }
        }
        group
    }

    fn message(&self, i: usize, j: usize, diff: &ValueDiff) -> Group {
        let mut group = Group::new(message_title(&self.left, i));
        if i != j {
            group.note = format!("compared with message {}", j + 1);
        }
        group.positions =
            (Some(message_position(i, &ValuePath::default())), Some(message_position(j, &ValuePath::default())));
        group.push("in words", Some(self.sentence_of(&self.left, i)), Some(self.sentence_of(&self.right, j)));
        let cell = |message, path: &ValuePath, value: &Value| self.cell(value, message_position(message, path));
        push_values(&mut group, diff, |path, value| cell(i, path, value), |path, value| cell(j, path, value));
        group
    }

    fn sentence_of(&self, side: &Side<'_>, index: usize) -> Cell {
        let style = Style::Screen(&self.style);
        let sentence = side.story.sentences.iter().find(|sentence| sentence.message == index);
        let phrases = sentence.map_or(&[][..], |sentence| sentence.phrases.as_slice());
        let position = message_position(index, &ValuePath::default());
        Cell { text: shown(&text_of(phrases, style)), copy: text_of(phrases, Style::Exact), position }
    }

    /// Returns the section of changes to balances, supply and NFTs.
    fn changes(&self) -> Group {
        let mut group = Group::new("Balances and NFTs");
        group.nouns = ("change", "changes");
        let (left, right) = (&self.left.story.changes, &self.right.story.changes);
        for (side, changes) in [("left", left), ("right", right)] {
            if !changes.is_conserved {
                let words = format!("incomplete events: {side} balances hidden  ");
                group.note.push_str(&words);
            }
        }
        let balances = |changes: &crate::story::Changes| {
            let known = changes.balances.iter().filter(|_| changes.is_conserved);
            known
                .map(|change| ((change.denom.clone(), change.holder), change.delta, change.events.clone()))
                .collect::<Vec<_>>()
        };
        self.push_changes(&mut group, &balances(left), &balances(right), |(_, holder)| self.holder(*holder));
        let supply = |changes: &crate::story::Changes| {
            let known = changes.supply.iter().filter(|_| changes.is_conserved);
            known.map(|change| ((change.denom.clone(), ()), change.delta, change.events.clone())).collect::<Vec<_>>()
        };
        self.push_changes(&mut group, &supply(left), &supply(right), |_| "supply".to_owned());
        let nfts =
            |side: &Side<'_>| -> Vec<Cell> { side.story.changes.nfts.iter().map(|change| self.nft(change)).collect() };
        let (mut left, right) = (nfts(&self.left), nfts(&self.right));
        for cell in right {
            let same = left.iter().position(|other| other.copy == cell.copy);
            group.push("NFT", same.map(|place| left.remove(place)), Some(cell));
        }
        for cell in left {
            group.push("NFT", Some(cell), None);
        }
        group
    }

    fn push_changes<K: Ord + Clone>(
        &self,
        group: &mut Group,
        left: &[Change<K>],
        right: &[Change<K>],
        label: impl Fn(&(Denom, K)) -> String,
    ) {
        let keys: BTreeSet<(String, K)> =
            left.iter().chain(right).map(|((denom, key), ..)| (denom.as_str().to_owned(), key.clone())).collect();
        for (denom, key) in keys {
            let key = (Denom::new(denom), key);
            let cell = |changes: &[Change<K>]| {
                let (_, delta, events) = changes.iter().find(|(other, ..)| *other == key)?;
                let position =
                    events.first().map_or_else(|| position_in(TxTab::Story), |place| position_of_event(*place));
                let exact = format!("{delta} {}", key.0);
                Some(Cell { text: self.balance(*delta, &key.0), copy: exact, position })
            };
            group.push(label(&key), cell(left), cell(right));
        }
    }

    fn balance(&self, delta: Balance, denom: &Denom) -> String {
        let sign = if delta.is_negative() { "−" } else { "+" };
        let amount = delta.magnitude();
        match self.token(denom) {
            Some(token) => format!("{sign}{} {}", amount.display(token.decimals), text::clip(&token.symbol, 16)),
            None => format!("{sign}{amount} {}", denom.short()),
        }
    }

    fn holder(&self, holder: BalanceHolder) -> String {
        match holder {
            BalanceHolder::Account(address) => self.account(address),
            BalanceHolder::Store(store) => {
                let hex = alloy_primitives::hex::encode(store);
                format!("store 0x{}…", hex.get(..6).unwrap_or_default())
            }
        }
    }

    fn account(&self, address: Address) -> String {
        self.glossary.label(address).map_or_else(|| self.style.short(address), |label| text::clip(label, 24))
    }

    fn nft(&self, change: &crate::story::NftChange) -> Cell {
        use crate::story::NftName::{Nft, Object, Token};
        let name = match &change.what {
            Token { contract, token_id } => format!("{token_id} of {contract}"),
            Nft { collection, token_id, .. } => format!("{token_id} of {collection}"),
            Object { object } => format!("object {object}"),
        };
        let party = |address: Option<Address>, nobody: &str| {
            address.map_or_else(|| nobody.to_owned(), |address| self.account(address))
        };
        let text = format!("{} → {}  {name}", party(change.from, "mint"), party(change.to, "burn"));
        let exact = |address: Option<Address>| address.map(|address| address.bech32()).unwrap_or_default();
        let copy = format!("{} {} {name}", exact(change.from), exact(change.to));
        let position =
            change.events.first().map_or_else(|| position_in(TxTab::Story), |place| position_of_event(*place));
        Cell { text: shown(&text), copy, position }
    }

    /// Returns the section of events: phases of both sides first, then phases of one side.
    fn events(&self, messages: &[Aligned]) -> Group {
        let mut group = Group::new("Events");
        let of_messages = messages.iter().map(|aligned| match aligned.pair {
            Pair::Both(i, j) => (Some(EventPhase::Message(i)), Some(EventPhase::Message(j))),
            Pair::Left(i) => (Some(EventPhase::Message(i)), None),
            Pair::Right(j) => (None, Some(EventPhase::Message(j))),
        });
        let before = (Some(EventPhase::Before), Some(EventPhase::Before));
        let after = (Some(EventPhase::After), Some(EventPhase::After));
        for phases in [before].into_iter().chain(of_messages).chain([after]) {
            group.groups.extend(self.phase(phases));
        }
        group
    }

    fn phase(&self, phases: (Option<EventPhase>, Option<EventPhase>)) -> Option<Group> {
        let (left, right) = (&self.left.story.decoded, &self.right.story.decoded);
        let title = match phases {
            (Some(phase), _) => phase_title(left, phase),
            (None, phase) => phase_title(right, phase?),
        };
        let mut group = Group::new(title);
        group.nouns = ("event", "events");
        // A phase that one side lacks aligns with an empty phase.
        let absent = EventPhase::Message(usize::MAX);
        let sides = ((left, phases.0.unwrap_or(absent)), (right, phases.1.unwrap_or(absent)));
        for Aligned { pair, diff } in self.differ.events(sides.0, sides.1) {
            let cell = |side: &Side<'_>, place: usize| {
                let event = side.story.decoded.events.get(place)?;
                Some(Cell { text: self.event(event), copy: exact(event), position: position_of_event(place) })
            };
            let kind = |side: &Side<'_>, place: usize| {
                side.story.decoded.events.get(place).map_or_else(String::new, |event| text::clip(&event.kind, 60))
            };
            match pair {
                Pair::Both(i, j) if diff.differences.is_empty() => {
                    let (one, other) = (cell(&self.left, i), cell(&self.right, j));
                    let other = other.zip(one.clone()).map(|(other, one)| Cell { copy: one.copy, ..other });
                    group.push(kind(&self.left, i), one, other);
                }
                Pair::Both(i, j) => {
                    let mut event = Group::new(kind(&self.left, i));
                    event.nouns = ("attribute", "attributes");
                    event.positions = (Some(position_of_event(i)), Some(position_of_event(j)));
                    let cell =
                        |place, path: &ValuePath, value: &Value| self.attribute(path, value, position_of_event(place));
                    let (left, right) =
                        (|path: &_, value: &_| cell(i, path, value), |path: &_, value: &_| cell(j, path, value));
                    push_values(&mut event, &diff, left, right);
                    group.groups.push(event);
                }
                Pair::Left(i) => group.push(kind(&self.left, i), cell(&self.left, i), None),
                Pair::Right(j) => group.push(kind(&self.right, j), None, cell(&self.right, j)),
            }
        }
        let is_empty = group.rows.is_empty() && group.same.is_empty() && group.groups.is_empty();
        (!is_empty).then_some(group)
    }

    /// Formats an event's attributes in one line.
    fn event(&self, event: &DecodedEvent) -> String {
        let words = event.attributes.iter().take(12).map(|(key, value)| {
            let value = match value.parse::<Address>() {
                Ok(address) if value.starts_with("init1") || value.starts_with("0x") => self.account(address),
                _ => text::clip(value, 60),
            };
            format!("{key} {value}")
        });
        shown(&words.collect::<Vec<_>>().join(" · "))
    }

    /// Formats an attribute's value. Coins also appear in display units.
    fn attribute(&self, path: &ValuePath, value: &Value, position: TxPosition) -> Cell {
        let is_amount = matches!(path.to_string().as_str(), "amount" | "fee" | "coins");
        let coins = value.as_str().filter(|_| is_amount).and_then(|text| parse_coins(text).ok()).unwrap_or_default();
        let readable: Option<Vec<String>> = coins.iter().map(|coin| self.coin(coin)).collect();
        let cell = self.cell(value, position);
        match readable.filter(|readable| !readable.is_empty()) {
            Some(readable) => Cell { text: shown(&format!("{} ({})", readable.join(" + "), cell.copy)), ..cell },
            None => cell,
        }
    }

    fn cell(&self, value: &Value, position: TxPosition) -> Cell {
        if let Some(coin) = coin(value) {
            let exact = coin.to_string();
            let text = self.coin(&coin).map_or_else(|| exact.clone(), |readable| format!("{readable} ({exact})"));
            return Cell { text: shown(&text), copy: exact, position };
        }
        let copy = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let is_account = (copy.starts_with("init1") || copy.starts_with("0x")) && matches!(copy.len(), 42 | 43 | 63);
        let text = match copy.parse::<Address>() {
            Ok(address) if is_account => self.style.write(address),
            _ if copy.is_empty() => "empty".to_owned(),
            _ => shown(&copy),
        };
        Cell { text, copy, position }
    }

    fn coin(&self, coin: &Coin) -> Option<String> {
        let token = self.token(&coin.denom)?;
        Some(format!("{} {}", coin.amount.display(token.decimals), text::clip(&token.symbol, 16)))
    }

    /// Returns symbol and decimals of a denom, from the side that knows them.
    fn token(&self, denom: &Denom) -> Option<&TokenUnit> {
        let (left, right) = (self.left.story, self.right.story);
        left.token(denom, self.glossary).or_else(|| right.token(denom, self.glossary))
    }

    /// Formats coins in display units and exactly.
    fn coins(&self, coins: &[Coin]) -> (String, String) {
        let exact = coins.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let words = coins.iter().map(|coin| {
            self.coin(coin)
                .unwrap_or_else(|| format!("{} {}", text::group_digits(&coin.amount.to_string()), coin.denom.short()))
        });
        let words = words.collect::<Vec<_>>().join(" + ");
        (if words.is_empty() { "none".to_owned() } else { words }, exact)
    }
}

/// Adds a row per value, labelled by its path.
fn push_values(
    group: &mut Group,
    diff: &ValueDiff,
    left: impl Fn(&ValuePath, &Value) -> Cell,
    right: impl Fn(&ValuePath, &Value) -> Cell,
) {
    for difference in &diff.differences {
        let one = difference.left.as_ref().map(|(path, value)| left(path, value));
        let other = difference.right.as_ref().map(|(path, value)| right(path, value));
        group.push(shown(&difference.path().to_string()), one, other);
    }
    for (path, value) in &diff.equal {
        group.push(shown(&path.to_string()), Some(left(path, value)), Some(right(path, value)));
    }
}

fn message_title(side: &Side<'_>, index: usize) -> String {
    let kind = side.story.decoded.messages.get(index).map_or("", |message| message.kind.short());
    format!("Message {} {kind}", index + 1)
}

/// Returns the position of a message's field, or of its nearest parent with a line.
fn message_position(message: usize, path: &ValuePath) -> TxPosition {
    let paths = std::iter::successors(Some(path.clone()), ValuePath::parent).filter(|path| !path.is_empty());
    let lines = paths.map(|path| TxLine::Field(message, path)).chain([TxLine::Message(message)]);
    TxPosition { tab: TxTab::Messages, lines: lines.collect() }
}

/// Formats an event without rounding or names, for copying.
fn exact(event: &DecodedEvent) -> String {
    let attributes = event.attributes.iter().map(|(key, value)| serde_json::json!({"key": key, "value": value}));
    serde_json::json!({"type": event.kind, "attributes": attributes.collect::<Vec<_>>()}).to_string()
}

/// Cuts a text to [`MOST_SHOWN`] characters.
fn shown(text: &str) -> String {
    text::clip(text, MOST_SHOWN)
}
