//! Tracking by the chain and the hash of a transfer's first transaction, in any common notation (`t`).

use super::{TransferCx, Transfers};
use tui_input::InputRequest;

use crate::{
    app::{
        directory::Directory,
        page::{Destination, PageEffect},
        prompt::{Entry, EntryPurpose},
    },
    domain::{BroadcastHash, ChainId, TransferRecord, TxHash, text},
    msg::{Slot, ask},
    wire::ApiError,
};

const PROMPT: &str = "Track: HASH, or CHAIN HASH";
const CHAIN_PROMPT: &str = "Chain of the transaction? CHAIN HASH";
/// Refusal without a router.
pub(crate) const NO_ROUTER: &str = "no router configured for this network; --router sets one";
/// Maximum chains to list in the message about an unknown chain.
const NAMED: usize = 6;

#[derive(Debug, PartialEq, Eq)]
struct Typed {
    hash: BroadcastHash,
    chain: Option<String>,
}

/// Parses `HASH`, `CHAIN HASH`, `HASH CHAIN`, `CHAIN/HASH`, and URLs that contain both.
fn read(text: &str) -> Result<Typed, String> {
    let parameter = |name: &str| {
        let start = text.find(&format!("{name}="))? + name.len() + 1;
        text.get(start..)?.split(['&', '#', ' ']).next().filter(|value| !value.is_empty()).map(str::to_owned)
    };
    if let Some(hash) = parameter("tx_hash") {
        let hash = hash.parse().map_err(|error: crate::domain::BroadcastHashError| error.to_string())?;
        return Ok(Typed { hash, chain: parameter("chain_id") });
    }
    let words: Vec<&str> = text
        .split(|sign: char| sign.is_whitespace() || matches!(sign, '/' | ','))
        .filter(|word| !word.is_empty())
        .collect();
    let place = words.iter().position(|word| word.parse::<BroadcastHash>().is_ok());
    let Some((place, hash)) = place.and_then(|place| Some((place, words.get(place)?.parse().ok()?))) else {
        let hash: Result<BroadcastHash, _> = text.parse();
        return Err(hash.err().map(|error| error.to_string()).unwrap_or_default());
    };
    let others: Vec<&str> =
        words.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, word)| *word).collect();
    let chain = (!others.is_empty()).then(|| others.join(" "));
    Ok(Typed { hash, chain })
}

/// Finds a chain by its ID, its name, or the beginning of either, if unique.
pub(super) fn chain_of(directory: &Directory, own: Option<&ChainId>, typed: &str) -> Result<ChainId, String> {
    let needle = typed.to_lowercase();
    if let Some(own) = own.filter(|own| own.as_str().to_lowercase() == needle) {
        return Ok(own.clone());
    }
    let Some(chains) = directory.chains.value().filter(|chains| !chains.is_empty()) else {
        // Without the router's list, every ID is accepted.
        return Ok(ChainId::new(typed));
    };
    let names = |chain: &crate::wire::router::ChainInfo| {
        [chain.chain_id.as_str(), chain.chain_name.as_received(), chain.pretty_name.as_received()]
            .map(str::to_lowercase)
    };
    if let Some(chain) = chains.iter().find(|chain| names(chain).contains(&needle)) {
        return Ok(chain.chain_id.clone());
    }
    let close: Vec<_> =
        chains.iter().filter(|chain| names(chain).iter().any(|name| name.starts_with(&needle))).collect();
    match close.as_slice() {
        [only] => Ok(only.chain_id.clone()),
        [] => {
            let known: Vec<String> =
                chains.iter().take(NAMED).map(|chain| text::clip(chain.chain_id.as_str(), 20)).collect();
            Err(format!("the router has no chain “{}”; its chains are {}", text::clip(typed, 30), known.join(", ")))
        }
        several => {
            let known: Vec<String> =
                several.iter().take(NAMED).map(|chain| text::clip(chain.chain_id.as_str(), 20)).collect();
            Err(format!("“{}”: type {}", text::clip(typed, 30), known.join(" or ")))
        }
    }
}

impl TransferCx<'_> {
    pub(in crate::app) fn ask_for_hash(&mut self) {
        if !self.facts.has_router {
            return self.refuse(NO_ROUTER);
        }
        self.ask_person(Entry::new(EntryPurpose::TrackHash, PROMPT, ""));
    }
}

