//! MiniMove and the L1: movements between stores of fungible assets, and changes of objects (`docs/apis/story.md`
//! §2.3). Bank events are incomplete repetitions and only contribute denoms.

mod denoms;
mod objects;

use std::collections::{HashMap, HashSet};

use alloy_primitives::hex;

use self::objects::Objects;
use super::{
    ledger::{BalanceLedger, EventPlace, EventReading, LedgerTransfer, gain, loss},
    owners::Owners,
    parts::BalanceHolder,
};
use crate::{
    domain::{Address, Amount, Balance, Denom},
    events::{movevm::ModuleEvent, names::EXECUTE},
    story::{
        decode::{Decoded, DecodedEvent},
        limits::Work,
        names::{
            metadata::unnamed,
            move_address::{account, padded},
        },
    },
    wire::Tx,
};

pub(super) fn read(tx: &Tx, decoded: &Decoded, work: &Work) -> EventReading {
    let mut reader = MoveReader::new(decoded);
    for (event, decoded) in decoded.events.iter().enumerate() {
        if !work.takes_event() {
            reader.is_incomplete = true;
            break;
        }
        reader.take(EventPlace { event, phase: decoded.phase }, decoded);
    }
    reader.done(tx, decoded, work)
}

/// Key of a store's asset: store and metadata object.
type AssetPart = ([u8; 32], [u8; 32]);

struct MoveReader<'a> {
    ledger: BalanceLedger<[u8; 32], [u8; 32]>,
    owners: HashMap<[u8; 32], Address>,
    /// Withdrawal of each asset that no deposit of the same amount has followed yet, as an index of the transfers.
    withdrawn: HashMap<[u8; 32], usize>,
    /// Movement of the previous event; the next event names its owner.
    last: Option<(AssetPart, &'a str)>,
    objects: Objects<'a>,
    is_incomplete: bool,
}

impl<'a> MoveReader<'a> {
    fn new(decoded: &'a Decoded) -> Self {
        let objects = Objects::new(decoded);
        Self {
            ledger: BalanceLedger::default(),
            owners: HashMap::new(),
            withdrawn: HashMap::new(),
            last: None,
            objects,
            is_incomplete: false,
        }
    }

    fn take(&mut self, place: EventPlace, event: &'a DecodedEvent) {
        let last = self.last.take();
        if event.kind == EXECUTE {
            return self.objects.executes(place, event);
        }
        let Some(event) = ModuleEvent::of(event) else { return };
        let Some(tag) = event.standard() else { return };
        match tag.strip_prefix("fungible_asset::") {
            Some(name @ "WithdrawEvent") => self.moves(place, name, event, loss),
            Some(name @ "DepositEvent") => self.moves(place, name, event, gain),
            Some(name @ ("WithdrawOwnerEvent" | "DepositOwnerEvent")) => self.owns(place, name, event, last),
            Some("MintEvent") => self.supplies(place, event, gain),
            Some("BurnEvent") => self.supplies(place, event, loss),
            Some(_) => {}
            None if tag == "primary_fungible_store::PrimaryStoreCreatedEvent" => self.store_created(event),
            None => self.objects.take(place, tag, event),
        }
    }

    fn moves(&mut self, place: EventPlace, name: &'a str, event: ModuleEvent<'_>, sign: fn(Amount) -> Balance) {
        let moved = event
            .read()
            .and_then(|moved| Some(((padded(&moved.store_addr)?, padded(&moved.metadata_addr)?), moved.amount()?)));
        match moved {
            Some((part, amount)) => {
                self.transfers(place, part, amount, name == "DepositEvent");
                self.ledger.moves(place, part.0, part.1, sign(amount));
                self.last = Some((part, name));
            }
            None => self.is_incomplete = true,
        }
    }

    /// Records one side of a transfer, or completes it: the events name the two sides apart.
    fn transfers(&mut self, place: EventPlace, (store, asset): AssetPart, amount: Amount, is_deposit: bool) {
        let transfers = &mut self.ledger.transfers;
        if is_deposit {
            let at = self.withdrawn.get(&asset).copied();
            if let Some(open) = at.and_then(|at| transfers.get_mut(at)).filter(|open| open.amount == amount) {
                open.to = Some(store);
                self.withdrawn.remove(&asset);
                return;
            }
        } else {
            self.withdrawn.insert(asset, transfers.len());
        }
        let (from, to) = if is_deposit { (None, Some(store)) } else { (Some(store), None) };
        transfers.push(LedgerTransfer { place, from, to, asset, amount });
    }

    /// Records the owner of the store in the previous movement.
    fn owns(&mut self, place: EventPlace, name: &str, event: ModuleEvent<'_>, last: Option<(AssetPart, &str)>) {
        let Some((part, moved)) = last else { return };
        let is_of_it = moved.strip_suffix("Event") == name.strip_suffix("OwnerEvent");
        let owner = event.read().and_then(|data| account(&data.owner));
        if let Some(owner) = owner.filter(|_| is_of_it) {
            self.owners.insert(part.0, owner);
            self.ledger.add_proof(place, &part);
        }
    }

    fn supplies(&mut self, place: EventPlace, event: ModuleEvent<'_>, sign: fn(Amount) -> Balance) {
        match event.read().and_then(|supply| Some((padded(&supply.metadata_addr)?, supply.amount()?))) {
            Some((metadata, amount)) => self.ledger.supplies(place, metadata, sign(amount)),
            None => self.is_incomplete = true,
        }
    }

    fn store_created(&mut self, event: ModuleEvent<'_>) {
        let Some(created) = event.read() else { return };
        if let (Some(store), Some(owner)) = (padded(&created.store_addr), account(&created.owner_addr)) {
            self.owners.entry(store).or_insert(owner);
        }
    }

    fn done(self, tx: &Tx, decoded: &Decoded, work: &Work) -> EventReading {
        let mut metadata: HashSet<[u8; 32]> = self.ledger.parts().map(|(_, metadata)| *metadata).collect();
        metadata.extend(self.ledger.supplied());
        let unknown = self.ledger.parts().filter(|(store, _)| !self.owners.contains_key(store)).copied();
        let mut search = Owners::new(unknown, work);
        search.search(tx, decoded);
        let mut owners = self.owners;
        owners.extend(search.found);
        let denoms = denoms::denoms(&metadata, decoded, work);
        let denom = |metadata: &[u8; 32]| denoms.get(metadata).cloned().unwrap_or_else(|| unnamed(metadata));
        let holder = |store: &[u8; 32]| {
            owners.get(store).map_or(BalanceHolder::Store(*store), |owner| BalanceHolder::Account(*owner))
        };
        let mut named: Vec<(Denom, String)> =
            metadata.iter().map(|metadata| (denom(metadata), hex::encode_prefixed(metadata))).collect();
        named.sort_unstable();
        EventReading {
            ledger: self.ledger.named(holder, denom),
            nfts: self.objects.done(),
            metadata: named,
            is_incomplete: self.is_incomplete,
            ..EventReading::default()
        }
    }
}
