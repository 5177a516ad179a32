use crate::{
    domain::Address,
    events::{ChainEvent, evm::LoggedMove, keys, names::TRANSFER},
    story::decode::{DecodedEvent, EventPhase, decode},
    wire::Tx,
};

/// Effect of a transaction on one account, without fees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Received.
    In,
    Out,
    /// Sent and received.
    Both,
    /// Sent to the same account.
    Own,
    /// Signed without a movement.
    Signed,
    Mentioned,
}

/// Part of one account in a transaction, by the messages' events; in a failed transaction nothing moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountPart {
    pub direction: Direction,
    pub is_signer: bool,
    /// Other accounts that the account received from or sent to, each once.
    pub counterparties: Vec<Address>,
}

impl AccountPart {
    pub fn of(tx: &Tx, account: Address) -> Self {
        let decoded = decode(tx);
        let is_signer = decoded.signer.is_some_and(|signer| signer.is_same_in_logs(&account));
        let mut moves = Moves { account, came: false, left: false, stayed: false, others: Vec::new() };
        let of_messages = decoded.events.iter().filter(|event| matches!(event.phase, EventPhase::Message(_)));
        of_messages.filter(|_| tx.is_success()).for_each(|event| moves.read(event));
        let direction = match moves {
            Moves { came: true, left: true, .. } => Direction::Both,
            Moves { came: true, .. } => Direction::In,
            Moves { left: true, .. } => Direction::Out,
            Moves { stayed: true, .. } => Direction::Own,
            _ if is_signer => Direction::Signed,
            _ => Direction::Mentioned,
        };
        let mut counterparties = moves.others;
        counterparties.sort_by_key(Address::tail);
        counterparties.dedup_by(|one, other| one.is_same_in_logs(other));
        Self { direction, is_signer, counterparties }
    }
}

struct Moves {
    account: Address,
    came: bool,
    left: bool,
    stayed: bool,
    others: Vec<Address>,
}

impl Moves {
    fn read(&mut self, event: &DecodedEvent) {
        match ChainEvent::of(event) {
            // A contract's own tokens and NFTs.
            ChainEvent::Wasm => match event.text(keys::ACTION) {
                Some("mint" | "instantiate") => self.between(None, event.text(keys::TO).or(event.text(keys::OWNER))),
                Some("burn") => self.between(event.text(keys::FROM), None),
                Some("transfer" | "send" | "transfer_from" | "send_from") => {
                    self.between(event.text(keys::FROM), event.text(keys::TO));
                }
                // The sender only asked for it.
                Some("transfer_nft" | "send_nft") => self.between(None, event.text(keys::RECIPIENT)),
                _ => {}
            },
            // On Move the object's owner changes.
            ChainEvent::Move(given) if given.standard() == Some("object::TransferEvent") => {
                if let Some(moved) = given.read() {
                    self.between(Some(&moved.from), Some(&moved.to));
                }
            }
            ChainEvent::Evm(_) => {
                let moves = event.logs().filter_map(LoggedMove::of);
                moves.for_each(|moved| self.between_accounts(moved.sender(), moved.recipient()));
            }
            ChainEvent::Other if event.kind == TRANSFER => {
                self.between(event.text(keys::SENDER), event.text(keys::RECIPIENT));
            }
            _ => {}
        }
    }

    fn between(&mut self, from: Option<&str>, to: Option<&str>) {
        let account = |text: Option<&str>| text.and_then(|text| text.parse().ok());
        self.between_accounts(account(from), account(to));
    }

    fn between_accounts(&mut self, from: Option<Address>, to: Option<Address>) {
        let is_account = |side: Option<Address>| side.is_some_and(|address| address.is_same_in_logs(&self.account));
        let other = match (is_account(from), is_account(to)) {
            (true, true) => {
                self.stayed = true;
                None
            }
            (true, false) => {
                self.left = true;
                to
            }
            (false, true) => {
                self.came = true;
                from
            }
            (false, false) => None,
        };
        self.others.extend(other);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::events::names::TRANSFER_TOPIC;

    const ONE: Address = Address::Short([0x11; 20]);
    const OTHER: Address = Address::Short([0x22; 20]);

    fn event(kind: &str, attributes: &[(&str, String)]) -> Value {
        let mut attributes: Vec<Value> =
            attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
        attributes.push(json!({"key": "msg_index", "value": "0"}));
        json!({"type": kind, "attributes": attributes})
    }

    fn direction(code: u32, events: &[Value]) -> Direction {
        part(code, events).direction
    }

    fn part(code: u32, events: &[Value]) -> AccountPart {
        let mut all = vec![json!({"type": "tx", "attributes": [{"key": "acc_seq", "value": format!("{ONE}/3")}]})];
        all.extend(events.iter().cloned());
        let record = json!({
            "txhash": "0".repeat(64), "height": "7", "code": code, "timestamp": "2026-01-01T00:00:00Z",
            "tx": {"body": {"messages": []}}, "events": all,
        });
        AccountPart::of(&serde_json::from_str(&record.to_string()).unwrap(), ONE)
    }

    fn transfer(from: Address, to: Address) -> Value {
        event("transfer", &[("recipient", to.bech32()), ("sender", from.bech32()), ("amount", "1uinit".to_owned())])
    }

    #[test]
    fn the_other_accounts_are_those_that_sent_or_received() {
        let third = Address::Short([0x33; 20]);
        let events = [transfer(ONE, OTHER), transfer(third, ONE), transfer(OTHER, ONE), transfer(OTHER, third)];
        assert_eq!(part(0, &events).counterparties, [OTHER, third]);
        assert_eq!(part(0, &[transfer(ONE, ONE), transfer(OTHER, third)]).counterparties, []);
        assert_eq!((part(5, &events).counterparties, part(5, &events).is_signer), (Vec::new(), true));
    }

    #[test]
    fn coins_say_which_way() {
        assert_eq!(direction(0, &[transfer(ONE, OTHER)]), Direction::Out);
        assert_eq!(direction(0, &[transfer(OTHER, ONE)]), Direction::In);
        assert_eq!(direction(0, &[transfer(OTHER, ONE), transfer(ONE, OTHER)]), Direction::Both);
        assert_eq!(direction(0, &[transfer(ONE, ONE)]), Direction::Own);
        assert_eq!(direction(0, &[transfer(OTHER, OTHER)]), Direction::Signed);
        assert_eq!(direction(5, &[transfer(ONE, OTHER)]), Direction::Signed);
    }

    #[test]
    fn logs_and_contracts_say_so_too() {
        let word = |address: Address| format!("0x{:0>64}", address.hex().trim_start_matches("0x"));
        let log = json!({"address": "0x01", "topics": [TRANSFER_TOPIC, word(OTHER), word(ONE)], "data": format!("0x{:0>64}", 1)});
        assert_eq!(direction(0, &[event("evm", &[("log", log.to_string())])]), Direction::In);
        let token = [("action", "transfer_nft".to_owned()), ("sender", ONE.bech32()), ("recipient", OTHER.bech32())];
        assert_eq!(direction(0, &[event("wasm", &token)]), Direction::Signed, "who asked is not always the owner");
        let token = [("action", "transfer_nft".to_owned()), ("sender", OTHER.bech32()), ("recipient", ONE.bech32())];
        assert_eq!(direction(0, &[event("wasm", &token)]), Direction::In);
        let object = json!({"object": "0x9", "from": ONE.hex(), "to": OTHER.hex()}).to_string();
        let moved = [("type_tag", "0x1::object::TransferEvent".to_owned()), ("data", object)];
        assert_eq!(direction(0, &[event("move", &moved)]), Direction::Out);
    }
}
