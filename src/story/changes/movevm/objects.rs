//! Transfers of NFTs and other Move objects.

use std::collections::HashMap;

use crate::{
    domain::Address,
    events::{
        keys,
        movevm::{ModuleEvent, StandardEvent},
    },
    story::{
        changes::{
            ledger::{EventPlace, message_of},
            parts::{NftChange, NftName},
        },
        decode::{Decoded, DecodedEvent},
        names::move_address::{account, padded},
    },
};

/// Objects seen so far.
pub(super) struct Objects<'a> {
    decoded: &'a Decoded,
    moves: Vec<NftChange>,
    /// Owner of each object after its last event.
    owners: HashMap<[u8; 32], Address>,
    /// Burns without an owner, by object.
    ownerless: HashMap<[u8; 32], usize>,
    /// Caller of a standard library function that burns, with its event.
    burner: Option<(Address, usize)>,
}

impl<'a> Objects<'a> {
    pub(super) fn new(decoded: &'a Decoded) -> Self {
        let (moves, owners, ownerless) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { decoded, moves, owners, ownerless, burner: None }
    }

    /// Handles an executed function: the caller of a standard library function owns what it burns.
    pub(super) fn executes(&mut self, place: EventPlace, event: &DecodedEvent) {
        let burns = event.text(keys::MODULE_ADDRESS) == Some("0x1")
            && event.text(keys::FUNCTION_NAME).is_some_and(|name| name.starts_with("burn"));
        let sender = event.text(keys::SENDER).and_then(|senders| account(senders.rsplit(',').next()?));
        self.burner = sender.filter(|_| burns).map(|sender| (sender, place.event));
    }

    pub(super) fn take(&mut self, place: EventPlace, tag: &str, event: ModuleEvent<'_>) {
        let handle = match tag {
            "object::CreateEvent" => Self::created,
            "object::TransferEvent" => Self::given,
            "object::DeleteEvent" => Self::deleted,
            "collection::MintEvent" => Self::minted,
            "collection::BurnEvent" => Self::burned,
            _ => return,
        };
        event.read().and_then(|data| handle(self, place, &data));
    }

    /// Returns all movements in order.
    pub(super) fn done(self) -> Vec<NftChange> {
        self.moves
    }

    fn created(&mut self, _: EventPlace, data: &StandardEvent<'_>) -> Option<()> {
        self.owners.insert(padded(&data.object)?, account(&data.owner)?);
        Some(())
    }

    fn given(&mut self, place: EventPlace, data: &StandardEvent<'_>) -> Option<()> {
        let (object, to) = (padded(&data.object)?, account(&data.to)?);
        self.owners.insert(object, to);
        let what = NftName::Object { object: data.object.to_string() };
        self.push(place, what, account(&data.from), Some(to));
        Some(())
    }

    /// Handles a deleted object, which identifies the owner of a burned NFT.
    fn deleted(&mut self, place: EventPlace, data: &StandardEvent<'_>) -> Option<()> {
        let (object, owner) = (padded(&data.object)?, account(&data.owner)?);
        match self.ownerless.remove(&object).and_then(|place| self.moves.get_mut(place)) {
            Some(burn) => {
                burn.from = Some(owner);
                burn.is_inferred = false;
                burn.events.push(place.event);
            }
            None => drop(self.owners.insert(object, owner)),
        }
        Some(())
    }

    fn minted(&mut self, place: EventPlace, data: &StandardEvent<'_>) -> Option<()> {
        let (object, what) = nft(data)?;
        let to = self.owners.get(&object).copied();
        self.push(place, what, None, to);
        Some(())
    }

    fn burned(&mut self, place: EventPlace, data: &StandardEvent<'_>) -> Option<()> {
        let (object, what) = nft(data)?;
        let owner = self.owners.remove(&object);
        let burner = self.burner.filter(|_| owner.is_none());
        self.push(place, what, owner.or(burner.map(|(who, _)| who)), None);
        if let (Some(burn), Some((_, call))) = (self.moves.last_mut(), burner) {
            burn.is_inferred = true;
            burn.events.insert(0, call);
        }
        if owner.is_none() {
            self.ownerless.insert(object, self.moves.len().saturating_sub(1));
        }
        Some(())
    }

    fn push(&mut self, place: EventPlace, what: NftName, from: Option<Address>, to: Option<Address>) {
        let message = message_of(place.phase, self.decoded);
        let events = vec![place.event];
        self.moves.push(NftChange {
            message,
            what,
            from,
            is_inferred: false,
            to,
            amount: None,
            origin_id: None,
            events,
        });
    }
}

fn nft(data: &StandardEvent<'_>) -> Option<([u8; 32], NftName)> {
    padded(&data.collection)?;
    let object = padded(&data.nft)?;
    let (collection, token_id) = (data.collection.to_string(), data.token_id.to_string());
    Some((object, NftName::Nft { collection, token_id, nft: data.nft.to_string() }))
}
