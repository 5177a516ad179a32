//! Posted transactions. The simulation checks them like a node, then executes an equivalent external transaction.

use super::{AdmittedTx, ExternalContext};
use crate::{
    demo::{
        ledger::{
            External, ExternalError, KeyKind, MessageFailure,
            abi::{AbiArg, data, number},
            common::{
                Flavour,
                catalogue::{FEE_TOKEN, WRAP_FACTOR},
                plan::PlannedTx,
                record::{FeePayment, Msg, PartyId, PostedRecord, SignMode, TokenId, TxOutcome},
                world::PartyRole,
            },
            keys::AccountKey,
        },
        posted::{AnteAccount, AnteRules, PostedCall, PostedMessage, PostedTransfer, PostedTx, TxRefusal},
    },
    domain::{Address, Amount, Coin, Denom, PublicKey},
};

/// Gas of a transaction whose messages fail at once.
const FAILING_GAS: u32 = 78_000;

/// Maximum timeout of a packet in seconds.
const LONGEST_PACKET: u64 = 366 * 86_400;

impl<F: Flavour> ExternalContext<'_, F> {
    /// Plans a posted transaction. A trial (`is_trial`) skips the checks of fee and signature.
    pub(crate) fn posted(&mut self, posted: &PostedTx, is_trial: bool) -> Result<AdmittedTx<F>, ExternalError> {
        let gas =
            u32::try_from(posted.gas()).map_err(|_| TxRefusal::sdk(41, "gas limit exceeds the block's maximum gas"))?;
        let fee_denom = self.world.token(TokenId(FEE_TOKEN)).denom.clone();
        let rules = AnteRules {
            chain_id: self.world.catalogue.chain_id,
            prefix: "init",
            height: self.height,
            least_fee: Coin { denom: fee_denom.clone(), amount: Amount::from(self.world.catalogue.fee(gas)) },
            is_trial,
        };
        let id = posted.signer().parse().ok().and_then(|address: Address| self.world.find(address.bytes()));
        let id = id.filter(|id| self.world.is_person(*id));
        let account = id.map(|id| self.ante_account(id));
        let held = |denom: &Denom| {
            let token = self.world.token_by_denom(denom);
            Amount::from(id.zip(token).map_or(0, |(id, token)| self.state.balance(token, id)))
        };
        let key = posted.check(&rules, account.as_ref(), held)?;
        let Some(id) = id else { return Err(ExternalError::Stopped) };
        if let Some(key) = key.as_ref().and_then(account_key) {
            self.world.learn(id, key);
        }
        let fee = if is_trial { 0 } else { u128::try_from(posted.fee_in(&fee_denom).get()).unwrap_or(u128::MAX) };
        self.declared_fee = Some(fee);
        if let [PostedMessage::Call(call)] = posted.messages() {
            let admitted = self.called((posted, call), id, (gas, fee), is_trial)?;
            return Ok(declaring(admitted, fee));
        }
        let carried = if let Some(payments) = self.payments(posted)? {
            payments
        } else {
            match self.asked(posted)? {
                Ok(external) => self.carried(&external, posted)?,
                Err(failure) => Err(failure),
            }
        };
        let admitted = match carried {
            Ok(admitted) if is_trial || admitted.planned.gas <= gas => admitted,
            Ok(admitted) => failing(id, admitted.planned.gas, out_of_gas(gas, admitted.planned.gas), posted),
            Err(failure) => failing(id, FAILING_GAS.min(gas), failure, posted),
        };
        Ok(declaring(admitted, fee))
    }

    fn ante_account(&self, id: PartyId) -> AnteAccount {
        let key = self.world.party(id).key.map(|key| match key.kind {
            KeyKind::Cosmos => PublicKey::Secp256k1(key.compressed),
            KeyKind::Ethereum => PublicKey::EthSecp256k1(key.compressed),
        });
        AnteAccount { number: u64::from(id.0), sequence: u64::from(self.state.sequence(id)), key }
    }

    /// Returns the equivalent external transaction, or the failure if the messages are invalid.
    fn asked(&self, posted: &PostedTx) -> Result<Result<External, MessageFailure>, ExternalError> {
        let several = || TxRefusal::sdk(37, "this simulated chain does not support these messages together");
        let sender = |text: &str| text.parse::<Address>().map_err(|error| TxRefusal::sdk(18, error));
        Ok(match posted.messages() {
            [PostedMessage::Send { from, to, coins }] => {
                let [coin] = &coins[..] else { return Err(several().into()) };
                payment(sender(from)?, to, coin)
            }
            [PostedMessage::Withdraw { sender: from, to, coin }] => Ok(External::Withdraw {
                sender: sender(from)?,
                to: to.clone(),
                denom: coin.denom.clone(),
                amount: coin.amount,
            }),
            [PostedMessage::Transfer(transfer)] => {
                self.packet(sender(&transfer.sender)?, transfer, transfer.coin.clone())?
            }
            [PostedMessage::Call(approve), PostedMessage::Call(convert), last] => {
                let wrapped = self.unwrapped([approve, convert], last).ok_or_else(several)?;
                match last {
                    PostedMessage::Withdraw { sender: from, to, .. } => {
                        let Coin { denom, amount } = wrapped;
                        Ok(External::Withdraw { sender: sender(from)?, to: to.clone(), denom, amount })
                    }
                    PostedMessage::Transfer(transfer) => self.packet(sender(&transfer.sender)?, transfer, wrapped)?,
                    _ => return Err(several().into()),
                }
            }
            [PostedMessage::Deposit(_)] => {
                return Err(TxRefusal::sdk(37, "send deposits over the optimistic bridge on the L1").into());
            }
            [PostedMessage::Claim(_)] => {
                return Err(TxRefusal::sdk(37, "claim withdrawals on the L1").into());
            }
            _ => return Err(several().into()),
        })
    }

    /// Returns the packet that sends these tokens: the transfer's own token, or a wrapped token that an earlier message
    /// converts.
    fn packet(
        &self,
        sender: Address,
        transfer: &PostedTransfer,
        Coin { denom, amount }: Coin,
    ) -> Result<Result<External, MessageFailure>, ExternalError> {
        if transfer.has_timeout_height || transfer.timeout_nanos == 0 {
            return Err(TxRefusal::sdk(37, "this simulated chain supports packet timeouts by time only").into());
        }
        if transfer.port != "transfer" {
            return Ok(Err(failed("sdk", 18, &format!("no channel on the port {}: invalid request", transfer.port))));
        }
        let now = self.clock.nanos_after(self.height, 0);
        let Some(left) = transfer.timeout_nanos.checked_sub(now).filter(|left| *left > 0) else {
            return Ok(Err(failed("sdk", 18, "the packet's time-out is over: invalid request")));
        };
        let seconds = left.div_ceil(1_000_000_000).min(LONGEST_PACKET);
        Ok(Ok(External::Send {
            sender,
            receiver: transfer.receiver.clone(),
            denom,
            amount,
            channel: transfer.channel.clone(),
            memo: transfer.memo.clone(),
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        }))
    }

    /// Returns the wrapped coin that the first two calls convert for the last message.
    fn unwrapped(&self, [approve, convert]: [&PostedCall; 2], last: &PostedMessage) -> Option<Coin> {
        let left = match last {
            PostedMessage::Withdraw { coin, .. } => coin,
            PostedMessage::Transfer(transfer) => &transfer.coin,
            _ => return None,
        };
        let token = self.world.token_by_denom(&left.denom)?;
        let (_, local) = F::WRAPS.iter().find(|(remote, _)| *remote == token.0)?;
        let local = self.world.token(TokenId(*local));
        let wrapper = self.world.party(self.world.role(PartyRole::Wrapper));
        let held = u128::try_from(left.amount.get()).ok()?.checked_mul(WRAP_FACTOR)?;
        let sender: Address = approve.sender.parse().ok()?;
        let allow = data("approve(address,uint256)", &[AbiArg::Word(wrapper.word()), number(held)]);
        let arguments = [AbiArg::Word(sender.word()), AbiArg::Text(local.denom.as_str()), number(held)];
        let remote = data("toRemote(address,string,uint256)", &arguments);
        let is_it = approve.contract == self.world.party(local.contract).address
            && convert.contract == wrapper.address
            && (&approve.input, &convert.input) == (&allow, &remote)
            && approve.value.is_zero()
            && convert.value.is_zero();
        is_it.then(|| Coin { denom: local.denom.clone(), amount: Amount::from(held) })
    }

    /// Plans several payments of the signer, one after the other; `None` for other messages.
    fn payments(&mut self, posted: &PostedTx) -> Result<Option<Result<AdmittedTx<F>, MessageFailure>>, ExternalError> {
        let Some(payments) = posted.payments() else { return Ok(None) };
        let sender: Address = posted.signer().parse().map_err(|error| TxRefusal::sdk(18, error))?;
        let mut whole: Option<AdmittedTx<F>> = None;
        let mut spent: Vec<Coin> = Vec::new();
        for (place, (to, coin)) in payments.into_iter().enumerate() {
            let fails = |failure: MessageFailure| {
                let log = failure.log.replacen("message index: 0", &format!("message index: {place}"), 1);
                Ok(Some(Err(MessageFailure { log, ..failure })))
            };
            let external = match payment(sender, to, coin) {
                Ok(external) => external,
                Err(failure) => return fails(failure),
            };
            let mut before = spent.iter().filter(|spent| spent.denom == coin.denom).map(|spent| spent.amount);
            let needed = before.try_fold(coin.amount, Amount::checked_add);
            let all = Coin { denom: coin.denom.clone(), amount: needed.unwrap_or(coin.amount) };
            if let Ok(all) = payment(sender, to, &all)
                && let Err(failure) = self.carried(&all, posted)?
            {
                return fails(failure);
            }
            let admitted = match self.carried(&external, posted)? {
                Ok(admitted) => admitted,
                Err(failure) => return fails(failure),
            };
            if to != posted.signer() {
                spent.push(coin.clone());
            }
            match &mut whole {
                None => whole = Some(admitted),
                Some(whole) => {
                    whole.planned.gas = whole.planned.gas.saturating_add(admitted.planned.gas);
                    whole.planned.messages.extend(admitted.planned.messages);
                }
            }
        }
        Ok(whole.map(Ok))
    }

    /// Plans the transaction or, as a message, its failure. An error means that a retry may succeed.
    fn carried(
        &mut self,
        external: &External,
        posted: &PostedTx,
    ) -> Result<Result<AdmittedTx<F>, MessageFailure>, ExternalError> {
        let mut admitted = match self.admit(external) {
            Ok(admitted) => admitted,
            Err(
                error @ (ExternalError::TooManyPackets(_)
                | ExternalError::TooManyAccounts(_)
                | ExternalError::TooManyWaiting(_)),
            ) => return Err(error),
            Err(error) => return Ok(Err(refused(&error))),
        };
        // The packet keeps the signed timeout, to the nanosecond.
        if let (Some(PostedMessage::Transfer(transfer)), Some(Msg::Transfer(packet))) =
            (posted.messages().last(), admitted.planned.messages.last_mut())
            && let Some(words) = &mut packet.words
        {
            words.timeout = transfer.timeout_nanos;
            admitted.expires = Some(transfer.timeout_nanos);
        }
        admitted.planned.posted = Some(Box::new(PostedRecord { tx: posted.clone(), fee: 0, failure: None }));
        Ok(Ok(admitted))
    }
}

