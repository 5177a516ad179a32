//! Events of a transaction, grouped by message. Each has a summary line, with its attributes below.

use super::{
    Line, TxSheet, abi,
    tree::{Tree, ValuePlace},
};
use crate::{
    app::page::TxLine,
    columns::ends,
    config::Meaning,
    domain::{Address, Coin, parse_coins, text},
    events::{
        ContractLog, EventClass, EventRecord,
        evm::LoggedMove,
        keys::{self, AttributeKey},
        names::{EXECUTE, IBC_TRANSFER, TRANSFER},
    },
    story::{Decoded, DecodedEvent, EventPhase, diff::ValuePath},
};

/// Maximum characters of a value in a summary line.
const VALUE_SHOWN: usize = 28;
/// Maximum values in a summary line.
const VALUES: usize = 4;
/// Maximum transfers of an EVM run to describe in its summary line.
const MOVES: usize = 2;

pub(crate) fn event_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let decoded = &sheet.story.decoded;
    let mut tree = Tree::new(sheet);
    let mut phase = None;
    // Of a transaction whose messages left events, fee and refund are one line each until they are unfolded.
    let has_messages = decoded.events.iter().any(|event| matches!(event.phase, EventPhase::Message(_)));
    for (place, event) in decoded.events.iter().enumerate() {
        if phase != Some(event.phase) {
            phase = Some(event.phase);
            let heading = phase_heading(decoded, event.phase);
            let is_plumbing = has_messages && !matches!(event.phase, EventPhase::Message(_));
            tree.push(if is_plumbing { heading.folded() } else { heading });
        }
        push_event(&mut tree, place, event);
        if tree.is_full() {
            break;
        }
    }
    if tree.is_empty() {
        let words = decoded.problem.as_deref().unwrap_or("This transaction emitted no events.");
        tree.push(Line::at(0).with(Meaning::Muted, words));
    }
    tree.done()
}

pub(crate) fn phase_title(decoded: &Decoded, phase: EventPhase) -> String {
    match phase {
        EventPhase::Before => "Before the messages: fee and signature".to_owned(),
        EventPhase::After => "After the messages".to_owned(),
        EventPhase::Message(index) => {
            let kind = decoded.messages.get(index).map_or("", |message| message.kind.short());
            format!("Message {}  {kind}", index + 1)
        }
    }
}

fn phase_heading(decoded: &Decoded, phase: EventPhase) -> Line {
    let count = decoded.events.iter().filter(|event| event.phase == phase).count();
    let events = text::count(count, "event");
    Line::at(0).with(Meaning::Heading, phase_title(decoded, phase)).with(Meaning::Muted, format!("  {events}"))
}

fn push_event(tree: &mut Tree<'_>, place: usize, event: &DecodedEvent) {
    tree.begin(None);
    let head = Line::at(1).with(Meaning::Kind, format!("{:<13}", event.kind)).named(TxLine::Event(place));
    let head = summary(tree, event).into_iter().fold(head, |line, (meaning, piece)| line.with(meaning, piece));
    tree.push(head.folded().unit());
    let width = event.attributes.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0).min(20);
    let mut logs = if let EventClass::Evm(run) = event.class() { run.logs.iter() } else { [].iter() };
    for (key, value) in &event.attributes {
        let path = ValuePath::default().key(key);
        let at = ValuePlace { depth: 2, path: &path, nesting: 0 };
        let label = format!("{key:<width$} ");
        if keys::LOG.is(key)
            && let Some(Some(log)) = logs.next()
        {
            abi::push_log(tree, at, &label, value, log);
            continue;
        }
        match readable_coins(tree, key, value) {
            Some(coins) => {
                let line = tree.plain(tree.head(at, &label), value);
                tree.push(line.with(Meaning::Muted, format!("  = {coins}")));
            }
            None => tree.text(at, &label, value),
        }
    }
}

