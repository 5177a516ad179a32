//! Stories of what the embedded ledger makes: one transaction of each kind of message, call and failure on each
//! machine, told whole. Their snapshots are read by a person whenever they change.

use std::{collections::BTreeSet, fmt::Write as _};

use rollscope::{
    demo::ledger::{facts, token_names},
    domain::{AddressStyle, ContractRole, Vm},
    story::{BridgeMove, FeeLine, Glossary, MessageSummary, NftChange, NftName, Story, Style, text_of},
    wire::Tx,
};

use crate::harness::made::{chain, made};

/// Blocks that are told: most kinds come within them.
const BLOCKS: u64 = 200;

/// What the explorer knows of the embedded rollup by name.
fn glossary(vm: Vm) -> Glossary {
    let facts = facts(vm, chain(vm).seed);
    let mut glossary = Glossary::default();
    (glossary.vm, glossary.chain_id) = (Some(vm), Some(facts.chain_id.to_owned()));
    (glossary.bridge_id, glossary.l1_chain_id) = (Some(facts.bridge_id), Some(facts.l1_chain_id.to_owned()));
    for token in token_names(vm, chain(vm).seed) {
        glossary.add_token(token.denom, token.symbol, token.decimals);
    }
    if let Some(wrapper) = facts.wrapper {
        glossary.add_role(wrapper, ContractRole::Wrapper);
    }
    for channel in facts.channels {
        glossary.add_channel(channel.port, channel.id, channel.chain_id);
    }
    glossary
}

/// A story as text: sentences with how many events prove them, the matrix, and what else there is.
fn told(tx: &Tx, story: &Story) -> String {
    let mut out = String::new();
    for sentence in &story.sentences {
        let places: BTreeSet<&usize> = sentence.phrases.iter().flat_map(|phrase| &phrase.events).collect();
        let text = text_of(&sentence.phrases, Style::Exact);
        let _ = writeln!(out, "{}. {text} {places:?}", sentence.message + 1);
    }
    let changes = &story.changes;
    for change in &changes.balances {
        let reported = if change.is_reported { " (reported by the contract)" } else { "" };
        let _ = writeln!(out, "   {} {} {}{reported}", change.holder, change.denom, change.delta);
    }
    for change in &changes.supply {
        let _ = writeln!(out, "   supply {} {}", change.denom, change.delta);
    }
    changes.nfts.iter().for_each(|change| out.push_str(&nft(change)));
    story.bridge.iter().for_each(|moved| out.push_str(&bridge(moved)));
    out.push_str(&fee(&changes.fee));
    if let Some(explanation) = &story.explanation {
        let _ = writeln!(out, "   ! {}: {}", explanation.title(), explanation.text);
    }
    assert!(changes.is_conserved, "{}: does not add up\n{out}", tx.txhash);
    out
}

fn nft(change: &NftChange) -> String {
    let name = match &change.what {
        NftName::Token { contract, token_id } => format!("{contract} #{token_id}"),
        NftName::Nft { collection, token_id, nft } => format!("{collection} #{token_id} at {nft}"),
        NftName::Object { object } => format!("object {object}"),
    };
    let side = |address: Option<rollscope::domain::Address>| address.map_or("nobody".to_owned(), |it| it.bech32());
    format!("   NFT {name}: {} to {}\n", side(change.from), side(change.to))
}

fn bridge(moved: &BridgeMove) -> String {
    let (text, search) = (text_of(&moved.phrases, Style::Exact), moved.search.as_deref().unwrap_or("no search"));
    format!("   bridge: {text} [{}] {search}\n", moved.counterparty.as_deref().unwrap_or("unknown"))
}

fn fee(fee: &FeeLine) -> String {
    let paid: Vec<String> = fee.net_paid.iter().map(ToString::to_string).collect();
    match (fee.payer, paid.as_slice()) {
        (Some(payer), [_, ..]) => format!("   fee {} by {payer}\n", paid.join(",")),
        _ => "   no fee\n".to_owned(),
    }
}

/// What the leading message calls: the key of a Wasm contract's message, else as rows name it.
fn call(headline: &MessageSummary, story: &Story) -> Option<String> {
    let message = story.decoded.messages.first().and_then(|message| message.fields.get("msg")?.as_object());
    let key = message.and_then(|message| message.keys().next());
    headline.call.as_deref().or(key.map(String::as_str)).map(ToOwned::to_owned)
}

/// One story of each kind, by what it is of.
fn stories(vm: Vm) -> String {
    let glossary = glossary(vm);
    let (mut seen, mut stories) = (BTreeSet::new(), Vec::new());
    for tx in made(vm, BLOCKS) {
        let story = Story::of(&tx, &glossary);
        let headline = MessageSummary::of(&tx);
        let types: Vec<&str> = headline.types.iter().map(rollscope::domain::MsgType::short).collect();
        let failure = story.explanation.as_ref().map(rollscope::story::Explanation::title);
        let kind = (types.join(" + "), call(&headline, &story), failure);
        if !seen.insert(kind.clone()) {
            continue;
        }
        let (types, call, failure) = kind;
        let words = [Some(types), call, failure].into_iter().flatten().collect::<Vec<_>>();
        stories.push(format!("== {}\n{}", words.join(" · "), told(&tx, &story)));
    }
    stories.sort();
    stories.join("\n")
}

#[test]
fn accounts_of_other_chains_keep_their_form_when_a_screen_shows_hex() {
    let hex = AddressStyle::USUAL.flipped();
    let mut told = 0;
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let glossary = glossary(vm);
        for tx in made(vm, BLOCKS) {
            let story = Story::of(&tx, &glossary);
            let sentences = story.sentences.iter().map(|sentence| &sentence.phrases);
            for phrases in sentences.chain(story.bridge.iter().map(|moved| &moved.phrases)) {
                let text = text_of(phrases, Style::Screen(&hex));
                for there in [" on interwoven-1", " on the L1", " on L1"] {
                    for (at, _) in text.match_indices(there) {
                        let account = text[..at].rsplit(' ').next().unwrap_or_default();
                        assert!(!account.starts_with("0x"), "{text}");
                        told += usize::from(account.starts_with("init1"));
                    }
                }
            }
        }
    }
    assert!(told > 20, "only {told} accounts on the L1");
}

#[test]
fn stories_of_the_evm() {
    insta::assert_snapshot!(stories(Vm::Evm));
}

#[test]
fn stories_of_move() {
    insta::assert_snapshot!(stories(Vm::Move));
}

#[test]
fn stories_of_wasm() {
    insta::assert_snapshot!(stories(Vm::Wasm));
}
