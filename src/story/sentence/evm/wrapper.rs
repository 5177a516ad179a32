use alloy_primitives::U256;

use super::run::{CallPhrase, EvmCall, EvmRun};
use crate::{
    domain::{Amount, Coin, Denom},
    story::{AbiReading, AbiValue, Phrase, Word, context::TxContext, sentence::verb},
};

/// A conversion between the two forms of a token.
struct Conversion {
    /// What went in.
    from: Coin,
    /// What came out.
    to: Coin,
    /// The event that says so.
    event: usize,
}

const CONVERTED: &str = "Converted(string,string,uint8,uint8,uint256)";

fn conversion(event: usize, reading: &AbiReading) -> Option<Conversion> {
    let text = |place| reading.value(place).and_then(AbiValue::text).map(Denom::new);
    let decimals = |place| u8::try_from(reading.value(place)?.number()?.get()).ok();
    let amount = reading.value(4)?.number()?;
    let from = Coin { denom: text(0)?, amount };
    let to = Coin { denom: text(1)?, amount: scaled(amount, decimals(2)?, decimals(3)?)? };
    Some(Conversion { from, to, event })
}

/// The same amount with other decimals, as the wrapper counts: it takes no amount that would leave a rest.
fn scaled(amount: Amount, from: u8, to: u8) -> Option<Amount> {
    let power = |decimals: u8| U256::from(10).checked_pow(U256::from(decimals));
    let number = match to.checked_sub(from) {
        Some(more) => amount.get().checked_mul(power(more)?)?,
        None => amount.get().checked_div(power(from - to)?)?,
    };
    Some(Amount::new(number))
}

fn said(context: &TxContext<'_>, coin: &Coin) -> Word {
    Word::Coin { coin: coin.clone(), token: context.token(&coin.denom), says_decimals: true }
}

/// The chain's ERC20 wrapper: a token in another form, and what is then done with it.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let (name, _) = signature.split_once('(')?;
    let denom_place = match name {
        "toLocal" | "toRemote" | "toRemoteAndOPWithdraw" => 1,
        "toRemoteAndIBCTransfer" => 0,
        _ => return None,
    };
    let denom = Denom::new(call.text(denom_place)?);
    let amount = match signature {
        "toLocal(address,string,uint8)" => None,
        _ => Some(call.number(denom_place + 1)?),
    };
    let seen = run.readings(CONVERTED).filter(|(_, contract, _)| Some(*contract) == call.to);
    let conversion = seen.filter_map(|(event, _, reading)| conversion(event, &reading)).find(|conversion| {
        conversion.from.denom == denom && amount.is_none_or(|amount| amount == conversion.from.amount)
    });
    let words = match (&conversion, amount) {
        (Some(conversion), _) => {
            let words = run.words().word(said(run.context, &conversion.from)).by([conversion.event]);
            words.text(" into ").word(said(run.context, &conversion.to)).by([conversion.event])
        }
        (None, Some(amount)) => run.words().word(said(run.context, &Coin { denom, amount })),
        (None, None) => run.words().text("all its ").word(Word::Token { token: run.context.token(&denom), denom }),
    };
    let words = if call.is_outer || conversion.is_none() { words.text(" with the wrapper") } else { words };
    let words = words.then(continuation(run, call, name)?);
    Some(CallPhrase::new(verb::CONVERT, words))
}

/// What the wrapper does with what came out.
fn continuation(run: &EvmRun<'_, '_>, call: &EvmCall, name: &str) -> Option<Vec<Phrase>> {
    let is_failed = run.context.is_failed();
    let words = run.words();
    Some(match name {
        "toRemoteAndOPWithdraw" => {
            let started = if is_failed { " and start withdrawing it to " } else { " and started withdrawing it to " };
            let words = words.text(started).party(call.text(0)?).text(" on L1");
            let event = run.context.event_of(run.message, "initiate_token_withdrawal");
            match event.and_then(|(place, event)| Some((place, event.value("l2_sequence")?))) {
                Some((place, sequence)) => words.text(format!(" (withdrawal #{sequence})")).by([place]).done(),
                None => words.done(),
            }
        }
        "toRemoteAndIBCTransfer" => {
            let (channel, receiver) = (call.text(2)?, call.text(3)?);
            let words = words.text(if is_failed { " and send it to " } else { " and sent it to " }).party(receiver);
            let words = match run.context.glossary.chain_behind("transfer", channel) {
                Some(chain) => words.text(format!(" on {chain} (")).code(channel),
                None => words.text(" over IBC (").code(channel),
            };
            let event = run.context.event_of(run.message, "send_packet");
            match event.and_then(|(place, event)| Some((place, event.value("packet_sequence")?))) {
                Some((place, sequence)) => words.text(format!(", packet #{sequence})")).by([place]).done(),
                None => words.text(")").done(),
            }
        }
        _ => match (call.address(0)?, call.caller) {
            (receiver, Some(caller)) if receiver.is_same_in_logs(&caller) => Vec::new(),
            (receiver, _) => words.text(" for ").word(run.who(receiver)).done(),
        },
    })
}
