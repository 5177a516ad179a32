//! Reads the texts of a story as a stranger would: by expressions alone, without knowing how they came about.

use std::fmt::{Display, Formatter};

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

/// What must not be told of a record, and what must.
#[derive(Deserialize)]
pub(super) struct AdversarialCase {
    pub(super) name: String,
    pub(super) network: String,
    pub(super) rule: String,
    must_not: Vec<TextCheck>,
    must: Vec<TextCheck>,
}

/// An expression and where it is searched.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum TextCheck {
    Anywhere(String),
    There(CheckedArea),
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct CheckedArea {
    re: String,
    #[serde(rename = "in")]
    area: TextArea,
    unless: Option<String>,
    unless_page: Option<String>,
    outside_quotes: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TextArea {
    #[default]
    Told,
    Say,
    Tokens,
    Moves,
    Conserved,
    Page,
}

/// All texts of a story by where they are; separators between digits are taken out.
#[derive(Debug, Default)]
pub(super) struct StoryTexts {
    say: Vec<String>,
    /// The failure, and the lines of the bridge.
    beside: Vec<String>,
    tokens: Vec<String>,
    moves: Vec<String>,
    conserved: String,
    page: Vec<String>,
}

impl StoryTexts {
    /// From the story as JSON and as a table.
    pub(super) fn of(story: &Value, table: &str) -> Self {
        let text = |value: &Value| value.as_str().map(without_separators);
        let list = |name: &str| story[name].as_array().cloned().unwrap_or_default();
        let cells: Vec<Value> = list("balances").into_iter().chain(list("supply")).collect();
        let names = |cell: &Value| ["denom", "symbol", "name"].map(|name| text(&cell[name])).into_iter().flatten();
        let moved = |cell: &Value| {
            let field = |name: &str| cell[name].as_str().unwrap_or_default().to_owned();
            [field("account"), field("denom"), field("delta")].join(" ")
        };
        let page = table.lines().take_while(|line| !line.starts_with("Transaction")).map(without_separators);
        Self {
            say: list("sentences").iter().filter_map(|sentence| text(&sentence["text"])).collect(),
            beside: text(&story["failure"])
                .into_iter()
                .chain(list("bridge").iter().filter_map(|line| text(&line["text"])))
                .collect(),
            tokens: cells.iter().flat_map(|cell| names(cell).collect::<Vec<_>>()).collect(),
            moves: list("balances").iter().map(moved).collect(),
            conserved: story["conserved"].to_string(),
            page: page.collect(),
        }
    }

    /// Adds a text where the words before its colon say.
    pub(super) fn plant(&mut self, lie: &str) {
        let (place, text) = lie.split_once(':').expect("a lie says where it is told");
        let text = without_separators(text);
        match place {
            "say" => self.say.push(text),
            "failure" => self.beside.push(text),
            "page" => self.page.push(text),
            "conserved" => self.conserved = text,
            other => panic!("{other} is no place for a lie"),
        }
    }

    fn area(&self, area: TextArea) -> Vec<&str> {
        let texts = match area {
            TextArea::Told => return self.say.iter().chain(&self.beside).map(String::as_str).collect(),
            TextArea::Conserved => return vec![&self.conserved],
            TextArea::Say => &self.say,
            TextArea::Tokens => &self.tokens,
            TextArea::Moves => &self.moves,
            TextArea::Page => &self.page,
        };
        texts.iter().map(String::as_str).collect()
    }
}

impl Display for StoryTexts {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.say.iter().chain(&self.beside).try_for_each(|text| writeln!(formatter, "    {text}"))?;
        self.moves.iter().try_for_each(|text| writeln!(formatter, "    = {text}"))?;
        writeln!(formatter, "    conserved: {}", self.conserved)
    }
}

impl TextCheck {
    fn whole(&self) -> CheckedArea {
        match self {
            Self::Anywhere(re) => CheckedArea { re: re.clone(), ..CheckedArea::default() },
            Self::There(check) => check.clone(),
        }
    }
}

