//! Assets that an account gave and got in a run, by counterparty.

use std::collections::{HashMap, HashSet};

use alloy_primitives::U256;

use super::run::{EvmRun, is_nobody};
use crate::{
    domain::{Address, Amount, text::count_of},
    events::evm::LoggedMove,
    story::{
        context::{evm_logs::SeenLog, proof::Proof},
        words::phrase::Phrase,
    },
};

/// Maximum tokens to name per side.
const MOST_FLOWS: usize = 6;
/// Maximum counterparties named beside the claimed movement.
const MOST_OTHERS: usize = 3;

/// Amount of a contract's token, with its logs.
#[derive(Clone)]
pub(super) struct TokenFlow<'s> {
    pub(super) contract: Address,
    pub(super) amount: Amount,
    pub(super) logs: Vec<&'s SeenLog>,
}

/// Net flows of an account in a run, by token.
#[derive(Default)]
pub(super) struct TokenFlows<'s> {
    pub(super) gave: Vec<TokenFlow<'s>>,
    pub(super) got: Vec<TokenFlow<'s>>,
}

impl TokenFlow<'_> {
    pub(super) fn events(&self) -> impl Iterator<Item = usize> + '_ {
        let mut last = None;
        self.logs.iter().map(|seen| seen.event).filter(move |event| last.replace(*event) != Some(*event))
    }
}

impl TokenFlows<'_> {
    /// Whether a contract is a side of these flows, or the contract of a moved token.
    pub(super) fn involve(&self, contract: Address) -> bool {
        let logs = self.gave.iter().chain(&self.got).flat_map(|flow| &flow.logs);
        let mut sides = logs.filter_map(|seen| seen.movement.map(ends)).flatten();
        sides.any(|side| side.is_same_in_logs(&contract))
    }
}

/// Sides of a movement. Minted tokens come from their contract, burned tokens return to their contract.
fn ends(movement: LoggedMove) -> [Address; 2] {
    [movement.from, movement.to].map(|side| if is_nobody(side) { movement.contract } else { side })
}

