use alloy_primitives::U256;

use crate::{
    domain::{Address, Amount, Coin, Denom},
    story::{
        AbiReading, AbiRegistry, Phrase, Word,
        context::{MessageRef, PhraseBuilder, TxContext, VerbForms},
        evm_logs::{LoggedMove, Moved, SeenLog},
    },
};

/// One message's run in the EVM: what was asked for, and the logs that say what came of it.
pub(super) struct EvmRun<'s, 'a> {
    pub(super) context: &'s TxContext<'a>,
    pub(super) message: MessageRef<'s>,
    logs: Vec<&'s SeenLog>,
}

/// A call that is told of: the message's own, or one within it.
#[derive(Clone)]
pub(super) struct EvmCall {
    pub(super) caller: Option<Address>,
    pub(super) to: Option<Address>,
    /// The same as the message writes it.
    pub(super) to_text: String,
    pub(super) reading: AbiReading,
    /// In the smallest unit of the fee token.
    pub(super) value: Amount,
    /// How many calls and messages it is within.
    pub(super) depth: usize,
    /// Whether it is what the message does, or all that it does.
    pub(super) is_outer: bool,
}

/// What a call did, said without its subject.
pub(super) struct CallPhrase {
    pub(super) verb: VerbForms,
    pub(super) rest: Vec<Phrase>,
    /// Whether the value that went with the call is among what is said.
    pub(super) says_value: bool,
}

/// So much of a token, and the events that say so.
#[derive(Clone)]
pub(super) struct TokenFlow {
    pub(super) coin: Coin,
    pub(super) events: Vec<usize>,
}

/// The net of an account in a run, by token.
pub(super) struct TokenFlows {
    pub(super) gave: Vec<TokenFlow>,
    pub(super) got: Vec<TokenFlow>,
}

impl CallPhrase {
    pub(super) fn new(verb: VerbForms, words: PhraseBuilder<'_, '_>) -> Self {
        Self { verb, rest: words.done(), says_value: false }
    }

    /// A deed that tells of the value itself.
    pub(super) fn with_value(self) -> Self {
        Self { says_value: true, ..self }
    }
}

impl EvmCall {
    /// The account at a place among the arguments.
    pub(super) fn address(&self, place: usize) -> Option<Address> {
        self.reading.value(place)?.address()
    }

    /// The number at a place among the arguments.
    pub(super) fn number(&self, place: usize) -> Option<Amount> {
        self.reading.value(place)?.number()
    }

    /// The text at a place among the arguments.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        self.reading.value(place)?.text()
    }
}

impl<'s, 'a> EvmRun<'s, 'a> {
    pub(super) fn new(context: &'s TxContext<'a>, message: MessageRef<'s>) -> Self {
        let logs = context.evm_logs().of_message(message.place).iter();
        let logs = logs.filter(|seen| message.authz.is_none() || seen.authz == message.authz).collect();
        Self { context, message, logs }
    }

    pub(super) fn words(&self) -> PhraseBuilder<'s, 'a> {
        self.context.words()
    }

    /// An account, as a contract where the transaction shows that it is one.
    pub(super) fn who(&self, address: Address) -> Word {
        let is_contract = self.context.evm_logs().is_contract(address);
        if is_contract { self.context.contract(address) } else { self.context.account(address) }
    }

    /// The contract that a call goes to.
    pub(super) fn target(&self, call: &EvmCall) -> Word {
        match call.to {
            Some(to) => self.context.contract(to),
            None => Word::foreign(&call.to_text),
        }
    }

    /// The event that says that a call ran; the chain only writes one for a message's own call.
    pub(super) fn call_event(&self, call: &EvmCall) -> Option<usize> {
        let (place, event) =
            self.context.event_of(self.message, "call").filter(|_| call.depth == self.message.depth)?;
        let ran: Address = event.value("contract")?.parse().ok()?;
        call.to.is_some_and(|to| to.is_same_in_logs(&ran)).then_some(place)
    }

    pub(super) fn denom(&self, contract: Address) -> Denom {
        self.context.evm_logs().denom(contract)
    }

    pub(super) fn coin(&self, contract: Address, amount: Amount) -> Coin {
        Coin { denom: self.denom(contract), amount }
    }

    /// A token without an amount.
    pub(super) fn token(&self, contract: Address) -> Word {
        let denom = self.denom(contract);
        Word::Token { token: self.context.token(&denom), denom }
    }

