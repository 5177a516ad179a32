//! The verbs of sentences.

use crate::story::context::Verb;

pub(super) const ACT: Verb = Verb { past: "acted", base: "act" };
pub(super) const ACT_FOR: Verb = Verb { past: "acted for", base: "act for" };
pub(super) const ADD: Verb = Verb { past: "added", base: "add" };
pub(super) const ALLOW: Verb = Verb { past: "allowed", base: "allow" };
pub(super) const ARRIVE: Verb = Verb { past: "arrived", base: "arrive" };
pub(super) const ASK_TO_HAVE: Verb = Verb { past: "asked to have", base: "have" };
pub(super) const BEGIN_TO_OPEN: Verb = Verb { past: "began to open", base: "begin to open" };
pub(super) const BEGIN_TO_UNSTAKE: Verb = Verb { past: "began to unstake", base: "unstake" };
pub(super) const BRING: Verb = Verb { past: "brought", base: "bring" };
pub(super) const BRING_REFUSAL: Verb = Verb { past: "refused", base: "bring the refusal of" };
pub(super) const BURN: Verb = Verb { past: "burned", base: "burn" };
pub(super) const BUY: Verb = Verb { past: "bought", base: "buy" };
pub(super) const CALL: Verb = Verb { past: "called", base: "call" };
pub(super) const CHALLENGE_AND_DELETE: Verb = Verb { past: "challenged and deleted", base: "delete" };
pub(super) const CHANGE: Verb = Verb { past: "changed", base: "change" };
pub(super) const CHANGE_PARAMETERS: Verb = Verb { past: "changed", base: "change the rollup's parameters" };
pub(super) const CHANGE_SEQUENCER: Verb = Verb { past: "changed", base: "change the sequencer" };
pub(super) const CLAIM: Verb = Verb { past: "claimed", base: "claim" };
pub(super) const CLEAR_AWAY: Verb = Verb { past: "cleared away", base: "clear away" };
pub(super) const CLOSE: Verb = Verb { past: "closed", base: "close" };
pub(super) const COLLECT: Verb = Verb { past: "collected", base: "collect" };
pub(super) const CONFIRM: Verb = Verb { past: "confirmed", base: "confirm" };
pub(super) const CONVERT: Verb = Verb { past: "converted", base: "convert" };
pub(super) const CREATE: Verb = Verb { past: "created", base: "create" };
pub(super) const DELEGATE: Verb = Verb { past: "delegated", base: "delegate" };
pub(super) const DELIVER: Verb = Verb { past: "delivered", base: "deliver" };
pub(super) const DEPLOY: Verb = Verb { past: "deployed", base: "deploy" };
pub(super) const DEPOSIT: Verb = Verb { past: "deposited", base: "deposit" };
pub(super) const DESCRIBE: Verb = Verb { past: "described", base: "describe" };
pub(super) const EXECUTE: Verb = Verb { past: "executed", base: "execute" };
pub(super) const EXPIRE: Verb = Verb { past: "expired", base: "expire" };
pub(super) const GIVE: Verb = Verb { past: "gave", base: "give" };
pub(super) const GIVE_UP: Verb = Verb { past: "gave up", base: "give up" };
pub(super) const HAND: Verb = Verb { past: "handed", base: "hand" };
pub(super) const HAVE: Verb = Verb { past: "had", base: "have" };
pub(super) const INITIALIZE: Verb = Verb { past: "initialized", base: "initialize" };
pub(super) const LINK: Verb = Verb { past: "linked", base: "link" };
pub(super) const MAKE: Verb = Verb { past: "made", base: "make" };
pub(super) const MAKE_ADMIN: Verb = Verb { past: "is now", base: "make the rollup's admin" };
pub(super) const MINT: Verb = Verb { past: "minted", base: "mint" };
pub(super) const MOVE: Verb = Verb { past: "moved", base: "move" };
pub(super) const NAME_THE_TOKEN: Verb = Verb { past: "named the token", base: "name the token" };
pub(super) const OFFER: Verb = Verb { past: "offered", base: "offer" };
pub(super) const OPEN: Verb = Verb { past: "opened", base: "open" };
pub(super) const PAUSE: Verb = Verb { past: "paused", base: "pause" };
pub(super) const PAY: Verb = Verb { past: "paid", base: "pay" };
pub(super) const PIN: Verb = Verb { past: "pinned", base: "pin" };
pub(super) const PROMISE_TO_PAY: Verb = Verb { past: "will pay", base: "promise to pay" };
pub(super) const PROPOSE: Verb = Verb { past: "proposed", base: "propose" };
pub(super) const PUBLISH: Verb = Verb { past: "published", base: "publish" };
pub(super) const PUT_UP: Verb = Verb { past: "put up", base: "put up" };
pub(super) const READ: Verb = Verb { past: "read", base: "read" };
pub(super) const RECORD: Verb = Verb { past: "recorded", base: "record" };
pub(super) const REGISTER: Verb = Verb { past: "registered", base: "register" };
pub(super) const RELABEL: Verb = Verb { past: "relabelled", base: "relabel" };
pub(super) const RELAY: Verb = Verb { past: "relayed", base: "relay" };
pub(super) const RELAY_AND_DELIVER: Verb = Verb { past: "relayed", base: "deliver" };
pub(super) const RELEASE: Verb = Verb { past: "released", base: "release" };
pub(super) const REMOVE: Verb = Verb { past: "removed", base: "remove" };
pub(super) const REPEAT: Verb = Verb { past: "repeated", base: "repeat" };
pub(super) const RUN: Verb = Verb { past: "ran", base: "run" };
pub(super) const SEND: Verb = Verb { past: "sent", base: "send" };
pub(super) const SEND_ON: Verb = Verb { past: "sent on", base: "send on" };
pub(super) const SET: Verb = Verb { past: "set", base: "set" };
pub(super) const SET_GAS_PRICES: Verb = Verb { past: "are now", base: "set the minimum gas prices to" };
pub(super) const STAKE: Verb = Verb { past: "staked", base: "stake" };
pub(super) const START_WITHDRAWING: Verb = Verb { past: "started withdrawing", base: "withdraw" };
pub(super) const STOP_LETTING: Verb = Verb { past: "stopped letting", base: "stop letting" };
pub(super) const STOP_PAYING: Verb = Verb { past: "stopped paying", base: "stop paying" };
pub(super) const SWAP: Verb = Verb { past: "swapped", base: "swap" };
pub(super) const SWITCH_OFF: Verb = Verb { past: "switched off", base: "switch off" };
pub(super) const TAKE: Verb = Verb { past: "took", base: "take" };
pub(super) const TAKE_BACK: Verb = Verb { past: "took back", base: "take back" };
pub(super) const TELL: Verb = Verb { past: "told", base: "tell" };
pub(super) const TRANSFER: Verb = Verb { past: "transferred", base: "transfer" };
pub(super) const UNPAUSE: Verb = Verb { past: "unpaused", base: "unpause" };
pub(super) const UNPIN: Verb = Verb { past: "unpinned", base: "unpin" };
pub(super) const UNSTAKE: Verb = Verb { past: "unstaked", base: "unstake" };
pub(super) const UNWRAP: Verb = Verb { past: "unwrapped", base: "unwrap" };
pub(super) const UPDATE: Verb = Verb { past: "updated", base: "update" };
pub(super) const UPGRADE: Verb = Verb { past: "upgraded", base: "upgrade" };
pub(super) const UPLOAD: Verb = Verb { past: "uploaded", base: "upload" };
pub(super) const USE: Verb = Verb { past: "used", base: "use" };
pub(super) const VOTE: Verb = Verb { past: "voted", base: "vote" };
pub(super) const WITHDRAW: Verb = Verb { past: "withdrew", base: "withdraw" };
pub(super) const WRAP: Verb = Verb { past: "wrapped", base: "wrap" };

#[cfg(test)]
mod tests {
    #[test]
    fn only_verbs_that_do_not_change_look_alike() {
        let table = include_str!("verb.rs").lines().filter_map(|line| line.split_once("Verb { past: "));
        let forms = table.filter_map(|(_, forms)| forms.split_once(", base: "));
        let alike: Vec<&str> = forms.filter(|(past, base)| base.starts_with(past)).map(|(past, _)| past).collect();
        assert_eq!(alike, ["\"put up\"", "\"read\"", "\"set\""]);
    }
}