impl<'s> EvmRun<'s, '_> {
    /// Returns all net flows of an account in the unused logs, by token in log order.
    pub(super) fn flows(&self, account: Address) -> TokenFlows<'s> {
        self.flows_where(account, |_, _| true)
    }

    /// Returns the net flows between an account and one contract. Only these are "from", "into" or "for" the contract.
    pub(super) fn flows_with(&self, account: Address, contract: Address) -> TokenFlows<'s> {
        self.flows_where(account, |movement, is_given| {
            let [from, to] = ends(movement);
            contract.is_same_in_logs(if is_given { &to } else { &from })
        })
    }

    /// Returns what one account gave and another got along a path of logs. Tokens of an account that got nothing along
    /// it, and payments that led nowhere, do not count.
    pub(super) fn exchanged(&self, giver: Address, getter: Address) -> TokenFlows<'s> {
        let moves: Vec<[[u8; 20]; 2]> =
            self.amounts().map(|(_, movement, _)| ends(movement).map(|side| side.tail())).collect();
        let own = [giver.tail(), getter.tail()];
        let paid = reached(giver.tail(), moves.iter().copied(), own);
        let paying = reached(getter.tail(), moves.iter().map(|[from, to]| [*to, *from]), own);
        let is_part = |movement: LoggedMove, is_given: bool| {
            let [from, to] = ends(movement).map(|side| side.tail());
            if is_given { paying.contains(&to) } else { paid.contains(&from) }
        };
        TokenFlows { gave: self.flows_where(giver, is_part).gave, got: self.flows_where(getter, is_part).got }
    }

    /// Returns an account's net flows in the unused logs that fit; the second argument is whether the account gives.
    pub(super) fn flows_where(&self, account: Address, fits: impl Fn(LoggedMove, bool) -> bool) -> TokenFlows<'s> {
        let mut tokens: Vec<(Address, U256, U256, Vec<&'s SeenLog>)> = Vec::new();
        let mut places: HashMap<Address, usize> = HashMap::new();
        for (seen, movement, amount) in self.amounts() {
            let (gives, gets) = (movement.from.is_same_in_logs(&account), movement.to.is_same_in_logs(&account));
            if gives == gets || !fits(movement, gives) {
                continue;
            }
            let place = *places.entry(seen.contract).or_insert(tokens.len());
            if place == tokens.len() {
                tokens.push((seen.contract, U256::ZERO, U256::ZERO, Vec::new()));
            }
            if let Some((_, given, got, logs)) = tokens.get_mut(place) {
                let side = if gives { given } else { got };
                *side = side.saturating_add(amount.get());
                logs.push(seen);
            }
        }
        let net = |more: U256, less: U256| more.checked_sub(less).filter(|net| !net.is_zero()).map(Amount::new);
        let side = |is_given: bool| {
            let flows = tokens.iter().filter_map(|(contract, given, got, logs)| {
                let amount = if is_given { net(*given, *got)? } else { net(*got, *given)? };
                Some(TokenFlow { contract: *contract, amount, logs: logs.clone() })
            });
            flows.collect()
        };
        TokenFlows { gave: side(true), got: side(false) }
    }

    /// Claims the logs of these flows and returns their weakest evidence.
    pub(super) fn rests_on(&self, flows: &[&[TokenFlow<'s>]]) -> Proof {
        let mut proof = Proof::Shown;
        for flow in flows.iter().flat_map(|flows| flows.iter()) {
            flow.logs.iter().for_each(|seen| self.take(seen));
            proof = proof.min(self.standing(flow.contract));
        }
        proof
    }

    /// Lists amounts with their events: "1 INIT and 2 USDC".
    pub(super) fn list(&self, flows: &[TokenFlow<'s>]) -> Vec<Phrase> {
        let mut words = self.words();
        for (place, flow) in flows.iter().take(MOST_FLOWS).enumerate() {
            if place > 0 {
                words = words.text(if place + 1 == flows.len() { " and " } else { ", " });
            }
            let events: Vec<usize> = flow.events().collect();
            words = words.then(self.amount(flow.contract, flow.amount, &events));
        }
        match flows.len().saturating_sub(MOST_FLOWS) {
            0 => words.done(),
            more => words.text(format!(" and {}", count_of(more, "more token", "more tokens"))).done(),
        }
    }

    /// Describes the account's movements that no words claim yet, by counterparty: "; 99 iUSD came from V". Omits
    /// tokens that only their own contract confirms, because they could be invented.
    pub(super) fn untold(&self, account: Address) -> Vec<Phrase> {
        let mut others: Vec<Address> = Vec::new();
        let mut seen: HashSet<[u8; 20]> = HashSet::from([account.tail()]);
        for (_, movement, _) in self.amounts().filter(|(log, ..)| self.standing(log.contract) == Proof::Shown) {
            let sides = [movement.from, movement.to];
            let other = sides.iter().find(|side| !side.is_same_in_logs(&account));
            if sides.iter().any(|side| side.is_same_in_logs(&account)) {
                others.extend(other.filter(|other| seen.insert(other.tail())));
            }
        }
        let mut words = self.words();
        for other in others.iter().take(MOST_OTHERS) {
            let flows = self.flows_where(account, |movement, is_given| {
                let side = if is_given { movement.to } else { movement.from };
                side.is_same_in_logs(other) && self.standing(movement.contract) == Proof::Shown
            });
            for (flows, joint, unnamed) in
                [(flows.got, " came from ", " came from a mint"), (flows.gave, " went to ", " went to a burn")]
            {
                if flows.is_empty() {
                    continue;
                }
                words = words.text("; ").then(self.list(&flows));
                words = if is_nobody(*other) {
                    words.text(unnamed)
                } else {
                    words.text(joint).word(self.who(*other)).by(flows.iter().flat_map(TokenFlow::events))
                };
                self.rests_on(&[&flows]);
            }
        }
        match others.len().saturating_sub(MOST_OTHERS) {
            0 => words.done(),
            more => {
                words.text(format!("; more moved with {}", count_of(more, "other account", "other accounts"))).done()
            }
        }
    }
}

impl EvmRun<'_, '_> {
    /// Describes what became of the claimed movements in the same run: "; V passed 5 iUSD on to T". A receiver's code
    /// may send on at once what it gets.
    pub(super) fn passed_on(&self, caller: Address) -> Vec<Phrase> {
        let (mut holders, mut contracts) = (HashSet::new(), HashSet::new());
        for movement in self.claimed() {
            holders.insert(movement.to.tail());
            contracts.insert(movement.contract.tail());
        }
        holders.remove(&caller.tail());
        let (mut words, mut told, mut more) = (self.words(), 0, 0);
        let logs: Vec<&SeenLog> = self.free().collect();
        for (seen, movement) in logs.into_iter().filter_map(|seen| Some((seen, seen.movement?))) {
            let is_onward = holders.contains(&movement.from.tail()) && contracts.contains(&movement.contract.tail());
            if !is_onward || movement.from.is_same_in_logs(&movement.to) {
                continue;
            }
            holders.insert(movement.to.tail());
            self.take(seen);
            if told == MOST_OTHERS {
                more += 1;
                continue;
            }
            told += 1;
            let what = match (movement.amount(), movement.nft()) {
                (Some(amount), _) => self.amount(seen.contract, amount, &[seen.event]),
                (None, Some(id)) => super::nft::one(self, seen.contract, id, Some(seen.event)).done(),
                (None, None) => continue,
            };
            words = words.text("; ").word(self.who(movement.from)).by([seen.event]);
            words = if is_nobody(movement.to) {
                words.text(" burned ").then(what)
            } else {
                words.text(" passed ").then(what).text(" on to ").word(self.who(movement.to)).by([seen.event])
            };
        }
        match more {
            0 => words.done(),
            more => words.text(format!("; passed on {}", count_of(more, "more time", "more times"))).done(),
        }
    }
}

/// Returns the accounts that a path of moves leads to; it does not pass through the ends.
fn reached(start: [u8; 20], moves: impl Iterator<Item = [[u8; 20]; 2]>, ends: [[u8; 20]; 2]) -> HashSet<[u8; 20]> {
    let mut next: HashMap<[u8; 20], Vec<[u8; 20]>> = HashMap::new();
    for [from, to] in moves {
        next.entry(from).or_default().push(to);
    }
    let mut found = HashSet::new();
    let mut open = vec![start];
    while let Some(place) = open.pop() {
        for to in next.remove(&place).unwrap_or_default() {
            if found.insert(to) && !ends.contains(&to) {
                open.push(to);
            }
        }
    }
    found
}
