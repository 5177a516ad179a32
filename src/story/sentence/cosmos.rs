//! The messages of the SDK itself (`wire/story.md` §1.1).

mod authz;
mod bank;
mod feegrant;
mod stake;
#[cfg(test)]
mod tests;

pub(super) use authz::{Inner, facts};

use super::{
    say::{actor, say},
    verb,
};
use crate::story::scene::{Clause, Scene, Told};

/// The messages of the SDK itself.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    match told.kind.as_str() {
        "cosmos.bank.v1beta1.MsgSend" => Some(bank::send(scene, told)),
        "cosmos.bank.v1beta1.MsgMultiSend" => Some(bank::multi_send(scene, told)),
        "cosmos.authz.v1beta1.MsgExec" => Some(authz::exec(scene, told)),
        "cosmos.authz.v1beta1.MsgGrant" => Some(authz::grant(scene, told)),
        "cosmos.authz.v1beta1.MsgRevoke" => Some(authz::revoke(scene, told)),
        "cosmos.feegrant.v1beta1.MsgGrantAllowance" => Some(feegrant::grant(scene, told)),
        "cosmos.feegrant.v1beta1.MsgRevokeAllowance" => Some(feegrant::revoke(scene, told)),
        "cosmos.feegrant.v1beta1.MsgPruneAllowances" => Some(feegrant::prune(scene, told)),
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
            if let Some(clause) = stake::tell(scene, told) {
                return Some(clause);
            }
            GENERIC.iter().any(|prefix| kind.starts_with(prefix)).then(|| generic(scene, told))
        }
    }
}

/// Fields that name who sent a message, the likeliest first.
const SIGNERS: [&str; 12] = [
    "sender",
    "signer",
    "authority",
    "from_address",
    "granter",
    "proposer",
    "voter",
    "admin",
    "executor",
    "address",
    "owner",
    "creator",
];

fn signer(scene: &Scene<'_>, told: Told<'_>) -> Vec<crate::story::Phrase> {
    let field = SIGNERS.into_iter().find(|name| told.text(name).is_some_and(|text| !text.is_empty()));
    actor(scene, told, field.unwrap_or_default())
}

/// What is said of a type that is known to need no words of its own: "{signer} ran {name}", with what it is about.
pub(super) fn generic(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    const ABOUT: [(&str, &str); 2] = [("proposal_id", " on proposal #"), ("group_id", " of group #")];
    let mut rest = scene.words().code(told.kind.short());
    for (field, words) in ABOUT {
        if let Some(number) = told.text(field).filter(|number| !number.is_empty() && number != "0") {
            rest = rest.text(words).text(number.into_owned());
        }
    }
    say(signer(scene, told), verb::RUN, rest.done())
}

/// What is said of a type that nobody knows.
pub(super) fn unknown(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let name = if told.kind.short().is_empty() { "unnamed" } else { told.kind.short() };
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an " } else { "a " };
    let rest = scene.words().text(article).code(name).text(" message").done();
    say(signer(scene, told), verb::SEND, rest)
}
