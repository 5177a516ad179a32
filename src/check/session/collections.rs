//! Comparison of collections with their contracts or objects.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, stream};
use serde_json::json;

use super::{CheckSession, RECORDS_AT_ONCE, TRIES, listing, questions::word_number};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference, UnprovenClaim},
    client::{NodeError, endpoints, returned_text},
    domain::{Address, Height, Vm, move_address},
    msg::{PageRequest, TokenOrder, TokenQuery, TokenScope},
    wire::Collection,
};

/// Selectors of `name()` and `totalSupply()`, and the call `supportsInterface(0x780e9d63)`, which shows whether the
/// contract counts its NFTs.
const NAME: &[u8] = &[0x06, 0xfd, 0xde, 0x03];
const TOTAL_SUPPLY: &[u8] = &[0x18, 0x16, 0x0d, 0xdd];
const IS_ENUMERABLE: &[u8] = &[0x01, 0xff, 0xc9, 0xa7, 0x78, 0x0e, 0x9d, 0x63];

pub(super) struct CollectionState {
    pub(super) name: String,
    creator: Option<Address>,
    /// Number of NFTs; `None` if the contract does not count them.
    length: Option<u64>,
}

/// Record of a collection on the indexer.
struct ListedCollection {
    record: Option<Collection>,
    nfts: Option<u64>,
}

impl CheckSession {
    /// Compares the current records of these collections.
    pub(super) async fn check_collections(&self, collections: &BTreeSet<Address>) -> Findings {
        let mut checked =
            stream::iter(collections).map(|address| self.check_collection(*address)).buffered(RECORDS_AT_ONCE);
        let mut findings = Findings::default();
        while let Some(found) = checked.next().await {
            findings.take(found);
        }
        findings
    }

    async fn check_collection(&self, address: Address) -> Findings {
        let record = || CheckedRecord::Collection(address);
        let mut compared_now = Err(String::new());
        for _ in 0..TRIES {
            compared_now = self.compare_collection(address).await;
            // A growing chain may have minted an NFT between the requests.
            if compared_now.as_ref().map_or(true, |found| found.differences.is_empty()) || self.is_at_rest().await {
                break;
            }
        }
        compared_now.unwrap_or_else(|cause| {
            let mut findings = Findings::default();
            findings.not_asked(CheckedPart::Collections, record(), cause);
            findings
        })
    }

    async fn compare_collection(&self, address: Address) -> Result<Findings, String> {
        let node = self.collection_state(address, None).await.map_err(|error| format!("the node: {error}"))?;
        let found = self.listed_collection(address).await?;
        let mut findings = Findings::default();
        let record = || CheckedRecord::Collection(address);
        match (node, found.record) {
            // Other contracts emit equal events.
            (None, None) => {}
            (None, Some(listed)) => {
                findings.compared(CheckedPart::Collections, 1);
                let difference = SideDifference::Unfounded { indexer: listed.collection.name.into() };
                findings.differs(CheckedPart::Collections, record(), difference);
            }
            (Some(node), None) => {
                findings.compared(CheckedPart::Collections, 1);
                if node.length == Some(0) {
                    findings.known(KnownWay::EmptyCollection, record());
                } else {
                    let difference = SideDifference::Missing { node: node.name.into() };
                    findings.differs(CheckedPart::Collections, record(), difference);
                }
            }
            (Some(mut node), Some(listed)) => {
                let listed_name = &listed.collection.name;
                if *listed_name != node.name && self.had_name(address, listed.height, listed_name.as_received()).await {
                    findings.known(KnownWay::StaleName, record());
                    node.name = listed_name.as_received().to_owned();
                }
                compare(address, &node, &listed, found.nfts, &mut findings);
            }
        }
        Ok(findings)
    }

