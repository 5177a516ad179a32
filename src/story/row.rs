//! What a list's row says of a transaction, in one line.

mod effect;

use unicode_width::UnicodeWidthStr as _;

pub use effect::effect_words;

use super::{
    Changes, Direction, Explanation, Glossary, Headline, Style, Word, Work, decode::decode_leading, explanation, whole,
};
use crate::{
    domain::{MsgType, text},
    wire::Tx,
};

/// Columns of a row's words at the most: no terminal has more, and a record may say anything.
const MOST: usize = 240;
/// Columns from which the beginning of a reason says more than the name of its code.
const CUT_FROM: usize = 28;
/// Letters and digits without anything between them that only an address or a hash has.
const LONG: usize = 38;

/// What a row says of a transaction. Cleaned, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWords {
    /// All of it.
    pub text: String,
    /// The most important of it in a few words, for where the whole has no room.
    pub brief: Option<String>,
    /// What kind of news it is; the words say the same.
    pub tone: Tone,
    /// Which way it went for the account whose history the row is in, where it gained or lost something.
    pub direction: Option<Direction>,
    /// What is worth more than all of it where it has room, the longest first: why it failed. The last one also cut.
    pub fuller: Vec<String>,
}

/// What kind of news a row has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Something happened.
    #[default]
    Plain,
    /// An account gained and lost nothing.
    Gain,
    /// Nothing of interest happened to an account.
    Quiet,
    /// It failed.
    Failed,
    /// What happened cannot be told for sure.
    Doubt,
}

impl RowWords {
    fn new(tone: Tone, text: &str, brief: Option<&str>) -> Self {
        let brief = brief.map(|brief| text::clip(brief, MOST));
        Self { text: text::clip(text, MOST), brief, tone, direction: None, fuller: Vec::new() }
    }

    /// As much as has room in so many terminal columns. What it gives may still be too long.
    pub fn within(&self, columns: usize) -> &str {
        let fits = self.fuller.iter().find(|words| words.width() <= columns);
        let cut = self.fuller.last().filter(|_| columns >= CUT_FROM);
        if let Some(words) = fits.or(cut) {
            return words;
        }
        match &self.brief {
            Some(brief) if self.text.width() > columns => brief,
            _ => &self.text,
        }
    }
}

/// The sentence of a transaction's leading message, and how many more messages there are; where it failed also why,
/// which is all that narrow lists say.
pub fn row_words(tx: &Tx, headline: &Headline, glossary: &Glossary, style: Style) -> RowWords {
    let more = match headline.others() {
        0 => String::new(),
        others => format!(" +{others} more"),
    };
    if tx.is_success() {
        let sentence = whole::summary_in(tx, glossary, style);
        return match sentence.trim() {
            "" => RowWords::new(Tone::Doubt, "its messages cannot be read", None),
            sentence => RowWords::new(Tone::Plain, &format!("{sentence}{more}"), None),
        };
    }
    let (decoded, leading) = decode_leading(tx);
    let (work, changes) = (Work::default(), Changes::default());
    let context = whole::tx_context(tx, &decoded, &changes, glossary, &work);
    let explanation = explanation::explanation(&context);
    let why = why(explanation.as_ref());
    let sentence = whole::leading_sentence(&context, leading, style);
    let with = |why: &str| sentence.as_ref().map(|sentence| format!("{sentence}: {why}"));
    let reason = explanation.map(|explanation| shortened(&explanation.reason)).filter(|reason| !reason.is_empty());
    let failed = decoded.failure.as_ref().and_then(|failure| failure.message_index);
    let fuller = reason.into_iter().flat_map(|reason| {
        let brief = about(headline, failed.unwrap_or(leading), &reason);
        with(&reason).into_iter().chain([brief])
    });
    let fuller = fuller.map(|words| text::clip(&words, MOST)).collect();
    let text = with(&why).unwrap_or_else(|| why.clone());
    RowWords { fuller, ..RowWords::new(Tone::Failed, &text, Some(&why)) }
}

/// A reason behind what it is about: `MsgTransfer · channel-99 does not exist`.
fn about(headline: &Headline, message: usize, reason: &str) -> String {
    match headline.types.get(message).map(MsgType::short) {
        Some(name) if !name.is_empty() => format!("{} · {reason}", Word::code(name).write(Style::Exact)),
        _ => reason.to_owned(),
    }
}

