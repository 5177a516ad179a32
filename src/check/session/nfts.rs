//! Comparison of owners and URIs of moved NFTs with their contracts or objects.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use alloy_primitives::U256;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::{CheckSession, RECORDS_AT_ONCE, TRIES, blocks::BlockFacts};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    client::{NodeError, returned_text},
    domain::{Address, Height, TxHash, Vm, move_address},
    indexer::index::NftStep,
    msg::{CollectionScope, PageRequest, TokenName, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope},
    wire::{Collection, Token},
};

/// Selectors of `ownerOf(uint256)` and `tokenURI(uint256)`.
const OWNER_OF: [u8; 4] = [0x63, 0x52, 0x21, 0x1e];
const TOKEN_URI: [u8; 4] = [0xc8, 0x7b, 0x56, 0xdd];

/// Newest NFTs of a collection that the check reads from the indexer, to find NFTs that do not exist.
const LISTED: u16 = 20;

/// Collections of an owner that the check reads; an owner of more is not compared.
const OWNED: u16 = 100;

#[derive(Debug, Default)]
struct NftHistory {
    object: Option<Address>,
    /// Block of the last mint or transfer.
    moved: Option<Height>,
    is_burned: bool,
    is_minted_again: bool,
    /// Transactions that minted, moved or burned the NFT, or changed its object.
    txs: BTreeSet<TxHash>,
    /// Whether only the indexer names the NFT, and no checked block.
    is_only_listed: bool,
}

/// NFTs and contracts that checked blocks touched.
#[derive(Debug, Default)]
pub(super) struct SeenNfts {
    nfts: BTreeMap<(Address, String), NftHistory>,
    /// Move objects, possibly NFTs, each with the block of its last change and its transactions.
    objects: BTreeMap<Address, (Option<Height>, BTreeSet<TxHash>)>,
    collections: BTreeSet<Address>,
    /// Heights of the blocks.
    heights: BTreeSet<Height>,
}

