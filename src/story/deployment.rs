//! Transaction that deployed a contract, by the chain's own events, which no contract can imitate.

use crate::{
    domain::{Address, Height, TxHash},
    events::{
        keys,
        names::{CONTRACT_CREATED, CREATE, INSTANTIATE},
    },
    story::decode::{DecodedEvent, EventPhase, decode},
    wire::Tx,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractDeployment {
    pub tx: TxHash,
    pub height: Height,
    /// Sender of the message that deploys the contract; `None` if another contract or a module made it.
    pub by: Option<Address>,
}

/// Returns how a transaction deployed this contract; `None` if its events show no such deployment.
pub fn deployment(tx: &Tx, contract: Address) -> Option<ContractDeployment> {
    // Quick check that spares most transactions the parsing.
    let is_candidate = [CONTRACT_CREATED, INSTANTIATE].iter().any(|kind| tx.events.get().contains(kind));
    if !tx.is_success() || !is_candidate {
        return None;
    }
    let decoded = decode(tx);
    let made = |event: &DecodedEvent| match event.kind.as_str() {
        CREATE | CONTRACT_CREATED => event.get(keys::CONTRACT),
        INSTANTIATE => event.get(keys::WASM_CONTRACT),
        _ => None,
    };
    let own = decoded.events.iter().find(|event| made(event) == Some(contract))?;
    let by = || {
        let EventPhase::Message(place) = own.phase else { return None };
        let message = decoded.messages.get(place)?;
        // The chain writes the event of the message's own contract before those of contracts that this one makes.
        let is_outer = |event: &&DecodedEvent| event.phase == own.phase && matches!(&*event.kind, CREATE | INSTANTIATE);
        let outer = decoded.events.iter().find(is_outer).and_then(made);
        let is_own = outer == Some(contract) && is_deploying(message.kind.short());
        message.fields.get("sender").filter(|_| is_own)?.as_str()?.parse().ok()
    };
    Some(ContractDeployment { tx: tx.txhash, height: tx.height, by: by() })
}

fn is_deploying(kind: &str) -> bool {
    matches!(kind, "MsgCreate" | "MsgCreate2" | "MsgInstantiateContract" | "MsgInstantiateContract2")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tx(code: u32, message: &Value, events: &[(&str, &str, &str)]) -> Tx {
        let event = |(kind, key, value): &(&str, &str, &str)| {
            let attribute = |key: &str, value: &str| json!({"key": key, "value": value, "index": true});
            json!({"type": kind, "attributes": [attribute(key, value), attribute("msg_index", "0")]})
        };
        let record = json!({
            "txhash": "AB".repeat(32), "height": "5", "code": code, "timestamp": "2026-01-31T12:00:00Z",
            "tx": {"body": {"messages": [message]}}, "events": events.iter().map(event).collect::<Vec<_>>(),
        });
        serde_json::from_str(&record.to_string()).unwrap()
    }

    #[test]
    fn a_deployment_is_the_chains_event_and_its_sender_the_messages_own() {
        let [sender, contract, inner] = [1, 2, 3].map(|byte| Address::Short([byte; 20]));
        let (outer, nested) = (contract.checksummed(), inner.checksummed());
        let create = json!({"@type": "/minievm.evm.v1.MsgCreate", "sender": sender.bech32()});
        let call = json!({"@type": "/minievm.evm.v1.MsgCall", "sender": sender.bech32()});
        let events = [
            ("contract_created", "contract", &*nested),
            ("contract_created", "contract", &*outer),
            ("create", "contract", &*outer),
        ];
        let by = |tx: &Tx, contract| deployment(tx, contract).map(|found| found.by);
        let created = tx(0, &create, &events);
        assert_eq!(by(&created, contract), Some(Some(sender)));
        assert_eq!(by(&created, inner), Some(None), "the contract made it");
        assert_eq!(by(&created, sender), None);
        assert_eq!(by(&tx(0, &call, &events[..1]), inner), Some(None));
        assert_eq!(by(&tx(1, &create, &events), contract), None, "a failed transaction deploys nothing");
        let said = [("wasm-instantiate", "_contract_address", &*outer), ("evm", "log", "contract_created")];
        assert_eq!(by(&tx(0, &create, &said), contract), None, "contracts choose these events");
    }

    #[test]
    fn of_several_wasm_contracts_in_one_message_the_first_is_its_own() {
        let [sender, contract, inner] = [1, 2, 3].map(|byte| Address::Long([byte; 32]));
        let kind = "/cosmwasm.wasm.v1.MsgInstantiateContract";
        let message = json!({"@type": kind, "sender": sender.bech32()});
        let (outer, nested) = (contract.bech32(), inner.bech32());
        let events = [("instantiate", "_contract_address", &*outer), ("instantiate", "_contract_address", &*nested)];
        let tx = tx(0, &message, &events);
        assert_eq!(deployment(&tx, contract).and_then(|found| found.by), Some(sender));
        assert_eq!(deployment(&tx, inner).map(|found| found.by), Some(None));
    }
}
