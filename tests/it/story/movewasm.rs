//! What is said of Move and Wasm messages.

use rollscope::{
    domain::Denom,
    story::{Glossary, Story, Style, text_of},
    wire::Tx,
};

use super::records;

/// The tokens that the worked examples name.
pub(super) fn glossary() -> Glossary {
    let mut glossary = Glossary::default();
    for (denom, symbol) in [
        ("uinit", "INIT"),
        ("ibc/39B55F22F15FB09189045A993817CDF0D388D3FF8773B2E22B6DE7B222636EEA", "milkINIT"),
        ("ibc/B82A5B2051D2296EE838D076218D4F852A629C69B99E7430C4D388F37DB16A3A", "iUSD"),
        ("ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50", "INIT"),
    ] {
        glossary.add_token(Denom::new(denom), symbol, 6);
    }
    glossary
}

/// Everything that is said of a transaction's messages.
pub(super) fn said(tx: &Tx, glossary: &Glossary) -> String {
    let story = Story::of(tx, glossary);
    for sentence in &story.sentences {
        let places = sentence.phrases.iter().flat_map(|phrase| &phrase.events);
        for place in places {
            assert!(*place < story.decoded.events.len(), "a phrase names an event that is not there");
        }
    }
    let sentences = story.sentences.iter().map(|sentence| text_of(&sentence.phrases, Style::Exact));
    sentences.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_worked_examples_read_as_they_should() {
    let Some(records) = records() else { return };
    let glossary = glossary();
    let a = "init1veaum7vy45fzw5x4mflskgx5lnmwmxx5wm3x8p";
    let p = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";
    let pool = "init1ttp33s68n4gc77um47q2nj2nx365xjmy2vtdye4p9en2xjdf72hqdyslrm";
    let shares = "move/5ac318c3479d518f7b9baf80a9c9533475434b645316d266a12e66a349a9f2ae";
    let multisig = "init1dzuzj4pck02slqt8nkugyc99j6u2k86tu892jjhc034c2wa00vsqg4xsux";
    let examples = [
        (
            "move-l1-provide-1",
            format!(
                "{a} added 0.1 milkINIT and 0.168935 INIT to the stableswap pool {pool} and received 265227 {shares}."
            ),
        ),
        (
            "move-l1-fail-1",
            "init13fqnd2cwsxjn8a7047h7fahmnuc5zv9zw3z9yr tried to run \
             0xd8cba23cdaf8e969fd17c8eabecf82a4f002ee8d::drop_lp::provide; it failed."
                .to_owned(),
        ),
        (
            "wasm-cw721-transfer-1",
            format!("{p} transferred NFT 2 of init1qyygux5t4s3a3l25k8psxjydhtudu5lnt0tk0szm8q4s27xa980scjvh6c to {a}."),
        ),
        ("wasm-instantiate-2", format!("{p} tried to create contract \"ztest\" from code 10; it failed.")),
        (
            "move-multisend-1",
            format!(
                "init13qfq5sx34m9uc5g72rl8tawtlve7j2nnfzv5cz executed proposal 115 of multisig {multisig}: {multisig} \
                 sent 6127.390019 iUSD to 71 accounts."
            ),
        ),
        ("move-l1-nft-mint-1", "init1ulw753hxh4mrc9ss7p2y7h8emjxxyw6uce0hk9 minted NFT 1 of Favorite food.".to_owned()),
        (
            "move-l1-object-transfer-1",
            "init1ulw753hxh4mrc9ss7p2y7h8emjxxyw6uce0hk9 transferred the object \
             0x481b5e2a539721bfa9f9b35e702adb667c059d0a8e1a030be483178abd928235 to \
             init1t9k78msywte6jx4zrxkp94pa9u9laa9pqfpytk."
                .to_owned(),
        ),
        (
            "wasm-cw20-transfer-1",
            format!(
                "{p} sent 1000 cw20:init1fuyxwxlsgjkfjmxfthq8427dm2am3ya3cwcdr8gls29l7jadtazswg0k5g to \
                 init1c90j0nxt28ehunm53zfl2x8lrha27da8t3dmfl."
            ),
        ),
    ];
    for (name, expected) in examples {
        let (_, tx) = records.iter().find(|(found, _)| found == name).expect(name);
        assert_eq!(said(tx, &glossary), expected, "{name}");
    }
}
