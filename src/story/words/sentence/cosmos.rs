//! Messages of the Cosmos SDK (`docs/apis/story.md` §1.1).

mod authz;
mod bank;
mod feegrant;
mod stake;
#[cfg(test)]
mod tests;

use super::{generic::generic, nested::SentenceContext};
use crate::story::{context::MessageRef, words::clause::Clause};

pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    match message.kind.as_str() {
        "cosmos.bank.v1beta1.MsgSend" => Some(bank::send(context, message)),
        "cosmos.bank.v1beta1.MsgMultiSend" => Some(bank::multi_send(context, message)),
        "cosmos.authz.v1beta1.MsgExec" => Some(authz::exec(context, message)),
        "cosmos.authz.v1beta1.MsgGrant" => Some(authz::grant(context, message)),
        "cosmos.authz.v1beta1.MsgRevoke" => Some(authz::revoke(context, message)),
        "cosmos.feegrant.v1beta1.MsgGrantAllowance" => Some(feegrant::grant(context, message)),
        "cosmos.feegrant.v1beta1.MsgRevokeAllowance" => Some(feegrant::revoke(context, message)),
        "cosmos.feegrant.v1beta1.MsgPruneAllowances" => Some(feegrant::prune(context, message)),
        kind => {
            const GENERIC: [&str; 8] = [
                "cosmos.group.",
                "cosmos.upgrade.",
                "cosmos.consensus.",
                "cosmos.gov.",
                "initia.gov.",
                "initia.ibchooks.",
                "initia.intertx.",
                "connect.",
            ];
            if let Some(clause) = stake::render(context, message) {
                return Some(clause);
            }
            GENERIC.iter().any(|prefix| kind.starts_with(prefix)).then(|| generic(context, message))
        }
    }
}
