use alloy_primitives::U256;

use crate::{
    domain::{Address, Amount, Coin, Denom},
    events::{bank::BankEvent, evm::LoggedMove, keys, names::CALL},
    story::{
        abi::{AbiReading, AbiRegistry},
        context::{MessageRef, evm_logs::SeenLog, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::VerbForms,
            phrase::{Phrase, Word},
            sentence::nested::SentenceContext,
        },
    },
};

/// EVM run of one message: the request and its logs. A log used as evidence is claimed and not used again.
pub(super) struct EvmRun<'s, 'a> {
    pub(super) context: &'s SentenceContext<'a>,
    pub(super) message: MessageRef<'s>,
    logs: Vec<&'s SeenLog>,
}

/// Call to describe: the message itself or a nested call.
#[derive(Clone)]
pub(super) struct EvmCall {
    pub(super) caller: Option<Address>,
    pub(super) to: Option<Address>,
    /// Target as the message writes it.
    pub(super) to_text: String,
    pub(super) reading: AbiReading,
    /// Value in the smallest unit of the fee token.
    pub(super) value: Amount,
    pub(super) depth: usize,
    /// Whether the call is the whole effect of the message.
    pub(super) is_outer: bool,
}

/// Description of a call without its subject.
pub(super) struct CallPhrase {
    pub(super) verb: VerbForms,
    pub(super) rest: Vec<Phrase>,
    /// Evidence; without any, the words describe the request.
    pub(super) proof: Proof,
    /// Whether the words include the call's value.
    pub(super) says_value: bool,
    /// Whether the words claim a movement of tokens or NFTs.
    pub(super) is_movement: bool,
    /// Movements besides the claimed one; the text follows the source.
    pub(super) aside: Vec<Phrase>,
}

impl CallPhrase {
    pub(super) fn new(verb: VerbForms, words: PhraseBuilder<'_, '_>, proof: Proof) -> Self {
        Self { verb, rest: words.done(), proof, says_value: false, is_movement: false, aside: Vec::new() }
    }

    pub(super) fn moving(verb: VerbForms, words: PhraseBuilder<'_, '_>, proof: Proof) -> Self {
        Self { is_movement: true, ..Self::new(verb, words, proof) }
    }

    /// Marks the phrase as including the value.
    pub(super) fn with_value(self) -> Self {
        Self { says_value: true, ..self }
    }
}

impl EvmCall {
    /// Returns the account at this index of the arguments.
    pub(super) fn address(&self, place: usize) -> Option<Address> {
        self.reading.value(place)?.address()
    }

    /// Returns the number at this index of the arguments.
    pub(super) fn number(&self, place: usize) -> Option<Amount> {
        self.reading.value(place)?.number()
    }

    /// Returns the text at this index of the arguments.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        self.reading.value(place)?.text()
    }
}

impl<'s, 'a> EvmRun<'s, 'a> {
    /// Collects the logs of a message. Logs of an unconfirmed sender prove no action of that sender; a failed
    /// transaction has no valid logs.
    pub(super) fn new(context: &'s SentenceContext<'a>, message: MessageRef<'s>, is_witnessed: bool) -> Self {
        let is_void = context.is_failed() || !is_witnessed;
        let logs = context.evm_logs().of_message(message.place).iter().filter(|_| !is_void);
        let logs = logs.filter(|seen| message.authz.is_none() || seen.authz == message.authz).collect();
        Self { context, message, logs }
    }

    pub(super) fn words(&self) -> PhraseBuilder<'s, 'a> {
        self.context.words()
    }

    /// Returns the word of an account; of a contract, if the transaction shows that the account is a contract.
    pub(super) fn who(&self, address: Address) -> Word {
        let is_contract = self.context.evm_logs().is_contract(address);
        if is_contract { self.context.contract(address) } else { self.context.account(address) }
    }

    pub(super) fn target(&self, call: &EvmCall) -> Word {
        match call.to {
            Some(to) => self.context.contract(to),
            None => Word::foreign(&call.to_text),
        }
    }

    /// Returns the event of the call; the chain only emits an event for a message's own call.
    pub(super) fn call_event(&self, call: &EvmCall) -> Option<usize> {
        let (place, event) = self.context.event_of(self.message, CALL).filter(|_| call.depth == self.message.depth)?;
        let ran: Address = event.get(keys::CONTRACT)?;
        call.to.is_some_and(|to| to.is_same_in_logs(&ran)).then_some(place)
    }

