use super::run::{CallPhrase, EvmCall, EvmRun};
use crate::{
    domain::{Address, Amount, Coin, ContractRole, Denom},
    events::{evm::LoggedMove, opinit::BridgeTransfer},
    story::{
        abi::conversion::WrapperConversion,
        context::{TxContext, proof::Proof},
        packet::{OutgoingPacket, PacketData},
        words::{
            phrase::{Phrase, Word},
            sentence::{clauses::MessageEvents, verb},
        },
    },
};

fn said(context: &TxContext<'_>, coin: &Coin) -> Word {
    Word::Coin { coin: coin.clone(), token: context.token(&coin.denom), says_decimals: true }
}

/// Describes calls of the chain's ERC20 wrapper, known by address: a conversion, and the use of its output.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let wrapper = call.to.filter(|to| run.context.glossary.role(*to) == Some(ContractRole::Wrapper))?;
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
    let seen = converted(run, (call.caller?, wrapper), &denom, amount);
    let words = match (&seen, amount) {
        (Some(done), _) => {
            let by = || done.events.iter().copied();
            let words = run.words().word(said(run.context, &done.conversion.from)).by(by());
            words.text(" into ").word(said(run.context, &done.conversion.to)).by(by())
        }
        (None, Some(amount)) => run.words().word(said(run.context, &Coin { denom, amount })),
        (None, None) => run.words().text("all its ").word(Word::Token { token: run.context.token(&denom), denom }),
    };
    let proof = if seen.is_some() { Proof::Shown } else { Proof::Absent };
    let words = if call.is_outer || seen.is_none() { words.text(" with the wrapper") } else { words };
    let words = words.then(continuation(run, call, name, seen.as_ref())?);
    Some(CallPhrase::moving(verb::CONVERT, words, proof))
}

struct ProvenConversion {
    conversion: WrapperConversion,
    /// Recipient of the output.
    receiver: Address,
    events: Vec<usize>,
}

/// Claims the logs of the requested conversion: the wrapper's, and one movement of each token, the first from the
/// caller.
fn converted(
    run: &EvmRun<'_, '_>,
    (caller, wrapper): (Address, Address),
    denom: &Denom,
    amount: Option<Amount>,
) -> Option<ProvenConversion> {
    let logs: Vec<_> = run.amounts().collect();
    let moves: Vec<LoggedMove> = logs.iter().map(|(_, movement, _)| *movement).collect();
    let (log, conversion) = run.free().filter(|seen| seen.contract == wrapper).find_map(|seen| {
        let conversion = WrapperConversion::of(&seen.log)?;
        let is_asked = conversion.from.denom == *denom && amount.is_none_or(|amount| amount == conversion.from.amount);
        is_asked.then_some((seen, conversion))
    })?;
    let [Some(given), Some(got)] = conversion.sides(wrapper, &moves) else { return None };
    let (given, got) = (logs.get(given)?, logs.get(got)?);
    if !given.1.from.is_same_in_logs(&caller) {
        return None;
    }
    let mut events = Vec::new();
    for seen in [log, given.0, got.0] {
        run.take(seen);
        if !events.contains(&seen.event) {
            events.push(seen.event);
        }
    }
    Some(ProvenConversion { conversion, receiver: got.1.to, events })
}

/// Describes the use of the output, if the chain's own event confirms it.
fn continuation(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    name: &str,
    done: Option<&ProvenConversion>,
) -> Option<Vec<Phrase>> {
    let is_failed = run.context.is_failed();
    let seen = MessageEvents::of(run.context, run.message);
    let words = run.words();
    Some(match name {
        "toRemoteAndOPWithdraw" => {
            let started = seen.claim_view(BridgeTransfer::withdrawal, |event| {
                done.zip(event.coin()).is_none_or(|(done, coin)| coin == done.conversion.to)
            });
            match started {
                Some((place, event)) => {
                    let receiver = event.to.or(call.text(0))?;
                    let words = words.text(" and started withdrawing it to ").party_elsewhere(receiver).by([place]);
                    let sequence = event.sequence.map_or_else(|| "?".to_owned(), |number| number.to_string());
                    words.text(" on L1").text(format!(" (withdrawal #{sequence})")).by([place]).done()
                }
                None if is_failed => {
                    words.text(" and start withdrawing it to ").party_elsewhere(call.text(0)?).text(" on L1").done()
                }
                None => {
                    let words = words.text("; requested a withdrawal to ").party_elsewhere(call.text(0)?);
                    words.text(" on L1, without an event in the record").done()
                }
            }
        }
        "toRemoteAndIBCTransfer" => {
            let (channel, receiver) = (call.text(2)?, call.text(3)?);
            // A packet with another amount is not the output.
            let is_output = |data: &PacketData| match (data, done) {
                (PacketData::Tokens(tokens), Some(done)) => tokens.amount == done.conversion.to.amount,
                _ => true,
            };
            let sent = seen.claim_view(OutgoingPacket::of, |packet| {
                packet.id.source_channel == channel && is_output(&packet.data)
            });
            let verb = match (&sent, is_failed) {
                (Some(_), _) => " and sent it to ",
                (None, true) => " and send it to ",
                (None, false) => "; requested to send it to ",
            };
            let arrival = match &sent {
                Some((_, OutgoingPacket { data: PacketData::Tokens(tokens), .. })) => tokens.receiver.as_str(),
                _ => receiver,
            };
            let words = words.text(verb).party_elsewhere(arrival);
            let words = match run.context.glossary.chain_behind("transfer", channel) {
                Some(chain) => words.text(format!(" on {chain} (")).code(channel),
                None => words.text(" over IBC (").code(channel),
            };
            match sent {
                Some((place, packet)) => words.text(format!(", packet #{})", packet.id.sequence)).by([place]).done(),
                None if is_failed => words.text(")").done(),
                None => words.text("), without an event in the record").done(),
            }
        }
        _ => match (done.map_or(call.address(0)?, |done| done.receiver), call.caller) {
            (receiver, Some(caller)) if receiver.is_same_in_logs(&caller) => Vec::new(),
            (receiver, _) => words.text(" for ").word(run.who(receiver)).done(),
        },
    })
}
