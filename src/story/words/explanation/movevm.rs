use super::{Case, Predicate, Reason, aborts, between, quote, said};

/// Whether the log ends as errors of the Move VM do.
pub(super) fn is_own(codespace: &str, code: u32) -> bool {
    (codespace, code) == ("undefined", 1) || codespace == "move"
}

/// Messages of the Move VM, independent of the executed code.
const MESSAGES: [&str; 6] = [
    "subtraction overflow",
    "addition overflow",
    "multiplication overflow",
    "division by zero",
    "cannot cast",
    "vector index out of bounds",
];

/// Parses `VM failure: status S of type T with message M, location=L, function=N, code_offset=N`.
pub(super) fn stopped(case: &Case<'_>) -> Option<Reason> {
    if !is_own(case.codespace, case.code) {
        return None;
    }
    let (status, rest) = between(case.log, "VM failure: status ", " of type ")?;
    let (words, place) = match rest.rsplit_once("location=") {
        Some((words, place)) => (words, Some(place)),
        None => (rest, None),
    };
    let message = words.split_once(" with message ").map(|(_, message)| message.trim_end_matches([' ', ',']));
    let message = message.filter(|message| !message.is_empty() && *message != "None");
    let place = place.map_or_else(|| "Move code".to_owned(), location);
    let what = match message {
        Some(message) if MESSAGES.iter().any(|known| message.eq_ignore_ascii_case(known)) => {
            format!("{}, {message}", said(status))
        }
        Some(message) => format!("{}, {}", said(status), quote(message)),
        None => said(status),
    };
    let message = message.unwrap_or_default();
    let plain = plain(status, message)
        .filter(|plain| !plain.eq_ignore_ascii_case(message))
        .map(|plain| format!(" — {plain}"))
        .unwrap_or_default();
    Some(Reason::named("VM failure", Predicate::Verb(format!("stopped in {place}: {what}{plain}"))))
}

/// Formats `0x1::dex (function 7, offset 75)`.
fn location(text: &str) -> String {
    let mut parts = text.split(", ");
    let place = aborts::location(parts.next().unwrap_or_default());
    let number = |part: &str, name: &str| {
        let digits = part.strip_prefix(name)?.strip_prefix('=')?;
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        digits.get(..end).filter(|digits| !digits.is_empty()).map(ToOwned::to_owned)
    };
    let (mut function, mut offset) = (None, None);
    for part in parts {
        function = function.or_else(|| number(part, "function"));
        offset = offset.or_else(|| number(part, "code_offset"));
    }
    match (function, offset) {
        (Some(function), Some(offset)) => format!("{place} (function {function}, offset {offset})"),
        _ => place,
    }
}

fn plain(status: &str, message: &str) -> Option<&'static str> {
    let message = message.to_ascii_lowercase();
    let holds = |part: &str| message.contains(part);
    Some(match status {
        "ARITHMETIC_ERROR" if holds("subtraction") => "a number fell below zero",
        "ARITHMETIC_ERROR" if holds("division") || holds("modul") => "division by zero",
        "ARITHMETIC_ERROR" if holds("overflow") => "a number exceeded its limit",
        "ARITHMETIC_ERROR" => "a number left its range",
        "VECTOR_OPERATION_ERROR" => "an index was outside the list",
        "OUT_OF_GAS" => "the gas limit was too low",
        "MISSING_DATA" | "RESOURCE_DOES_NOT_EXIST" => "the address has no such resource",
        "RESOURCE_ALREADY_EXISTS" => "the address already has this resource",
        "LINKER_ERROR" => "a required module or function does not exist",
        "FUNCTION_RESOLUTION_FAILURE" | "LOOKUP_FAILED" => "no such function",
        "NUMBER_OF_ARGUMENTS_MISMATCH" => "the function takes a different number of arguments",
        "NUMBER_OF_TYPE_ARGUMENTS_MISMATCH" => "the function takes a different number of type arguments",
        "FAILED_TO_DESERIALIZE_ARGUMENT" | "FAILED_TO_DESERIALIZE_RESOURCE" => "an argument has the wrong format",
        "TYPE_MISMATCH" => "an argument has the wrong type",
        "EXECUTED_INVALID_ENTRY_FUNCTION" | "EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION" => {
            "the function is not callable from outside"
        }
        "CALL_STACK_OVERFLOW" | "EXECUTION_STACK_OVERFLOW" => "functions nest too deeply",
        "BACKWARD_INCOMPATIBLE_MODULE_UPDATE" => "the new code is incompatible with the published code",
        "MEMORY_LIMIT_EXCEEDED" => "the code used too much memory",
        _ => return None,
    })
}

/// Parses `VM aborted: location=<hex>::<module>, code=<decimal>`.
pub(super) fn aborted(case: &Case<'_>) -> Option<Reason> {
    const MOST_DIGITS: usize = 40;
    if !is_own(case.codespace, case.code) {
        return None;
    }
    let (place, rest) = between(case.log, "VM aborted: location=", ", code=")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).take(MOST_DIGITS).collect();
    if digits.is_empty() {
        return None;
    }
    let words = format!("aborted in {}", aborts::sentence(place, &digits));
    Some(Reason::named("aborted", Predicate::Verb(words)))
}

/// Explains other errors of the VM by their own text.
pub(super) fn other(case: &Case<'_>) -> Option<Reason> {
    if !is_own(case.codespace, case.code) {
        return None;
    }
    let is_error = |mark: &str| case.log.strip_prefix(mark);
    if let Some(words) = is_error("VM error: ") {
        let words = format!("stopped the Move VM: {}", quote(words));
        return Some(Reason::named("VM error", Predicate::Verb(words)));
    }
    if let Some(words) = is_error("failure occurred from backend: ") {
        let words = format!("stopped in a chain call of Move code: {}", quote(words));
        return Some(Reason::named("backend failure", Predicate::Verb(words)));
    }
    (case.codespace == "undefined" && case.code == 1 && !case.log.is_empty()).then(|| {
        let words = quote(case.log);
        Reason::new(if case.has_run() {
            Predicate::Verb(format!("failed: {words}"))
        } else {
            Predicate::Refused(words)
        })
    })
}