    /// The logs of this event by the embedded ABI, with their places and contracts.
    pub(super) fn readings(&self, signature: &'s str) -> impl Iterator<Item = (usize, Address, AbiReading)> + '_ {
        let book = AbiRegistry::default();
        self.logs.iter().filter_map(move |seen| {
            let topic = seen.log.topics.first()?;
            if crate::story::signature(topic.strip_prefix("0x")?) != Some(signature) {
                return None;
            }
            let reading = book.decode_log(&seen.log);
            reading.arguments.is_some().then_some((seen.event, seen.contract, reading))
        })
    }

    /// The movements of tokens and NFTs, with the places and contracts of their logs.
    pub(super) fn movements(&self) -> impl Iterator<Item = (usize, Address, LoggedMove)> + '_ {
        self.logs.iter().filter_map(|seen| Some((seen.event, seen.contract, seen.movement?)))
    }

    pub(super) fn nfts(&self) -> impl Iterator<Item = (usize, Address, LoggedMove, U256)> + '_ {
        self.movements().filter_map(|(event, contract, movement)| match movement.what {
            Moved::Nft(id) => Some((event, contract, movement, id)),
            Moved::Amount(_) => None,
        })
    }

    pub(super) fn amounts(&self) -> impl Iterator<Item = (usize, Address, LoggedMove, Amount)> + '_ {
        self.movements().filter_map(|(event, contract, movement)| match movement.what {
            Moved::Amount(amount) => Some((event, contract, movement, amount)),
            Moved::Nft(_) => None,
        })
    }

    /// What an account gave in the whole run, and what it got: the net of each token, in the order of their logs.
    pub(super) fn flows(&self, account: Address) -> TokenFlows {
        let mut tokens: Vec<(Address, U256, U256, Vec<usize>)> = Vec::new();
        for (event, contract, movement, amount) in self.amounts() {
            let (gives, gets) = (movement.from.is_same_in_logs(&account), movement.to.is_same_in_logs(&account));
            if gives == gets {
                continue;
            }
            let place = tokens.iter().position(|(token, ..)| *token == contract).unwrap_or(tokens.len());
            if place == tokens.len() {
                tokens.push((contract, U256::ZERO, U256::ZERO, Vec::new()));
            }
            if let Some((_, given, got, events)) = tokens.get_mut(place) {
                let side = if gives { given } else { got };
                *side = side.saturating_add(amount.get());
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
        }
        let net = |more: U256, less: U256| more.checked_sub(less).filter(|net| !net.is_zero()).map(Amount::new);
        let side = |is_given: bool| {
            let flows = tokens.iter().filter_map(|(contract, given, got, events)| {
                let amount = if is_given { net(*given, *got)? } else { net(*got, *given)? };
                Some(TokenFlow { coin: self.coin(*contract, amount), events: events.clone() })
            });
            flows.collect()
        };
        TokenFlows { gave: side(true), got: side(false) }
    }

    /// The value of a call in the fee token, whose denom only some transactions tell: the log of the value itself, or the
    /// fee of an Ethereum wallet, which is always paid in it.
    pub(super) fn value(&self, call: &EvmCall) -> Vec<Phrase> {
        self.value_of(call.caller, call.to, call.value)
    }

    /// The same of what goes from one account to another.
    pub(super) fn value_of(&self, from: Option<Address>, to: Option<Address>, value: Amount) -> Vec<Phrase> {
        let of_log = self.amounts().find(|(_, contract, movement, amount)| {
            *amount == value && Some(*contract) != to && Some(movement.from) == from && Some(movement.to) == to
        });
        let words = self.words();
        match (of_log, self.context.decoded.fee.as_slice()) {
            (Some((event, contract, ..)), _) => words.coin(&self.coin(contract, value)).by([event]).done(),
            (None, [fee]) if self.context.decoded.is_ethereum_signed => {
                words.coin(&Coin { denom: fee.denom.clone(), amount: value }).done()
            }
            _ => words.text(format!("{value} of the fee token")).done(),
        }
    }

    /// An amount of a contract that may be one of tokens or the id of an NFT: as a coin where the token is known.
    pub(super) fn amount_of(&self, contract: Address, amount: Amount) -> Vec<Phrase> {
        let coin = self.coin(contract, amount);
        match self.context.token(&coin.denom) {
            Some(_) => self.words().coin(&coin).done(),
            None => self.words().text(format!("{amount} of ")).word(self.context.contract(contract)).done(),
        }
    }
}

/// Several amounts with their events: "1 INIT and 2 USDC".
pub(super) fn list<'w, 'a>(mut words: PhraseBuilder<'w, 'a>, flows: &[TokenFlow]) -> PhraseBuilder<'w, 'a> {
    for (place, flow) in flows.iter().enumerate() {
        if place > 0 {
            words = words.text(if place + 1 == flows.len() { " and " } else { ", " });
        }
        words = words.coin(&flow.coin).by(flow.events.iter().copied());
    }
    words
}

/// Whether it is the zero address, which stands for nobody.
pub(super) fn is_nobody(address: Address) -> bool {
    address.bytes().iter().all(|&byte| byte == 0)
}