/// The words with their addresses and hashes shortened as rows have them, so that what follows stays in sight.
fn shortened(words: &str) -> String {
    let is_long = |run: &str| run.len() >= LONG && run.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let runs = words.split_inclusive(|sign: char| !sign.is_alphanumeric());
    let short = runs.map(|run| {
        let word = run.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        let end = word.len().saturating_sub(if word.starts_with("init") { 3 } else { 4 });
        match (word.get(..6), word.get(end..)) {
            (Some(first), Some(last)) if is_long(word) => {
                format!("{first}…{last}{}", run.get(word.len()..).unwrap_or_default())
            }
            _ => run.to_owned(),
        }
    });
    short.collect()
}

/// Why a transaction failed, in a few words: what its failure is called.
fn why(explanation: Option<&Explanation>) -> String {
    explanation.map_or_else(|| "failed".to_owned(), |explanation| explanation.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tx(code: u32, messages: &str) -> Tx {
        let record = format!(
            r#"{{"txhash":"{}","height":"1","timestamp":"2026-01-01T00:00:00Z","code":{code},"codespace":"sdk",
            "raw_log":"out of gas in location: x","tx":{{"body":{{"messages":{messages}}}}}}}"#,
            "0".repeat(64)
        );
        serde_json::from_str(&record).unwrap()
    }

    fn words(tx: &Tx) -> RowWords {
        row_words(tx, &Headline::of(tx), &Glossary::default(), Style::Short)
    }

    #[test]
    fn a_failure_is_called_what_its_code_is_called_and_else_what_it_is_at_least() {
        let brief = |code| words(&tx(code, "[]")).brief.expect("a few words");
        assert_eq!([brief(11), brief(13), brief(9_999)], ["out of gas", "insufficient fee", "unknown code"]);
        assert_eq!(why(None), "failed");
    }

    #[test]
    fn addresses_in_a_reason_leave_room_for_the_rest_of_it() {
        let address = "init1g9dp2d7ec47eeugf37te9fvck2qv0urelpeh6n";
        assert_eq!(shortened(&format!("only {address}, or {address}")), "only init1g…h6n, or init1g…h6n");
        let module = "was aborted by 0xa37df1206627ff05c3fb1abf0121539ca621e7bd::airdrop: it’s so";
        assert_eq!(shortened(module), "was aborted by 0xa37d…e7bd::airdrop: it’s so");
        assert_eq!(shortened("漢字 — 12,000 (ReadFlat)"), "漢字 — 12,000 (ReadFlat)");
    }

    #[test]
    fn narrow_rows_of_failures_say_why_and_wide_ones_what_was_tried_too() {
        let words = words(&tx(11, r#"[{"@type":"/a.b.MsgOdd"}]"#));
        let brief = words.brief.clone().expect("a few words");
        assert!(words.text.ends_with(&format!(": {brief}")) && words.text.len() > brief.len() + 8, "{words:?}");
        let [whole, reason] = words.fuller.as_slice() else { panic!("{words:?}") };
        let why = reason.strip_prefix("MsgOdd · ").expect("what it is about comes first");
        assert!(why.starts_with("ran out of gas") && whole.ends_with(why), "{words:?}");
        let within = [brief.len(), CUT_FROM, 200].map(|columns| words.within(columns));
        assert_eq!(within, [brief.as_str(), reason.as_str(), whole.as_str()]);
        assert_eq!(words.tone, Tone::Failed);
    }

    #[test]
    fn further_messages_are_counted_without_those_that_say_nothing() {
        let kinds = |kinds: &[&str]| {
            let messages: Vec<String> = kinds.iter().map(|kind| format!(r#"{{"@type":"/{kind}"}}"#)).collect();
            words(&tx(0, &format!("[{}]", messages.join(",")))).text
        };
        let update = "ibc.core.client.v1.MsgUpdateClient";
        assert!(kinds(&["a.b.MsgOdd", "a.b.MsgEven", update, "a.b.MsgOdd"]).ends_with(" +2 more"));
        assert!(!kinds(&[update, "a.b.MsgOdd"]).contains("more"));
    }

    #[test]
    fn nothing_readable_and_hostile_text_are_one_clean_line() {
        assert_eq!(words(&tx(0, "7")).text, "its messages cannot be read");
        let long = "\\u001b[2J\\n".repeat(10_000);
        let words = words(&tx(0, &format!(r#"[{{"@type":"/a.b.{long}"}}]"#)));
        assert!(words.text.width() <= MOST && !words.text.contains(['\u{1b}', '\n']), "{words:?}");
    }
}
