//! Tree of lines for a record's values, which shows decoded values beside received ones, to a limited depth.

use serde_json::{Map, Value};

use super::{Line, TxSheet, abi};
use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, AddressStyle, Amount, Coin, Denom, MsgType, Target, Timestamp, text},
    story::{
        Glossary, Opened, Story, TextForm, Work,
        diff::{PathStep, ValuePath},
        move_account, move_argument, open_text, signed_messages,
    },
    widgets::document::json::link_of,
};

/// Maximum columns of a field's padded name.
const NAME_WIDTH: usize = 22;
/// Maximum lines of a tab.
const MOST_LINES: usize = 20_000;
/// Maximum levels; deeper values take one line.
const DEEPEST: u16 = 24;
/// Number of lines below a value from which it starts folded.
const MANY_LINES: usize = 24;
/// Maximum visible characters of a value. Copying yields all of it.
const MOST_SHOWN: usize = 8000;

/// Tree of lines as it is built.
pub(super) struct Tree<'a> {
    pub(super) style: AddressStyle,
    pub(super) glossary: &'a Glossary,
    story: Option<&'a Story>,
    work: Work,
    /// Whether a limit left a nested value undecoded.
    is_cut: bool,
    lines: Vec<Line>,
    /// Index of the message that the fields belong to; lines of messages have names.
    message: Option<usize>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(sheet: &TxSheet<'a>) -> Self {
        Self { story: Some(sheet.story), ..Self::of(sheet.style.clone(), sheet.glossary) }
    }

    pub(super) fn of(style: AddressStyle, glossary: &'a Glossary) -> Self {
        Self { style, glossary, story: None, work: Work::default(), is_cut: false, lines: Vec::new(), message: None }
    }

    /// Returns the lines, with a note if a limit cut the tree.
    pub(super) fn done(mut self) -> Vec<Line> {
        self.begin(None);
        if self.is_full() {
            let count = text::group(MOST_LINES as u64);
            let words = format!("The first {count} lines; the Raw tab has the whole record.");
            self.lines.push(Line::at(0).with(Meaning::Warning, words));
        } else if self.is_cut {
            let words = "rollscope keeps very large values folded.";
            self.lines.push(Line::at(0).with(Meaning::Muted, words));
        }
        self.lines
    }

    pub(super) fn push(&mut self, line: Line) {
        if self.lines.len() < MOST_LINES {
            self.lines.push(line);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Starts a message or an event, which resets the count of decoded values.
    pub(super) fn begin(&mut self, message: Option<usize>) {
        self.message = message;
        self.is_cut |= std::mem::take(&mut self.work).is_cut();
    }

    /// Whether the line limit is reached.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= MOST_LINES
    }

    /// Whether the limits allow decoding a nested value.
    pub(super) fn may_open(&self, nesting: usize) -> bool {
        self.work.takes_nested(nesting)
    }

    /// Appends a line per field of an object.
    pub(super) fn fields(&mut self, at: ValuePlace<'_>, fields: &Map<String, Value>) {
        let width = fields.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(NAME_WIDTH);
        let role = ObjectRole::of(fields);
        for (name, value) in fields {
            if self.is_full() {
                return;
            }
            let path = at.path.key(name);
            let label = format!("{name:<width$} ");
            let at = ValuePlace { path: &path, ..at };
            match (role, name.as_str(), value) {
                (ObjectRole::Call, "input", Value::String(input)) => {
                    let to = fields.get("contract_addr").and_then(Value::as_str).and_then(|text| text.parse().ok());
                    self.call(at, &label, to, input);
                }
                (ObjectRole::Deposit, "data", Value::String(data)) | (_, "opinit", Value::String(data)) => {
                    self.hook(at, &label, data);
                }
                (ObjectRole::Move, "args", Value::Array(args)) if !args.is_empty() => self.arguments(at, &label, args),
                _ => self.value(at, &label, value),
            }
        }
    }

    /// Appends a labelled value. The content of lists, objects and decodable texts follows below it.
    pub(super) fn value(&mut self, at: ValuePlace<'_>, label: &str, value: &Value) {
        if let Some(coin) = coin(value) {
            return self.push(self.coin_line(self.head(at, label), &coin));
        }
        match value {
            Value::Object(fields) if fields.is_empty() => self.push(self.head(at, label).with(Meaning::Muted, "empty")),
            Value::Array(items) if items.is_empty() => self.push(self.head(at, label).with(Meaning::Muted, "empty")),
            Value::Object(_) | Value::Array(_) if at.depth >= DEEPEST => {
                let written = value.to_string();
                self.push(self.head(at, label).with(Meaning::Text, cut(&written)).copying(written));
            }
            Value::Object(fields) => {
                let kind = fields.get("@type").and_then(Value::as_str).map(MsgType::new);
                let head = self.head(at, label).copying(value.to_string());
                let head = match kind.as_ref().map(MsgType::short) {
                    Some(short) => head.with(Meaning::Kind, short),
                    None => head,
                };
                self.with_below(head, |tree| tree.fields(at.below(), fields));
            }
            Value::Array(items) => match items.as_slice() {
                [only] if coin(only).is_some() => {
                    let path = at.path.then(PathStep::Index(0));
                    self.value(ValuePlace { path: &path, ..at }, label, only);
                }
                _ => {
                    let head = self.head(at, label).with(Meaning::Muted, format!("({})", items.len()));
                    self.with_below(head.copying(value.to_string()), |tree| tree.items(at.below(), items));
                }
            },
            Value::String(text) => self.text(at, label, text),
            Value::Null => self.push(self.head(at, label).with(Meaning::Muted, "none").copying("null")),
            other => {
                let written = other.to_string();
                self.push(self.head(at, label).with(Meaning::Number, &written).copying(written));
            }
        }
    }

    fn items(&mut self, at: ValuePlace<'_>, items: &[Value]) {
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                return;
            }
            let path = at.path.then(PathStep::Index(index));
            self.value(ValuePlace { path: &path, ..at }, &format!("{}. ", index + 1), item);
        }
    }

    /// Appends a text. An account or hash becomes a link; the content of JSON follows below.
    pub(super) fn text(&mut self, at: ValuePlace<'_>, label: &str, text: &str) {
        let head = self.head(at, label);
        if text.is_empty() {
            return self.push(head.with(Meaning::Muted, "empty").copying(""));
        }
        if let Some(opened) = open_text(text).filter(|_| self.may_open(at.nesting)) {
            let form = if opened.form == TextForm::Plain { String::new() } else { format!("{}  ", opened.form) };
            let head = head.with(Meaning::Muted, form).with(Meaning::Text, cut(text)).copying(text);
            let path = at.path.then(PathStep::Opened);
            let below = ValuePlace { path: &path, nesting: at.nesting + 1, ..at.below() };
            return self.with_below(head, |tree| tree.opened(below, &opened));
        }
        let moment = moment_of(at.path, text);
        let line = self.plain(head, text);
        self.push(match moment {
            Some(moment) => line.with(Meaning::Muted, format!("  = {moment}")),
            None => line,
        });
    }

    /// Appends the decoded content of a text, one level deeper.
    fn opened(&mut self, at: ValuePlace<'_>, opened: &Opened) {
        match &opened.value {
            Value::Object(fields) => self.fields(at, fields),
            Value::Array(items) => self.items(at, items),
            _ => {}
        }
    }

    /// Appends the input of a call, decoded by the ABI registry.
    pub(super) fn call(&mut self, at: ValuePlace<'_>, label: &str, to: Option<Address>, input: &str) {
        if input.is_empty() || input == "0x" {
            return self.push(self.head(at, label).with(Meaning::Muted, "empty").copying(input));
        }
        let reading = self.glossary.abi.decode_call(to, input);
        let head = abi::titled(self.head(at, label), &reading).with(Meaning::Text, cut(input)).copying(input);
        self.with_below(head, |tree| {
            abi::push_arguments(tree, at.below(), &reading, to);
            if reading.arguments.is_none() {
                let digits = input.strip_prefix("0x").unwrap_or(input);
                abi::push_words(tree, at.below(), digits.get(8..).unwrap_or_default());
            }
        });
    }

    /// Appends the arguments of a Move call: JSON, or bytes of unknown types.
    fn arguments(&mut self, at: ValuePlace<'_>, label: &str, args: &[Value]) {
        let head = self.head(at, label).with(Meaning::Muted, format!("({})", args.len()));
        self.with_below(head.copying(Value::from(args.to_vec()).to_string()), |tree| {
            for (index, argument) in args.iter().enumerate() {
                let path = at.path.then(PathStep::Index(index));
                let at = ValuePlace { path: &path, ..at.below() };
                let label = format!("{}. ", index + 1);
                let Some(text) = argument.as_str() else {
                    tree.value(at, &label, argument);
                    continue;
                };
                // An argument in JSON form is also valid base64 only by chance.
                if open_text(text).is_some() || serde_json::from_str::<Value>(text).is_ok() {
                    tree.json_argument(at, &label, text);
                    continue;
                }
                match move_argument(text) {
                    Some(reading) => {
                        let line = tree.head(at, &label).with(Meaning::Number, reading);
                        let line = line.with(Meaning::Muted, format!("  {}", cut(text))).copying(text);
                        let account = move_account(text).map(Target::Account);
                        tree.push(line.leading_to(account));
                    }
                    None => tree.text(at, &label, text),
                }
            }
        });
    }

    /// Appends the messages of the signed transaction that a deposit carries; any other text unchanged.
    fn hook(&mut self, at: ValuePlace<'_>, label: &str, data: &str) {
        let messages = self.may_open(at.nesting).then(|| signed_messages(data, &self.work)).flatten();
        let Some(messages) = messages else { return self.text(at, label, data) };
        let head = self.head(at, label).with(Meaning::Muted, "signed transaction in base64  ");
        let head = head.with(Meaning::Text, cut(data)).copying(data);
        let opened = at.path.then(PathStep::Opened);
        self.with_below(head, |tree| {
            for (index, (kind, fields)) in messages.iter().enumerate() {
                let path = opened.then(PathStep::Index(index));
                let at = ValuePlace { path: &path, nesting: at.nesting + 1, ..at.below() };
                tree.attached(at, &format!("{}. ", index + 1), (kind, fields));
            }
        });
    }

    fn attached(&mut self, at: ValuePlace<'_>, label: &str, (kind, fields): (&MsgType, &Map<String, Value>)) {
        let head = self.head(at, label).with(Meaning::Kind, kind.short()).with(Meaning::Muted, format!("  /{kind}"));
        let head = head.copying(Value::Object(fields.clone()).to_string());
        self.with_below(head, |tree| tree.fields(at.below(), fields));
    }

    fn json_argument(&mut self, at: ValuePlace<'_>, label: &str, text: &str) {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::String(inside)) if link_of(&inside).is_some() => {
                let line = self.plain(self.head(at, label), &inside);
                self.push(line.copying(text));
            }
            _ => self.text(at, label, text),
        }
    }

    /// Appends plain text to a line: an account in the current format, a hash as a link.
    pub(super) fn plain(&self, line: Line, text: &str) -> Line {
        match link_of(text).filter(|_| text.len() != 66 || text.starts_with("init1")) {
            Some(Target::Account(address)) => self.account(line, address).copying(text),
            _ => line.with(Meaning::Text, cut(text)).copying(text).leading_to(link_of(text)),
        }
    }

    pub(super) fn account(&self, line: Line, address: Address) -> Line {
        let text = self.style.write(address);
        let line = line.with(Meaning::Link, &text).copying(text).leading_to(Some(Target::Account(address)));
        match self.glossary.label(address) {
            Some(label) => line.with(Meaning::Muted.of_name(label), format!("  {label}")),
            None => line,
        }
    }

    fn coin_line(&self, line: Line, coin: &Coin) -> Line {
        let exact = coin.to_string();
        let line = if let Some(readable) = self.readable(coin) {
            line.with(Meaning::Number, readable).with(Meaning::Muted, format!("  {exact}"))
        } else {
            let amount = text::group_digits(&coin.amount.to_string());
            line.with(Meaning::Number, format!("{amount} {}", coin.denom.marked()))
        };
        line.copying(exact)
    }

    /// Formats a coin in display units if its token is known.
    pub(super) fn readable(&self, coin: &Coin) -> Option<String> {
        let known = || self.glossary.token(&coin.denom).map(AsRef::as_ref);
        let token = self.story.map_or_else(known, |story| story.token(&coin.denom, self.glossary))?;
        Some(format!("{} {}", coin.amount.display(token.decimals), text::clip(&token.symbol, 16)))
    }

    /// Formats an amount of a contract's token in display units if the token is known.
    pub(super) fn readable_at(&self, contract: Address, amount: Amount) -> Option<String> {
        let written = contract.checksummed();
        let denom = Denom::new(format!("evm/{}", written.strip_prefix("0x")?));
        self.readable(&Coin { denom, amount })
    }

    pub(super) fn head(&self, at: ValuePlace<'_>, label: &str) -> Line {
        let line = Line::at(at.depth).with(Meaning::Key, label);
        match self.message.filter(|_| !at.path.is_empty()) {
            Some(message) => line.named(TxLine::Field(message, at.path.clone())),
            None => line,
        }
    }

    /// Appends a line with children, folded if it has many.
    pub(super) fn with_below(&mut self, head: Line, below: impl FnOnce(&mut Self)) {
        let place = self.lines.len();
        let is_inner = head.depth > 1;
        self.push(head);
        below(self);
        if is_inner
            && self.lines.len() > place + MANY_LINES
            && let Some(head) = self.lines.get_mut(place)
        {
            head.starts_folded = true;
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct ValuePlace<'p> {
    pub(super) depth: u16,
    pub(super) path: &'p ValuePath,
    /// Number of decoded texts around the value.
    pub(super) nesting: usize,
}

impl ValuePlace<'_> {
    pub(super) fn below(self) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self }
    }
}

