//! A router may be hostile: what it asks to be signed is compared with the quote that the person accepted.

mod cosmos;
mod evm;

use std::cell::RefCell;

use super::{
    ContractPart, ContractUse, ContractVerdict, EffectError, EthereumCall, EthereumCallError, FundsEffect,
    KnownContracts, MessageError, SignableMessage, account_of,
};
use crate::{
    domain::{Address, Amount, ChainId, Denom, Slippage, text::clip},
    wire::router::{FeeBehavior, MsgsResponse, Operation, Route, RouterTx, RouterTxKind, SignedOpHook},
};

/// What a person accepted: the quote, their addresses, and how much less may come of a swap.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedQuote<'a> {
    /// The route, as it was shown.
    pub route: &'a Route,
    /// One for each of the route's `required_chain_addresses`, in that order; the last one receives.
    pub addresses: &'a [String],
    /// How much less may come of a swap.
    pub slippage: Slippage,
    /// The hook that was signed for it.
    pub hook: Option<&'a SignedOpHook>,
    /// What is known of contracts: everything else may be the router's own.
    pub known: &'a KnownContracts,
}

/// A transaction of which every part is known and is what was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyTx {
    /// Where it is signed and sent.
    pub chain_id: ChainId,
    /// Who signs, as that chain writes it.
    pub signer: String,
    /// What is signed.
    pub form: ReadyForm,
    /// What it does, in order: for the person to read before they sign.
    pub effects: Vec<FundsEffect>,
    /// What leaves, as the quote has it.
    pub source: Denom,
    /// Who has the funds after all that it sets going.
    pub receiver: String,
    /// Where that is.
    pub arrives_on: ChainId,
    /// What arrives there, where the quote says so.
    pub arrives_as: Option<Denom>,
    /// The least that arrives there by the accepted quote, in the smallest unit of what arrives; of the last only.
    pub least: Option<Amount>,
    /// The contracts that it has to do with, each once for each part.
    pub contracts: Vec<ContractUse>,
}

impl ReadyTx {
    /// The contracts of which nobody says what they are, and to which the person has not said yes.
    pub fn unknown_contracts(&self) -> impl Iterator<Item = &ContractUse> {
        self.contracts.iter().filter(|contract| contract.verdict == ContractVerdict::Unknown)
    }

    /// The person said yes to all of these.
    pub fn accept_contracts(&mut self) {
        for contract in self.contracts.iter_mut().filter(|contract| contract.verdict == ContractVerdict::Unknown) {
            contract.verdict = ContractVerdict::Accepted;
        }
    }
}

/// The two kinds of transaction that a wallet signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadyForm {
    /// For [`super::SignDocument`].
    Cosmos(Vec<SignableMessage>),
    /// For `eth_sendTransaction`, behind its allowances.
    Ethereum(EthereumCall),
}

