use super::{Case, Predicate, Reason, aborts, between, quote, said};

/// Whether a failure is one that the machine's errors end with.
fn is_own(case: &Case<'_>) -> bool {
    (case.codespace, case.code) == ("undefined", 1) || case.codespace == "move"
}

/// Messages that the machine writes itself, whatever code it runs.
const MESSAGES: [&str; 6] = [
    "subtraction overflow",
    "addition overflow",
    "multiplication overflow",
    "division by zero",
    "cannot cast",
    "vector index out of bounds",
];

/// `VM failure: status S of type T with message M, location=L, function=N, code_offset=N`.
pub(super) fn stopped(case: &Case<'_>) -> Option<Reason> {
    if !is_own(case) {
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

/// `0x1::dex (function 7, offset 75)`.
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

/// What a status means to a person.
fn plain(status: &str, message: &str) -> Option<&'static str> {
    let message = message.to_ascii_lowercase();
    let holds = |part: &str| message.contains(part);
    Some(match status {
        "ARITHMETIC_ERROR" if holds("subtraction") => "a number would have gone below zero",
        "ARITHMETIC_ERROR" if holds("division") || holds("modul") => "division by zero",
        "ARITHMETIC_ERROR" if holds("overflow") => "a number would have gone above its limit",
        "ARITHMETIC_ERROR" => "a calculation left the range of its numbers",
        "VECTOR_OPERATION_ERROR" => "an index was outside the list",
        "OUT_OF_GAS" => "the gas limit was too low",
        "MISSING_DATA" | "RESOURCE_DOES_NOT_EXIST" => "what it looked for is not stored at that address",
        "RESOURCE_ALREADY_EXISTS" => "what it wanted to store is there already",
        "LINKER_ERROR" => "a module or function that it needs does not exist",
        "FUNCTION_RESOLUTION_FAILURE" | "LOOKUP_FAILED" => "there is no such function",
        "NUMBER_OF_ARGUMENTS_MISMATCH" => "the function takes another number of arguments",
        "NUMBER_OF_TYPE_ARGUMENTS_MISMATCH" => "the function takes another number of type arguments",
        "FAILED_TO_DESERIALIZE_ARGUMENT" | "FAILED_TO_DESERIALIZE_RESOURCE" => "an argument has the wrong form",
        "TYPE_MISMATCH" => "an argument has the wrong type",
        "EXECUTED_INVALID_ENTRY_FUNCTION" | "EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION" => {
            "the function is not meant to be called from outside"
        }
        "CALL_STACK_OVERFLOW" | "EXECUTION_STACK_OVERFLOW" => "functions called each other too deeply",
        "BACKWARD_INCOMPATIBLE_MODULE_UPDATE" => "the new code does not fit the code that is published",
        "MEMORY_LIMIT_EXCEEDED" => "the code used too much memory",
        _ => return None,
    })
}

/// `VM aborted: location=<hex>::<module>, code=<decimal>`.
pub(super) fn aborted(case: &Case<'_>) -> Option<Reason> {
    const MOST_DIGITS: usize = 40;
    if !is_own(case) {
        return None;
    }
    let (place, rest) = between(case.log, "VM aborted: location=", ", code=")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).take(MOST_DIGITS).collect();
    if digits.is_empty() {
        return None;
    }
    let words = format!("was aborted by {}", aborts::sentence(place, &digits));
    Some(Reason::named("aborted", Predicate::Verb(words)))
}

/// The machine's other errors, which say what they are themselves.
pub(super) fn other(case: &Case<'_>) -> Option<Reason> {
    if !is_own(case) {
        return None;
    }
    let is_error = |mark: &str| case.log.strip_prefix(mark);
    if let Some(words) = is_error("VM error: ") {
        let words = format!("stopped the Move machine: {}", quote(words));
        return Some(Reason::named("VM error", Predicate::Verb(words)));
    }
    if let Some(words) = is_error("failure occurred from backend: ") {
        let words = format!("stopped where Move code asked the chain for something: {}", quote(words));
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
