//! How the embedded rollup differs from its specification with `--quirks`. The README and `--help` repeat this table.

/// Row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuirkDifference {
    /// Aspect in which they differ.
    pub point: &'static str,
    /// Behaviour without quirks, as specified.
    pub default: &'static str,
    /// Behaviour with `--quirks`, as on the real server.
    pub quirks: &'static str,
}

const fn row(point: &'static str, default: &'static str, quirks: &'static str) -> QuirkDifference {
    QuirkDifference { point, default, quirks }
}

pub const DIFFERENCES: &[QuirkDifference] = &[
    row("next_key by place", "null at the end", "on every page with rows, also the last"),
    row("next_key by number", "a place in the list", "a number of rows to skip, on every full page"),
    row("previous_key", "the previous page; null on the first", "null, except when keys are numbers of rows"),
    row("total", "exact", "the newest height, the highest sequence, an estimate, or -1"),
    row(
        "msgs",
        "repeated or with commas; an unknown type matches nothing",
        "repeated only; no filter without a known type; 500 with an account, or with a height and a key",
    ),
    row(
        "transactions of an account",
        "also with the account only in messages; numbers in topics are not accounts",
        "as first signer, or with a string like the address in the events",
    ),
    row("path parameters", "percent-decoded", "as sent, except for %2F in a denom"),
    row("unreadable numbers and booleans", "400", "the default applies"),
    row("a key, denom or address without a match", "404", "400"),
    row("misplaced key", "ignored", "500 for collections of an account"),
    row("search by name", "in today's collections", "in the collections as of the first request"),
    row("length of an emptied collection", "0", "unchanged after the burn of its last NFT"),
    row("rich list", "one block behind", "five blocks behind"),
    row("clean-up in the status", "absent", "-1 at first, then changing figures"),
    row("cache", "none", "lists 1 s old, single records and the rich list 10 s old; X-Cache shows it"),
    row("block of an unknown proposer", "without a name", "500, as for every page with it"),
    row(
        "while history is indexed",
        "the indexed part, with oldest_height; 503 below it",
        "no answer until it is \
     indexed",
    ),
    row("version of the description", "1.0.0", "empty"),
];

/// Joins all aspects into one sentence.
pub fn points() -> String {
    let points: Vec<&str> = DIFFERENCES.iter().map(|difference| difference.point).collect();
    points.join(", ")
}
