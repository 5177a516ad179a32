//! Renders hooks of deposits and packets, which lend the tokens to the market.

use super::{
    args::MoveArg,
    calls::number,
    effects::{executed, supplied},
    short,
};
use crate::{
    demo::ledger::{
        common::{
            record::{DepositHook, DepositRecord, Packet},
            render::{HookEvents, RenderView, base64, event_writer::EventWriter, packet::PacketView},
            world::Party,
        },
        derive,
        json::Json,
        movevm::{Move, apply::market},
    },
    domain::{Address, Vm},
    wire::protobuf::ProtoWriter,
};

fn market_address(view: &RenderView<'_>) -> String {
    short(view.party(market(view.world)).word())
}

impl HookEvents for Move {
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>> {
        let used = if let DepositHook::Run { amount, .. } | DepositHook::RunExact { amount, .. } = deposit.hook {
            amount
        } else {
            deposit.amount
        };
        let arguments = [MoveArg::Address(view.contract(deposit.token).word()), number(used)];
        let call = ProtoWriter::new().bytes(1, view.party(deposit.to).bech32.as_bytes()).bytes(2, market_address(view));
        let call = call.bytes(3, "market").bytes(4, "supply");
        let call = arguments.iter().fold(call, |call, argument| call.bytes(6, argument.bcs()));
        vec![ProtoWriter::any("/initia.move.v1.MsgExecute", &call.finish())]
    }

    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, used: u128) {
        let owner = view.party(deposit.to);
        executed(events, &short(owner.word()), &market_address(view), "market", "supply");
        supplied(view, events, (deposit.token, used), owner, owner);
    }

    /// Returns the receiver that a packet with a hook names: a function.
    fn arrival_hook_receiver(view: &RenderView<'_>, _: u8) -> String {
        format!("{}::market::supply_for", market_address(view))
    }

    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, _: u8) {
        let arguments =
            [view.party(packet.local), view.contract(packet.token)].map(|party| MoveArg::Address(party.word()));
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

    /// Returns the account that runs an IBC hook.
    fn hook_party(packet_view: &PacketView) -> Party {
        Party::new(Address::Long(derive::hook_account(Vm::Move, packet_view.channel.id, &packet_view.sender)))
    }

    fn arrival_hook_events(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, _: u8, account: &Party) {
        executed(events, &short(account.word()), &market_address(view), "market", "supply_for");
        supplied(view, events, (packet.token, packet.amount), account, view.party(packet.local));
    }
}
