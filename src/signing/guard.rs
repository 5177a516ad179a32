//! Protection against a hostile router: compares the router's transactions with the quote that the user accepted.

mod connection;
mod cosmos;
mod doubt;
mod evm;
mod refusal;
mod timeouts;
mod yielded;

use std::cell::RefCell;

use self::{
    connection::{StepConnection, connection_of},
    yielded::{Performed, Yielded},
};
pub use self::{
    doubt::{RouteConnection, RouteDoubt},
    refusal::SigningRefusal,
};

use super::{
    ContractPart, ContractUse, ContractVerdict, EthereumCall, FundsEffect, KnownContracts, QuotedDollars,
    SignableMessage, account_of,
};
use crate::{
    domain::{Address, Amount, ChainId, Coin, Denom, ExactDecimal, Slippage, Timestamp},
    wire::router::{FeeBehavior, MsgsResponse, OpHook, Operation, Route, RouterTx, RouterTxKind, SignedOpHook},
};

/// Quote, addresses and slippage that the user accepted.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedQuote<'a> {
    /// Route that rollscope showed to the user.
    pub route: &'a Route,
    /// Addresses in the order of the route's `required_chain_addresses`; the last address receives.
    pub addresses: &'a [String],
    pub slippage: Slippage,
    pub hook: Option<&'a SignedOpHook>,
    /// Known contracts; the router may own any other contract.
    pub known: &'a KnownContracts,
    /// Time of the comparison, for the router's timeouts.
    pub now: Timestamp,
}

/// Transaction that rollscope understands completely and that matches the accepted quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyTx {
    /// Chain that executes the transaction.
    pub chain_id: ChainId,
    /// Signer in the chain's format.
    pub signer: String,
    pub form: ReadyForm,
    /// Effects in order, for the user to read before signing.
    pub effects: Vec<FundsEffect>,
    /// Denom that leaves the signer's account, as quoted.
    pub source: Denom,
    /// Owner of the funds after all steps that the transaction starts.
    pub receiver: String,
    pub arrives_on: ChainId,
    /// Denom that arrives by what is signed; the quote's with a doubt about the arrival. `None` if nobody names it.
    pub arrives_as: Option<Denom>,
    /// Minimum that arrives by what is signed, in the smallest unit; only for the last transaction.
    pub least: Option<Amount>,
    /// Dollar value of the leaving funds, by the router; only for the first transaction of a quote with a price.
    pub dollars: Option<QuotedDollars>,
    /// Parts that only the router tells.
    pub doubts: Vec<RouteDoubt>,
    /// Connections of its steps that settings, registry or chain know.
    pub proven: Vec<RouteConnection>,
    /// Contracts that the transaction involves, each once per role.
    pub contracts: Vec<ContractUse>,
}

impl ReadyTx {
    /// Returns what leaves the signer's account, once per denom; `None` if an amount is unknown.
    pub fn spent(&self) -> Option<Vec<Coin>> {
        let mut sums: Vec<Coin> = Vec::new();
        for effect in &self.effects {
            for coin in effect.spent(&self.signer, &self.source)? {
                match sums.iter_mut().find(|sum| sum.denom.is_same(&coin.denom)) {
                    Some(sum) => sum.amount = sum.amount.checked_add(coin.amount)?,
                    None => sums.push(coin),
                }
            }
        }
        Some(sums)
    }

    fn doubt(&mut self, doubt: RouteDoubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Whether the funds wait for a claim, which needs another signature.
    pub fn is_withdrawal(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, FundsEffect::Withdrawal { .. }))
    }

    /// Compares the router's decimals of the leaving and arriving denoms with the known decimals.
    pub fn check_decimals(
        &self,
        known: &KnownContracts,
        listed: impl Fn(&ChainId, &Denom) -> Option<u8>,
    ) -> Result<(), SigningRefusal> {
        let arrives = self.arrives_as.iter().map(|denom| (&self.arrives_on, denom));
        let mut ends = [(&self.chain_id, &self.source)].into_iter().chain(arrives);
        ends.try_for_each(|(chain, denom)| {
            let both = known.decimals_of(chain, denom).zip(listed(chain, denom));
            match both.filter(|(known, listed)| known != listed) {
                None => Ok(()),
                Some((known, found)) => Err(SigningRefusal::Decimals { denom: denom.clone(), known, found }),
            }
        })
    }

    /// Records the user's confirmation of all contracts.
    pub fn accept_contracts(&mut self) {
        for contract in self.contracts.iter_mut().filter(|contract| contract.verdict == ContractVerdict::Unknown) {
            contract.verdict = ContractVerdict::Accepted;
        }
    }
}

