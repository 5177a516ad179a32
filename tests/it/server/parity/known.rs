//! Where our answers are others than the real indexer's, and why.

use rollscope::domain::Vm;

use super::{super::client::Mode, Difference};

/// A difference that is meant. Each is needed: one that nothing is an example of fails the test.
pub(super) struct KnownDifference {
    pub(super) vm: Vm,
    /// Where it is seen.
    pub(super) modes: &'static [Mode],
    pub(super) reason: &'static str,
    pub(super) is_it: fn(&Difference) -> bool,
}

const NUL: &str = "the six characters of an escaped NUL are text, and stay";

const BOTH: &[Mode] = &[Mode::Quirks, Mode::Specified];

pub(super) const KNOWN: &[KnownDifference] = &[
    KnownDifference {
        vm: Vm::Evm,
        modes: BOTH,
        reason: "the real indexer keeps the owner and the URI of before for what is minted again after it was burned",
        is_it: is_minted_again,
    },
    KnownDifference {
        vm: Vm::Evm,
        modes: BOTH,
        reason: "the real indexer goes on to list who holds nothing any more",
        is_it: is_empty_holder,
    },
    KnownDifference {
        vm: Vm::Evm,
        modes: &[Mode::Specified],
        reason: "names in paths are decoded, as they are specified to be",
        is_it: |one| {
            let is_encoded = one.path.starts_with("/indexer/nft/v1/collections/by_name/") && one.path.contains('%');
            is_encoded && (one.real == "nothing" || one.place == ".pagination.total" && one.real == "\"0\"")
        },
    },
    KnownDifference {
        vm: Vm::Evm,
        modes: &[Mode::Specified],
        reason: "the consensus address is beside the operator",
        is_it: is_consensus_address,
    },
    KnownDifference {
        vm: Vm::Wasm,
        modes: &[Mode::Specified],
        reason: "the consensus address is beside the operator",
        is_it: is_consensus_address,
    },
    KnownDifference {
        vm: Vm::Evm,
        modes: &[Mode::Specified],
        reason: "the real indexer has no errors of calls, no output of the outermost call, and no word of what is undone",
        is_it: |one| {
            let is_error = one.place.ends_with("[].error") && one.real == "nothing";
            let is_output = one.place.ends_with("[].output") && one.real == "\"0x\"";
            let is_undone = one.place.ends_with("[].undone") && one.real == "nothing" && one.ours == "true";
            one.path.contains("/evm-internal-txs") && (is_error || is_output || is_undone)
        },
    },
    KnownDifference { vm: Vm::Evm, modes: BOTH, reason: NUL, is_it: is_written_out_nul },
    KnownDifference { vm: Vm::Wasm, modes: BOTH, reason: NUL, is_it: is_written_out_nul },
    KnownDifference {
        vm: Vm::Evm,
        modes: BOTH,
        reason: "the sentence names the indexer's own node, and quotes its version's words; ours names no server",
        is_it: |one| {
            let of_node =
                |text: &str| text.contains("/minievm/evm/v1/contracts/by_denom?denom=nothing failed: HTTP 404");
            let is_ours = |text: &str| of_node(text) || text == "\"[NOT_FOUND] the index knows no token nothing\"";
            one.path == "/indexer/richlist/v1/nothing" && of_node(&one.real) && is_ours(&one.ours)
        },
    },
];

/// The token that the recorded chain burned and minted again, its owner of before, and that of today.
const AGAIN: (&str, &str, &str) = (
    r#""token_id":"118""#,
    "init1xxm62kr3nd3r8fgf2duxa0y8u3s6qkmgvy3fpy",
    "init10rlevrz2mp4tm7j97e4y08fj4p7r68wesqdzhu",
);

fn is_consensus_address(one: &Difference) -> bool {
    one.place.ends_with(".proposer.consensus_address") && one.real == "nothing"
}

fn is_minted_again(one: &Difference) -> bool {
    let (token, before, today) = AGAIN;
    let of_owners = one.path.contains(before) || one.path.contains(today);
    match one.path.strip_prefix("/indexer/nft/v1/").unwrap_or_default() {
        path if path.starts_with("tokens/by_account/") && of_owners => {
            one.place == ".pagination.total" || one.real.contains(token) || one.ours.contains(token)
        }
        path if path.starts_with("collections/by_account/") && of_owners => true,
        path if path.starts_with("tokens/by_collection/") => {
            let ours = ["464", "\"ipfs://again\"", "\"2026-11-22T01:10:30.481277Z\""];
            ours.contains(&one.ours.as_str()) || one.ours.contains(today) && one.real.contains(before)
        }
        _ => false,
    }
}

fn is_written_out_nul(one: &Difference) -> bool {
    one.place == ".tx.tx.body.memo" && one.ours.replace("\\\\u0000", "\\\\uFFFD") == one.real
}

fn is_empty_holder(one: &Difference) -> bool {
    let number = |text: &str| text.trim_matches('"').parse::<u64>();
    let is_fewer = || number(&one.ours).is_ok_and(|ours| number(&one.real).is_ok_and(|real| ours < real));
    let is_empty = || one.ours == "nothing" && one.real.contains(r#""amount":"0""#);
    one.path.starts_with("/indexer/richlist/")
        && match one.place.as_str() {
            ".holders[]" => is_empty(),
            ".pagination.total" => is_fewer(),
            _ => false,
        }
}
