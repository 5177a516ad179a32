//! Text of a list row about a transaction, in one line.

mod effect;

use unicode_width::UnicodeWidthStr as _;

pub use effect::{balance_effect, effect_words};

use super::{
    explanation::{self, Explanation},
    message_summary::MessageSummary,
    phrase::{self, Phrase, Style, Word, text_of},
    sentence,
};
use crate::{
    domain::{Address, AddressStyle, text},
    story::{
        changes::{Changes, direction::Direction},
        context::{self, TxContext},
        decode::{Decoded, decode_leading},
        limits::Work,
        names::glossary::Glossary,
    },
    wire::Tx,
};

/// Maximum columns of a row's text: wider than any terminal.
const MOST: usize = 240;
/// Least columns for a truncated reason; narrower cells name the error code instead.
const CUT_FROM: usize = 28;
/// Length of an unbroken run of letters and digits that only addresses and hashes reach.
const LONG: usize = 38;
/// Characters at both ends of a shortened hash.
const HASH_ENDS: usize = 6;
/// Characters at both ends of an address in a row that is too narrow for the usual form.
const CLOSE_ENDS: usize = 4;

/// Text of a list row. Cleaned, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWords {
    pub text: String,
    /// Most important part in a few words, for narrow columns.
    pub brief: Option<String>,
    /// Kind of effect; the words express it too.
    pub tone: Tone,
    /// Direction for the account whose history contains the row, if its balance changed.
    pub direction: Option<Direction>,
    /// Longer alternatives, longest first: the failure reason, or the effect without the actor. The last one may be
    /// truncated.
    pub fuller: Vec<String>,
    /// Accounts that the text may shorten.
    pub accounts: Vec<Address>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    /// Account with balanced gains and losses.
    Gain,
    /// No effect of interest for an account.
    Quiet,
    Failed,
    /// Uncertain effect.
    Doubt,
}

impl RowWords {
    fn new(tone: Tone, text: &str, brief: Option<&str>) -> Self {
        let brief = brief.map(|brief| text::clip(brief, MOST));
        let (fuller, accounts) = (Vec::new(), Vec::new());
        Self { text: text::clip(text, MOST), brief, tone, direction: None, fuller, accounts }
    }

    /// Returns the longest version for this many columns; it may still need truncation.
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

/// Returns the leading message's sentence and the number of others; for a failure the failed message and its reason.
pub fn row_words(tx: &Tx, headline: &MessageSummary, glossary: &Glossary, style: Style<'_>) -> RowWords {
    let (decoded, leading) = decode_leading(tx);
    let (work, changes) = (Work::default(), Changes::default());
    let context = context::tx_context(tx, &decoded, &changes, glossary, &work);
    if tx.is_success() {
        let signer = context.decoded.signer;
        return told_words(&sentence::leading_phrases(&context, leading), signer, headline.others(), style);
    }
    failure_words(&context, headline, style, None)
}

/// Returns the text of a failure: the failed message, its reason, and the fee if the row is about its payer.
fn failure_words(
    context: &TxContext<'_>,
    headline: &MessageSummary,
    style: Style<'_>,
    fee: Option<String>,
) -> RowWords {
    let explanation = explanation::explanation(context);
    let subject = failed_call(context.decoded, headline);
    let brief = format!("{subject} · {}", why(explanation.as_ref()));
    let paid = fee.map(|fee| format!(" · fee {fee}")).unwrap_or_default();
    let reason = explanation.map(|explanation| shortened(&explanation.reason, style));
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => {
            let words = RowWords::new(Tone::Failed, &format!("{subject} · {reason}{paid}"), Some(&brief));
            let plain = (!paid.is_empty()).then(|| text::clip(&format!("{subject} · {reason}"), MOST));
            RowWords { fuller: std::iter::once(words.text.clone()).chain(plain).collect(), ..words }
        }
        None => RowWords::new(Tone::Failed, &format!("{brief}{paid}"), (!paid.is_empty()).then_some(&brief)),
    }
}

