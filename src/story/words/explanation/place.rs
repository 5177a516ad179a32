//! Place of the error in a log: after the chain's prefixes.

/// Prefix of the error of a message within a `MsgExec`. The whole message follows, as its sender wrote it.
const REPEATS: &str = "failed to execute message; message ";
/// Prefix of the error of a message that a Wasm contract sent; once for each contract on the way.
const SENT: &str = "dispatch: submessages: ";

/// Part of the transaction that a log reports as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailedPart {
    Message,
    /// That of a message within a `MsgExec`.
    Inner,
    /// That of a message that a Wasm contract sent.
    Sent,
    /// The message, or a message that its code sent: the record does not show which.
    Called,
}

impl FailedPart {
    /// Returns the words before a cause.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Message => "",
            Self::Inner => "a nested message failed: ",
            Self::Sent => "a message that a contract sent failed: ",
            Self::Called => "the call or one of its messages failed: ",
        }
    }
}

/// Error without the chain's words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedError<'a> {
    pub(super) part: FailedPart,
    /// `None` if a repeated message has no readable end: what follows it could be the sender's own text.
    pub(super) text: Option<&'a str>,
}

impl<'a> PlacedError<'a> {
    /// Reads a log from its beginning. With `repeats`, the chain may have repeated a message in it.
    pub(super) fn of(log: &'a str, repeats: bool) -> Self {
        let (mut part, mut text) = (FailedPart::Message, log);
        loop {
            if let Some(sent) = text.strip_prefix(SENT) {
                (part, text) = (FailedPart::Sent, sent);
            } else if let Some(repeated) = text.strip_prefix(REPEATS).filter(|_| repeats) {
                part = FailedPart::Inner;
                let Some(error) = behind_message(repeated) else { return Self { part, text: None } };
                text = error;
            } else {
                return Self { part, text: Some(text) };
            }
        }
    }
}

/// Returns the text after `{message}: `. The message has gogoproto's compact format: `name:value ` for each field, with
/// texts in quotes and messages in `<…>`. `None` for another format.
fn behind_message(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut rest = text;
    loop {
        if let Some(error) = rest.strip_prefix(": ").filter(|_| depth == 0) {
            return Some(error);
        }
        if let Some(after) = rest.strip_prefix("> ") {
            (depth, rest) = (depth.checked_sub(1)?, after);
            continue;
        }
        let value = word(rest)?.strip_prefix(':')?;
        if let Some(inner) = value.strip_prefix('<') {
            (depth, rest) = (depth + 1, inner);
            continue;
        }
        let after = value.strip_prefix('"').map_or_else(|| word(value), behind_quote)?;
        rest = after.strip_prefix(' ')?;
    }
}

/// Returns the text after a name or number.
fn word(text: &str) -> Option<&str> {
    let end = text.find(|sign: char| !sign.is_ascii_alphanumeric() && !matches!(sign, '_' | '-' | '.'))?;
    text.get(end..).filter(|_| end > 0)
}

/// Returns the text after the closing quote; within quotes a backslash escapes the next character.
fn behind_quote(text: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    text.get(end + 1..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inner(text: &str) -> PlacedError<'_> {
        PlacedError { part: FailedPart::Inner, text: Some(text) }
    }

    #[test]
    fn an_error_stands_behind_the_message_that_the_chain_repeats() {
        for message in [
            "",
            r#"sender:"a" contract_addr:"0x1" value:"0" "#,
            r#"from:"a" amount:<denom:"u" amount:"5" > amount:<denom:"v" amount:"6" > option:VOTE_OPTION_YES n:-1 "#,
            r#"msg:"{\"a\":\"\\\" : VM aborted: location=1::m, code=1\"}" "#,
            r#"memo:" : no: insufficient funds" "#,
        ] {
            assert_eq!(PlacedError::of(&format!("{REPEATS}{message}: no: not found"), true), inner("no: not found"));
        }
        let twice = format!(r#"{SENT}{REPEATS}grantee:"a" msgs:<type_url:"/b" value:"\n" > : {REPEATS}a:"b" : no"#);
        assert_eq!(PlacedError::of(&twice, true), inner("no"));
        let sent = PlacedError { part: FailedPart::Sent, text: Some("no") };
        assert_eq!(PlacedError::of("dispatch: submessages: dispatch: submessages: no", true), sent);
        for (own, repeats) in [(format!("no: {REPEATS}: x"), true), (format!("{REPEATS}: x"), false)] {
            let read = PlacedError { part: FailedPart::Message, text: Some(&own) };
            assert_eq!(PlacedError::of(&own, repeats), read);
        }
    }

    #[test]
    fn a_message_in_another_form_has_no_end() {
        for message in
            [r#"a:"b : no"#, "a:<b:1 : no", "a : no", "&{a b} : no", r#"a:"b": no"#, "> : no", "a:<nil> : no"]
        {
            let read = PlacedError::of(&format!("{REPEATS}{message}"), true).text.map(ToOwned::to_owned);
            assert_eq!(read, None, "{message}");
        }
    }
}