/// What is wrong with the texts, both said and left out.
pub(super) fn complaints(case: &AdversarialCase, texts: &StoryTexts) -> Vec<String> {
    let missing = case.must.iter().map(TextCheck::whole).filter(|check| {
        let wanted = expression(&check.re);
        !texts.area(check.area).iter().any(|text| wanted.is_match(text))
    });
    let missing = missing.map(|check| format!("nothing of {:?} says {}", check.area, check.re));
    false_statements(case, texts).into_iter().chain(missing).collect()
}

/// What is said and must not be.
pub(super) fn false_statements(case: &AdversarialCase, texts: &StoryTexts) -> Vec<String> {
    let mut found = Vec::new();
    for check in case.must_not.iter().map(TextCheck::whole) {
        let (lie, unless) = (expression(&check.re), check.unless.as_deref().map(expression));
        let page = check.unless_page.as_deref().map(expression);
        if page.is_some_and(|page| texts.page.iter().any(|line| page.is_match(line))) {
            continue;
        }
        for text in texts.area(check.area) {
            let searched = if check.outside_quotes { without_quotes(text) } else { text.to_owned() };
            if lie.is_match(&searched) && !unless.as_ref().is_some_and(|unless| unless.is_match(text)) {
                found.push(format!("{:?} says “{text}”", check.area));
            }
        }
    }
    let steered = |text: &&str| text.chars().any(|sign| sign.is_control() || is_direction(sign));
    let shown = texts.area(TextArea::Told).into_iter().chain(texts.area(TextArea::Page));
    found.extend(shown.filter(steered).map(|text| format!("a control character in {text:?}")));
    found
}

fn expression(text: &str) -> Regex {
    Regex::new(text).expect("an expression of a case")
}

fn is_direction(sign: char) -> bool {
    matches!(sign, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn without_separators(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let is_digit = |place: Option<usize>| place.and_then(|place| signs.get(place)).is_some_and(char::is_ascii_digit);
    let is_separator = |place: usize, sign: char| {
        matches!(sign, ',' | '_' | '\u{a0}' | '\u{2009}' | '\u{202f}')
            && is_digit(place.checked_sub(1))
            && is_digit(Some(place + 1))
    };
    signs.iter().enumerate().filter(|(place, sign)| !is_separator(*place, **sign)).map(|(_, sign)| *sign).collect()
}

/// The text without what stands in quotes that are closed.
fn without_quotes(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let mut left = String::new();
    let mut place = 0;
    while let Some(&sign) = signs.get(place) {
        let is_apostrophe = sign == '\'' && place > 0 && signs[place - 1].is_alphanumeric();
        let end = closing(sign).filter(|_| !is_apostrophe).and_then(|close| quote_end(&signs, place + 1, close));
        if let Some(end) = end {
            place = end + 1;
        } else {
            left.push(sign);
            place += 1;
        }
    }
    left
}

fn closing(open: char) -> Option<char> {
    [('“', '”'), ('"', '"'), ('‘', '’'), ('«', '»'), ('‹', '›'), ('`', '`'), ('\'', '\'')]
        .into_iter()
        .find_map(|(known, close)| (known == open).then_some(close))
}

/// Where a quote ends: at the first closing mark that is neither doubled nor behind a backslash.
fn quote_end(signs: &[char], start: usize, close: char) -> Option<usize> {
    let mut place = start;
    while let Some(&sign) = signs.get(place) {
        match sign {
            '\\' => place += 2,
            _ if sign == close && signs.get(place + 1) == Some(&close) => place += 2,
            _ if sign == close => return Some(place),
            _ => place += 1,
        }
    }
    None
}

#[test]
fn quotes_and_separators_are_read_as_people_read_them() {
    assert_eq!(without_separators("1,000,000 INIT, 2 ETH"), "1000000 INIT, 2 ETH");
    assert_eq!(without_quotes("A said “B ”” sent” to C's friend"), "A said  to C's friend");
    assert_eq!(without_quotes("open “and never closed"), "open “and never closed");
    assert_eq!(without_quotes(r#"a "b\" c" d"#), "a  d");
}