/// Returns a payment, or its failure for an invalid recipient.
fn payment(sender: Address, to: &str, coin: &Coin) -> Result<External, MessageFailure> {
    let (denom, amount) = (coin.denom.clone(), coin.amount);
    match to.parse::<Address>().ok().filter(|_| to.starts_with("init1")) {
        Some(to) => Ok(External::BankSend { sender, to, denom, amount }),
        None => Err(failed("sdk", 7, &format!("invalid to address: {to}: invalid address"))),
    }
}

fn declaring<F: Flavour>(mut admitted: AdmittedTx<F>, fee: u128) -> AdmittedTx<F> {
    admitted.planned.fee = FeePayment::Declared;
    if let Some(record) = &mut admitted.planned.posted {
        record.fee = fee;
    }
    admitted
}

/// Plans a transaction that pays its fee and then fails.
fn failing<F: Flavour>(signer: PartyId, gas: u32, failure: MessageFailure, posted: &PostedTx) -> AdmittedTx<F> {
    let planned = PlannedTx::of(signer, SignMode::Direct, gas, Vec::new()).ending(TxOutcome::Posted);
    let record = PostedRecord { tx: posted.clone(), fee: 0, failure: Some(failure) };
    AdmittedTx::of(PlannedTx { posted: Some(Box::new(record)), ..planned })
}

