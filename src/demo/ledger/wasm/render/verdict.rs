//! Renders failures of the Wasm modules: code, codespace and reason.

use crate::demo::ledger::{
    common::{
        record::{Msg, TxRecord},
        render::RenderView,
    },
    wasm::{
        Wasm, calls,
        codes::made_denom,
        record::{VmFailure, VmMessage},
    },
};

pub(super) fn verdict(view: &RenderView<'_>, tx: &TxRecord<Wasm>, failure: VmFailure) -> (u32, &'static str, String) {
    match failure {
        VmFailure::Refused(words) => (5, "wasm", format!("{words}: execute wasm contract failed")),
        VmFailure::RefusedInside(words) => {
            (5, "wasm", format!("dispatch: submessages: {words}: execute wasm contract failed"))
        }
        VmFailure::UnknownMessage => {
            let words =
                "Error parsing into type rollscope::msg::ExecuteMsg: unknown variant `levitate`, expected one of";
            (
                5,
                "wasm",
                format!("{words} `enter_match`, `set_record`, `draw`, `post_price`: execute wasm contract failed"),
            )
        }
        VmFailure::MistypedAddress => {
            let words = "Generic error: addr_validate errored: decoding bech32 failed";
            let reason = "invalid character not part of charset: 98";
            (4, "wasm", format!("{words}: {reason}: instantiate wasm contract failed"))
        }
        VmFailure::MigrationRefused => {
            let words = "Generic error: cannot migrate from version 1.2.0 to 1.1.0";
            (11, "wasm", format!("{words}: migrate wasm contract failed"))
        }
        VmFailure::BadCode => {
            let words =
                "Error calling the VM: Error during static Wasm validation: Wasm bytecode could not be deserialized";
            (2, "wasm", format!("{words}: create wasm contract failed"))
        }
        VmFailure::NoCode(code) => (28, "wasm", format!("code id {code}: no such code")),
        VmFailure::NoContract => (22, "wasm", format!("address {}: no such contract", called(view, tx))),
        VmFailure::NotContractAdmin => {
            let what = match tx.messages.first() {
                Some(Msg::Vm(VmMessage::Migrate { .. })) => "can not migrate",
                _ => "can not modify contract",
            };
            (4, "sdk", format!("{what}: unauthorized"))
        }
        VmFailure::NotDenomAdmin => (8, "tokenfactory", "unauthorized account".to_owned()),
        VmFailure::DenomExists => {
            let words = "attempting to create a denom that already exists (has bank metadata)";
            (7, "tokenfactory", words.to_owned())
        }
        VmFailure::NoDenom { number } => {
            let denom = made_denom(view.world, tx.signer, number);
            (15, "tokenfactory", format!("denom: {denom}: denom does not exist"))
        }
        VmFailure::InsufficientFunds { has } => {
            let (wanted, denom) = spent(view, tx);
            (5, "sdk", format!("spendable balance {has}{denom} is smaller than {wanted}{denom}: insufficient funds"))
        }
    }
}

/// Returns the amount and denom that the first message spends.
fn spent<'a>(view: &RenderView<'a>, tx: &TxRecord<Wasm>) -> (u128, &'a str) {
    match tx.messages.first() {
        Some(Msg::Send { token, amount, .. } | Msg::Withdraw { token, amount, .. }) => (*amount, view.denom(*token)),
        _ => (0, ""),
    }
}

/// Returns the address of the contract that the first message calls.
fn called(view: &RenderView<'_>, tx: &TxRecord<Wasm>) -> String {
    match tx.messages.first() {
        Some(Msg::Vm(VmMessage::Execute { sender, call })) => {
            view.party(calls::call(view.world, *sender, call).contract).bech32.to_string()
        }
        _ => String::new(),
    }
}