/// Format of a transaction to sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadyForm {
    /// Messages for [`super::SignDocument`].
    Cosmos(Vec<SignableMessage>),
    /// Call for `eth_sendTransaction`, preceded by its approvals.
    Ethereum(EthereumCall),
}

impl AcceptedQuote<'_> {
    /// Compares the router's transactions with the accepted quote. Returns all transactions, or an error.
    pub fn compare(&self, answer: &MsgsResponse) -> Result<Vec<ReadyTx>, SigningRefusal> {
        let count = usize::try_from(self.route.txs_count()).unwrap_or(usize::MAX);
        if answer.txs.len() != count {
            return Err(SigningRefusal::Count { quoted: count, found: answer.txs.len() });
        }
        if self.addresses.len() != self.route.required_chain_addresses.len() || self.addresses.is_empty() {
            return Err(SigningRefusal::Quote("the required addresses"));
        }
        let least = self.least();
        if let Some(found) = answer.min_amount_out.filter(|found| *found < least) {
            return Err(SigningRefusal::MinimumBelow { least, found: Some(found) });
        }
        self.check_connections()?;
        let compared = answer.txs.iter().zip(0..).map(|(tx, place)| self.tx(tx, place));
        let (mut ready, mut yields): (Vec<ReadyTx>, Vec<Yielded>) =
            compared.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        self.route.check_steps()?;
        self.route.check_addresses()?;
        if let Some((last, yielded)) = ready.last_mut().zip(yields.pop()) {
            self.arrive(last, yielded, least)?;
        }
        Ok(ready)
    }

    /// Sets what arrives at the end of the route: what is signed yields it, and the quote must agree.
    fn arrive(&self, end: &mut ReadyTx, yielded: Yielded, least: Amount) -> Result<(), SigningRefusal> {
        let (chain, quoted) = (&self.route.dest_asset_chain_id, &self.route.dest_asset_denom);
        let total = self.route.amount_out;
        end.arrives_on = chain.clone();
        if yielded.is_hooked {
            (end.arrives_as, end.least) = (yielded.denom, yielded.amount);
            return Ok(());
        }
        match &yielded.denom {
            Some(derived) if !derived.is_same(quoted) => {
                let derived = derived.marked().into_owned();
                return Err(SigningRefusal::Yield { chain: chain.clone(), derived, quoted: quoted.clone() });
            }
            Some(_) => {}
            None => end.doubt(RouteDoubt::Arrival { chain: chain.clone(), denom: quoted.clone() }),
        }
        end.arrives_as = Some(quoted.clone());
        end.least = Some(match yielded.amount {
            Some(derived) if least > derived || !self.swaps() && !yielded.may_shrink && derived != total => {
                return Err(SigningRefusal::YieldAmount { derived, quoted: total });
            }
            Some(derived) if !yielded.may_shrink => derived,
            _ => least,
        });
        Ok(())
    }

    /// Compares the messages of a hook, which the recipient's account executes on arrival, with the accepted quote. Its
    /// allowance must be for the contract called next, and that contract must be known. Returns the hook to sign, whose
    /// allowance is exactly what the deposit brings, whatever the router's is.
    pub fn compare_hook(&self, hook: &OpHook) -> Result<(OpHook, Vec<FundsEffect>), SigningRefusal> {
        let (exact, effects) = self.hook_effects(hook)?;
        // The hook is signed in advance, so no later refusal is possible.
        match self.hook_contracts(&exact, &effects).into_iter().find(ContractUse::is_unknown) {
            Some(ContractUse { chain_id, address, .. }) => Err(SigningRefusal::UnknownContract { chain_id, address }),
            None => Ok((exact, effects)),
        }
    }

    /// Returns what only the router tells of a hook: decimals that no other source knows.
    pub fn hook_doubts(&self, hook: &OpHook, effects: &[FundsEffect]) -> Vec<RouteDoubt> {
        let doubts = effects.iter().filter_map(|effect| match effect {
            FundsEffect::Conversion { denom, decimals: Some(decimals), .. }
                if cosmos::known_decimals(self, denom).is_none() =>
            {
                Some(RouteDoubt::Decimals { chain: hook.chain_id.clone(), denom: denom.clone(), decimals: *decimals })
            }
            _ => None,
        });
        doubts.collect()
    }

    /// Returns the contracts of a hook, each once per role.
    pub fn hook_contracts(&self, hook: &OpHook, effects: &[FundsEffect]) -> Vec<ContractUse> {
        let met = effects.iter().filter_map(cosmos::called_contract);
        let met = met.map(|(address, part)| ContractUse {
            chain_id: hook.chain_id.clone(),
            address,
            shown: address.checksummed(),
            part,
            verdict: self.known.verdict(&hook.chain_id, address, part),
        });
        met.collect()
    }

    /// Returns hook and effects without a check of contracts: use them for descriptions, never for a signature.
    pub fn hook_effects(&self, hook: &OpHook) -> Result<(OpHook, Vec<FundsEffect>), SigningRefusal> {
        if hook.chain_id != self.route.dest_asset_chain_id {
            let (quoted, found) = (self.route.dest_asset_chain_id.clone(), hook.chain_id.clone());
            return Err(SigningRefusal::Chain { quoted, found });
        }
        let messages: Vec<SignableMessage> =
            hook.hook.iter().map(SignableMessage::of_hook).collect::<Result<_, _>>()?;
        self.check_connections()?;
        let recipient = self.recipient();
        for message in &messages {
            is_signed_by(recipient, message.signer())?;
        }
        let effects = cosmos::hook_effects(self, &messages)?;
        Ok((cosmos::hook_with_effects(hook, &effects)?, effects))
    }

    /// Compares the bridge or channel of each step with the known one.
    fn check_connections(&self) -> Result<(), SigningRefusal> {
        self.route.operations.iter().try_for_each(|step| connection_of(step, self.known).map(drop))
    }

    /// Whether a step of the route swaps, whatever the route says of itself.
    fn swaps(&self) -> bool {
        self.route.operations.iter().any(|step| step.kind.is_swap())
    }

    /// Returns the accepted minimum output of the route, in the smallest unit.
    fn least(&self) -> Amount {
        if self.route.does_swap || self.swaps() {
            self.slippage.least_of(self.route.amount_out)
        } else {
            self.route.amount_out
        }
    }

    /// Returns the value of the quote's input, by the router.
    fn dollars(&self) -> Option<QuotedDollars> {
        let dollars = ExactDecimal::parse(&self.route.usd_amount_in).ok()?;
        Some(QuotedDollars { amount: self.route.amount_in, dollars })
    }

    fn recipient(&self) -> &str {
        self.addresses.last().map_or("", String::as_str)
    }

    fn tx(&self, tx: &RouterTx, place: u32) -> Result<(ReadyTx, Yielded), SigningRefusal> {
        let steps: Vec<&Operation> =
            self.route.operations.iter().filter(|operation| operation.tx_index == place).collect();
        let first = steps.first().ok_or(SigningRefusal::Quote("the effect of each transaction"))?;
        let quoted = first.from_chain().ok_or(SigningRefusal::Quote("the source chain of each step"))?;
        let found = tx.chain_id().ok_or_else(|| kind_of(tx))?;
        if quoted != found {
            return Err(SigningRefusal::Chain { quoted: quoted.clone(), found: found.clone() });
        }
        let stage = QuotedTx {
            quote: self,
            steps: &steps,
            chain: quoted,
            contracts: RefCell::default(),
            performed: RefCell::default(),
        };
        let signer = stage.signer()?.to_owned();
        let (form, effects) = match &tx.kind {
            RouterTxKind::Cosmos { msgs, signer_address, .. } => {
                // The older JSON form names no signer.
                if !signer_address.is_empty() {
                    is_signed_by(&signer, signer_address.as_received())?;
                }
                let messages: Vec<SignableMessage> =
                    msgs.iter().map(SignableMessage::of_router).collect::<Result<_, _>>()?;
                for message in &messages {
                    is_signed_by(&signer, message.signer())?;
                }
                let effects = cosmos::effects(&stage, &messages)?;
                (ReadyForm::Cosmos(messages), effects)
            }
            RouterTxKind::Evm { .. } => {
                let call = EthereumCall::of_router(&tx.kind)?;
                is_signed_by(&signer, &call.from.hex())?;
                let effects = evm::effects(&stage, &call)?;
                (ReadyForm::Ethereum(call), effects)
            }
            RouterTxKind::Svm { .. } | RouterTxKind::Other(_) => return Err(kind_of(tx)),
        };
        let receiver = stage.receiver_of(steps.len().saturating_sub(1))?.to_owned();
        let last = steps.last().copied().unwrap_or(first);
        let found = steps.iter().filter_map(|step| connection_of(step, self.known).ok().flatten());
        let (proven, unproven): (Vec<StepConnection>, Vec<_>) = found.partition(|one| one.is_known);
        let connections = |found: Vec<StepConnection>| found.into_iter().map(|one| one.connection);
        let yielded = yielded::follow(&stage, &effects, &stage.performed.borrow())?;
        let arrives_on = last.to_chain().unwrap_or(quoted).clone();
        let arrives_as = yielded.denom.clone().or_else(|| last.denom_out().cloned());
        let mut ready = ReadyTx {
            chain_id: quoted.clone(),
            signer,
            form,
            effects,
            source: stage.denom_in(0)?.clone(),
            receiver,
            arrives_on,
            arrives_as,
            least: None,
            dollars: (place == 0).then(|| self.dollars()).flatten(),
            doubts: connections(unproven).map(RouteDoubt::Connection).collect(),
            proven: connections(proven).collect(),
            contracts: stage.contracts.into_inner(),
        };
        let mut notes = Vec::new();
        ready.effects.iter().for_each(|effect| yielded::notes(effect, &mut notes));
        let notes: Vec<RouteDoubt> = notes.into_iter().map(|note| RouteDoubt::Memo(note.to_owned())).collect();
        let fees = ready.effects.iter().filter_map(|effect| match effect {
            FundsEffect::Message { fee, .. } if *fee > evm::LARGE_FEE => Some(*fee),
            _ => None,
        });
        let fees: Vec<RouteDoubt> =
            fees.map(|amount| RouteDoubt::Value { chain: ready.chain_id.clone(), amount }).collect();
        yielded.doubts.iter().cloned().chain(notes).chain(fees).for_each(|doubt| ready.doubt(doubt));
        let is_final = self.route.operations.last().is_some_and(|end| std::ptr::eq(end, last));
        // Later transactions follow from what only the router tells to arrive.
        if yielded.denom.is_none()
            && !is_final
            && let Some(denom) = ready.arrives_as.clone()
        {
            ready.doubt(RouteDoubt::Arrival { chain: ready.arrives_on.clone(), denom });
        }
        Ok((ready, yielded))
    }
}