/// Returns the text of a success. The shorter version omits the actor if it is the signer, since no other column names
/// anybody else, and the second mention of the account for which the actor acts.
fn told_words(phrases: &[Phrase], signer: Option<Address>, others: usize, style: Style<'_>) -> RowWords {
    let more = if others == 0 { String::new() } else { format!(" +{others} more") };
    let finished = |text: &str| {
        let text = text.trim();
        format!("{}{more}", text.strip_suffix('.').unwrap_or(text))
    };
    let whole = finished(&text_of(phrases, style));
    if whole == more {
        return RowWords::new(Tone::Doubt, "unreadable messages", None);
    }
    let accounts = phrases.iter().filter_map(phrase::account).map(|(address, _)| address).collect();
    match phrases {
        // A label is short and says more than the rest may.
        [Phrase { word: Word::Account { label: None, address, .. }, .. }, rest @ ..]
            if !rest.is_empty() && signer.is_some_and(|signer| signer.is_same_in_logs(address)) =>
        {
            let rest = match rest {
                [joint, granter, colon, subject, effect @ ..] if is_same_account(granter, subject) => {
                    [&[joint.clone(), granter.clone(), colon.clone()], effect].concat()
                }
                _ => rest.to_vec(),
            };
            // The comma goes with the actor.
            let written = |phrases: &[Phrase]| finished(text_of(phrases, style).trim_start_matches(", "));
            let (nameless, rest) = (written(&without_names(&rest)), written(&rest));
            let words = RowWords::new(Tone::Plain, &whole, Some(&rest));
            let fuller = std::iter::once(words.text.clone()).chain(ever_shorter(&rest, &nameless)).collect();
            RowWords { fuller, accounts, ..words }
        }
        _ => {
            let nameless = finished(&text_of(&without_names(phrases), style));
            let fuller = ever_shorter(&whole, &nameless);
            RowWords { fuller, accounts, ..RowWords::new(Tone::Plain, &whole, None) }
        }
    }
}

/// Returns the sentence, then shorter forms that keep amount and object: who reports it in a word, addresses with four
/// characters at both ends, and then `nameless`, the sentence without self-chosen names.
fn ever_shorter(sentence: &str, nameless: &str) -> Vec<String> {
    let brief = |sentence: &str| {
        let reports = [", as the contract reports", ", as the contracts report"];
        reports.into_iter().fold(sentence.to_owned(), |sentence, report| sentence.replace(report, " (reported)"))
    };
    let close = |sentence: &str| sentence.split_inclusive(' ').map(with_close_ends).collect::<String>();
    let (brief, nameless) = (brief(sentence), close(&brief(nameless)));
    let closest = close(&brief);
    let mut forms: Vec<String> = [sentence, &brief, &closest, &nameless].map(|form| text::clip(form, MOST)).into();
    forms.dedup();
    forms
}

/// Drops the quotes in parentheses of their own, which are self-chosen names beside an address.
fn without_names(phrases: &[Phrase]) -> Vec<Phrase> {
    let is_name = |place: usize| {
        let text = |at: Option<usize>| match at.and_then(|at| phrases.get(at)).map(|phrase| &phrase.word) {
            Some(Word::Text(text)) => text.as_ref(),
            _ => "",
        };
        matches!(phrases.get(place), Some(Phrase { word: Word::Quoted(_), .. }))
            && text(place.checked_sub(1)) == " ("
            && text(Some(place + 1)).starts_with(')')
    };
    let keep = |(place, phrase): (usize, &Phrase)| {
        if is_name(place) || is_name(place + 1) {
            return None;
        }
        let mut phrase = phrase.clone();
        if place.checked_sub(1).is_some_and(is_name)
            && let Word::Text(text) = &mut phrase.word
        {
            *text = text.trim_start_matches(')').to_owned().into();
        }
        Some(phrase)
    };
    phrases.iter().enumerate().filter_map(keep).collect()
}

