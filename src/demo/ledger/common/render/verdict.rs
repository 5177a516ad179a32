//! Renders failures as a node does: code, codespace and raw log.

use super::{
    Render, RenderView,
    kind::{kind, sender},
};
use crate::demo::ledger::{
    MessageFailure,
    common::{
        catalogue::FEE_TOKEN,
        record::{Msg, TokenId, TxOutcome, TxRecord},
        world::PartyRole,
    },
};

/// Result of a transaction, as a node reports it.
pub(crate) struct TxVerdict {
    /// 0 is success.
    pub(crate) code: u32,
    pub(crate) codespace: &'static str,
    pub(crate) raw_log: String,
}

pub(crate) fn verdict<F: Render>(view: &RenderView<'_>, tx: &TxRecord<F>) -> TxVerdict {
    if let Some(failure) = tx.posted.as_ref().and_then(|posted| posted.failure.as_ref()) {
        let MessageFailure { code, codespace, log, .. } = failure.clone();
        return TxVerdict { code, codespace, raw_log: log };
    }
    let (code, codespace, raw_log) = match tx.outcome {
        TxOutcome::Success => (0, "", String::new()),
        TxOutcome::OutOfGas(place) => {
            let (wanted, used) = (tx.gas_wanted, tx.gas_used);
            let log = format!("out of gas in location: {place}; gasWanted: {wanted}, gasUsed: {used}: out of gas");
            (11, "sdk", log)
        }
        TxOutcome::Recovered => {
            let log = "panic message redacted to hide potentially sensitive system info: panic";
            (111_222, "undefined", log.to_owned())
        }
        TxOutcome::WrongSequence { expected } => {
            let got = tx.sequence;
            let log = format!("account sequence mismatch, expected {expected}, got {got}: incorrect account sequence");
            (32, "sdk", log)
        }
        TxOutcome::InsufficientFee => {
            let required = view.coin(TokenId(FEE_TOKEN), view.world.catalogue.fee(tx.gas_wanted));
            let got = view.coin(TokenId(FEE_TOKEN), 1);
            (13, "sdk", format!("insufficient fees; got: {got} required: {required}: insufficient fee"))
        }
        outcome => {
            let (code, codespace, detail) = in_message(view, tx, outcome);
            (code, codespace, format!("failed to execute message; message index: 0: {detail}"))
        }
    };
    TxVerdict { code, codespace, raw_log }
}

/// Returns the failure of a message. [`verdict`] handles failures before the messages.
fn in_message<F: Render>(
    view: &RenderView<'_>,
    tx: &TxRecord<F>,
    outcome: TxOutcome<F>,
) -> (u32, &'static str, String) {
    let signer = &view.world.party(tx.signer).bech32;
    match outcome {
        TxOutcome::Vm(failure) => F::failure(view, tx, failure),
        TxOutcome::NoAuthorization => (2, "authz", no_authorization(view, tx)),
        TxOutcome::NotExecutor => {
            let executor = &view.world.party(view.world.role(PartyRole::Executor)).bech32;
            (4, "sdk", format!("expected included in [{executor}], got {signer}: unauthorized"))
        }
        TxOutcome::NotAdmin => {
            let admin = &view.world.party(view.world.role(PartyRole::Admin)).bech32;
            (4, "sdk", format!("the message is allowed to be executed by admin {admin}: unauthorized"))
        }
        TxOutcome::NoChannel => {
            let log = "port ID (transfer) channel ID (channel-99): channel not found";
            (3, "channel", log.to_owned())
        }
        TxOutcome::InactiveClient => {
            let client = view.world.catalogue.channel(2).client;
            let log = format!("cannot update client ({client}) with status Expired: client state is not active");
            (29, "client", log)
        }
        TxOutcome::NoCommitment => (20, "channel", "packet commitment not found".to_owned()),
        _ => (38, "sdk", "fee-grant not found: not found".to_owned()),
    }
}

fn no_authorization<F: Render>(view: &RenderView<'_>, tx: &TxRecord<F>) -> String {
    let Some(Msg::Exec { grantee, inner }) = tx.messages.first() else {
        return "authorization not found".to_owned();
    };
    let (granter, kind) = inner.first().map_or(("", ""), |msg| (&*view.party(sender(msg)).bech32, kind(msg)));
    let grantee = &view.party(*grantee).bech32;
    format!(
        "failed to get grant with given granter: {granter}, grantee: {grantee} & msgType: {kind} : authorization not \
         found"
    )
}