impl SeenNfts {
    /// Adds the NFTs of the next block.
    pub(super) fn add(&mut self, vm: Vm, block: &BlockFacts) {
        self.heights.insert(block.height);
        for (step, tx) in &block.nfts {
            match step {
                NftStep::Moved { collection, token_id, object } => {
                    let history = self.nfts.entry((*collection, token_id.clone())).or_default();
                    history.object = object.or(history.object);
                    history.moved = Some(block.height);
                    history.is_minted_again |= history.is_burned;
                    // On Move the list has the transactions that name the object.
                    history.txs.extend(tx.filter(|_| vm != Vm::Move || object.is_some()));
                }
                NftStep::Burned { collection, token_id } => {
                    let history = self.nfts.entry((*collection, token_id.clone())).or_default();
                    history.is_burned = true;
                    history.txs.extend(tx.filter(|_| vm != Vm::Move));
                }
                NftStep::Given(object) => {
                    let (at, txs) = self.objects.entry(*object).or_default();
                    *at = Some(block.height);
                    txs.extend(*tx);
                }
                NftStep::Created(collection) => drop(self.collections.insert(*collection)),
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct NftState {
    owner: Address,
    uri: String,
}

struct NftVerdict {
    differences: Vec<SideDifference>,
    known: Option<KnownWay>,
    /// Whether both sides have an NFT of a checked block.
    is_on_both: bool,
}

impl CheckSession {
    /// Compares the current state of NFTs that checked blocks minted, moved or burned, and looks for NFTs of their
    /// collections that do not exist; also returns the collections.
    pub(super) async fn check_nfts(&self, seen: SeenNfts) -> (Findings, BTreeSet<Address>) {
        let mut findings = Findings::default();
        let SeenNfts { mut nfts, objects, mut collections, heights } = seen;
        for (object, (at, txs)) in objects {
            match self.nft_of(object).await {
                Ok(Some(name)) => {
                    let history = nfts.entry(name).or_default();
                    (history.object, history.moved) = (Some(object), history.moved.max(at));
                    history.txs.extend(txs);
                }
                // Transactions transfer coins and other objects too.
                Ok(None) => {}
                Err(error) => {
                    let record = CheckedRecord::Nft { collection: object, token_id: String::new() };
                    findings.not_asked(CheckedPart::Nfts, record, format!("the node: {error}"));
                }
            }
        }
        collections.extend(nfts.keys().map(|(collection, _)| *collection));
        let mut names = BTreeMap::new();
        for collection in &collections {
            // A failure is told where the collection itself is compared.
            let state = self.collection_state(*collection, None).await.ok().flatten();
            names.extend(state.map(|state| (*collection, state.name)));
        }
        for collection in names.keys() {
            match self.newest_listed(*collection).await {
                Ok(listed) => {
                    for token in listed {
                        let name = (*collection, token.nft.token_id.as_received().to_owned());
                        let (object, is_only_listed) = (token.object(), true);
                        let listed = || NftHistory { object, is_only_listed, ..NftHistory::default() };
                        nfts.entry(name).or_insert_with(listed);
                    }
                }
                Err(cause) => findings.not_asked(CheckedPart::Nfts, CheckedRecord::Collection(*collection), cause),
            }
        }
        let mut checked = stream::iter(&nfts)
            .map(|(name, history)| self.check_nft(name, history, &heights, names.get(&name.0)))
            .buffered(RECORDS_AT_ONCE);
        while let Some(found) = checked.next().await {
            findings.take(found);
        }
        (findings, collections)
    }

    async fn check_nft(
        &self,
        (collection, token_id): &(Address, String),
        history: &NftHistory,
        heights: &BTreeSet<Height>,
        name: Option<&String>,
    ) -> Findings {
        let mut findings = Findings::default();
        let record = CheckedRecord::Nft { collection: *collection, token_id: token_id.clone() };
        let mut verdict = Err(String::new());
        for _ in 0..TRIES {
            verdict = self.judge_nft(*collection, token_id, history, (heights, name)).await;
            // A growing chain may have moved the NFT between the requests.
            let is_settled = verdict.as_ref().map_or(true, |verdict| verdict.differences.is_empty());
            if is_settled || self.is_at_rest().await {
                break;
            }
        }
        match verdict {
            Ok(verdict) => {
                if verdict.is_on_both {
                    findings.take(self.check_nft_txs(*collection, token_id, history, heights).await);
                }
                findings.compared(CheckedPart::Nfts, 1);
                verdict.known.into_iter().for_each(|way| findings.known(way, record.clone()));
                let differences = verdict.differences.into_iter();
                differences.for_each(|difference| findings.differs(CheckedPart::Nfts, record.clone(), difference));
            }
            Err(cause) => findings.not_asked(CheckedPart::Nfts, record, cause),
        }
        findings
    }

    /// Compares the transactions of an NFT within these blocks.
    async fn check_nft_txs(
        &self,
        collection: Address,
        token_id: &str,
        history: &NftHistory,
        heights: &BTreeSet<Height>,
    ) -> Findings {
        let name = TokenName { collection, token_id: token_id.into() };
        // Servers that do not decode paths never find other ids.
        if !name.is_addressable() {
            return Findings::default();
        }
        let record = CheckedRecord::NftTxs { collection, token_id: token_id.to_owned() };
        let query = TxQuery { scope: TxScope::Token(name), msgs: Vec::new() };
        self.check_members((CheckedPart::Nfts, record), &query, (&history.txs, self.vm == Vm::Move), heights).await
    }

    /// Whether node and indexer are at equal heights, so that their state is comparable.
    pub(super) async fn is_at_rest(&self) -> bool {
        let (node, indexer) = tokio::join!(self.node.status(), self.indexer.status());
        node.ok()
            .zip(indexer.ok())
            .is_none_or(|(node, indexer)| node.sync_info.latest_block_height == indexer.height.get())
    }

    async fn judge_nft(
        &self,
        collection: Address,
        token_id: &str,
        history: &NftHistory,
        (heights, name): (&BTreeSet<Height>, Option<&String>),
    ) -> Result<NftVerdict, String> {
        let of_node = |error| format!("the node: {error}");
        if history.is_only_listed
            && self.nft_state(collection, token_id, history, None, None).await.map_err(of_node)?.is_some()
        {
            // It exists; later blocks may have changed what else the check knows of it.
            return Ok(NftVerdict { differences: Vec::new(), known: None, is_on_both: false });
        }
        let found = self.listed_nft(collection, token_id).await?;
        let node = self.nft_state(collection, token_id, history, found.as_ref(), None).await.map_err(of_node)?;
        let is_minted_again = history.is_minted_again;
        let is_on_both = node.is_some() && found.is_some() && !history.is_only_listed;
        let mut verdict = NftVerdict { differences: Vec::new(), known: None, is_on_both };
        match (node, found) {
            (None, None) => {}
            // It was minted between the requests.
            (Some(_), _) if history.is_only_listed => {}
            (Some(node), None) => {
                verdict.differences.push(SideDifference::Missing { node: node.owner.bech32().into() });
            }
            (None, Some(found)) => {
                verdict.differences.push(SideDifference::Unfounded { indexer: found.owner.into() });
            }
            (Some(node), Some(found)) => {
                let owner = found.owner_address();
                if owner.is_none_or(|owner| owner.word() != node.owner.word()) {
                    verdict.differences.push(SideDifference::value("owner", node.owner.bech32(), &*found.owner));
                }
                // Later blocks may have moved it; a height among the checked ones is known.
                let is_checked = heights.contains(&found.height);
                if let Some(moved) = history.moved
                    && (found.height < moved || is_checked && found.height != moved)
                {
                    let difference = SideDifference::value("height", moved.get(), found.height.get());
                    verdict.differences.push(difference);
                }
                if let Some(name) = name.filter(|name| found.collection_name != **name)
                    && !self.had_name(collection, found.height, found.collection_name.as_received()).await
                {
                    let difference =
                        SideDifference::value("collection_name", name.as_str(), found.collection_name.as_received());
                    verdict.differences.push(difference);
                }
                if found.nft.uri != node.uri {
                    if self.vm == Vm::Wasm && found.nft.uri.is_empty() {
                        verdict.known = Some(KnownWay::WasmUriAbsent);
                    } else if self.had_uri(collection, token_id, history, &found).await {
                        verdict.known = Some(KnownWay::StaleUri);
                    } else {
                        verdict.differences.push(SideDifference::value("nft.uri", node.uri, found.nft.uri));
                    }
                }
                if verdict.differences.is_empty() {
                    let scope = TokenScope::Owner { address: node.owner, collection: Some(collection) };
                    let is_listed = self.listed_in(scope, token_id).await?.is_some();
                    let has_collection = self.lists_collection_of(node.owner, collection).await?;
                    let lists = [(is_listed, "list"), (has_collection, "collections")];
                    for (_, list) in lists.iter().filter(|(is_there, _)| !is_there) {
                        let node = format!("{list} of {}", node.owner).into();
                        verdict.differences.push(SideDifference::Missing { node });
                    }
                }
            }
        }
        if is_minted_again && !verdict.differences.is_empty() {
            verdict = NftVerdict { differences: Vec::new(), known: Some(KnownWay::MintedAgain), is_on_both };
        }
        Ok(verdict)
    }

    /// Whether the NFT had the listed URI at the block that the indexer names.
    async fn had_uri(&self, collection: Address, token_id: &str, history: &NftHistory, found: &Token) -> bool {
        let then = self.nft_state(collection, token_id, history, Some(found), Some(found.height)).await;
        then.is_ok_and(|then| then.is_some_and(|then| found.nft.uri == then.uri))
    }

    /// Whether the indexer lists this collection among those of an account, as far as one page tells.
    async fn lists_collection_of(&self, owner: Address, collection: Address) -> Result<bool, String> {
        let page = PageRequest { count_total: false, ..PageRequest::newest(OWNED) };
        let listed = self.indexer.list(&CollectionScope::Owner(owner), &page).await;
        let listed = listed.map_err(|error| format!("the indexer: {error}"))?;
        let is_it = |one: &Collection| one.address().is_some_and(|address| address.word() == collection.word());
        Ok(listed.next.is_some() || listed.items.iter().any(|one| is_it(one)))
    }

    async fn listed_nft(&self, collection: Address, token_id: &str) -> Result<Option<Token>, String> {
        self.listed_in(TokenScope::Collection(collection), token_id).await
    }

    async fn listed_in(&self, scope: TokenScope, token_id: &str) -> Result<Option<Token>, String> {
        let query = TokenQuery { scope, token_id: Some(token_id.into()), order_by: TokenOrder::default() };
        let page = PageRequest { count_total: false, ..PageRequest::newest(2) };
        match self.indexer.list(&query, &page).await.and_then(crate::msg::ListPage::all_read) {
            Ok(page) => Ok(page.items.first().map(|token| token.as_ref().clone())),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(format!("the indexer: {error}")),
        }
    }

    /// Returns the newest NFTs that the indexer lists in a collection.
    async fn newest_listed(&self, collection: Address) -> Result<Vec<Arc<Token>>, String> {
        let scope = TokenScope::Collection(collection);
        let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::Height };
        let page = PageRequest { count_total: false, ..PageRequest::newest(LISTED) };
        let listed = self.indexer.list(&query, &page).await.map_err(|error| format!("the indexer: {error}"))?;
        Ok(listed.items)
    }

    async fn nft_state(
        &self,
        collection: Address,
        token_id: &str,
        history: &NftHistory,
        found: Option<&Token>,
        at: Option<Height>,
    ) -> Result<Option<NftState>, NodeError> {
        match self.vm {
            Vm::Evm => self.evm_nft(collection, token_id, at).await,
            Vm::Move => {
                // A burned NFT no longer has an object.
                let object = history.object.or_else(|| found.and_then(Token::object));
                match object {
                    Some(object) => self.move_nft(object, at).await,
                    None => Ok(None),
                }
            }
            Vm::Wasm => self.wasm_nft(collection, token_id, at).await,
        }
    }

    async fn evm_nft(
        &self,
        collection: Address,
        token_id: &str,
        at: Option<Height>,
    ) -> Result<Option<NftState>, NodeError> {
        let Ok(id) = token_id.parse::<U256>() else { return Ok(None) };
        let call = |selector: [u8; 4]| [selector.as_slice(), &id.to_be_bytes::<32>()].concat();
        let returned = self.evm_calls(collection, &[call(OWNER_OF), call(TOKEN_URI)], at).await?;
        let mut returned = returned.into_iter();
        let owner = returned.next().flatten().and_then(|word| owner_in(&word));
        let uri = returned.next().flatten().and_then(|text| returned_text(&text)).unwrap_or_default();
        Ok(owner.map(|owner| NftState { owner, uri }))
    }

    async fn move_nft(&self, object: Address, at: Option<Height>) -> Result<Option<NftState>, NodeError> {
        let (core, nft) = tokio::try_join!(
            self.resource(object, "0x1::object::ObjectCore", at),
            self.resource(object, "0x1::nft::Nft", at)
        )?;
        let owner = core.as_ref().and_then(|core| move_address::account(core["owner"].as_str()?));
        let uri = nft.as_ref().map(|nft| nft["uri"].as_str().unwrap_or_default().to_owned());
        Ok(owner.zip(uri).map(|(owner, uri)| NftState { owner, uri }))
    }

    /// Returns the collection and id of an object's NFT; `None` if the object is not an NFT.
    async fn nft_of(&self, object: Address) -> Result<Option<(Address, String)>, NodeError> {
        let nft = self.resource(object, "0x1::nft::Nft", None).await?;
        Ok(nft.as_ref().and_then(|nft| {
            let collection = move_address::account(nft.pointer("/collection/inner")?.as_str()?)?;
            Some((collection, nft["token_id"].as_str()?.to_owned()))
        }))
    }

    async fn wasm_nft(
        &self,
        collection: Address,
        token_id: &str,
        at: Option<Height>,
    ) -> Result<Option<NftState>, NodeError> {
        let Some(answer) = self.smart(collection, &json!({"all_nft_info": {"token_id": token_id}}), at).await? else {
            return Ok(None);
        };
        let owner = answer.pointer("/access/owner").and_then(|owner| owner.as_str()?.parse().ok());
        let uri = answer.pointer("/info/token_uri").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(owner.map(|owner| NftState { owner, uri }))
    }
}

/// Returns the owner that `ownerOf` returned; `None` for the zero address, which some contracts return for a burned
/// token.
fn owner_in(returned: &[u8]) -> Option<Address> {
    let owner = returned.get(12..32).filter(|owner| owner.iter().any(|byte| *byte != 0))?;
    Address::from_bytes(owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_address_owns_nothing() {
        let owner = Address::Short([7; 20]);
        assert_eq!(owner_in(&owner.word()), Some(owner));
        assert_eq!(owner_in(&[0; 32]), None, "burned");
        assert_eq!(owner_in(&[0; 12]), None, "no word");
    }
}
