//! Requests for a node's state: collections and NFTs from contracts or objects, accounts and balances.

use std::collections::BTreeMap;

use alloy_primitives::{U256, hex};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ClientFeed, failure, lock};
use crate::{
    client::{NodeError, NodeInterface, StateQuestion, returned_text},
    domain::{Address, Amount, Denom, Height, Vm},
    indexer::{
        index::{AccountBalances, DueBalances, UnknownNft, address_of_digits},
        node::feed::{AccountsPage, FeedError},
        source::{NftCollection, OwnedNft},
    },
    wire::node::{AccountsAnswer, BalancesAnswer, EvmCallAnswer},
};

/// Selectors of `name()` and `tokenURI(uint256)`.
const NAME: [u8; 4] = [0x06, 0xfd, 0xde, 0x03];
const TOKEN_URI: [u8; 4] = [0xc8, 0x7b, 0x56, 0xdd];

/// Selector of `balanceOf(address)`.
const BALANCE_OF: [u8; 4] = [0x70, 0xa0, 0x82, 0x31];

/// Maximum concurrent queries of NFTs.
const NFTS_AT_ONCE: usize = 8;

const ACCOUNTS: usize = 500;

/// Number of denoms per page of an account's balances.
const DENOMS: usize = 500;

impl ClientFeed {
    pub(super) async fn find_collection(
        &self,
        address: Address,
        at: Height,
    ) -> Result<Option<NftCollection>, FeedError> {
        let found = match self.client().vm() {
            Vm::Evm => self.evm_text(address, NAME.to_vec(), at).await?.map(|name| (name, Address::Short([0; 20]))),
            Vm::Move => self.move_collection(address, at).await?,
            Vm::Wasm => self.wasm_collection(address, at).await?,
        };
        let made = |(name, creator)| NftCollection { address, creator, name, origin_name: String::new(), created: at };
        Ok(found.map(made))
    }