/// Shortens a shortened address further, to four characters at both ends.
fn with_close_ends(word: &str) -> String {
    let close = || {
        let (head, rest) = word.split_once('…')?;
        let start = if head.starts_with("0x") { 2 } else { head.find('1').filter(|_| head.starts_with("init1"))? + 1 };
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let head = head.get(..(start + CLOSE_ENDS).min(head.len()))?;
        Some(format!("{head}…{}", rest.get(end.saturating_sub(CLOSE_ENDS)..)?))
    };
    close().unwrap_or_else(|| word.to_owned())
}

fn is_same_account(one: &Phrase, other: &Phrase) -> bool {
    let account = |phrase: &Phrase| phrase::account(phrase).map(|(address, _)| address);
    account(one).is_some() && account(one) == account(other)
}

/// Returns the failed message: its called function if known, else its type.
fn failed_call(decoded: &Decoded, headline: &MessageSummary) -> String {
    let leading = crate::story::decode::lead(&headline.types);
    let failed = decoded.failure.as_ref().and_then(|failure| failure.message_index).unwrap_or(leading);
    let call = headline.call.as_deref().filter(|call| call.ends_with("()") || call.contains("::"));
    match (call.filter(|_| failed == leading), headline.types.get(failed)) {
        (Some(call), _) => call.to_owned(),
        (None, Some(kind)) => Word::code(kind.short()).write(Style::Exact).into_owned(),
        (None, None) => headline.kind(),
    }
}

/// Shortens addresses and hashes so that the following text stays visible.
fn shortened(words: &str, style: Style<'_>) -> String {
    let is_long = |run: &str| run.len() >= LONG && run.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let runs = words.split_inclusive(|sign: char| !sign.is_alphanumeric());
    let short = runs.map(|run| {
        let word = run.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        if !is_long(word) {
            return run.to_owned();
        }
        format!("{}{}", short_run(word, style), run.get(word.len()..).unwrap_or_default())
    });
    short.collect()
}

/// Shortens a hash, or an address in the current format, to both ends.
fn short_run(word: &str, style: Style<'_>) -> String {
    let usual = AddressStyle::default();
    let addresses = if let Style::Screen(addresses) = style { addresses } else { &usual };
    let is_hex = word.starts_with("0x");
    match word.parse::<Address>() {
        Ok(address) if is_hex || word.starts_with("init1") => addresses.short_of(address, is_hex),
        _ => format!("{}…{}", &word[..HASH_ENDS], &word[word.len() - HASH_ENDS..]),
    }
}