/// What differs from the accepted quote, or is not known. Texts of the router are cut, not cleaned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SigningRefusal {
    /// More or fewer transactions than were quoted.
    #[error("the router gave {found} transactions to sign where {quoted} were quoted")]
    Count {
        /// How many were quoted.
        quoted: usize,
        /// How many came.
        found: usize,
    },
    /// The accepted quote lacks what it is compared with.
    #[error("the quote does not say {0}, so that nothing can be compared with it")]
    Quote(&'static str),
    /// A transaction of a kind that is not signed here.
    #[error("a transaction of the kind “{}” is not signed here", clip(.0, 40))]
    Kind(String),
    /// On another chain.
    #[error("the transaction is for {found} where {quoted} was quoted")]
    Chain {
        /// The chain of the quote.
        quoted: ChainId,
        /// The chain of the transaction.
        found: ChainId,
    },
    /// In somebody else's name.
    #[error("the transaction is in the name of {} where {} signs", clip(.found, 80), clip(.expected, 80))]
    Signer {
        /// Who signs by the addresses that were given.
        expected: String,
        /// Whom it names.
        found: String,
    },
    /// Another asset leaves.
    #[error("{} would leave where {} was quoted", clip(.found, 80), .quoted.marked())]
    SourceAsset {
        /// What was quoted.
        quoted: Denom,
        /// What would leave.
        found: String,
    },
    /// More leaves than was accepted.
    #[error("{found} would leave where {quoted} was quoted, in the smallest unit")]
    AmountAbove {
        /// What was quoted.
        quoted: Amount,
        /// What would leave.
        found: Amount,
    },
    /// Another account receives.
    #[error("{} would receive where {} was asked for", clip(.found, 80), clip(.expected, 80))]
    Receiver {
        /// Who should.
        expected: String,
        /// Who would.
        found: String,
    },
    /// It goes another way: over another channel or bridge, or with other steps.
    #[error("it would go {} where {} was quoted", clip(.found, 80), clip(.quoted, 80))]
    Step {
        /// What was quoted.
        quoted: String,
        /// What would happen.
        found: String,
    },
    /// Less may arrive than was accepted.
    #[error("as little as {} may come of it where at least {least} was accepted, in the smallest unit",
        .found.map_or_else(|| "nothing".to_owned(), |found| found.to_string()))]
    MinimumBelow {
        /// The least that was accepted.
        least: Amount,
        /// The least that may come; `None` where anything may.
        found: Option<Amount>,
    },
    /// Somebody else than the contract that is called next may take tokens.
    #[error("{} might take tokens, and the contract that is called next is {}", clip(.found, 80), clip(.called, 80))]
    Spender {
        /// The contract that is called next.
        called: String,
        /// Who might take tokens.
        found: String,
    },
    /// An allowance of another amount than the call takes.
    #[error("an allowance of {found} is asked for where the call takes {taken}, in the smallest unit")]
    AllowanceAmount {
        /// What the call takes.
        taken: Amount,
        /// What it would allow.
        found: Amount,
    },
    /// Somebody is named that nobody knows, where no yes can be asked for.
    #[error(
        "nobody knows {} on {chain_id}, and it might do anything with what it may take: whoever does names it as the \
         network's wrapper in networks.toml, or by --trust {chain_id}:{}",
        .address.checksummed(), .address.checksummed()
    )]
    UnknownContract {
        /// Where.
        chain_id: ChainId,
        /// Which.
        address: Address,
    },
    /// Another signed transaction goes with it than the one that was signed for it.
    #[error("what is attached for the rollup is not the hook that was signed for this transfer")]
    Hook,
    /// A message that cannot be written.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A call that cannot be read.
    #[error(transparent)]
    Call(#[from] EthereumCallError),
    /// A message or a call of which nobody here knows what it does.
    #[error(transparent)]
    Undecodable(#[from] EffectError),
}

impl SigningRefusal {
    /// Whether nothing is known to differ: only that nobody here can tell what it does.
    pub fn is_unknown(&self) -> bool {
        matches!(
            self,
            Self::Undecodable(_)
                | Self::UnknownContract { .. }
                | Self::Message(MessageError::UnsupportedType(_) | MessageError::UnknownField { .. })
        )
    }
}

impl AcceptedQuote<'_> {
    /// Compares what a router wants signed with what was accepted. All transactions or none.
    pub fn compare(&self, answer: &MsgsResponse) -> Result<Vec<ReadyTx>, SigningRefusal> {
        let count = usize::try_from(self.route.txs_count()).unwrap_or(usize::MAX);
        if answer.txs.len() != count {
            return Err(SigningRefusal::Count { quoted: count, found: answer.txs.len() });
        }
        if self.addresses.len() != self.route.required_chain_addresses.len() || self.addresses.is_empty() {
            return Err(SigningRefusal::Quote("which addresses it needs"));
        }
        let least = self.least();
        if let Some(found) = answer.min_amount_out.filter(|found| *found < least) {
            return Err(SigningRefusal::MinimumBelow { least, found: Some(found) });
        }
        let mut ready =
            answer.txs.iter().zip(0..).map(|(tx, place)| self.tx(tx, place)).collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = ready.last_mut() {
            last.least = Some(least);
            last.arrives_on = self.route.dest_asset_chain_id.clone();
            last.arrives_as = Some(self.route.dest_asset_denom.clone());
        }
        Ok(ready)
    }

    /// Compares the messages of a hook with the accepted quote: what the recipient's own account does on arrival. An
    /// allowance of any amount is taken here, since nobody knows the amount beforehand: it is for the contract that is
    /// called next, which must be known, and the person reads it.
    pub fn compare_hook(
        &self,
        hook: &crate::wire::router::OpHook,
    ) -> Result<(Vec<SignableMessage>, Vec<FundsEffect>), SigningRefusal> {
        let (messages, effects) = self.hook_effects(hook)?;
        // It is signed beforehand and allows any amount: nobody could still say no.
        for address in effects.iter().filter_map(cosmos::called_contract) {
            if self.known.verdict(&hook.chain_id, address, ContractPart::Called) == ContractVerdict::Unknown {
                return Err(SigningRefusal::UnknownContract { chain_id: hook.chain_id.clone(), address });
            }
        }
        Ok((messages, effects))
    }

    /// The same without asking who knows its contracts: for words, never for a signature.
    pub fn hook_effects(
        &self,
        hook: &crate::wire::router::OpHook,
    ) -> Result<(Vec<SignableMessage>, Vec<FundsEffect>), SigningRefusal> {
        if hook.chain_id != self.route.dest_asset_chain_id {
            let (quoted, found) = (self.route.dest_asset_chain_id.clone(), hook.chain_id.clone());
            return Err(SigningRefusal::Chain { quoted, found });
        }
        let messages: Vec<SignableMessage> =
            hook.hook.iter().map(SignableMessage::of_hook).collect::<Result<_, _>>()?;
        let recipient = self.recipient();
        for message in &messages {
            is_signed_by(recipient, message.signer())?;
        }
        let effects = cosmos::hook_effects(recipient, &messages)?;
        Ok((messages, effects))
    }

    /// The least that was accepted at the end.
    fn least(&self) -> Amount {
        if self.route.does_swap { self.slippage.least_of(self.route.amount_out) } else { self.route.amount_out }
    }

    fn recipient(&self) -> &str {
        self.addresses.last().map_or("", String::as_str)
    }

    fn tx(&self, tx: &RouterTx, place: u32) -> Result<ReadyTx, SigningRefusal> {
        let steps: Vec<&Operation> =
            self.route.operations.iter().filter(|operation| operation.tx_index == place).collect();
        let first = steps.first().ok_or(SigningRefusal::Quote("what each transaction does"))?;
        let quoted = first.from_chain().ok_or(SigningRefusal::Quote("where each step starts"))?;
        let found = tx.chain_id().ok_or_else(|| kind_of(tx))?;
        if quoted != found {
            return Err(SigningRefusal::Chain { quoted: quoted.clone(), found: found.clone() });
        }
        let stage = QuotedTx { quote: self, steps: &steps, chain: quoted, contracts: RefCell::default() };
        let signer = stage.signer()?.to_owned();
        let (form, effects) = match &tx.kind {
            RouterTxKind::Cosmos { msgs, signer_address, .. } => {
                // The older form names nobody.
                if !signer_address.is_empty() {
                    is_signed_by(&signer, signer_address)?;
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
        Ok(ReadyTx {
            chain_id: quoted.clone(),
            signer,
            form,
            effects,
            source: stage.denom_in(0)?.clone(),
            receiver,
            arrives_on: last.to_chain().unwrap_or(quoted).clone(),
            arrives_as: last.denom_out().cloned(),
            least: None,
            contracts: stage.contracts.into_inner(),
        })
    }
}

/// One transaction of the route: its steps, in order.
struct QuotedTx<'a> {
    quote: &'a AcceptedQuote<'a>,
    steps: &'a [&'a Operation],
    chain: &'a ChainId,
    /// What was met on the way.
    contracts: RefCell<Vec<ContractUse>>,
}

impl<'a> QuotedTx<'a> {
    /// Notes what is known of a contract on a chain, as that chain writes it.
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

    /// The same of a contract of the EVM on the transaction's own chain.
    fn note_evm(&self, address: Address, part: ContractPart) {
        self.note_contract(self.chain, address, address.checksummed(), part);
    }
    /// The person's address on a chain.
    fn address_on(&self, chain: &ChainId) -> Result<&'a str, SigningRefusal> {
        let pairs = self.quote.route.required_chain_addresses.iter().zip(self.quote.addresses);
        let found = pairs.filter(|(one, _)| *one == chain).map(|(_, address)| address.as_str()).next();
        found.ok_or(SigningRefusal::Quote("an address for each of its chains"))
    }

    fn signer(&self) -> Result<&'a str, SigningRefusal> {
        self.address_on(self.chain)
    }

    /// Who has the funds after a step: the recipient after the route's last.
    fn receiver_of(&self, place: usize) -> Result<&'a str, SigningRefusal> {
        let step = self.steps.get(place).ok_or(SigningRefusal::Quote("what each transaction does"))?;
        let is_last = self.quote.route.operations.last().is_some_and(|last| std::ptr::eq(last, *step));
        if is_last {
            return Ok(self.quote.addresses.last().map_or("", String::as_str));
        }
        self.address_on(step.to_chain().ok_or(SigningRefusal::Quote("where each step ends"))?)
    }

    /// What goes into a step at the most.
    fn amount_in(&self, place: usize) -> Result<Amount, SigningRefusal> {
        let step = self.steps.get(place).and_then(|step| step.amount_in);
        let is_first = place == 0 && self.steps.first().is_some_and(|step| step.tx_index == 0);
        let route = Some(self.quote.route.amount_in).filter(|_| is_first);
        route.or(step).ok_or(SigningRefusal::Quote("what goes into each step"))
    }

    fn denom_in(&self, place: usize) -> Result<&'a Denom, SigningRefusal> {
        let is_first = place == 0 && self.steps.first().is_some_and(|step| step.tx_index == 0);
        if is_first {
            return Ok(&self.quote.route.source_asset_denom);
        }
        let denom = self.steps.get(place).and_then(|step| step.denom_in());
        denom.ok_or(SigningRefusal::Quote("what goes into each step"))
    }

    /// What fees were quoted on top on this chain in one of these denoms.
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
        RouterTxKind::Other(kind) => kind.clone(),
        RouterTxKind::Cosmos { .. } | RouterTxKind::Evm { .. } => "unknown".to_owned(),
    })
}

fn is_signed_by(expected: &str, found: &str) -> Result<(), SigningRefusal> {
    if is_same(expected, found) {
        return Ok(());
    }
    Err(SigningRefusal::Signer { expected: expected.to_owned(), found: found.to_owned() })
}

fn receives(expected: &str, found: &str) -> Result<(), SigningRefusal> {
    if is_same(expected, found) {
        return Ok(());
    }
    Err(SigningRefusal::Receiver { expected: expected.to_owned(), found: found.to_owned() })
}

/// Whether two texts are one account of one chain: the same text, or two forms of an Initia account. The prefix of a
/// bech32 address counts.
fn is_same(one: &str, other: &str) -> bool {
    !one.is_empty() && crate::domain::same_account(one, other)
}

/// Whether a word of 32 bytes is an account: its bytes behind zeros.
fn is_word_of(account: &str, word: &[u8; 32]) -> bool {
    account_of(account).is_some_and(|account| account.word() == *word)
}

fn is_at_most(quoted: Amount, found: Amount) -> Result<(), SigningRefusal> {
    if found <= quoted { Ok(()) } else { Err(SigningRefusal::AmountAbove { quoted, found }) }
}
