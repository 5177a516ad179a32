//! A plain reader of Move events that knows nothing of the ledger's insides.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::U256;
use rollscope::{
    demo::ledger::{CommittedTx, Ledger, TxEvent},
    domain::{Address, Amount, Height},
};
use serde_json::Value;
use sha3::{Digest, Sha3_256};

/// Collection, id, owner and last move of an NFT.
type Told = (Address, String, Address, Height);

/// What the events say.
#[derive(Default)]
pub(super) struct Checker {
    balances: BTreeMap<(Address, Address), U256>,
    supply: BTreeMap<Address, U256>,
    stores: BTreeSet<Address>,
    users: BTreeSet<Address>,
    nfts: BTreeMap<Address, Told>,
    /// Creator, name and height of each collection.
    pub(super) collections: BTreeMap<Address, (Address, String, Height)>,
    /// How many stores were opened.
    pub(super) stores_opened: usize,
    /// What does not add up.
    pub(super) wrong: Vec<String>,
}

/// An address in an event: zeros before it are cut; short ones are accounts.
fn address(value: &Value) -> Address {
    let text = value.as_str().expect("an address is text");
    assert!(text.starts_with("0x") && !text.starts_with("0x0"), "{text} has zeros before");
    let digits = &text[2..];
    let width = if digits.len() > 40 { 64 } else { 40 };
    format!("0x{digits:0>width$}").parse().expect("an address")
}

fn number(value: &Value) -> U256 {
    value.as_str().expect("numbers are text").parse().expect("a number")
}

/// Where an owner's coins of a kind lie.
fn store_of(owner: &Address, metadata: &Address) -> Address {
    let mut bytes = vec![0; 32 - owner.bytes().len()];
    bytes.extend_from_slice(owner.bytes());
    bytes.extend_from_slice(metadata.bytes());
    bytes.push(0xfc);
    Address::from_bytes(&Sha3_256::digest(&bytes)).expect("32 bytes")
}

/// The Move events of a transaction: the name in the tag without `0x1::`, and the data.
fn told(tx: &CommittedTx) -> Vec<(&str, Value)> {
    let moves = tx.events.iter().filter(|event| event.kind == "move");
    moves.map(|event| (tag(event), serde_json::from_str(&event.attributes[1].value).expect("data is JSON"))).collect()
}

fn tag(event: &TxEvent) -> &str {
    event.attributes[0].value.trim_start_matches("0x1::")
}

impl Checker {
    /// Starts from the state of a ledger.
    pub(super) fn beginning_with(ledger: &Ledger) -> Self {
        let mut checker = Self::default();
        checker.users.extend((0..).map_while(|index| ledger.account(index)));
        for token in ledger.tokens() {
            let metadata = token.metadata.expect("an object");
            checker.supply.insert(metadata, token.supply.get());
            for (owner, amount) in ledger.holders(&token.denom) {
                checker.balances.insert((metadata, owner), amount.get());
                checker.stores.insert(store_of(&owner, &metadata));
            }
        }
        for nft in ledger.nfts() {
            let told = (nft.collection, nft.token_id, nft.owner, nft.moved);
            checker.nfts.insert(nft.object.expect("an object"), told);
        }
        let collections = ledger.collections().into_iter();
        checker.collections = collections.map(|one| (one.address, (one.creator, one.name, one.created))).collect();
        checker
    }

    /// Everybody who holds a token.
    pub(super) fn holders(&self, metadata: &Address) -> BTreeMap<Address, Amount> {
        let of_token = self.balances.iter().filter(|((token, _), amount)| token == metadata && !amount.is_zero());
        of_token.map(|((_, owner), amount)| (*owner, Amount::new(*amount))).collect()
    }

    /// What all hold together.
    pub(super) fn supply(&self, metadata: &Address) -> U256 {
        self.supply.get(metadata).copied().unwrap_or_default()
    }

    /// The NFTs by their objects.
    pub(super) fn nfts(&self) -> &BTreeMap<Address, Told> {
        &self.nfts
    }