fn failed(codespace: &'static str, code: u32, detail: &str) -> MessageFailure {
    MessageFailure {
        code,
        codespace,
        log: format!("failed to execute message; message index: 0: {detail}"),
        reverted: None,
    }
}

fn out_of_gas(wanted: u32, used: u32) -> MessageFailure {
    let log = format!("out of gas in location: WriteFlat; gasWanted: {wanted}, gasUsed: {used}: out of gas");
    MessageFailure { code: 11, codespace: "sdk", log, reverted: None }
}

/// Converts an error to the failure that the module would report.
fn refused(error: &ExternalError) -> MessageFailure {
    match error {
        ExternalError::Funds { .. } | ExternalError::Reserve { .. } => {
            failed("sdk", 5, &format!("{error}: insufficient funds"))
        }
        ExternalError::NotBridged(_) => failed("opchild", 22, "token is not from L1"),
        ExternalError::L1Address(_) | ExternalError::LongAddress(_) => {
            failed("sdk", 7, &format!("{error}: invalid address"))
        }
        ExternalError::NotAnAccount(to) => {
            failed("sdk", 4, &format!("{} is not allowed to receive funds: unauthorized", to.bech32()))
        }
        ExternalError::UnknownDenom(_) | ExternalError::Nothing | ExternalError::TooMuch { .. } => {
            failed("sdk", 10, &format!("{error}: invalid coins"))
        }
        other => failed("sdk", 18, &format!("{other}: invalid request")),
    }
}

fn account_key(key: &PublicKey) -> Option<AccountKey> {
    let address = key.address()?;
    let (kind, compressed) = match key {
        PublicKey::Secp256k1(compressed) => (KeyKind::Cosmos, *compressed),
        PublicKey::EthSecp256k1(compressed) => (KeyKind::Ethereum, *compressed),
        _ => return None,
    };
    Some(AccountKey { kind, compressed, address })
}
