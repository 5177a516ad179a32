//! How the embedded rollup differs from its specification with `--quirks`. `docs/demo.md` and `--help` repeat this
//! table.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuirkDifference {
    /// Aspect in which the rollup and its specification differ.
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
    row("next_key by position", "null at the end", "on every page with rows, also the last"),
    row("next_key by number", "a position in the list", "a number of rows to skip, on every full page"),
    row("previous_key", "the previous page; null on the first", "null, except if next_key is a number of rows"),
    row("total", "exact", "the newest height, the highest sequence, an estimate, or -1"),
    row(
        "msgs",
        "repeated or with commas; an unknown type matches nothing",
        "repeated only; no filter without a known type; 500 with an account, or with a height and a key",
    ),
    row(
        "transactions of an account",
        "also if only the messages name the account; numbers in topics are not accounts",
        "only if the account signs first, or an event contains a text like the address",
    ),
    row("path parameters", "percent-decoded", "not decoded, except %2F in a denom"),
    row("unreadable numbers and booleans", "400", "the default applies"),
    row("a key, denom or address without a match", "404", "400"),
    row("misplaced key", "ignored", "500 for collections of an account"),
    row("search by name", "in the current collections", "in the collections as of the first request"),
    row("length of an emptied collection", "0", "unchanged after the burn of its last NFT"),
    row("rich list", "one block behind", "five blocks behind"),
    row("clean-up in the status", "absent", "-1 at first, then a number that changes"),
    row("cache", "none", "lists for 1 s, single records and the rich list for 10 s; X-Cache shows it"),
    row("block of an unknown proposer", "without a name", "500, also for every page that contains it"),
    row(
        "while history is indexed",
        "the indexed part, with oldest_height; 503 below it",
        "no answer until the whole history is indexed",
    ),
    row("transactions of an IBC packet", "at /indexer/ibc/v1/packets", "absent"),
    row("tokens of contracts", "at /indexer/token/v1/contracts", "absent"),
    row("version of the description", "1.0.0", "empty"),
];

/// Joins all aspects into one sentence.
pub fn points() -> String {
    let points: Vec<&str> = DIFFERENCES.iter().map(|difference| difference.point).collect();
    points.join(", ")
}