/// Formats a list of coins in display units, if their tokens are known.
fn readable_coins(tree: &Tree<'_>, key: &str, value: &str) -> Option<String> {
    if !keys::may_hold_coins(key) {
        return None;
    }
    let coins = parse_coins(value).ok().filter(|coins| !coins.is_empty())?;
    let is_any = coins.iter().any(|coin| tree.readable(coin).is_some());
    let written = coins.iter().map(|coin| tree.readable(coin).unwrap_or_else(|| unnamed_coin(coin)));
    is_any.then(|| written.collect::<Vec<_>>().join(" + "))
}

/// Formats a coin whose token is unknown.
fn unnamed_coin(coin: &Coin) -> String {
    format!("{} {}", text::group_digits(&coin.amount.to_string()), coin.denom.short())
}

/// Returns the words after an event's type: its key values.
fn summary(tree: &Tree<'_>, event: &DecodedEvent) -> Vec<(Meaning, String)> {
    match (event.class(), event.kind.as_str()) {
        (EventClass::Evm(_), _) => return logs_in_short(tree, event),
        (_, TRANSFER | IBC_TRANSFER) => {
            if let (Some(to), Some(amount)) =
                (event.text(keys::RECIPIENT).or(event.text(keys::RECEIVER)), event.text(keys::AMOUNT))
            {
                let from = event.text(keys::SENDER).map(|from| short(tree, "sender", from)).unwrap_or_default();
                let words = format!("  {from} → {}  {}", short(tree, "recipient", to), short(tree, "amount", amount));
                return vec![(Meaning::Text, words)];
            }
        }
        (EventClass::Packet(_), _) => {
            if let Some(sequence) = event.text(keys::PACKET_SEQUENCE) {
                let part = |key: AttributeKey<String>| text::clip(event.text(key).unwrap_or_default(), VALUE_SHOWN);
                let sequence = text::clip(sequence, 20);
                if event.text(keys::PACKET_SRC_CLIENT).is_some() {
                    let (from, to) = (part(keys::PACKET_SRC_CLIENT), part(keys::PACKET_DST_CLIENT));
                    return vec![(Meaning::Text, format!("  #{sequence}  {from} → {to}"))];
                }
                let (from, to) = (part(keys::PACKET_SRC_CHANNEL), part(keys::PACKET_DST_CHANNEL));
                let ports = (part(keys::PACKET_SRC_PORT), part(keys::PACKET_DST_PORT));
                let words = format!("  #{sequence}  {}/{from} → {}/{to}", ports.0, ports.1);
                return vec![(Meaning::Text, words)];
            }
        }
        (_, EXECUTE) if event.text(keys::MODULE_NAME).is_some() => {
            let part = |key: AttributeKey<String>| event.text(key).unwrap_or_default();
            let words = format!("  {}::{}", part(keys::MODULE_NAME), part(keys::FUNCTION_NAME));
            return vec![(Meaning::Text, text::clip(&words, 2 * VALUE_SHOWN))];
        }
        (EventClass::Move, _) => {
            if let Some(tag) = event.text(keys::TYPE_TAG) {
                let mut words = vec![(Meaning::Text, format!("  {}", text::clip(tag, 2 * VALUE_SHOWN)))];
                words.extend(move_data(tree, event));
                return words;
            }
        }
        _ => {}
    }
    let told = main_attributes(event);
    told.flat_map(|(key, value)| {
        [(Meaning::Muted, format!("  {} ", text::clip(key, 20))), (Meaning::Text, short(tree, key, value))]
    })
    .collect()
}

/// Returns an event's first attributes, without empty and secondary attributes.
fn main_attributes(event: &DecodedEvent) -> impl Iterator<Item = (&str, &str)> {
    let attributes = event.attributes.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    attributes.filter(|(key, value)| !value.is_empty() && !keys::is_secondary(key)).take(VALUES)
}

