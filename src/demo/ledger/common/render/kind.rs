//! Types, signers and modules of messages.

use crate::demo::ledger::common::{
    Flavour,
    record::{Msg, PacketArrival, PartyId, Right},
    render::Render,
};

/// Returns the message type, as in `@type`.
pub(crate) fn kind<F: Render>(msg: &Msg<F>) -> &'static str {
    match msg {
        Msg::Send { .. } => "/cosmos.bank.v1beta1.MsgSend",
        Msg::MultiSend { .. } => "/cosmos.bank.v1beta1.MsgMultiSend",
        Msg::Exec { .. } => "/cosmos.authz.v1beta1.MsgExec",
        Msg::Grant { .. } => "/cosmos.authz.v1beta1.MsgGrant",
        Msg::Revoke { .. } => "/cosmos.authz.v1beta1.MsgRevoke",
        Msg::AllowFees { .. } => "/cosmos.feegrant.v1beta1.MsgGrantAllowance",
        Msg::RevokeFees { .. } => "/cosmos.feegrant.v1beta1.MsgRevokeAllowance",
        Msg::PruneAllowances { .. } => "/cosmos.feegrant.v1beta1.MsgPruneAllowances",
        Msg::Vm(message) => F::kind(message),
        Msg::Deposit(_) => "/opinit.opchild.v1.MsgFinalizeTokenDeposit",
        Msg::Withdraw { .. } => "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
        Msg::UpdateOracle { .. } => "/opinit.opchild.v1.MsgUpdateOracle",
        Msg::RelayOracle { .. } => "/opinit.opchild.v1.MsgRelayOracleData",
        Msg::SetBridgeInfo { .. } => "/opinit.opchild.v1.MsgSetBridgeInfo",
        Msg::Execute { .. } => "/opinit.opchild.v1.MsgExecuteMessages",
        Msg::Transfer(_) => "/ibc.applications.transfer.v1.MsgTransfer",
        Msg::NftTransfer(_) => "/ibc.applications.nft_transfer.v1.MsgTransfer",
        Msg::UpdateClient { .. } => "/ibc.core.client.v1.MsgUpdateClient",
        Msg::Receive { .. } | Msg::NftReceive { .. } => "/ibc.core.channel.v1.MsgRecvPacket",
        Msg::Acknowledge { .. } | Msg::NftAcknowledge { .. } => "/ibc.core.channel.v1.MsgAcknowledgement",
        Msg::Timeout { .. } => "/ibc.core.channel.v1.MsgTimeout",
    }
}

/// Returns the module for the generic event: the second part of the type. `None` if another event names the module.
pub(crate) fn module<F: Render>(msg: &Msg<F>) -> Option<&'static str> {
    let names_itself = match msg {
        Msg::Transfer(_)
        | Msg::NftTransfer(_)
        | Msg::UpdateClient { .. }
        | Msg::NftReceive { .. }
        | Msg::Acknowledge { .. }
        | Msg::NftAcknowledge { .. }
        | Msg::Timeout { .. } => true,
        Msg::Vm(message) => F::names_module(message),
        Msg::Receive { arrival, .. } => *arrival != PacketArrival::Repeated,
        _ => false,
    };
    kind(msg).split('.').nth(1).filter(|_| !names_itself)
}

pub(crate) fn sender<F: Render>(msg: &Msg<F>) -> PartyId {
    match msg {
        Msg::Send { from: party, .. }
        | Msg::Exec { grantee: party, .. }
        | Msg::Grant { granter: party, .. }
        | Msg::Revoke { granter: party, .. }
        | Msg::AllowFees { granter: party, .. }
        | Msg::RevokeFees { granter: party, .. }
        | Msg::PruneAllowances { pruner: party }
        | Msg::MultiSend { from: party, .. }
        | Msg::Withdraw { sender: party, .. }
        | Msg::UpdateOracle { sender: party }
        | Msg::RelayOracle { sender: party }
        | Msg::SetBridgeInfo { sender: party }
        | Msg::Execute { sender: party, .. }
        | Msg::UpdateClient { signer: party, .. }
        | Msg::Receive { signer: party, .. }
        | Msg::NftReceive { signer: party, .. }
        | Msg::Acknowledge { signer: party, .. }
        | Msg::NftAcknowledge { signer: party, .. }
        | Msg::Timeout { signer: party, .. } => *party,
        Msg::Vm(message) => F::sender(message),
        Msg::Deposit(deposit) => deposit.executor,
        Msg::Transfer(packet) => packet.local,
        Msg::NftTransfer(packet) => packet.local,
    }
}

/// Returns the message type that an authz right allows.
pub(crate) fn allowed<F: Flavour>(right: Right) -> &'static str {
    match right {
        Right::Send => "/cosmos.bank.v1beta1.MsgSend",
        Right::Call => F::EXECUTE,
    }
}