    async fn listed_collection(&self, address: Address) -> Result<ListedCollection, String> {
        let of_indexer = |error| format!("the indexer: {error}");
        let record = match self.indexer.one(endpoints::collection(address)).await {
            Ok(record) => Some(record),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(of_indexer(error)),
        };
        let scope = TokenScope::Collection(address);
        let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::default() };
        let (_, body) = self.indexer.list_and_body(&query, &PageRequest::newest(1)).await.map_err(of_indexer)?;
        Ok(ListedCollection { record, nfts: body.as_deref().and_then(listing::total_of) })
    }

    /// Whether the collection had this name at a block.
    pub(super) async fn had_name(&self, address: Address, at: Height, name: &str) -> bool {
        let then = self.collection_state(address, Some(at)).await;
        then.is_ok_and(|then| then.is_some_and(|then| then.name == name))
    }

    /// Returns the state of a collection at a block, else now; `None` if the contract or object is none.
    pub(super) async fn collection_state(
        &self,
        address: Address,
        at: Option<Height>,
    ) -> Result<Option<CollectionState>, NodeError> {
        match self.vm {
            Vm::Evm => self.evm_collection(address, at).await,
            Vm::Move => self.move_collection(address, at).await,
            Vm::Wasm => self.wasm_collection(address, at).await,
        }
    }

    async fn evm_collection(&self, address: Address, at: Option<Height>) -> Result<Option<CollectionState>, NodeError> {
        let is_enumerable = [IS_ENUMERABLE, &[0; 28]].concat();
        let returned = self.evm_calls(address, &[NAME.to_vec(), TOTAL_SUPPLY.to_vec(), is_enumerable], at).await?;
        let [name, supply, is_enumerable] = &*returned else { return Ok(None) };
        let Some(name) = name.as_deref().and_then(returned_text) else { return Ok(None) };
        let counts = is_enumerable.as_deref().and_then(word_number) == Some(1);
        let length = supply.as_deref().and_then(word_number).filter(|_| counts);
        Ok(Some(CollectionState { name, creator: None, length }))
    }

    async fn move_collection(
        &self,
        address: Address,
        at: Option<Height>,
    ) -> Result<Option<CollectionState>, NodeError> {
        let data = self.resource(address, "0x1::collection::Collection", at).await?;
        Ok(data.and_then(|data| {
            let name = data.get("name")?.as_str()?.to_owned();
            let length = data.pointer("/nfts/length").and_then(|length| length.as_str()?.parse().ok());
            Some(CollectionState { name, creator: move_address::account(data.get("creator")?.as_str()?), length })
        }))
    }

    async fn wasm_collection(
        &self,
        address: Address,
        at: Option<Height>,
    ) -> Result<Option<CollectionState>, NodeError> {
        let info = self.smart(address, &json!({"contract_info": {}}), at).await?;
        let Some(name) = info.as_ref().and_then(|info| info["name"].as_str()) else { return Ok(None) };
        let count = self.smart(address, &json!({"num_tokens": {}}), at).await?;
        let about = self.wasm_contract(address).await?;
        Ok(Some(CollectionState {
            name: name.to_owned(),
            creator: about.as_ref().and_then(|about| about["creator"].as_str()?.parse().ok()),
            length: count.as_ref().and_then(|count| count["count"].as_u64()),
        }))
    }
}

fn compare(address: Address, node: &CollectionState, listed: &Collection, nfts: Option<u64>, findings: &mut Findings) {
    const PART: CheckedPart = CheckedPart::Collections;
    let record = || CheckedRecord::Collection(address);
    let facts = &listed.collection;
    let mut differs = |field: &str, node: String, indexer: &str| {
        findings.differs(PART, record(), SideDifference::value(field, node, indexer));
    };
    if listed.address().is_none_or(|found| found.word() != address.word()) {
        differs("object_addr", address.hex(), &listed.object_addr);
    }
    if facts.name != node.name {
        differs("collection.name", node.name.clone(), facts.name.as_received());
    }
    if let Some(creator) = node.creator
        && facts.creator_address().is_none_or(|found| found.word() != creator.word())
    {
        differs("collection.creator", creator.bech32(), &facts.creator);
    }
    findings.compared(PART, 1);
    findings.unproven(UnprovenClaim::CollectionOrigin, record());
    if node.creator.is_none() {
        findings.unproven(UnprovenClaim::CollectionCreator, record());
    }
    let Some(length) = node.length else { return findings.unproven(UnprovenClaim::CollectionLength, record()) };
    if length == 0 && facts.nfts.length == 1 {
        findings.known(KnownWay::LengthKept, record());
    } else if facts.nfts.length != length {
        let difference = SideDifference::value("collection.nfts.length", length, facts.nfts.length);
        findings.differs(PART, record(), difference);
    }
    match nfts {
        Some(indexer) => {
            findings.compared(CheckedPart::Totals, 1);
            if indexer != length {
                let difference = SideDifference::Total { node: length, indexer };
                findings.differs(CheckedPart::Totals, record(), difference);
            }
        }
        None => findings.unproven(UnprovenClaim::UncountedTotal, record()),
    }
}
