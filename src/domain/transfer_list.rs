//! Lists of transaction hashes to follow: one or more hashes per line, with or without their chain.

use super::{BroadcastHash, Target, interpret, text};

/// Maximum transactions per list.
const MOST: usize = 100;
/// Maximum characters of a list; the rest is ignored.
const LONGEST: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTransfer {
    pub hash: BroadcastHash,
    /// Chain by id or name, as written; `None` if missing.
    pub chain: Option<String>,
}

/// Parses a list: `HASH`, `CHAIN HASH`, `CHAIN,HASH`, `CHAIN HASH HASH`, or URLs of transactions; lines or semicolons
/// separate them. Returns the first hundred distinct transactions in order; skips lines without a hash.
pub fn listed_transfers(list: &str) -> Vec<ListedTransfer> {
    let lines = list.char_indices().nth(LONGEST).map_or(list, |(end, _)| &list[..end]);
    first_listed_transfers(lines, MOST)
}

/// Parses a list and returns its first `most` distinct transactions.
pub fn first_listed_transfers(list: &str, most: usize) -> Vec<ListedTransfer> {
    let mut found: Vec<ListedTransfer> = Vec::new();
    for listed in list.split(['\n', '\r', ';']).flat_map(of_line) {
        if found.len() < most && !found.contains(&listed) {
            found.push(listed);
        }
    }
    found
}

/// Parses a line; text beside the hashes names their chain.
fn of_line(line: &str) -> Vec<ListedTransfer> {
    let clean = text::clean(line);
    let is_between =
        |sign: char| sign.is_whitespace() || matches!(sign, ',' | '|' | '"' | '\'' | '(' | ')' | '<' | '>');
    let is_mark = |sign: char| matches!(sign, '.' | ':' | '*' | '•' | '-' | '/');
    let words = clean.split(is_between).map(|word| word.trim_matches(is_mark)).filter(|word| !word.is_empty());
    let (mut found, mut others): (Vec<ListedTransfer>, Vec<&str>) = (Vec::new(), Vec::new());
    for word in words {
        if word.contains("://") {
            found.extend(of_address(word));
        } else if let Ok(hash) = word.parse() {
            found.push(ListedTransfer { hash, chain: None });
        } else if let Some((chain, Ok(hash))) = word.rsplit_once('/').map(|(chain, hash)| (chain, hash.parse())) {
            found.push(ListedTransfer { hash, chain: Some(chain.to_owned()) });
        } else {
            others.push(word);
        }
    }
    let chain = Some(others.join(" ")).filter(|chain| !chain.is_empty());
    for listed in found.iter_mut().filter(|listed| listed.chain.is_none()) {
        listed.chain.clone_from(&chain);
    }
    found
}

/// Parses the URL of a transaction in a tracker or explorer; `None` for other text.
fn of_address(address: &str) -> Option<ListedTransfer> {
    let parameter = |name: &str| {
        let start = address.find(&format!("{name}="))? + name.len() + 1;
        address.get(start..)?.split(['&', '#']).next().filter(|value| !value.is_empty())
    };
    if let Some(hash) = parameter("tx_hash") {
        return Some(ListedTransfer { hash: hash.parse().ok()?, chain: parameter("chain_id").map(str::to_owned) });
    }
    let reading = interpret(address).ok()?;
    let is_tx = |target: &&Target| matches!(target, Target::Tx(_) | Target::EvmTx(_));
    let hash = reading.targets.iter().find(is_tx)?.text().parse().ok()?;
    Some(ListedTransfer { hash, chain: reading.chain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_their_chains_are_read_as_people_write_them() {
        let [a, b, c] = ["AB", "CD", "EF"].map(|digits| digits.repeat(32));
        let of = |list: &str| -> Vec<(String, Option<String>)> {
            listed_transfers(list).into_iter().map(|listed| (listed.hash.to_string(), listed.chain)).collect()
        };
        let on = |chain: &str| Some(chain.to_owned());
        assert_eq!(of(&format!("{a}\n{b} {a}")), [(a.clone(), None), (b.clone(), None)], "each once");
        let list = format!("noble-1 {a}\n- interwoven-1,{b}\ncelestia/{c}; \"{c}\" , \"42161\"\nnothing of the kind\n");
        let expected = [(a.clone(), on("noble-1")), (b.clone(), on("interwoven-1")), (c.clone(), on("celestia"))];
        assert_eq!(of(&list)[..3], expected);
        assert_eq!(of(&list)[3].1, on("42161"));
        assert_eq!(of(&format!("Noble: {a} {b}")), [(a.clone(), on("Noble")), (b.clone(), on("Noble"))]);
        let pages = format!(
            "https://explorer.skip.build/?tx_hash={a}&chain_id=noble-1\nhttps://scan.initia.xyz/interwoven-1/txs/{b}"
        );
        assert_eq!(of(&pages), [(a.clone(), on("noble-1")), (b.clone(), on("interwoven-1"))]);
        assert!(of("").is_empty() && of("no hash at all").is_empty());
        let many: Vec<String> = (0..130).map(|number| format!("{number:064X}")).collect();
        assert_eq!(of(&many.join("\n")).len(), 100);
    }
}
