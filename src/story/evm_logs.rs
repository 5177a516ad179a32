use std::collections::{HashMap, HashSet};

use alloy_primitives::U256;

use super::{
    ContractLog, Decoded, DecodedEvent, EventPhase, Work,
    conversion::{MovedBeside, WrapperConversion},
    log::TRANSFER,
    proof::TracePlace,
};
use crate::domain::{Address, Amount, Denom, parse_coins};

/// The EVM's logs of a transaction, read once for all that is said of it.
#[derive(Debug, Default)]
pub(super) struct EvmLogs {
    by_message: HashMap<usize, Vec<SeenLog>>,
    denoms: HashMap<Address, Denom>,
    contracts: HashSet<Address>,
    /// The chain's wrappers, whose word on denoms is taken.
    wrappers: Vec<Address>,
}

/// A log and the event it is in.
#[derive(Debug)]
pub(super) struct SeenLog {
    /// The place of the event.
    pub(super) event: usize,
    /// The log's number in it.
    pub(super) number: usize,
    /// The message's number in an authz message.
    pub(super) authz: Option<usize>,
    pub(super) contract: Address,
    pub(super) log: ContractLog,
    /// What it moved, where it is a `Transfer`.
    pub(super) movement: Option<LoggedMove>,
}

/// What a `Transfer` says. The zero address stands for nobody: a mint or a burn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LoggedMove {
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) what: Moved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// So much of the contract's token.
    Amount(Amount),
    /// The contract's NFT with this id.
    Nft(U256),
}

/// The one movement of a run that has no other.
#[derive(Clone, Copy)]
struct SingleMove {
    phase: EventPhase,
    contract: Address,
    from: Address,
    to: Address,
    amount: Amount,
}

impl SingleMove {
    /// Whether an event of the bank names the same account, so that it tells of this movement.
    fn is_of(&self, event: &DecodedEvent) -> bool {
        let (name, side) = match event.kind.as_str() {
            "coin_spent" => ("spender", self.from),
            "burn" => ("burner", self.from),
            "coinbase" => ("minter", self.to),
            _ => ("receiver", self.to),
        };
        let named = event.value(name).and_then(|text| text.parse::<Address>().ok());
        named.is_some_and(|named| named.is_same_in_logs(&side))
    }
}

impl SeenLog {
    pub(super) fn trace(&self) -> TracePlace {
        TracePlace { event: self.event, log: Some(self.number) }
    }
}

impl EvmLogs {
    pub(super) fn of(decoded: &Decoded, wrappers: Vec<Address>, work: &Work) -> Self {
        let mut logs = Self { wrappers, ..Self::default() };
        // The one log of a run that the bank started; the bank's own event follows it.
        let mut of_bank: Option<SingleMove> = None;
        for (place, event) in decoded.events.iter().enumerate() {
            match event.kind.as_str() {
                "evm" => of_bank = logs.take_run(place, event, work),
                "call" | "create" | "contract_created" => logs.contracts.extend(contract_of(event)),
                "erc20_created" => {
                    if let Some((contract, denom)) = contract_of(event).zip(event.value("denom")) {
                        logs.learn(contract, denom);
                    }
                }
                "coin_spent" | "coin_received" | "coinbase" | "burn" => {
                    let coins = event.value("amount").and_then(|text| parse_coins(text).ok()).unwrap_or_default();
                    if let (Some(only), [coin]) = (of_bank, coins.as_slice())
                        && only.phase == event.phase
                        && only.amount == coin.amount
                        && only.is_of(event)
                    {
                        logs.learn(only.contract, coin.denom.as_str());
                    }
                }
                _ => {}
            }
        }
        logs
    }

    /// The logs of a message, in order.
    pub(super) fn of_message(&self, message: usize) -> &[SeenLog] {
        self.by_message.get(&message).map_or(&[], Vec::as_slice)
    }

    /// The denom that the bank has for an ERC-20: what the events tell, else the name that every ERC-20 has.
    pub(super) fn denom(&self, contract: Address) -> Denom {
        self.denoms.get(&contract).cloned().unwrap_or_else(|| erc20_denom(contract))
    }

    /// Whether somebody else than the contract itself says that it is a token: the bank, or the chain's wrapper.
    pub(super) fn is_at_bank(&self, contract: Address) -> bool {
        self.denoms.contains_key(&contract)
    }

    /// Whether the transaction shows that this is a contract: it logged, was called from outside, or was made.
    pub(super) fn is_contract(&self, address: Address) -> bool {
        self.contracts.contains(&address)
    }

    fn take_run(&mut self, place: usize, event: &DecodedEvent, work: &Work) -> Option<SingleMove> {
        let authz = event.authz_index();
        let mut single = None;
        let mut count = 0;
        let (mut moves, mut conversions) = (Vec::new(), Vec::new());
        for (number, log) in ContractLog::of_event(event).take_while(|_| work.takes_event()).enumerate() {
            let Ok(contract) = log.address.parse::<Address>() else { continue };
            let movement = LoggedMove::of(&log);
            self.contracts.insert(contract);
            count += 1;
            if let Some(LoggedMove { what: Moved::Amount(amount), from, to }) = movement {
                single = Some(SingleMove { phase: event.phase, contract, from, to, amount });
                moves.push(MovedBeside { contract, from, to, amount });
            }
            if self.wrappers.contains(&contract) {
                conversions.extend(WrapperConversion::of(&log).map(|conversion| (contract, conversion)));
            }
            if let EventPhase::Message(message) = event.phase {
                let seen = SeenLog { event: place, number, authz, contract, log, movement };
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

    /// Nobody gives an ERC-20 the name of another.
    fn learn(&mut self, contract: Address, denom: &str) {
        if !denom.starts_with("evm/") || denom == erc20_denom(contract).as_str() {
            self.denoms.entry(contract).or_insert_with(|| Denom::new(denom));
        }
    }
}

impl LoggedMove {
    fn of(log: &ContractLog) -> Option<Self> {
        let (topic, rest) = log.topics.split_first()?;
        if topic != TRANSFER {
            return None;
        }
        let what = match rest {
            [_, _] if log.data.len() == 66 => Moved::Amount(Amount::new(number(&log.data)?)),
            [_, _, id] if matches!(log.data.as_str(), "" | "0x") => Moved::Nft(number(id)?),
            _ => return None,
        };
        Some(Self { from: ContractLog::account(rest.first()?)?, to: ContractLog::account(rest.get(1)?)?, what })
    }
}

/// The name that the bank has for an ERC-20 that has no other: `evm/` and its address.
pub(super) fn erc20_denom(contract: Address) -> Denom {
    let text = contract.checksummed();
    Denom::new(format!("evm/{}", text.strip_prefix("0x").unwrap_or(&text)))
}

fn contract_of(event: &DecodedEvent) -> Option<Address> {
    event.value("contract")?.parse().ok()
}

fn number(word: &str) -> Option<U256> {
    U256::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}