    /// Follows a transaction.
    pub(super) fn take(&mut self, height: Height, tx: &CommittedTx) {
        let told = told(tx);
        let mut sums: BTreeMap<Address, [U256; 2]> = BTreeMap::new();
        let mut owners: BTreeMap<Address, Address> = BTreeMap::new();
        for (place, (tag, data)) in told.iter().enumerate() {
            let (kind, next) = (*tag, told.get(place + 1));
            match kind {
                "fungible_asset::WithdrawEvent" | "fungible_asset::DepositEvent" => {
                    let (owner_tag, owner) = next.expect("the owner's event follows");
                    assert_eq!(*owner_tag, kind.replace("Event", "OwnerEvent"));
                    self.movement(kind, data, address(&owner["owner"]), &mut sums, tx);
                }
                "fungible_asset::MintEvent" | "fungible_asset::BurnEvent" => {
                    let (metadata, amount) = (address(&data["metadata_addr"]), number(&data["amount"]));
                    let made = kind.ends_with("MintEvent");
                    sums.entry(metadata).or_default()[usize::from(made)] += amount;
                    let supply = self.supply.entry(metadata).or_default();
                    *supply = if made { *supply + amount } else { *supply - amount };
                }
                "primary_fungible_store::PrimaryStoreCreatedEvent" => self.opened(data, tx),
                "object::CreateEvent" => {
                    owners.insert(address(&data["object"]), address(&data["owner"]));
                }
                _ => self.nft(kind, data, &owners, height),
            }
        }
        for (metadata, [out, into]) in sums {
            if out != into {
                self.wrong.push(format!("{metadata} does not balance in {}", tx.hash));
            }
        }
    }

    fn movement(
        &mut self,
        kind: &str,
        data: &Value,
        owner: Address,
        sums: &mut BTreeMap<Address, [U256; 2]>,
        tx: &CommittedTx,
    ) {
        let (store, metadata) = (address(&data["store_addr"]), address(&data["metadata_addr"]));
        let amount = number(&data["amount"]);
        if store_of(&owner, &metadata) != store {
            self.wrong.push(format!("{store} is not the store of {owner} in {}", tx.hash));
        }
        if self.users.contains(&owner) && !self.stores.contains(&store) {
            self.wrong.push(format!("{store} of {owner} was never opened, in {}", tx.hash));
        }
        let into = kind == "fungible_asset::DepositEvent";
        // Deposits and burns are one side of the balance, withdrawals and mints the other.
        sums.entry(metadata).or_default()[usize::from(!into)] += amount;
        let balance = self.balances.entry((metadata, owner)).or_default();
        match if into { balance.checked_add(amount) } else { balance.checked_sub(amount) } {
            Some(after) => *balance = after,
            None => self.wrong.push(format!("{owner} overspends in {}", tx.hash)),
        }
    }

    fn opened(&mut self, data: &Value, tx: &CommittedTx) {
        let store = address(&data["store_addr"]);
        let expected = store_of(&address(&data["owner_addr"]), &address(&data["metadata_addr"]));
        if store != expected || !self.stores.insert(store) {
            self.wrong.push(format!("{store} was opened twice or is not the owner's, in {}", tx.hash));
        }
        self.stores_opened += 1;
    }

    fn nft(&mut self, kind: &str, data: &Value, owners: &BTreeMap<Address, Address>, height: Height) {
        match kind {
            "collection::CreateCollectionEvent" => {
                let name = data["name"].as_str().expect("a name").to_owned();
                self.collections.insert(address(&data["collection"]), (address(&data["creator"]), name, height));
            }
            "collection::MintEvent" => {
                let object = address(&data["nft"]);
                let owner = owners.get(&object).copied().expect("the object was created before");
                let id = data["token_id"].as_str().expect("an id").to_owned();
                let before = self.nfts.insert(object, (address(&data["collection"]), id, owner, height));
                assert!(before.is_none(), "{object} is minted twice");
            }
            "collection::BurnEvent" => {
                let object = address(&data["nft"]);
                assert!(self.nfts.remove(&object).is_some(), "{object} is burned but was not there");
            }
            "object::TransferEvent" => {
                let told = self.nfts.get_mut(&address(&data["object"])).expect("only NFTs are transferred");
                assert_eq!(told.2, address(&data["from"]), "an NFT is given by its owner");
                (told.2, told.3) = (address(&data["to"]), height);
            }
            _ => {}
        }
    }
}