/// Returns the amount, or else the owner, in a Move event's data.
fn move_data(tree: &Tree<'_>, event: &DecodedEvent) -> Option<(Meaning, String)> {
    let data: serde_json::Value = serde_json::from_str(event.text(keys::DATA)?).ok()?;
    let amount = data.get("amount").and_then(|amount| amount.as_str().map(str::to_owned));
    let owner =
        ["owner", "to", "owner_addr"].iter().find_map(|name| data.get(*name).and_then(serde_json::Value::as_str));
    let words = match (amount, owner) {
        (Some(amount), _) => format!("  {}", text::group_digits(&text::clip(&amount, 80))),
        (None, Some(owner)) => format!("  {}", short(tree, "owner", owner)),
        (None, None) => return None,
    };
    Some((Meaning::Number, words))
}

/// Returns the names of an EVM call's logs, as in `Transfer ×2 · Approval`; of few logs, with what moved:
/// `Transfer 16,400 INJ  0x5F18…b96c → 0x3d44…3049`.
fn logs_in_short(tree: &Tree<'_>, event: &DecodedEvent) -> Vec<(Meaning, String)> {
    let moves = event.logs().map(|log| moved_in_short(tree, log)).collect::<Option<Vec<_>>>();
    if let Some(moves) = moves.filter(|moves| (1..=MOVES).contains(&moves.len())) {
        return vec![(Meaning::Text, format!("  {}", moves.join(" · ")))];
    }
    let mut counted: Vec<(String, usize)> = Vec::new();
    for log in event.logs() {
        let reading = tree.glossary.abi.decode_log(log);
        let title = if reading.name.is_some() { reading.title() } else { "unknown" };
        match counted.iter_mut().find(|(name, _)| name == title) {
            Some((_, count)) => *count += 1,
            None => counted.push((title.to_owned(), 1)),
        }
    }
    let words = counted.into_iter().map(|(name, count)| {
        let name = text::clip(&name, VALUE_SHOWN);
        if count == 1 { name } else { format!("{name} ×{count}") }
    });
    let words = words.collect::<Vec<_>>().join(" · ");
    vec![if words.is_empty() {
        (Meaning::Muted, "  no logs".to_owned())
    } else {
        (Meaning::Text, format!("  {words}"))
    }]
}

/// Returns what a transfer's log moved, from whom to whom; `None` for another log.
fn moved_in_short(tree: &Tree<'_>, log: &ContractLog) -> Option<String> {
    let moved = LoggedMove::of(log)?;
    let party = |account: Option<Address>| account.map(|account| short(tree, "", &account.checksummed()));
    let what = match (moved.amount(), moved.nft()) {
        (Some(amount), _) => tree.readable_at(moved.contract, amount).unwrap_or_else(|| {
            let amount = text::group_digits(&amount.to_string());
            format!("{} of {}", text::clip(&amount, VALUE_SHOWN), short(tree, "", &moved.contract.checksummed()))
        }),
        (None, Some(id)) => {
            format!("#{} of {}", ends(&id.to_string(), 12), short(tree, "", &moved.contract.checksummed()))
        }
        (None, None) => return None,
    };
    let (from, to) = (party(moved.sender()), party(moved.recipient()));
    let way = format!("{} → {}", from.as_deref().unwrap_or("new"), to.as_deref().unwrap_or("burned"));
    Some(format!("Transfer {what}  {way}"))
}

/// Shortens a value: of an account both ends remain, coins are in display units.
fn short(tree: &Tree<'_>, key: &str, value: &str) -> String {
    if let Some(coins) = readable_coins(tree, key, value) {
        return text::clip(&coins, 2 * VALUE_SHOWN);
    }
    let account = (value.starts_with("init1") || value.starts_with("0x")).then(|| value.parse::<Address>().ok());
    match account.flatten() {
        Some(address) => match tree.glossary.label(address) {
            Some(label) => text::clip(label, VALUE_SHOWN),
            None => tree.style.short(address),
        },
        None => match parse_coins(value).ok().filter(|coins| !coins.is_empty() && keys::may_hold_coins(key)) {
            Some(coins) => {
                let words = coins.iter().map(unnamed_coin);
                text::clip(&words.collect::<Vec<_>>().join(" + "), 2 * VALUE_SHOWN)
            }
            None => ends(value, VALUE_SHOWN),
        },
    }
}