impl Transfers {
    pub(in crate::app) fn enter_hash(&mut self, text: &str, cx: &mut TransferCx<'_>) -> Result<(), String> {
        let typed = read(text)?;
        match typed.chain {
            Some(chain) => {
                let chain = chain_of(cx.directory, cx.facts.own_chain.as_ref(), &chain)?;
                self.track_hash(chain, &typed.hash, cx);
            }
            None => match typed.hash.tx_hash() {
                Some(hash) => {
                    self.looked_up = Some(typed.hash);
                    cx.inform("searching this chain for the hash…");
                    cx.request(Slot::TrackLookUp, ask::tx(hash), |transfers, result, cx| {
                        transfers.take_looked_up(result.map(drop), cx);
                    });
                }
                None => return Err("unknown chain: put the chain before the hash".to_owned()),
            },
        }
        Ok(())
    }

    /// Tracks the transfer that this transaction of the current chain begins.
    pub(in crate::app) fn track_own(&mut self, hash: TxHash, cx: &mut TransferCx<'_>) {
        if !cx.facts.has_router {
            return cx.refuse(NO_ROUTER);
        }
        match cx.facts.own_chain.clone() {
            Some(own) => self.track_hash(own, &hash.into(), cx),
            None => cx.refuse("unknown chain id: try again in a moment"),
        }
    }

    /// Takes the indexer's answer about the typed hash.
    fn take_looked_up(&mut self, result: Result<(), ApiError>, cx: &mut TransferCx<'_>) {
        let Some(hash) = self.looked_up.take() else { return };
        cx.emit(PageEffect::Unsay);
        if let (Ok(()), Some(own)) = (&result, cx.facts.own_chain.clone()) {
            cx.emit(PageEffect::CloseModal);
            return self.track_hash(own, &hash, cx);
        }
        let own = cx.own_name();
        let failed = result.err().filter(|error| !error.is_not_found());
        let failed = failed.map(|error| format!("cannot query {own}: {}", error.brief()));
        if cx.facts.has_modal {
            let absent = || "hash not on this chain: press t, then type CHAIN HASH".to_owned();
            return cx.refuse(failed.unwrap_or_else(absent));
        }
        let absent = || format!("the transaction is not on {own}: put its chain before the hash");
        let problem = failed.unwrap_or_else(absent);
        let text = format!(" {hash}");
        let mut entry = Entry { problem: Some(problem), ..Entry::new(EntryPurpose::TrackHash, CHAIN_PROMPT, &text) };
        entry.input.handle(InputRequest::GoToStart);
        cx.ask_person(entry);
    }

    /// Tracks a transaction of another chain, from the go-to input.
    pub(in crate::app) fn track_found(&mut self, chain: ChainId, hash: &BroadcastHash, cx: &mut TransferCx<'_>) {
        if !cx.facts.has_router {
            return cx.refuse(NO_ROUTER);
        }
        self.track_hash(chain, hash, cx);
    }

    /// Keeps and opens the transfer of this transaction. If it is already kept, only opens it.
    fn track_hash(&mut self, chain: ChainId, hash: &BroadcastHash, cx: &mut TransferCx<'_>) {
        let record = TransferRecord::of_hash(chain, hash, cx.facts.now);
        let known = self.of_hash(&record.id.chain_id, &record.id.hash).map(|known| known.follower.record.id.clone());
        let Some(id) = known else { return self.begin(record, cx) };
        if let Some(known) = self.get_mut(&id) {
            known.follower.poll.is_wanted = true;
        }
        cx.open(Destination::Transfer(id));
        cx.inform("rollscope already tracks this transfer");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_and_chain_are_read_in_any_form() {
        let digits = "AB".repeat(32);
        let page = format!("https://explorer.example/?tx_hash={digits}&chain_id=noble-1");
        for (text, chain) in [
            (digits.clone(), None),
            (format!("0x{digits}"), None),
            (format!("noble-1 {digits}"), Some("noble-1")),
            (format!("{digits} noble-1"), Some("noble-1")),
            (format!("noble-1/{}", digits.to_lowercase()), Some("noble-1")),
            (page, Some("noble-1")),
        ] {
            let typed = read(&text).unwrap();
            assert_eq!(typed.chain.as_deref(), chain, "{text}");
            assert_eq!(typed.hash.tx_hash().unwrap().to_string(), digits);
        }
        assert!(read("noble-1 hello").is_err() && read("").is_err());
    }
}
