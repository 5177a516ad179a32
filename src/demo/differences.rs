//! How the served rollup differs from its specification with `--quirks`: one table, which the README and `--help` repeat.

/// A point in which the two behaviours differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuirkDifference {
    /// What differs, in a few words.
    pub point: &'static str,
    /// What is done by default: as the specification says.
    pub default: &'static str,
    /// What is done with `--quirks`: as the real server does.
    pub quirks: &'static str,
}

const fn row(point: &'static str, default: &'static str, quirks: &'static str) -> QuirkDifference {
    QuirkDifference { point, default, quirks }
}

/// Every difference.
pub const DIFFERENCES: &[QuirkDifference] = &[
    row("next_key by place", "null where nothing follows", "on every page with rows, the last one too"),
    row("next_key by number", "a place in the list", "a number of rows to skip, on every full page"),
    row("previous_key", "the page before; null on the first", "null, but where keys are numbers of rows"),
    row("total", "exact", "the newest height, the highest sequence, an estimate, or -1"),
    row(
        "msgs",
        "repeated or with commas; an unknown type matches nothing",
        "repeated only; with no known type nothing is filtered; 500 with an account, or with a height and a key",
    ),
    row(
        "transactions of an account",
        "as well those in whose messages alone it stands; numbers in topics are nobody",
        "the first signer's, and those whose events have what looks like its address",
    ),
    row("path parameters", "percent-decoded", "as they were sent, but for %2F in a denom"),
    row("unreadable numbers and booleans", "400", "taken as the default"),
    row("a key, denom or address of nothing", "404", "400"),
    row("misplaced key", "ignored", "500 for collections of an account"),
    row("search by name", "in today's collections", "in the collections as they were when first looked at"),
    row("length of an emptied collection", "0", "as before its last NFT was burned"),
    row("rich list", "one block behind", "five blocks behind"),
    row("clean-up in the status", "absent", "-1 at first, then figures that move"),
    row("cache", "none", "lists 1 s, single things and the rich list 10 s old; X-Cache says so"),
    row("block of an unknown proposer", "without a name", "500, and so for every page with it"),
    row("while history is indexed", "what there is, with oldest_height; 503 below it", "no answer before it is in"),
    row("version of the description", "1.0.0", "empty"),
];

/// The points of the table in one sentence.
pub fn points() -> String {
    let points: Vec<&str> = DIFFERENCES.iter().map(|difference| difference.point).collect();
    points.join(", ")
}
