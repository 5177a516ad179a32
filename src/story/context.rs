//! Inputs for describing a transaction.

pub(super) mod evm_logs;
pub(super) mod local_tokens;
mod metadata;
pub(super) mod named_accounts;
pub(super) mod proof;

use std::{borrow::Cow, cell::OnceCell, collections::HashMap, sync::Arc};

use serde_json::{Map, Value};

use self::{evm_logs::EvmLogs, named_accounts::NamedAccounts, proof::Claims};
use super::{
    changes::Changes,
    decode::{Decoded, DecodedEvent},
    limits::Work,
    names::glossary::{Glossary, TokenUnit},
    places::EventPlaces,
};
use crate::{
    domain::{Address, Coin, ContractRole, Denom, MsgType},
    wire::Tx,
};

/// Inputs for a sentence.
pub(crate) struct TxContext<'a> {
    pub(crate) tx: &'a Tx,
    pub(crate) decoded: &'a Decoded,
    /// Effect of the transaction; empty for a summary.
    pub(crate) changes: &'a Changes,
    pub(crate) glossary: &'a Glossary,
    pub(crate) work: &'a Work,
    /// Tokens whose base denom the transaction names, which determines their decimals.
    pub(crate) tokens: HashMap<Denom, Arc<TokenUnit>>,
    /// EVM logs, parsed on first use.
    pub(crate) evm: OnceCell<EvmLogs>,
    /// Traces that a sentence already uses as evidence.
    pub(crate) claims: Claims,
    pub(crate) places: EventPlaces<'a>,
    /// Accounts named in events, collected on first use.
    pub(crate) named: OnceCell<NamedAccounts>,
}

/// Message of a sentence: a message of the transaction, or a nested message.
#[derive(Clone, Copy)]
pub(crate) struct MessageRef<'a> {
    /// Index of the transaction's message, which is this message or contains it.
    pub(crate) place: usize,
    /// Index within an authz message.
    pub(crate) authz: Option<usize>,
    pub(crate) depth: usize,
    pub(crate) kind: &'a MsgType,
    pub(crate) fields: &'a Map<String, Value>,
}

impl TxContext<'_> {
    /// Whether the transaction failed, so that its messages had no effect.
    pub(crate) fn is_failed(&self) -> bool {
        !self.tx.is_success()
    }

    /// Returns the events of a message with their indices; events of a nested authz message need its index.
    pub(crate) fn events_of(&self, message: MessageRef<'_>) -> impl Iterator<Item = (usize, &DecodedEvent)> {
        self.places.of(message.place, message.authz).take_while(|_| self.work.takes_event())
    }

    /// Whether the signature or an event, not only the message, names an account.
    pub(crate) fn is_named(&self, message: MessageRef<'_>, account: Address) -> bool {
        let is_signer = self.decoded.signer.is_some_and(|signer| signer.is_same_in_logs(&account));
        let named = || self.named.get_or_init(|| NamedAccounts::of(&self.decoded.events, self.work));
        is_signer || named().has(message.place, account)
    }

    /// Returns the first event of this type in a message, with its index.
    pub(crate) fn event_of(&self, message: MessageRef<'_>, kind: &str) -> Option<(usize, &DecodedEvent)> {
        self.events_of(message).find(|(_, event)| event.kind == kind)
    }

    pub(crate) fn evm_logs(&self) -> &EvmLogs {
        self.evm.get_or_init(|| {
            let wrappers = self.glossary.contracts(ContractRole::Wrapper).collect();
            EvmLogs::of(self.decoded, wrappers, self.work)
        })
    }

    /// Returns symbol and decimals of a denom, by its base denom in the transaction or by the glossary.
    pub(crate) fn token(&self, denom: &Denom) -> Option<Arc<TokenUnit>> {
        self.tokens.get(denom).or_else(|| self.glossary.token(denom)).cloned()
    }

    /// Whether network, bridge or transaction prove which token this is.
    pub(crate) fn vouches(&self, denom: &Denom) -> bool {
        self.tokens.contains_key(denom) || self.glossary.is_certain(denom)
    }
}

impl<'a> MessageRef<'a> {
    pub(crate) fn nested<'n>(self, kind: &'n MsgType, fields: &'n Map<String, Value>) -> MessageRef<'n> {
        MessageRef { place: self.place, authz: self.authz, depth: self.depth + 1, kind, fields }
    }

    /// Whether every event of the transaction's message belongs to this message: no sibling exists, or events carry its
    /// authz index.
    pub(crate) fn has_own_events(&self) -> bool {
        self.depth == 0 || (self.depth == 1 && self.authz.is_some())
    }

    /// Returns a field that is a string or a number.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        match self.fields.get(name)? {
            Value::String(text) => Some(Cow::Borrowed(text.as_str())),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        }
    }

    pub(crate) fn coin(&self, name: &str) -> Option<Coin> {
        coin_of(self.fields.get(name)?)
    }

    /// Returns the coins of a list field, without invalid coins.
    pub(crate) fn coins(&self, name: &str) -> Vec<Coin> {
        let items = self.fields.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(coin_of).collect()
    }
}

/// Parses `{denom, amount}`.
pub(crate) fn coin_of(value: &Value) -> Option<Coin> {
    let amount = value.get("amount")?.as_str()?.parse().ok()?;
    Some(Coin { denom: Denom::new(value.get("denom")?.as_str()?), amount })
}

/// Computes the changes; tokens on the network's list count as vouched for.
pub(crate) fn changes(tx: &Tx, decoded: &Decoded, glossary: &Glossary, work: &Work) -> Changes {
    let wrappers: Vec<Address> = glossary.contracts(ContractRole::Wrapper).collect();
    let mut changes = Changes::knowing(tx, decoded, glossary.vm, &wrappers, work);
    changes.vouch(|denom| glossary.is_certain(denom));
    changes
}

/// Calls `read` with the inputs for all sentences of a transaction.
pub(crate) fn tx_context<'a>(
    tx: &'a Tx,
    decoded: &'a Decoded,
    changes: &'a Changes,
    glossary: &'a Glossary,
    work: &'a Work,
) -> TxContext<'a> {
    let (tokens, places) = (local_tokens::local_tokens(decoded, glossary), EventPlaces::new(&decoded.events));
    let (claims, evm, named) = (Claims::default(), OnceCell::new(), OnceCell::new());
    TxContext { tx, decoded, changes, glossary, work, tokens, evm, claims, places, named }
}