/// Transaction of the route with its steps, in order.
struct QuotedTx<'a> {
    quote: &'a AcceptedQuote<'a>,
    steps: &'a [&'a Operation],
    chain: &'a ChainId,
    /// Contracts found until now.
    contracts: RefCell<Vec<ContractUse>>,
    /// Which steps each compared message performs.
    performed: RefCell<Vec<Performed>>,
}

impl<'a> QuotedTx<'a> {
    /// Records a contract on a chain with its role and its verdict.
    fn note_contract(&self, chain: &ChainId, address: Address, shown: String, part: ContractPart) {
        let is_quoted = part == ContractPart::Called
            && chain == self.chain
            && self.denom_in(0).is_ok_and(|denom| cosmos::token_of(denom) == Some(address));
        let verdict =
            if is_quoted { ContractVerdict::QuotedToken } else { self.quote.known.verdict(chain, address, part) };
        let met = ContractUse { chain_id: chain.clone(), address, shown, part, verdict };
        let mut contracts = self.contracts.borrow_mut();
        if !contracts.contains(&met) {
            contracts.push(met);
        }
    }

    /// Records an EVM contract on the transaction's own chain.
    fn note_evm(&self, address: Address, part: ContractPart) {
        self.note_contract(self.chain, address, address.checksummed(), part);
    }
    fn address_on(&self, chain: &ChainId) -> Result<&'a str, SigningRefusal> {
        let pairs = self.quote.route.required_chain_addresses.iter().zip(self.quote.addresses);
        let found = pairs.filter(|(one, _)| *one == chain).map(|(_, address)| address.as_str()).next();
        found.ok_or(SigningRefusal::Quote("an address for each chain of the route"))
    }

    fn signer(&self) -> Result<&'a str, SigningRefusal> {
        self.address_on(self.chain)
    }

    /// Returns the owner of the funds after a step: after the route's last step, the recipient.
    fn receiver_of(&self, place: usize) -> Result<&'a str, SigningRefusal> {
        let step = self.steps.get(place).ok_or(SigningRefusal::Quote("the effect of each transaction"))?;
        let is_last = self.quote.route.operations.last().is_some_and(|last| std::ptr::eq(last, *step));
        if is_last {
            return Ok(self.quote.addresses.last().map_or("", String::as_str));
        }
        self.address_on(step.to_chain().ok_or(SigningRefusal::Quote("the destination chain of each step"))?)
    }

    /// Returns the maximum input of a step, in the smallest unit.
    fn amount_in(&self, place: usize) -> Result<Amount, SigningRefusal> {
        let step = self.steps.get(place).and_then(|step| step.amount_in);
        let is_first = place == 0 && self.steps.first().is_some_and(|step| step.tx_index == 0);
        let route = Some(self.quote.route.amount_in).filter(|_| is_first);
        route.or(step).ok_or(SigningRefusal::Quote("the input of each step"))
    }

    /// Compares the amount of a message with the input of a step: equal, but after a swap within the slippage.
    fn takes(&self, place: usize, found: Amount) -> Result<(), SigningRefusal> {
        let quoted = self.amount_in(place)?;
        is_at_most(quoted, found)?;
        let is_first = place == 0 && self.steps.first().is_some_and(|step| step.tx_index == 0);
        let is_swapped = self.quote.swaps() && !is_first;
        let least = if is_swapped { self.quote.slippage.least_of(quoted) } else { quoted };
        if found >= least { Ok(()) } else { Err(SigningRefusal::AmountBelow { quoted, found }) }
    }

    fn denom_in(&self, place: usize) -> Result<&'a Denom, SigningRefusal> {
        let is_first = place == 0 && self.steps.first().is_some_and(|step| step.tx_index == 0);
        if is_first {
            return Ok(&self.quote.route.source_asset_denom);
        }
        let denom = self.steps.get(place).and_then(|step| step.denom_in());
        denom.ok_or(SigningRefusal::Quote("the input of each step"))
    }

    /// Returns the sum of the quoted additional fees on this chain in matching denoms.
    fn additional_fees(&self, is_meant: impl Fn(&Denom) -> bool) -> Amount {
        let fees = self.quote.route.estimated_fees.iter().filter(|fee| fee.behavior() == FeeBehavior::Additional);
        let here = fees.filter_map(|fee| {
            let asset = fee.origin_asset.as_ref()?;
            let chain = fee.chain_id.as_ref().unwrap_or(&asset.chain_id);
            (chain == self.chain && is_meant(&asset.denom)).then_some(fee.amount).flatten()
        });
        here.fold(Amount::ZERO, |sum, fee| sum.checked_add(fee).unwrap_or(sum))
    }
}

