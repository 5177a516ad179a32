//! Ways that lead to the pages which nobody finds by chance: keys, pauses, and answers that fit.

use proptest::prelude::*;

use super::Happening;

/// Sends what is on the way from the L1, by the form as the directory fills it in; warnings are acknowledged.
const SEND: &str = ". 6 . , . tab enter . a . S . . .";
/// Reads the signature of a hook from a file.
const HOOK_OF_FILE: &str = ". 6 . , . tab enter . a . @paste_the_signed_hook enter 'hook.json enter . S . .";
/// Lets the wallet sign the hook alone.
const SIGN_HOOK: &str = ". 6 . , . tab enter . a . @sign_with_the_demo enter . S . .";
/// Opens kept transfers one after another, and asks the router to watch again what it gave up.
const KEPT: &str = ". 6 . shift-tab . g g enter . R . esc j enter . R . esc j enter . R . esc j enter . R . esc j enter . R . r . J J > .";
/// Has the wallet claim what was withdrawn long ago.
const CLAIM: &str = ". 6 . shift-tab . g g enter . > . > . esc j enter . > . > . r .";
/// Looks at the assets of both ends, and chooses others of them.
const ASSETS: &str = ". 6 . , . k l enter . down enter . k enter . down enter . down enter . esc r . .";
const TYPED_HASH: &str = ". 6 . t 'l/ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB enter . R . .";
/// Copies what the server says of a transaction to the byte.
const BODY: &str = ". 3 . enter . y B . .";
const TX: &str = ". / 'ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB enter . . l l l l . .";
const EVM_TX: &str = ". / '0xabababababababababababababababababababababababababababababababab enter !Tx !Collection !Txs . . l l l l . . l .";
const BLOCK: &str = ". 3 . / '17 enter . enter . l l . l . l .";
const NFT: &str = ". 4 . enter . enter . . m . esc v . . f8 . enter . .";
const HOLDERS: &str = ". 5 . f 'uinit enter . e a enter . esc e a f enter . .";
/// Opens a link of weave, on the row that also keeps the network.
const LINK: &str = ". / 'https://x.example/custom-network/add/link?config=eyJjaGFpbklkIjoiYS0xIiwicnBjIjoiaHR0cDovLzEyNy4wLjAuMToxIn0= enter . down down down enter .";
const ACCOUNT: &str = ". / '0xABABABABABABABABABABABABABABABABABABABAB enter !Collection . . l . r . l . h . h . h . .";

const WAYS: [&str; 15] = [
    SEND,
    HOOK_OF_FILE,
    SIGN_HOOK,
    KEPT,
    CLAIM,
    ASSETS,
    TYPED_HASH,
    BODY,
    TX,
    EVM_TX,
    BLOCK,
    NFT,
    HOLDERS,
    LINK,
    ACCOUNT,
];

/// All ways with the answers of a seed: what they come to, they always come to.
pub(super) fn with_seed(seed: u64) -> impl Iterator<Item = Vec<Happening>> {
    WAYS.into_iter().map(move |way| steps(way, (120, 60), seed))
}

/// One of the ways on a screen of some size.
pub(super) fn ways() -> impl Strategy<Value = Vec<Happening>> {
    let way = prop_oneof![5 => prop::sample::select(&WAYS[..]), 1 => Just("")];
    let size = prop::sample::select(vec![(80, 24), (120, 60), (104, 50)]);
    (way, size, 0_u64..10_000).prop_map(|(way, size, seed)| steps(way, size, seed))
}

fn steps(way: &'static str, (columns, rows): (u16, u16), seed: u64) -> Vec<Happening> {
    let steps = (seed..).zip(way.split_whitespace()).map(|(seed, step)| step_of(step, seed));
    std::iter::once(Happening::Resize(columns, rows)).chain(steps).collect()
}

/// A key by its name; `.` for answers, `,` for a moment, `!` before what is not found, `'` before what is pasted and
/// `@` before what is clicked on.
fn step_of(step: &'static str, seed: u64) -> Happening {
    match (step, step.split_at(1)) {
        (".", _) => Happening::Served(seed),
        (",", _) => Happening::Pass(400),
        (_, ("!", kind)) => Happening::Missing(kind),
        (_, ("'", text)) => Happening::Paste(text.to_owned()),
        (_, ("@", text)) => Happening::ClickOn(text.replace('_', " ")),
        _ => Happening::Key(step),
    }
}