/// Returns the name of a transaction's failure.
fn why(explanation: Option<&Explanation>) -> String {
    explanation.map_or_else(|| "failed".to_owned(), |explanation| explanation.name.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tx(code: u32, messages: &str) -> Tx {
        let record = format!(
            r#"{{"txhash":"{}","height":"1","timestamp":"2026-01-01T00:00:00Z","code":{code},"codespace":"sdk",
            "raw_log":"out of gas in location: x","tx":{{"body":{{"messages":{messages}}}}}}}"#,
            "0".repeat(64)
        );
        serde_json::from_str(&record).unwrap()
    }

    /// Adds the signature of this account, and further events.
    fn signed(mut tx: Tx, signer: &str, events: &[Value]) -> Tx {
        let attribute = json!({"key": "acc_seq", "value": format!("{signer}/1")});
        let mut all = vec![json!({"type": "tx", "attributes": [attribute]})];
        all.extend(events.iter().cloned());
        tx.events = crate::wire::RawJson::parse(Value::from(all).to_string()).unwrap();
        tx
    }

    fn words(tx: &Tx) -> RowWords {
        row_words(tx, &MessageSummary::of(tx), &Glossary::default(), Style::Short)
    }

    #[test]
    fn a_failure_is_called_what_its_code_is_called_and_else_what_it_is_at_least() {
        let brief = |code| words(&tx(code, "[]")).brief.expect("a few words");
        assert_eq!(
            [brief(11), brief(13), brief(9_999)],
            ["unreadable · out of gas", "unreadable · insufficient fee", "unreadable · unknown code"]
        );
        assert_eq!(why(None), "failed");
    }

    #[test]
    fn who_acts_for_another_is_left_out_with_the_comma_and_the_repetition() {
        let (alice, bob) =
            ("init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06", "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm");
        let send = format!(
            r#"{{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"{alice}","to_address":"{bob}",
            "amount":[{{"denom":"uinit","amount":"1"}}]}}"#
        );
        let exec = format!(r#"[{{"@type":"/cosmos.authz.v1beta1.MsgExec","grantee":"{bob}","msgs":[{send}]}}]"#);
        let row = words(&signed(tx(0, &exec), bob, &[]));
        assert!(row.text.contains(", acting for "), "{row:?}");
        let brief = row.brief.expect("its actor has no name");
        assert!(brief.starts_with("acting for init1dw49m"), "{brief}");
        assert_eq!(brief.matches("init1dw49m").count(), 1, "{brief}");
        let plain = words(&signed(tx(0, &format!("[{send}]")), alice, &[])).brief.expect("its actor has no name");
        assert!(plain.starts_with("asked to send") || plain.starts_with("sent"), "{plain}");
    }

    #[test]
    fn addresses_in_a_reason_leave_room_for_the_rest_of_it() {
        let shortened = |words: &str| shortened(words, Style::Short);
        let address = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne";
        let short = "init1gz9n8j…0aejne";
        assert_eq!(shortened(&format!("only {address}, or {address}")), format!("only {short}, or {short}"));
        let module = "aborted in 0xa37df1206627ff05c3fb1abf0121539ca621e7bd::airdrop: it’s so";
        assert_eq!(shortened(module), "aborted in 0xa37dF1…21e7Bd::airdrop: it’s so");
        assert_eq!(shortened(&format!("no tx {}", "AB".repeat(32))), "no tx ABABAB…ABABAB");
        assert_eq!(shortened("漢字 — 12,000 (ReadFlat)"), "漢字 — 12,000 (ReadFlat)");
    }

    #[test]
    fn rows_of_failures_begin_with_the_message_and_say_why_as_far_as_there_is_room() {
        let words = words(&tx(11, r#"[{"@type":"/a.b.MsgOdd"}]"#));
        assert!(words.text.starts_with("MsgOdd · ran out of gas"), "{words:?}");
        let brief = words.brief.clone().expect("a few words");
        assert_eq!((brief.as_str(), words.tone), ("MsgOdd · out of gas", Tone::Failed));
        let within = [brief.len() + 1, CUT_FROM, 200].map(|columns| words.within(columns));
        assert_eq!(within, [brief.as_str(), words.text.as_str(), words.text.as_str()]);
    }

    #[test]
    fn the_message_that_failed_is_named_and_not_the_first() {
        let messages = r#"[{"@type":"/a.b.MsgOdd"},{"@type":"/a.b.MsgEven"}]"#;
        let mut tx = tx(11, messages);
        tx.raw_log = "failed to execute message; message index: 1: out of gas".into();
        assert!(words(&tx).text.starts_with("MsgEven · "), "{:?}", words(&tx));
    }

    #[test]
    fn where_all_has_no_room_verb_and_object_come_before_who_did_it() {
        let (from, to) = (Address::Short([1; 20]), Address::Short([2; 20]));
        let send = format!(
            r#"[{{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"{from}","to_address":"{to}",
            "amount":[{{"denom":"uinit","amount":"7"}}]}}]"#
        );
        let other = words(&tx(0, &send));
        assert_eq!(other.brief, None, "the record does not say who signed");
        assert!(other.within(200).starts_with(&from.short()) && other.within(10).starts_with(&from.short()));
        let words = words(&signed(tx(0, &send), &from.bech32(), &[]));
        let whole = words.within(200).to_owned();
        assert!(whole.contains(&from.short()) && whole.contains(&to.short()), "{whole}");
        let narrow = words.within(whole.width() - 1);
        assert!(!narrow.contains(&from.short()) && narrow.contains(&to.short()), "{narrow}");
        assert!(whole.ends_with(narrow) && words.within(10) == narrow, "{narrow}");
        assert!(words.accounts.contains(&from) && words.accounts.contains(&to));
    }

    #[test]
    fn a_sentence_without_room_names_the_reporter_in_a_word_and_then_shortens_addresses() {
        let sentence = "sent 271 PIX to init1uak5vr…f9vxkn, as the contract reports";
        let forms = ever_shorter(sentence, sentence);
        let expected =
            [sentence, "sent 271 PIX to init1uak5vr…f9vxkn (reported)", "sent 271 PIX to init1uak5…vxkn (reported)"];
        assert_eq!(forms, expected);
        assert_eq!(
            ever_shorter("sent 5 to 0x51F86B…9Dc39B.", "sent 5 to 0x51F86B…9Dc39B."),
            ["sent 5 to 0x51F86B…9Dc39B.", "sent 5 to 0x51F8…c39B."]
        );
        assert_eq!(ever_shorter("said “so…”", "said “so…”"), ["said “so…”"]);
        let named = ever_shorter("minted 7 of K (“Foxes”)", "minted 7 of K");
        assert_eq!(named.last().map(String::as_str), Some("minted 7 of K"));
    }

    #[test]
    fn a_name_beside_an_address_is_dropped_and_other_quotes_stay() {
        let said = |words: &[Word]| {
            let phrases: Vec<Phrase> = words.iter().cloned().map(|word| Phrase { word, events: Vec::new() }).collect();
            (text_of(&phrases, Style::Short), text_of(&without_names(&phrases), Style::Short))
        };
        let (text, quote) = (|text: &'static str| Word::Text(text.into()), |text: &str| Word::Quoted(text.to_owned()));
        let (all, nameless) = said(&[text("minted 7 of K"), text(" ("), quote("Foxes"), text(") to A")]);
        assert_eq!((all.as_str(), nameless.as_str()), ("minted 7 of K (“Foxes”) to A", "minted 7 of K to A"));
        for words in [
            vec![text("sent 5 to A with the memo "), quote("x (“y”)")],
            vec![text("said ("), quote("so"), text(")")],
            vec![quote("so"), text(" ("), text(")")],
        ] {
            let (all, nameless) = said(&words);
            assert_eq!(all, nameless);
        }
    }

    #[test]
    fn cos2_multisend_extra_mover() {
        let (signer, other, to) = (Address::Short([1; 20]), Address::Short([2; 20]), Address::Short([3; 20]));
        let send = json!([{"@type": "/cosmos.bank.v1beta1.MsgMultiSend", "inputs": [], "outputs": []}]);
        let moved = |from: Address| {
            let event = |kind: &str, key: &str, account: Address| {
                let attributes =
                    [(key, account.bech32()), ("amount", "7uinit".to_owned()), ("msg_index", "0".to_owned())];
                let attributes = attributes.map(|(key, value)| json!({"key": key, "value": value}));
                json!({"type": kind, "attributes": attributes})
            };
            let events = [event("coin_spent", "spender", from), event("coin_received", "receiver", to)];
            words(&signed(tx(0, &send.to_string()), &signer.bech32(), &events)).within(10).to_owned()
        };
        assert!(moved(signer).starts_with("sent 7 uinit to "), "{}", moved(signer));
        assert!(moved(other).starts_with(&other.short()), "no column tells who else it was: {}", moved(other));
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
        assert_eq!(words(&tx(0, "7")).text, "unreadable messages");
        let long = "\\u001b[2J\\n".repeat(10_000);
        let words = words(&tx(0, &format!(r#"[{{"@type":"/a.b.{long}"}}]"#)));
        assert!(words.text.width() <= MOST && !words.text.contains(['\u{1b}', '\n']), "{words:?}");
    }
}