    /// Returns the strength of a contract's logs: `Reported` if no other source confirms them.
    pub(super) fn standing(&self, contract: Address) -> Proof {
        let glossary = self.context.glossary;
        let is_known = self.is_token(contract) || glossary.role(contract).is_some();
        if is_known || glossary.known_label(contract).is_some() { Proof::Shown } else { Proof::Reported }
    }

    /// Whether a contract is a token by the network's list or the chain's own events.
    fn is_token(&self, contract: Address) -> bool {
        self.context.evm_logs().is_at_bank(contract) || self.context.vouches(&self.denom(contract))
    }

    /// Whether a contract's token has a denom in the bank or a name from any source.
    fn is_named(&self, contract: Address) -> bool {
        self.is_token(contract) || self.context.token(&self.denom(contract)).is_some()
    }

    pub(super) fn denom(&self, contract: Address) -> Denom {
        self.context.evm_logs().denom(contract)
    }

    pub(super) fn coin(&self, contract: Address, amount: Amount) -> Coin {
        Coin { denom: self.denom(contract), amount }
    }

    /// Describes a token without an amount; without a denom in the bank, its contract.
    pub(super) fn token(&self, contract: Address) -> Vec<Phrase> {
        if self.is_named(contract) {
            let denom = self.denom(contract);
            return self.words().word(Word::Token { token: self.context.token(&denom), denom }).done();
        }
        let words = self.words().text("tokens of the contract ").word(self.context.contract(contract));
        self.with_own_name(words, contract).done()
    }

    /// Adds " (named “{name}”)" if known. A self-chosen name never replaces the token.
    fn with_own_name(&self, words: PhraseBuilder<'s, 'a>, contract: Address) -> PhraseBuilder<'s, 'a> {
        match self.context.glossary.own_name(contract) {
            Some(name) => words.text(" (named ").quote(name).text(")"),
            None => words,
        }
    }

    /// Adds a collection's contract with its self-chosen name: "0x… (“Real Cats”)".
    pub(super) fn collection(&self, words: PhraseBuilder<'s, 'a>, contract: Address) -> PhraseBuilder<'s, 'a> {
        let words = words.word(self.context.contract(contract));
        match self.context.glossary.collection_name(contract) {
            Some(name) => words.text(" (").quote(name).text(")"),
            None => words,
        }
    }

    /// Describes an amount of a contract's token; without a denom in the bank, of the contract.
    pub(super) fn amount(&self, contract: Address, amount: Amount, events: &[usize]) -> Vec<Phrase> {
        let by = || events.iter().copied();
        if self.is_named(contract) {
            return self.words().coin(&self.coin(contract, amount)).by(by()).done();
        }
        let words = self.words().word(Word::Amount(amount)).by(by()).text(" of the contract ").by(by());
        self.with_own_name(words.word(self.context.contract(contract)).by(by()), contract).done()
    }

    pub(super) fn free(&self) -> impl Iterator<Item = &'s SeenLog> + '_ {
        self.logs.iter().copied().filter(|seen| self.context.claims.is_free(seen.trace()))
    }

