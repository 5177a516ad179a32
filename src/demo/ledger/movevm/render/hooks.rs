//! What comes with deposits and packets: what arrives is lent to the market.

use super::{
    args::Arg,
    calls::number,
    effects::{executed, supplied},
    short,
};
use crate::{
    demo::ledger::{
        common::{
            record::{Deposit, Hook, Packet},
            render::{View, base64, packet::Letter, scribe::Scribe},
            world::Party,
        },
        derive,
        json::Json,
        movevm::apply::market,
    },
    domain::{Address, Vm},
    wire::protobuf::ProtoWriter,
};

fn market_address(view: &View<'_>) -> String {
    short(view.party(market(view.world)).word())
}

/// The message that comes with a deposit.
pub(crate) fn deposit_messages(view: &View<'_>, deposit: &Deposit) -> Vec<Vec<u8>> {
    let used = if let Hook::Run { amount, .. } = deposit.hook { amount } else { deposit.amount };
    let arguments = [Arg::Address(view.contract(deposit.token).word()), number(used)];
    let call = ProtoWriter::new().bytes(1, view.party(deposit.to).bech32.as_bytes()).bytes(2, market_address(view));
    let call = call.bytes(3, "market").bytes(4, "supply");
    let call = arguments.iter().fold(call, |call, argument| call.bytes(6, argument.bcs()));
    vec![ProtoWriter::any("/initia.move.v1.MsgExecute", &call.finish())]
}

/// The events of that message.
pub(crate) fn deposit_events(view: &View<'_>, scribe: &mut Scribe, deposit: &Deposit, used: u128) {
    let owner = view.party(deposit.to);
    executed(scribe, &short(owner.word()), &market_address(view), "market", "supply");
    supplied(view, scribe, (deposit.token, used), owner, owner);
}

/// The receiver of a packet with a hook: a function.
pub(crate) fn receiver(view: &View<'_>) -> String {
    format!("{}::market::supply_for", market_address(view))
}

/// The memo of a packet with a hook.
pub(crate) fn memo(view: &View<'_>, json: &mut Json, packet: &Packet) {
    let arguments = [view.party(packet.local), view.contract(packet.token)].map(|party| Arg::Address(party.word()));
    json.key("move").object(|json| {
        json.key("message").object(|json| {
            json.field("module_address", &market_address(view)).field("module_name", "market");
            json.field("function_name", "supply_for").value("type_args", "[]");
            json.key("args").list(|json| {
                for argument in &arguments {
                    json.string(&base64(argument.bcs()));
                }
            });
        });
    });
}

/// The account that runs an IBC hook here.
pub(crate) fn account(letter: &Letter) -> Party {
    Party::new(Address::Long(derive::hook_account(Vm::Move, letter.channel.id, &letter.sender)))
}

/// The events of a packet's hook.
pub(crate) fn arrival_events(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, account: &Party) {
    executed(scribe, &short(account.word()), &market_address(view), "market", "supply_for");
    supplied(view, scribe, (packet.token, packet.amount), account, view.party(packet.local));
}
