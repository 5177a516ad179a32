use std::collections::{HashMap, HashSet};

use super::proof::TracePlace;
use crate::{
    domain::{Address, Denom},
    events::{
        EventClass, EventRecord,
        bank::BankEvent,
        evm::LoggedMove,
        keys,
        names::{CALL, CONTRACT_CREATED, CREATE, ERC20_CREATED},
    },
    story::{
        ContractLog,
        abi::conversion::WrapperConversion,
        decode::{Decoded, DecodedEvent, EventPhase},
        limits::Work,
    },
};

/// EVM logs of a transaction, parsed once.
#[derive(Debug, Default)]
pub(crate) struct EvmLogs {
    by_message: HashMap<usize, Vec<SeenLog>>,
    denoms: HashMap<Address, Denom>,
    contracts: HashSet<Address>,
    /// The chain's wrappers, whose denoms are trusted.
    wrappers: Vec<Address>,
}

#[derive(Debug)]
pub(crate) struct SeenLog {
    pub(crate) event: usize,
    /// Index of the log within the event.
    pub(crate) number: usize,
    /// Index of the message within an authz message.
    pub(crate) authz: Option<usize>,
    pub(crate) contract: Address,
    pub(crate) log: ContractLog,
    /// Movement, for a `Transfer`.
    pub(crate) movement: Option<LoggedMove>,
}

/// Only movement of a call.
#[derive(Clone, Copy)]
struct SingleMove {
    phase: EventPhase,
    moved: LoggedMove,
}

impl SingleMove {
    /// Whether a bank event names the same account and so describes this movement.
    fn is_of(&self, event: BankEvent<'_>) -> bool {
        let side = if event.change.is_loss() { self.moved.from } else { self.moved.to };
        event.address().is_some_and(|named| named.is_same_in_logs(&side))
    }
}

impl SeenLog {
    pub(crate) fn trace(&self) -> TracePlace {
        TracePlace { event: self.event, log: Some(self.number) }
    }
}

impl EvmLogs {
    pub(crate) fn of(decoded: &Decoded, wrappers: Vec<Address>, work: &Work) -> Self {
        let mut logs = Self { wrappers, ..Self::default() };
        // Only log of a call that the bank started; the bank's own event follows.
        let mut of_bank: Option<SingleMove> = None;
        for (place, event) in decoded.events.iter().enumerate() {
            match event.kind.as_str() {
                _ if matches!(event.class(), EventClass::Evm(_)) => of_bank = logs.take_run(place, event, work),
                CREATE | CONTRACT_CREATED => logs.contracts.extend(contract_of(event)),
                // A call of an account without code succeeds too, and returns nothing.
                CALL if event.text(keys::RETURNED).is_some_and(|returned| !matches!(returned, "" | "0x")) => {
                    logs.contracts.extend(contract_of(event));
                }
                ERC20_CREATED => {
                    if let Some((contract, denom)) = contract_of(event).zip(event.text(keys::DENOM)) {
                        logs.learn(contract, denom);
                    }
                }
                _ => {
                    if let Some(bank) = BankEvent::of(event)
                        && let (Some(only), [coin]) = (of_bank, bank.coins().as_slice())
                        && only.phase == event.phase
                        && only.moved.amount() == Some(coin.amount)
                        && only.is_of(bank)
                    {
                        logs.learn(only.moved.contract, coin.denom.as_str());
                    }
                }
            }
        }
        logs
    }

    /// Returns the logs of a message, in order.
    pub(crate) fn of_message(&self, message: usize) -> &[SeenLog] {
        self.by_message.get(&message).map_or(&[], Vec::as_slice)
    }

    /// Returns the bank's denom of an ERC-20: from the events, else the default denom.
    pub(crate) fn denom(&self, contract: Address) -> Denom {
        self.denoms.get(&contract).cloned().unwrap_or_else(|| Denom::of_erc20(contract))
    }

    /// Whether the bank or the chain's wrapper, rather than only the contract, confirms that it is a token.
    pub(crate) fn is_at_bank(&self, contract: Address) -> bool {
        self.denoms.contains_key(&contract)
    }

    /// Whether the transaction shows that an address is a contract: it logged, answered a call, or was created.
    pub(crate) fn is_contract(&self, address: Address) -> bool {
        self.contracts.contains(&address)
    }

    fn take_run(&mut self, place: usize, event: &DecodedEvent, work: &Work) -> Option<SingleMove> {
        let authz = event.authz_index();
        let mut single = None;
        let mut count = 0;
        let (mut moves, mut conversions) = (Vec::new(), Vec::new());
        for (number, log) in event.logs().take_while(|_| work.takes_event()).enumerate() {
            let Ok(contract) = log.address.parse::<Address>() else { continue };
            let movement = LoggedMove::of(log);
            self.contracts.insert(contract);
            count += 1;
            if let Some(moved) = movement.filter(|moved| moved.amount().is_some()) {
                single = Some(SingleMove { phase: event.phase, moved });
                moves.push(moved);
            }
            if self.wrappers.contains(&contract) {
                conversions.extend(WrapperConversion::of(log).map(|conversion| (contract, conversion)));
            }
            if let EventPhase::Message(message) = event.phase {
                let seen = SeenLog { event: place, number, authz, contract, log: log.clone(), movement };
                self.by_message.entry(message).or_default().push(seen);
            }
        }
        for (wrapper, conversion) in conversions {
            let sides = conversion.sides(wrapper, &moves);
            for (side, coin) in sides.into_iter().zip([&conversion.from, &conversion.to]) {
                if let Some(moved) = side.and_then(|side| moves.get(side)) {
                    self.learn(moved.contract, coin.denom.as_str());
                }
            }
        }
        single.filter(|_| count == 1)
    }

    /// Records a denom; a denom that names another ERC-20 is ignored.
    fn learn(&mut self, contract: Address, denom: &str) {
        if !denom.starts_with("evm/") || denom == Denom::of_erc20(contract).as_str() {
            self.denoms.entry(contract).or_insert_with(|| Denom::new(denom));
        }
    }
}

fn contract_of(event: &DecodedEvent) -> Option<Address> {
    event.get(keys::CONTRACT)
}
