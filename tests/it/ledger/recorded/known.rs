//! Differences that stay, each with its reason.

use rollscope::domain::Vm;

use super::form::{Aspect, Difference};

/// A difference that stays.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) vm: Vm,
    aspect: Aspect,
    kind: &'static str,
    /// What the simulated form holds.
    form: &'static str,
    #[expect(dead_code, reason = "it is for readers")]
    why: &'static str,
}

impl Known {
    pub(crate) fn explains(&self, vm: Vm, difference: &Difference) -> bool {
        self.vm == vm
            && self.aspect == difference.aspect
            && difference.kind == self.kind
            && difference.form.contains(self.form)
    }
}

const fn known(vm: Vm, aspect: Aspect, kind: &'static str, form: &'static str, why: &'static str) -> Known {
    Known { vm, aspect, kind, form, why }
}

const STOPPED: &str = "several things stop the EVM, of which the record has one";
const OTHER_CONTRACT: &str = "the recorded contract is another one, which says and does what is its own";
const RELAYED_BEFORE: &str = "another relayer was first, which nobody was on the recorded chains";
const DEPOSITED_BEFORE: &str = "it was finalized before; the recorded one is of nothing";
const HOOKED: &str = "the recorded one runs a hook, which is among the simulated ones too";

pub(crate) const KNOWN: &[Known] = &[
    known(Vm::Evm, Aspect::Failure, "minievm.evm.v1.MsgCall evm 3 EVMCall failed", "", STOPPED),
    known(Vm::Evm, Aspect::Failure, "minievm.evm.v1.MsgCreate evm 4 EVMCreate failed", "", STOPPED),
    known(Vm::Evm, Aspect::Failure, "minievm.evm.v1.MsgCall sdk 11 out of gas", "EVM gas consumption", STOPPED),
    known(Vm::Evm, Aspect::Order, "ibc.core.channel.v1.MsgRecvPacket", "message", RELAYED_BEFORE),
    known(
        Vm::Evm,
        Aspect::Order,
        "ibc.core.channel.v1.MsgRecvPacket with coinbase with denomination_trace with fungible_token_packet",
        "fungible_token_packet write_acknowledgement",
        HOOKED,
    ),
    known(Vm::Evm, Aspect::Order, "opinit.opchild.v1.MsgFinalizeTokenDeposit", "message", DEPOSITED_BEFORE),
    known(
        Vm::Evm,
        Aspect::Order,
        "opinit.opchild.v1.MsgFinalizeTokenDeposit with burn with coinbase with initiate_token_withdrawal with tx",
        "finalize_token_deposit call evm",
        "a failed hook's tokens go back, as nodes of early 2025 did it; the recorded hook withdraws itself",
    ),
    known(Vm::Wasm, Aspect::Event, "wasm instantiate of a message", "count", OTHER_CONTRACT),
    known(Vm::Wasm, Aspect::Event, "wasm migrate of a message", "action msg_index", OTHER_CONTRACT),
    known(
        Vm::Wasm,
        Aspect::Order,
        "cosmwasm.wasm.v1.MsgMigrateContract migrate",
        "message migrate wasm",
        OTHER_CONTRACT,
    ),
    known(
        Vm::Wasm,
        Aspect::Failure,
        "cosmwasm.wasm.v1.MsgExecuteContract undefined 111222 panic",
        "redacted",
        "the recorded node was told to trace; others hide what their panics say",
    ),
    known(
        Vm::Wasm,
        Aspect::Failure,
        "cosmwasm.wasm.v1.MsgInstantiateContract wasm 4 instantiate wasm contract failed",
        "invalid character not part of charset",
        "the recorded address has another typing error",
    ),
    known(
        Vm::Wasm,
        Aspect::Failure,
        "cosmwasm.wasm.v1.MsgMigrateContract wasm 11 migrate wasm contract failed",
        "cannot migrate from version",
        OTHER_CONTRACT,
    ),
    known(
        Vm::Wasm,
        Aspect::Failure,
        "cosmwasm.wasm.v1.MsgStoreCode wasm 2 create wasm contract failed",
        "could not be deserialized",
        "what is wrong with the recorded code is its version, which this one has right",
    ),
    known(Vm::Wasm, Aspect::Order, "ibc.core.channel.v1.MsgRecvPacket", "message", RELAYED_BEFORE),
    known(
        Vm::Wasm,
        Aspect::Order,
        "ibc.core.channel.v1.MsgRecvPacket receive_ibc_packet callback_redeem_vouchers transfer_nft an NFT \
         callback_redeem_outgoing_channel_entries",
        "message recv_packet",
        "the record counts an update of the light client to the same message",
    ),
    known(Vm::Wasm, Aspect::Order, "opinit.opchild.v1.MsgFinalizeTokenDeposit", "message", DEPOSITED_BEFORE),
    known(
        Vm::Wasm,
        Aspect::Order,
        "opinit.opchild.v1.MsgFinalizeTokenDeposit with coinbase with tx",
        "tx finalize_token_deposit",
        "a failed hook's tokens stay, as newer nodes do it; the recorded hook succeeds",
    ),
    known(
        Vm::Move,
        Aspect::Order,
        "ibc.core.channel.v1.MsgRecvPacket with coinbase with denomination_trace with fungible_token_packet",
        "fungible_token_packet write_acknowledgement",
        HOOKED,
    ),
];
