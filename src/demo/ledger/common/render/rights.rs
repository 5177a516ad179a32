//! Renders authz grants and fee allowances.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

use super::{RenderView, event_writer::EventWriter, kind::allowed};
use crate::{
    demo::ledger::{
        common::{
            Flavour,
            record::{Msg, PartyId, Right},
        },
        json::quoted,
    },
    events::names::{PRUNE_FEEGRANT, REVOKE_FEEGRANT, SET_FEEGRANT},
};

/// Writes the events of grants and revocations. Their responses are empty.
pub(crate) fn rights<F: Flavour>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    match msg {
        Msg::Grant { granter, grantee, right, .. } => {
            typed::<F>(view, events, "cosmos.authz.v1beta1.EventGrant", (*granter, *grantee), *right);
        }
        Msg::Revoke { granter, grantee, right } => {
            typed::<F>(view, events, "cosmos.authz.v1beta1.EventRevoke", (*granter, *grantee), *right);
        }
        Msg::AllowFees { granter, grantee, .. } => plain(view, events, SET_FEEGRANT, (*granter, *grantee)),
        Msg::RevokeFees { granter, grantee } => plain(view, events, REVOKE_FEEGRANT, (*granter, *grantee)),
        Msg::PruneAllowances { pruner } => {
            events.emit(PRUNE_FEEGRANT, vec![("pruner", view.party(*pruner).bech32.to_string())]);
        }
        _ => {}
    }
    Vec::new()
}

/// Writes a typed event, whose attributes are sorted and have JSON values.
fn typed<F: Flavour>(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    kind: &'static str,
    pair: (PartyId, PartyId),
    right: Right,
) {
    let (granter, grantee) = (view.party(pair.0), view.party(pair.1));
    let attributes = vec![
        ("grantee", quoted(&grantee.bech32)),
        ("granter", quoted(&granter.bech32)),
        ("msg_type_url", quoted(allowed::<F>(right))),
    ];
    events.emit(kind, attributes);
}

fn plain(view: &RenderView<'_>, events: &mut EventWriter, kind: &'static str, pair: (PartyId, PartyId)) {
    let (granter, grantee) = (view.party(pair.0), view.party(pair.1));
    events.emit(kind, vec![("granter", granter.bech32.to_string()), ("grantee", grantee.bech32.to_string())]);
}