/// Kind of an object, which decides how to read its fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ObjectRole {
    /// Call of an EVM contract, in a message or a hook.
    Call,
    /// Call of a Move function or script, in a message or a hook.
    Move,
    /// Deposit over the OPinit bridge, which may carry a signed transaction.
    Deposit,
    Other,
}

impl ObjectRole {
    fn of(fields: &Map<String, Value>) -> Self {
        let has = |name| fields.contains_key(name);
        if has("contract_addr") && has("input") {
            Self::Call
        } else if has("args") && (has("function_name") || has("code_bytes")) {
            Self::Move
        } else if has("data") && (has("base_denom") || has("bridge_id")) {
            Self::Deposit
        } else {
            Self::Other
        }
    }
}

/// Parses a `{denom, amount}` object.
pub(crate) fn coin(value: &Value) -> Option<Coin> {
    let fields = value.as_object().filter(|fields| fields.len() == 2)?;
    let amount = fields.get("amount")?.as_str()?.parse().ok()?;
    Some(Coin { denom: Denom::new(fields.get("denom")?.as_str()?), amount })
}

/// Formats the expiry of a packet, which is in nanoseconds.
fn moment_of(path: &ValuePath, digits: &str) -> Option<String> {
    let is_moment = digits.len() == 19 && path.to_string().ends_with("timeout_timestamp");
    let moment = is_moment.then(|| digits.parse().ok()).flatten().map(Timestamp::from_nanos)?;
    Some(format!("{} UTC", moment.day_and_clock()))
}

/// Cuts a value to [`MOST_SHOWN`] characters.
pub(super) fn cut(value: &str) -> std::borrow::Cow<'_, str> {
    match value.char_indices().nth(MOST_SHOWN) {
        Some((place, _)) => format!("{}…", value.get(..place).unwrap_or_default()).into(),
        None => value.into(),
    }
}
