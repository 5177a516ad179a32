//! Bundle file with all facts about a transfer, for a support ticket.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};

use super::{
    super::{CommandError, TransferArguments},
    Router, files,
    following::FollowedTransfer,
};
use crate::{
    config::display_path,
    domain::{Timestamp, TransferId},
    transfers::transfer_facts,
    wire::{Exchange, ExchangeOutcome, router::MsgsResponse},
};

/// Hex digits of an address of 20 bytes.
const DIGITS: usize = 40;
/// Hex digits of a 32-byte word that holds an address.
const WORD: usize = 64;
/// Number of characters of a bech32 address after its prefix: 20 or 32 bytes and the checksum.
const BECH32: [usize; 2] = [38, 58];
const ALPHABET: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Target of `--bundle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BundlePlace {
    /// File of the only transfer.
    File,
    /// Folder with one file per transfer.
    Folder,
}

impl BundlePlace {
    fn path(self, named: &Path, id: &TransferId) -> PathBuf {
        match self {
            Self::File => named.to_owned(),
            Self::Folder => {
                let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
                let plain = |text: &str| text.chars().filter(is_plain).take(100).collect::<String>();
                named.join(format!("transfer-{}-{}.json", plain(id.chain_id.as_str()), plain(id.hash.as_str())))
            }
        }
    }
}

/// Creates the folder for several files. Fails early if it is a file, or if a file would be overwritten.
pub(super) fn prepare<'a>(
    arguments: &TransferArguments,
    ids: impl IntoIterator<Item = &'a TransferId>,
) -> Result<(), CommandError> {
    let Some(folder) = &arguments.bundle else { return Ok(()) };
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| {
        let name = display_path(folder);
        CommandError::Usage(format!("--bundle needs a folder for several transfers; cannot create {name}: {error}"))
    })?;
    let mut paths = ids.into_iter().map(|id| BundlePlace::Folder.path(folder, id));
    match paths.find(|path| path.symlink_metadata().is_ok()) {
        Some(taken) => Err(CommandError::Usage(format!("{} exists: choose another folder", display_path(&taken)))),
        None => Ok(()),
    }
}

/// Writes the bundle that the command line names. The bundle of one transfer among several omits the exchanges of the
/// others.
pub(super) fn write(
    arguments: &TransferArguments,
    place: BundlePlace,
    transfer: &FollowedTransfer,
    router: &Router,
) -> Result<(), CommandError> {
    let Some(path) = &arguments.bundle else { return Ok(()) };
    let path = place.path(path, transfer.id());
    let is_its = |exchange: &&Arc<Exchange>| place == BundlePlace::File || is_about(exchange, transfer.id());
    let msgs = arguments.msgs.as_deref().map(|path| files::answer::<MsgsResponse>(path, "msgs")).transpose()?;
    let of_indexer = router.indexer.as_ref().map(|indexer| indexer.exchanges().snapshot()).unwrap_or_default();
    let statuses = transfer.statuses.iter().map(|(text, at)| json!({"at": at.to_string(), "body": parsed(text)}));
    let (follower, now) = (&transfer.follower, Timestamp::now());
    let view = follower.view(&*transfer.names, now);
    let bundle = json!({
        "made_at": now.to_string(),
        "program": concat!("rollscope ", env!("CARGO_PKG_VERSION")),
        "facts": transfer_facts(&follower.record, follower.findings(), &view, now),
        "route": follower.record.route.as_deref().map(parsed),
        "msgs": msgs.map(|msgs| parsed(msgs.raw.get())),
        "statuses": statuses.collect::<Vec<Value>>(),
        "router": router.exchanges().iter().filter(is_its).map(|it| exchange(it)).collect::<Vec<Value>>(),
        "indexer": of_indexer.iter().filter(is_its).map(|it| exchange(it)).collect::<Vec<Value>>(),
    });
    let text = format!("{bundle:#}\n");
    let text = if arguments.mask { masked(&text) } else { text };
    files::create(&path, &text)
}

/// Whether an exchange names this transfer's hash, or returned a list of chains or assets.
fn is_about(exchange: &Exchange, id: &TransferId) -> bool {
    let hash = id.hash.as_str().trim_start_matches("0x").to_lowercase();
    let has_hash = |text: &str| text.to_lowercase().contains(&hash);
    let is_list = ["/v2/info/", "/v2/fungible/assets"].iter().any(|list| exchange.url.contains(list));
    is_list || has_hash(&exchange.url) || has_hash(&exchange.sent) || has_hash(&exchange.body)
}

/// Parses JSON; returns text that is not JSON as a JSON string.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn exchange(exchange: &Exchange) -> Value {
    let (status, failure) = match &exchange.outcome {
        ExchangeOutcome::Status(status) => (Some(*status), None),
        ExchangeOutcome::Failed(words) => (None, Some(words.clone())),
        ExchangeOutcome::Cancelled => (None, Some("cancelled".to_owned())),
    };
    json!({
        "at": exchange.at.to_string(), "method": exchange.method, "url": &*exchange.url,
        "sent": parsed(&exchange.sent), "status": status, "failure": failure, "bytes": exchange.bytes,
        "body": parsed(&exchange.body),
    })
}

/// Replaces each address in a text by a number.
fn masked(text: &str) -> String {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match address_in(word) {
            Some(address) => {
                let count = numbers.len() + 1;
                let number = *numbers.entry(address.to_lowercase()).or_insert(count);
                result.push_str("address-");
                result.push_str(&number.to_string());
            }
            None => result.push_str(word),
        }
        let mut signs = behind.chars();
        result.extend(signs.next());
        rest = signs.as_str();
    }
    result
}

/// Returns the address in a word, without `0x`; `None` if the word contains no address.
fn address_in(word: &str) -> Option<&str> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let head = digits.get(..WORD - DIGITS).filter(|_| digits.len() == WORD);
        let is_word = head.is_some_and(|head| head.bytes().all(|byte| byte == b'0'));
        return match digits.len() {
            DIGITS => Some(digits),
            WORD if is_word => digits.get(WORD - DIGITS..),
            _ => None,
        };
    }
    let (prefix, rest) = word.split_once('1')?;
    let is_prefix = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_address = BECH32.contains(&rest.len()) && rest.chars().all(|sign| ALPHABET.contains(sign));
    (is_prefix && is_address).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_masked_in_every_form_and_hashes_are_not() {
        let bech32 = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
        let (hex, hash) = ("ab".repeat(20), "CD".repeat(32));
        let text =
            format!("{{\"a\":\"{bech32}\",\"b\":\"0x{hex}\",\"c\":\"evm/{}\",\"d\":\"{bech32}\"}}", hex.to_uppercase());
        assert_eq!(masked(&text), r#"{"a":"address-1","b":"address-2","c":"evm/address-2","d":"address-1"}"#);
        let word = format!("0x{}{hex}", "0".repeat(24));
        assert_eq!(masked(&word), "address-1");
        for kept in [hash.as_str(), "channel-1", "noble-1", "l2/df41", "1234567890", "ünit1", ""] {
            assert_eq!(masked(kept), kept);
        }
    }
}