    /// Returns the movements of used logs.
    pub(super) fn claimed(&self) -> impl Iterator<Item = LoggedMove> + '_ {
        let used = self.logs.iter().filter(|seen| !self.context.claims.is_free(seen.trace()));
        used.filter_map(|seen| seen.movement)
    }

    pub(super) fn take(&self, seen: &SeenLog) {
        self.context.claims.take(seen.trace());
    }

    /// Returns the unused logs of this event by the embedded ABI.
    pub(super) fn readings(&self, signature: &'s str) -> impl Iterator<Item = (&'s SeenLog, AbiReading)> + '_ {
        let registry = AbiRegistry::default();
        self.free().filter_map(move |seen| {
            if known_event(seen) != Some(signature) {
                return None;
            }
            let reading = registry.decode_log(&seen.log);
            reading.arguments.is_some().then_some((seen, reading))
        })
    }

    /// Claims this contract's unused log of this event with these values.
    pub(super) fn log_of(
        &self,
        contract: Option<Address>,
        signature: &'s str,
        says: impl Fn(&AbiReading) -> bool,
    ) -> Option<(&'s SeenLog, AbiReading)> {
        let found = self.readings(signature).find(|(seen, reading)| Some(seen.contract) == contract && says(reading));
        if let Some((seen, _)) = &found {
            self.take(seen);
        }
        found
    }

    pub(super) fn nfts(&self) -> impl Iterator<Item = (&'s SeenLog, LoggedMove, U256)> + '_ {
        self.free().filter_map(|seen| Some((seen, seen.movement?, seen.movement?.nft()?)))
    }

    pub(super) fn amounts(&self) -> impl Iterator<Item = (&'s SeenLog, LoggedMove, Amount)> + '_ {
        self.free().filter_map(|seen| Some((seen, seen.movement?, seen.movement?.amount()?)))
    }

    /// Whether the message left neither a log nor a bank event. Any log may report a movement, since the list of known
    /// logs is incomplete.
    pub(super) fn is_still(&self) -> bool {
        let mut events = self.context.events_of(self.message);
        let has_logs = !self.context.evm_logs().of_message(self.message.place).is_empty();
        !has_logs && !events.any(|(_, event)| BankEvent::of(event).is_some())
    }

    /// Describes a call's value in the fee token. Only some transactions reveal its denom: by the log of the value, or
    /// by the fee of an Ethereum wallet.
    pub(super) fn value(&self, call: &EvmCall) -> Vec<Phrase> {
        self.value_of(call.caller, call.to, call.value).0
    }

    /// Describes a value transfer between two accounts with its event; the chain always logs it.
    pub(super) fn value_of(&self, from: Option<Address>, to: Option<Address>, value: Amount) -> (Vec<Phrase>, Proof) {
        match (self.value_log(from, to, value), self.context.decoded.fee.as_slice()) {
            (Some((seen, _)), _) => {
                self.take(seen);
                (self.amount(seen.contract, value, &[seen.event]), self.standing(seen.contract))
            }
            (None, [fee]) if self.context.decoded.is_ethereum_signed => {
                let coin = Coin { denom: fee.denom.clone(), amount: value };
                (self.words().coin(&coin).done(), Proof::Absent)
            }
            _ => (self.fee_value(value), Proof::Absent),
        }
    }

    /// Describes a value without a log, in the fee token if the chain's node names it.
    pub(super) fn fee_value(&self, value: Amount) -> Vec<Phrase> {
        match self.context.glossary.ether_denom() {
            Some(denom) => self.words().coin(&Coin { denom: denom.clone(), amount: value }).done(),
            None => self.words().text(format!("{value} of the fee token")).done(),
        }
    }

    /// Returns the likeliest log of a value transfer, and whether its token is the fee token or a known token: any
    /// contract can log such a movement of its own token.
    pub(super) fn value_log(
        &self,
        from: Option<Address>,
        to: Option<Address>,
        value: Amount,
    ) -> Option<(&'s SeenLog, bool)> {
        let fee = self.context.decoded.fee.first();
        let is_same = |one: Address, other: Option<Address>| other.is_some_and(|other| one.is_same_in_logs(&other));
        let logs = self.amounts().filter(|(seen, movement, amount)| {
            *amount == value && Some(seen.contract) != to && is_same(movement.from, from) && is_same(movement.to, to)
        });
        let ranked = logs.map(|(seen, ..)| {
            let is_fee = fee.is_some_and(|fee| fee.denom == self.denom(seen.contract));
            (seen, is_fee, self.standing(seen.contract) == Proof::Shown)
        });
        let (seen, is_fee, is_known) = ranked.min_by_key(|(_, is_fee, is_known)| (!is_fee, !is_known))?;
        Some((seen, is_fee || is_known))
    }

    /// Describes a number that may be an amount or an NFT id: as a coin if the token is known.
    pub(super) fn amount_of(&self, contract: Address, amount: Amount) -> Vec<Phrase> {
        let coin = self.coin(contract, amount);
        match self.context.token(&coin.denom) {
            Some(_) => self.words().coin(&coin).done(),
            None => self.words().text(format!("{amount} of ")).word(self.context.contract(contract)).done(),
        }
    }
}

/// Returns the event signature of a log's first topic in the embedded ABI.
fn known_event(seen: &SeenLog) -> Option<&'static str> {
    crate::story::abi::signature(seen.log.topics.first()?.strip_prefix("0x")?)
}

/// Whether the address is zero, which is no account.
pub(super) fn is_nobody(address: Address) -> bool {
    address.bytes().iter().all(|&byte| byte == 0)
}
