//! The verbs of sentences.

use crate::story::context::VerbForms;

pub(super) const ACT: VerbForms = VerbForms { past: "acted", base: "act" };
pub(super) const ACT_FOR: VerbForms = VerbForms { past: "acted for", base: "act for" };
pub(super) const ADD: VerbForms = VerbForms { past: "added", base: "add" };
pub(super) const AUTHORIZE: VerbForms = VerbForms { past: "authorized", base: "authorize" };
pub(super) const ALLOW: VerbForms = VerbForms { past: "allowed", base: "allow" };
pub(super) const ARRIVE: VerbForms = VerbForms { past: "arrived", base: "arrive" };
pub(super) const ANSWER: VerbForms = VerbForms { past: "answered", base: "bring the answer to" };
pub(super) const ASK_TO_HAVE: VerbForms = VerbForms { past: "asked to have", base: "have" };
pub(super) const BEGIN_TO_OPEN: VerbForms = VerbForms { past: "began to open", base: "begin to open" };
pub(super) const BEGIN_TO_UNSTAKE: VerbForms = VerbForms { past: "began to unstake", base: "unstake" };
pub(super) const BRING_REFUSAL: VerbForms = VerbForms { past: "refused", base: "bring the refusal of" };
pub(super) const BURN: VerbForms = VerbForms { past: "burned", base: "burn" };
pub(super) const BUY: VerbForms = VerbForms { past: "bought", base: "buy" };
pub(super) const CALL: VerbForms = VerbForms { past: "called", base: "call" };
pub(super) const CHALLENGE_AND_DELETE: VerbForms = VerbForms { past: "challenged and deleted", base: "delete" };
pub(super) const CHANGE: VerbForms = VerbForms { past: "changed", base: "change" };
pub(super) const CLAIM: VerbForms = VerbForms { past: "claimed", base: "claim" };
pub(super) const CLOSE: VerbForms = VerbForms { past: "closed", base: "close" };
pub(super) const COLLECT: VerbForms = VerbForms { past: "collected", base: "collect" };
pub(super) const CONFIRM: VerbForms = VerbForms { past: "confirmed", base: "confirm" };
pub(super) const CONVERT: VerbForms = VerbForms { past: "converted", base: "convert" };
pub(super) const CREATE: VerbForms = VerbForms { past: "created", base: "create" };
pub(super) const DELEGATE: VerbForms = VerbForms { past: "delegated", base: "delegate" };
pub(super) const DELIVER: VerbForms = VerbForms { past: "delivered", base: "deliver" };
pub(super) const DEPLOY: VerbForms = VerbForms { past: "deployed", base: "deploy" };
pub(super) const DEPOSIT: VerbForms = VerbForms { past: "deposited", base: "deposit" };
pub(super) const EXECUTE: VerbForms = VerbForms { past: "executed", base: "execute" };
pub(super) const GIVE: VerbForms = VerbForms { past: "gave", base: "give" };
pub(super) const GIVE_UP: VerbForms = VerbForms { past: "gave up", base: "give up" };
pub(super) const GRANT: VerbForms = VerbForms { past: "granted", base: "grant" };
pub(super) const HAND: VerbForms = VerbForms { past: "handed", base: "hand" };
pub(super) const HAVE: VerbForms = VerbForms { past: "had", base: "have" };
pub(super) const INITIALIZE: VerbForms = VerbForms { past: "initialized", base: "initialize" };
pub(super) const LINK: VerbForms = VerbForms { past: "linked", base: "link" };
pub(super) const LOWER: VerbForms = VerbForms { past: "lowered", base: "lower" };
pub(super) const MAKE: VerbForms = VerbForms { past: "made", base: "make" };
pub(super) const MINT: VerbForms = VerbForms { past: "minted", base: "mint" };
pub(super) const MOVE: VerbForms = VerbForms { past: "moved", base: "move" };
pub(super) const NAME_THE_TOKEN: VerbForms = VerbForms { past: "named the token", base: "name the token" };
pub(super) const NOT_CREDIT: VerbForms = VerbForms { past: "was not credited", base: "be credited" };
pub(super) const OFFER: VerbForms = VerbForms { past: "offered", base: "offer" };
pub(super) const OPEN: VerbForms = VerbForms { past: "opened", base: "open" };
pub(super) const PAUSE: VerbForms = VerbForms { past: "paused", base: "pause" };
pub(super) const PAY: VerbForms = VerbForms { past: "paid", base: "pay" };
pub(super) const PIN: VerbForms = VerbForms { past: "pinned", base: "pin" };
pub(super) const PROPOSE: VerbForms = VerbForms { past: "proposed", base: "propose" };
pub(super) const PUBLISH: VerbForms = VerbForms { past: "published", base: "publish" };
pub(super) const PUT_UP: VerbForms = VerbForms { past: "put up", base: "put up" };
pub(super) const RAISE: VerbForms = VerbForms { past: "raised", base: "raise" };
pub(super) const READ: VerbForms = VerbForms { past: "read", base: "read" };
pub(super) const RECORD: VerbForms = VerbForms { past: "recorded", base: "record" };
pub(super) const REFUSE: VerbForms = VerbForms { past: "was refused", base: "be refused" };
pub(super) const REGISTER: VerbForms = VerbForms { past: "registered", base: "register" };
pub(super) const RELABEL: VerbForms = VerbForms { past: "relabelled", base: "relabel" };
pub(super) const RELAY: VerbForms = VerbForms { past: "relayed", base: "relay" };
pub(super) const RELAY_AND_DELIVER: VerbForms = VerbForms { past: "relayed", base: "deliver" };
pub(super) const RELEASE: VerbForms = VerbForms { past: "released", base: "release" };
pub(super) const REMOVE: VerbForms = VerbForms { past: "removed", base: "remove" };
pub(super) const REVOKE: VerbForms = VerbForms { past: "revoked", base: "revoke" };
pub(super) const RUN: VerbForms = VerbForms { past: "ran", base: "run" };
pub(super) const SEND: VerbForms = VerbForms { past: "sent", base: "send" };
pub(super) const SEND_BACK: VerbForms = VerbForms { past: "was sent back", base: "send back" };
pub(super) const SEND_ON: VerbForms = VerbForms { past: "sent on", base: "send on" };
pub(super) const SET: VerbForms = VerbForms { past: "set", base: "set" };
pub(super) const STAKE: VerbForms = VerbForms { past: "staked", base: "stake" };
pub(super) const START_WITHDRAWING: VerbForms = VerbForms { past: "started withdrawing", base: "withdraw" };
pub(super) const SWAP: VerbForms = VerbForms { past: "swapped", base: "swap" };
pub(super) const SWITCH_OFF: VerbForms = VerbForms { past: "switched off", base: "switch off" };
pub(super) const TAKE: VerbForms = VerbForms { past: "took", base: "take" };
pub(super) const TIME_OUT: VerbForms = VerbForms { past: "timed out", base: "time out" };
pub(super) const TRANSFER: VerbForms = VerbForms { past: "transferred", base: "transfer" };
pub(super) const UNPAUSE: VerbForms = VerbForms { past: "unpaused", base: "unpause" };
pub(super) const UNPIN: VerbForms = VerbForms { past: "unpinned", base: "unpin" };
pub(super) const UNSTAKE: VerbForms = VerbForms { past: "unstaked", base: "unstake" };
pub(super) const UNWRAP: VerbForms = VerbForms { past: "unwrapped", base: "unwrap" };
pub(super) const UPDATE: VerbForms = VerbForms { past: "updated", base: "update" };
pub(super) const UPDATE_IBC_CLIENT: VerbForms = VerbForms { past: "updated IBC client", base: "update IBC client" };
pub(super) const UPGRADE: VerbForms = VerbForms { past: "upgraded", base: "upgrade" };
pub(super) const UPLOAD: VerbForms = VerbForms { past: "uploaded", base: "upload" };
pub(super) const USE: VerbForms = VerbForms { past: "used", base: "use" };
pub(super) const VOTE: VerbForms = VerbForms { past: "voted", base: "vote" };
pub(super) const WITHDRAW: VerbForms = VerbForms { past: "withdrew", base: "withdraw" };
pub(super) const WRAP: VerbForms = VerbForms { past: "wrapped", base: "wrap" };

#[cfg(test)]
mod tests {
    #[test]
    fn only_verbs_that_do_not_change_look_alike() {
        let table = include_str!("verb.rs").lines().filter_map(|line| line.split_once("VerbForms { past: "));
        let forms = table.filter_map(|(_, forms)| forms.split_once(", base: "));
        let alike: Vec<&str> = forms.filter(|(past, base)| base.starts_with(past)).map(|(past, _)| past).collect();
        assert_eq!(alike, ["\"put up\"", "\"read\"", "\"set\""]);
    }
}
