//! Renders hooks of deposits and packets, in which the wrapper converts the tokens.

use super::{
    abi::{AbiArg, AbiLog, input, number, yes},
    calls::{to_local_logs, to_local_logs_for},
    logs::{call, logs},
};
use crate::{
    demo::ledger::{
        common::{
            record::{DepositHook, DepositRecord, Packet},
            render::{HookEvents, RenderView, event_writer::EventWriter, packet::PacketView},
            world::{Party, PartyRole},
        },
        derive,
        evm::{Evm, apply::wrap_tokens},
        json::Json,
    },
    domain::{Address, Vm},
    wire::protobuf::ProtoWriter,
};

impl HookEvents for Evm {
    /// Returns the messages of a deposit's hook: an approval of the wrapper, then the conversion.
    fn deposit_hook_messages(view: &RenderView<'_>, deposit: &DepositRecord) -> Vec<Vec<u8>> {
        let user = view.party(deposit.to);
        let wrapper = view.role(PartyRole::Wrapper);
        let approve =
            input("approve(address,uint256)", &[AbiArg::Word(wrapper.word()), AbiArg::Word(allowed(deposit))]);
        let words = [AbiArg::Word(user.word()), AbiArg::Text(view.denom(deposit.token)), number(6)];
        let convert = input("toLocal(address,string,uint8)", &words);
        let call = |contract: &Party, input: String| {
            let call = ProtoWriter::new().bytes(1, user.bech32.as_bytes()).bytes(2, contract.hex.as_bytes());
            ProtoWriter::any("/minievm.evm.v1.MsgCall", &call.bytes(3, input).bytes(4, "0").finish())
        };
        vec![call(view.contract(deposit.token), approve), call(wrapper, convert)]
    }

    fn deposit_hook_events(view: &RenderView<'_>, events: &mut EventWriter, deposit: &DepositRecord, converted: u128) {
        let user = view.party(deposit.to);
        let (contract, wrapper) = (view.contract(deposit.token), view.role(PartyRole::Wrapper));
        call(events, contract, &yes());
        logs(events, &[AbiLog::approval(contract, user.word(), wrapper.word(), allowed(deposit))]);
        call(events, wrapper, &[]);
        logs(events, &to_local_logs(view, user, 0, converted));
    }

    fn arrival_hook_receiver(view: &RenderView<'_>, _: u8) -> String {
        view.role(PartyRole::Wrapper).hex.to_string()
    }

    /// Writes the memo of a packet whose tokens the wrapper converts on arrival.
    fn arrival_hook_memo(view: &RenderView<'_>, json: &mut Json, packet: &Packet, wrap: u8) {
        json.key("evm").object(|json| {
            json.key("message").object(|json| {
                let user = AbiArg::Word(view.party(packet.local).word());
                let denom = AbiArg::Text(view.denom(wrap_tokens(wrap).0));
                let call = input("toLocal(address,string,uint8)", &[user, denom, number(6)]);
                json.field("contract_addr", &view.role(PartyRole::Wrapper).hex).field("input", &call);
            });
        });
    }

    /// Returns the account of an IBC hook. The EVM uses the last 20 of its 32 bytes.
    fn hook_party(packet_view: &PacketView) -> Party {
        let account = derive::hook_account(Vm::Evm, packet_view.channel.id, &packet_view.sender);
        let mut party = Party::new(Address::Short(derive::last_twenty(account)));
        party.bech32 = Address::Long(account).bech32().into();
        party
    }

    fn arrival_hook_events(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        packet: &Packet,
        wrap: u8,
        account: &Party,
    ) {
        let (contract, wrapper) = (view.contract(packet.token), view.role(PartyRole::Wrapper));
        call(events, contract, &yes());
        let amount = derive::number_word(packet.amount);
        logs(events, &[AbiLog::approval(contract, account.word(), wrapper.word(), amount)]);
        call(events, wrapper, &[]);
        logs(events, &to_local_logs_for(view, account.word(), view.party(packet.local).word(), wrap, packet.amount));
    }
}

/// Returns the allowance that a deposit's hook gives: any amount, or exactly one.
fn allowed(deposit: &DepositRecord) -> [u8; 32] {
    match deposit.hook {
        DepositHook::RunExact { amount, .. } => derive::number_word(amount),
        _ => [0xff; 32],
    }
}