fn kind_of(tx: &RouterTx) -> SigningRefusal {
    SigningRefusal::Kind(match &tx.kind {
        RouterTxKind::Svm { .. } => "svm_tx".to_owned(),
        RouterTxKind::Other(kind) => kind.as_received().to_owned(),
        RouterTxKind::Cosmos { .. } | RouterTxKind::Evm { .. } => "unknown".to_owned(),
    })
}

fn is_signed_by(expected: &str, found: &str) -> Result<(), SigningRefusal> {
    if is_same(expected, found) {
        return Ok(());
    }
    Err(SigningRefusal::Signer { expected: expected.to_owned(), found: found.to_owned() })
}

/// Compares a receiver in a text that chains read: only the very address, since they may read another format
/// differently.
fn receives(expected: &str, found: &str) -> Result<(), SigningRefusal> {
    let is_bech32_of = || expected.starts_with("0x") && expected.parse().is_ok_and(|it: Address| it.bech32() == found);
    if !expected.is_empty() && expected == found || is_bech32_of() {
        return Ok(());
    }
    Err(SigningRefusal::Receiver { expected: expected.to_owned(), found: found.to_owned() })
}

/// Compares a receiver that a call names by its bytes.
fn receives_account(expected: &str, found: Address) -> Result<(), SigningRefusal> {
    if is_same(expected, &found.hex()) {
        return Ok(());
    }
    Err(SigningRefusal::Receiver { expected: expected.to_owned(), found: found.hex() })
}

/// Whether two texts name one account of a chain: equal text, or two formats of an Initia account. Bech32 prefixes must
/// match.
fn is_same(one: &str, other: &str) -> bool {
    !one.is_empty() && crate::domain::same_account(one, other)
}

/// Whether a 32-byte word is this account, left-padded with zeros.
fn is_word_of(account: &str, word: &[u8; 32]) -> bool {
    account_of(account).is_some_and(|account| account.word() == *word)
}

fn is_at_most(quoted: Amount, found: Amount) -> Result<(), SigningRefusal> {
    if found <= quoted { Ok(()) } else { Err(SigningRefusal::AmountAbove { quoted, found }) }
}