    /// Requests NFTs: on the EVM in batches per block, on other chains concurrently.
    pub(super) async fn find_nfts(&self, wanted: Vec<UnknownNft>) -> Result<Vec<OwnedNft>, FeedError> {
        if self.client().vm() != Vm::Evm || !self.has(NodeInterface::JsonRpc) {
            let asked = wanted.into_iter().map(|nft| self.find_nft(nft));
            let found: Vec<_> = stream::iter(asked).buffer_unordered(NFTS_AT_ONCE).try_collect().await?;
            return Ok(found.into_iter().flatten().collect());
        }
        let mut of_blocks: BTreeMap<Height, Vec<(UnknownNft, Vec<u8>)>> = BTreeMap::new();
        for nft in wanted {
            let Ok(id) = nft.token_id.parse::<U256>() else { continue };
            let call = [TOKEN_URI.as_slice(), &id.to_be_bytes::<32>()].concat();
            of_blocks.entry(nft.height).or_default().push((nft, call));
        }
        let asked = of_blocks.into_iter().map(|(at, nfts)| self.uris_at(at, nfts));
        let found: Vec<_> = stream::iter(asked).buffer_unordered(NFTS_AT_ONCE).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Requests token URIs at a height, or at the newest block if the node pruned that state.
    async fn uris_at(&self, at: Height, nfts: Vec<(UnknownNft, Vec<u8>)>) -> Result<Vec<OwnedNft>, FeedError> {
        let calls: Vec<_> = nfts.iter().map(|(nft, call)| (nft.collection, call.clone())).collect();
        let returned = match self.client().eth_calls(&calls, Some(at)).await {
            Err(error) if is_of_the_past(&error) => self.client().eth_calls(&calls, None).await,
            answered => answered,
        };
        let returned = match returned {
            Ok(returned) => returned,
            Err(error) if error.is_refusal() => Vec::new(),
            Err(error) => return Err(failure(error)),
        };
        let mut uris = returned.into_iter().map(|bytes| bytes.as_deref().and_then(returned_text).unwrap_or_default());
        let known = nfts.into_iter().map(|(nft, _)| {
            let UnknownNft { collection, token_id, object, height } = nft;
            let uri = uris.next().unwrap_or_default();
            OwnedNft { collection, token_id, object, owner: Address::Short([0; 20]), uri, moved: height }
        });
        Ok(known.collect())
    }

    pub(super) async fn find_nft(&self, nft: UnknownNft) -> Result<Option<OwnedNft>, FeedError> {
        let UnknownNft { collection, token_id, object, height } = nft;
        let uri = match self.client().vm() {
            Vm::Evm => match token_id.parse::<U256>() {
                Ok(id) => {
                    let call = [TOKEN_URI.as_slice(), &id.to_be_bytes::<32>()].concat();
                    self.evm_text(collection, call, height).await?
                }
                Err(_) => None,
            },
            Vm::Move => match object {
                Some(object) => self.move_uri(object, height).await?,
                None => None,
            },
            Vm::Wasm => self.wasm_uri(collection, &token_id, height).await?,
        };
        let uri = uri.unwrap_or_default();
        Ok(Some(OwnedNft { collection, token_id, object, owner: Address::Short([0; 20]), uri, moved: height }))
    }

    /// Returns the text that a contract returns at a height, or at the newest block if the node pruned that state.
    async fn evm_text(&self, to: Address, input: Vec<u8>, at: Height) -> Result<Option<String>, FeedError> {
        match self.evm_call(to, &input, Some(at)).await {
            Err(error) if is_of_the_past(&error) => self.evm_call(to, &input, None).await,
            answered => answered,
        }
        .or_else(|error| if error.is_refusal() { Ok(None) } else { Err(failure(error)) })
        .map(|returned| returned.as_deref().and_then(returned_text))
    }

    async fn evm_call(&self, to: Address, input: &[u8], at: Option<Height>) -> Result<Option<Vec<u8>>, NodeError> {
        if self.has(NodeInterface::JsonRpc) {
            let mut returned = self.client().eth_calls(&[(to, input.to_vec())], at).await?;
            return Ok(returned.pop().flatten());
        }
        let answer: EvmCallAnswer = self.client().state(&StateQuestion::evm_call(to, input), at).await?;
        Ok(hex::decode(&answer.response).ok().filter(|_| answer.error.is_empty()))
    }

    /// Returns the node's response at a height, or at the newest block if the node pruned that state; `None` for a
    /// missing record.
    async fn value(&self, question: &StateQuestion, at: Height) -> Result<Option<Value>, FeedError> {
        let answer = match self.client().state::<Value>(question, Some(at)).await {
            Err(error) if is_of_the_past(&error) => self.client().state(question, None).await,
            answered => answered,
        };
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if error.is_refusal() => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    async fn move_resource(&self, object: Address, kind: &str, at: Height) -> Result<Option<Value>, FeedError> {
        let answer = self.value(&StateQuestion::move_resource(object, kind), at).await?;
        let text = answer.as_ref().and_then(|answer| answer.pointer("/resource/move_resource")?.as_str());
        // Text in a database cannot contain NUL characters.
        let resource: Option<Value> = text.and_then(|text| serde_json::from_str(&text.replace("\\u0000", "")).ok());
        Ok(resource.and_then(|mut resource| resource.get_mut("data").map(Value::take)))
    }

    async fn move_collection(&self, object: Address, at: Height) -> Result<Option<(String, Address)>, FeedError> {
        let data = self.move_resource(object, "0x1::collection::Collection", at).await?;
        let text = |name: &str| data.as_ref()?.get(name)?.as_str();
        // Nodes omit leading zero digits, so the number of digits may be odd.
        let creator = || text("creator")?.strip_prefix("0x").and_then(address_of_digits);
        Ok(text("name").map(ToOwned::to_owned).zip(creator()))
    }

    async fn move_uri(&self, object: Address, at: Height) -> Result<Option<String>, FeedError> {
        let data = self.move_resource(object, "0x1::nft::Nft", at).await?;
        Ok(data.as_ref().and_then(|data| data.get("uri")?.as_str()).map(ToOwned::to_owned))
    }

    async fn wasm_query(&self, contract: Address, query: &Value, at: Height) -> Result<Option<Value>, FeedError> {
        Ok(self
            .value(&StateQuestion::smart_query(contract, query), at)
            .await?
            .and_then(|mut answer| answer.get_mut("data").map(Value::take)))
    }

    async fn wasm_collection(&self, contract: Address, at: Height) -> Result<Option<(String, Address)>, FeedError> {
        let info = self.wasm_query(contract, &json!({"contract_info": {}}), at).await?;
        let Some(name) = info.as_ref().and_then(|info| info.get("name")?.as_str()) else { return Ok(None) };
        let about = self.value(&StateQuestion::wasm_contract(contract), at).await?;
        let creator = about.as_ref().and_then(|about| about.pointer("/contract_info/creator")?.as_str()?.parse().ok());
        Ok(creator.map(|creator| (name.to_owned(), creator)))
    }

    async fn wasm_uri(&self, contract: Address, token_id: &str, at: Height) -> Result<Option<String>, FeedError> {
        let info = self.wasm_query(contract, &json!({"nft_info": {"token_id": token_id}}), at).await?;
        Ok(info.as_ref().and_then(|info| info.get("token_uri")?.as_str()).map(ToOwned::to_owned))
    }

    pub(super) async fn page_of_accounts(&self, key: Option<String>) -> Result<AccountsPage, FeedError> {
        let question = StateQuestion::accounts(key.as_deref().unwrap_or_default(), ACCOUNTS);
        let answer: AccountsAnswer = self.client().state(&question, None).await.map_err(failure)?;
        let next = Some(answer.pagination.next_key.clone()).filter(|next| !next.is_empty());
        let holder = |account| if self.client().vm() == Vm::Evm { in_contracts(account) } else { account };
        Ok(AccountsPage { accounts: answer.addresses().map(holder).collect(), next })
    }

    pub(super) async fn balances_at(&self, due: DueBalances, at: Height) -> Result<AccountBalances, FeedError> {
        let DueBalances { account, mut contracts } = due;
        let mut coins: Vec<(Denom, Option<Address>, Amount)> = Vec::new();
        if self.client().vm() == Vm::Evm && in_contracts(account) != account {
            // The EVM's bank knows only the last 20 bytes, so this balance would count twice.
            return Ok(AccountBalances { account, height: at, coins, tokens: Vec::new() });
        }
        let mut key = String::new();
        loop {
            let question = StateQuestion::balances(account, &key, DENOMS);
            let answer: BalancesAnswer = self.client().state(&question, Some(at)).await.map_err(failure)?;
            for coin in answer.balances {
                let denom = Denom::new(&*coin.denom);
                let contract = self.contract_of(&denom).await?;
                coins.push((denom, contract, coin.amount));
            }
            if answer.pagination.next_key.is_empty() {
                break;
            }
            key = answer.pagination.next_key;
        }
        contracts.retain(|contract| !coins.iter().any(|(_, of, _)| of.as_ref() == Some(contract)));
        let tokens = self.token_balances(account, contracts, at).await?;
        Ok(AccountBalances { account, height: at, coins, tokens })
    }

    /// Requests an account's balances from ERC-20 contracts at a height. Skips contracts that return no number, because
    /// they need not be tokens.
    async fn token_balances(
        &self,
        account: Address,
        contracts: Vec<Address>,
        at: Height,
    ) -> Result<Vec<(Address, Amount)>, FeedError> {
        let input = [BALANCE_OF.as_slice(), &account.word()].concat();
        let mut said = Vec::with_capacity(contracts.len());
        if self.has(NodeInterface::JsonRpc) {
            let calls: Vec<_> = contracts.iter().map(|contract| (*contract, input.clone())).collect();
            said = self.client().eth_calls(&calls, Some(at)).await.map_err(failure)?;
        } else {
            for contract in &contracts {
                said.push(match self.evm_call(*contract, &input, Some(at)).await {
                    Err(error) if error.is_refusal() => None,
                    answered => answered.map_err(failure)?,
                });
            }
        }
        let amount =
            |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).ok().map(|word| Amount::new(U256::from_be_bytes(word)));
        let held = contracts.into_iter().zip(said);
        Ok(held.filter_map(|(contract, bytes)| Some((contract, bytes.and_then(amount)?))).collect())
    }

    /// Returns the ERC-20 contract of a denom; some denoms contain their contract's address.
    async fn contract_of(&self, denom: &Denom) -> Result<Option<Address>, FeedError> {
        #[derive(Deserialize)]
        struct DenomContract {
            address: String,
        }
        if self.client().vm() != Vm::Evm {
            return Ok(None);
        }
        if let Some(digits) = denom.as_str().strip_prefix("evm/") {
            return Ok(format!("0x{digits}").parse().ok());
        }
        if let Some(known) = lock(&self.contracts).get(denom) {
            return Ok(*known);
        }
        let found = match self.client().state::<DenomContract>(&StateQuestion::contract_of(denom), None).await {
            Ok(found) => found.address.parse().ok(),
            Err(error) if error.is_refusal() => None,
            Err(error) => return Err(failure(error)),
        };
        lock(&self.contracts).insert(denom.clone(), found);
        Ok(found)
    }
}

/// Whether the node may have pruned the state at the requested height, while the newest state exists.
fn is_of_the_past(error: &NodeError) -> bool {
    !error.is_transient() || matches!(error, NodeError::NoResults)
}

/// Returns the address under which token contracts know an account: its last 20 bytes.
fn in_contracts(account: Address) -> Address {
    match account {
        Address::Long(bytes) => bytes.last_chunk().map_or(account, |last| Address::Short(*last)),
        Address::Short(_) => account,
    }
}
