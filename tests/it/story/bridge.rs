//! What real transactions over bridges are said to mean (`docs/apis/story.md` §8).

use rollscope::{
    domain::{ContractRole, Denom},
    story::{BridgeIdentity, Glossary, PacketWay, Story, Style, text_of},
    wire::Tx,
};

use super::records;

const P: &str = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";
/// The ERC20 wrapper.
const W: &str = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783";
const U: &str = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";

fn record(name: &str) -> Option<Tx> {
    let found = records()?.into_iter().find(|(known, _)| known == name);
    Some(found.unwrap_or_else(|| panic!("no record {name}")).1)
}

/// The names that the worked examples use, as seen from a rollup with its channels to the L1.
fn rollup() -> Glossary {
    let mut glossary = Glossary::default();
    glossary.l1_chain_id = Some("interwoven-1".to_owned());
    for (denom, symbol, decimals) in [
        ("evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96", "INIT", 18),
        ("l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06", "INIT", 6),
        ("evm/E1Ff7038eAAAF027031688E1535a055B2Bac2546", "ETH", 18),
        ("ibc/39026A3BC5B3135CAC7FA5551C286A05E215FDA2C3C79195EB73F6699696F4FF", "ETH", 6),
    ] {
        glossary.add_token(Denom::new(denom), symbol, decimals);
    }
    glossary.add_label(W.parse().expect("an address"), "ERC20 wrapper");
    glossary.add_role(W.parse().expect("an address"), ContractRole::Wrapper);
    glossary.add_channel("transfer", "channel-0", "interwoven-1");
    glossary.add_channel("nft-transfer", "channel-1", "interwoven-1");
    glossary.add_channel(
        "wasm.init1wug8sewp6cedgkmrmvhl3lf3tulagm9hnvy8p0rppz9yjw0g4wtq7947m6",
        "channel-1",
        "interwoven-1",
    );
    glossary
}

/// The L1 with its channels and bridges.
fn l1() -> Glossary {
    let mut glossary = Glossary::default();
    glossary.add_token(Denom::new("uinit"), "INIT", 6);
    glossary.add_channel("transfer", "channel-29", "moo-1");
    glossary.add_channel("nft-transfer", "channel-67", "intergaze-1");
    glossary.add_bridge(12, "civitia-1");
    glossary
}

fn sentence(story: &Story, message: usize) -> String {
    text_of(&story.sentences[message].phrases, Style::Exact)
}

/// The places of the events that prove a sentence, by their type.
fn proof(story: &Story, message: usize) -> Vec<String> {
    let phrases = story.sentences[message].phrases.iter();
    let mut kinds: Vec<String> =
        phrases.flat_map(|phrase| &phrase.events).map(|place| story.decoded.events[*place].kind.clone()).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn a_deposit_tells_what_its_attached_calls_did() {
    let Some(tx) = record("evm-op-deposit-1") else { return };
    let story = Story::of(&tx, &rollup());
    let u = "init1z6jxlwyuwy4j3zdh08t4tzsnnvkm8g8m5f088g";
    let said = format!(
        "1 INIT arrived from L1: {u} → {u} (deposit #217, L1 block 7791220); then ran 2 hook calls: allowed {W} to \
         spend unlimited INIT; converted 13.740487 INIT (6 decimals) into 13.740487 INIT (18 decimals)."
    );
    assert_eq!(sentence(&story, 0), said);
    assert!(proof(&story, 0).contains(&"finalize_token_deposit".to_owned()));
    let told = &story.bridge[0];
    let identity = BridgeIdentity::Deposit { l1_sequence: 217, l1_height: Some(7_791_220), bridge_id: Some(11) };
    assert_eq!((story.bridge.len(), &told.identity), (1, &identity));
    assert_eq!(told.counterparty.as_deref(), Some("interwoven-1"));
    let search = "initiate_token_deposit.bridge_id='11' AND initiate_token_deposit.l1_sequence='217'";
    assert_eq!(told.search.as_deref(), Some(search));
}

#[test]
fn a_deposit_whose_attached_action_failed_says_so() {
    let Some(tx) = record("evm-op-deposit-2") else { return };
    let story = Story::of(&tx, &rollup());
    let said = format!(
        "132.34098 INIT arrived from L1: init16zz3x9rg5f7wx9c6rr3tvlf8ydc3hr02679zt7t0tkxv0zthsresldx5v0 → {P} (deposit \
         #211, L1 block 7788622); its hook failed. The tokens stayed with {P}."
    );
    assert_eq!(sentence(&story, 0), said);
}

#[test]
fn a_packet_tells_what_its_hook_did() {
    let Some(tx) = record("evm-ibc-recv-1") else { return };
    let story = Story::of(&tx, &rollup());
    assert_eq!(sentence(&story, 0), "Relayer updated IBC client 07-tendermint-0 to height 1-6431085.");
    assert!(story.sentences[0].is_noise && !story.sentences[1].is_noise);
    let said = format!(
        "0.00001 ETH arrived from interwoven-1: init102f37svmnhu0z95y6c0nzgrt8746r2ukefuvl0p8h5xtjy9654vqrugufe → {W} \
         (packet #5920), and the attached call converted it into 0.00001 ETH (18 decimals) for {P}."
    );
    assert_eq!(sentence(&story, 1), said);
    let identity = BridgeIdentity::Packet {
        way: PacketWay::Received,
        source_port: "transfer".to_owned(),
        source_channel: "channel-25".to_owned(),
        destination_port: "transfer".to_owned(),
        destination_channel: "channel-0".to_owned(),
        sequence: 5920,
    };
    assert_eq!(story.bridge.iter().map(|told| &told.identity).collect::<Vec<_>>(), [&identity]);
}

#[test]
fn nfts_that_arrive_and_leave_are_named() {
    let Some(arrived) = record("evm-nft-recv-1") else { return };
    let story = Story::of(&arrived, &rollup());
    let said = format!(
        "NFT “Jennie” #1 arrived from interwoven-1 for {P} (packet #2) and a new contract \
         0x83769BeEB7e5405ef0B7dc3C66C43E3a51A6d27f was created for its class."
    );
    assert_eq!(sentence(&story, 1), said);
    let Some(sent) = record("evm-nft-send-1") else { return };
    let story = Story::of(&sent, &rollup());
    let said = format!(
        "{P} sent NFT “Jennie” #1 to \
         0xb845fba0d0072c282f6284465933c4b32b1a0d4071604935a7a8d999c85d01fb::nft_transfer::nft_transfer on interwoven-1 \
         (packet #2); with a Move call there that forwards it over channel-59."
    );
    assert_eq!(sentence(&story, 0), said);
    assert!(matches!(
        &story.bridge[0].identity,
        BridgeIdentity::Packet { way: PacketWay::Sent, sequence: 2, source_channel, .. } if source_channel == "channel-1"
    ));
}

#[test]
fn both_halves_of_a_transfer_tell_of_one_packet() {
    let (Some(sent), Some(arrived)) = (record("move-l1-ibc-send-1"), record("wasm-ibc-recv-1")) else { return };
    let (sent, arrived) = (Story::of(&sent, &l1()), Story::of(&arrived, &rollup()));
    assert_eq!(sentence(&sent, 0), format!("{U} sent 0.2 INIT to {U} on moo-1 (channel-29, packet #2898)."));
    // Nobody told the rollup's glossary of this voucher: the packet itself says that it is the L1's token.
    assert_eq!(sentence(&arrived, 1), format!("0.2 INIT arrived from interwoven-1: {U} → {U} (packet #2898)."));
    let search = "packet_src_channel='channel-29' AND {}.packet_sequence='2898' AND {}.packet_src_port='transfer' AND \
                  {}.packet_dst_port='transfer' AND {}.packet_dst_channel='channel-0'";
    let search = |kind: &str| format!("{kind}.{}", search.replace("{}", kind));
    assert_eq!(sent.bridge[0].search, Some(search("recv_packet")));
    assert_eq!(arrived.bridge[0].search, Some(search("send_packet")));
    assert_eq!(
        text_of(&sent.bridge[0].phrases, Style::Exact),
        format!(
            "0.2 INIT to {U} on moo-1: packet #2898 of transfer/channel-29 → transfer/channel-0, held in escrow here; \
             left for moo-1, this record does not show its arrival"
        )
    );
    let record = arrived.bridge[0].record();
    assert_eq!(record["kind"], "packet");
    assert_eq!(record["way"], "received");
    assert_eq!(record["sequence"], 2898);
    assert_eq!(record["counterparty"], "interwoven-1");
    assert_eq!(
        record["text"],
        format!(
            "0.2 INIT from interwoven-1 to {U}: packet #2898 of transfer/channel-29 → transfer/channel-0, minted here as a \
             voucher"
        )
    );
}

#[test]
fn what_was_done_for_another_names_both() {
    let Some(tx) = record("move-l1-authz-1") else { return };
    let story = Story::of(&tx, &l1());
    let said = "init1rw34mgv2y626996n2ccpl6lfctk43v7azmarvg, acting for init1ryrg0mha5stezucvajy3mne8a74uhgmygdlnxp: \
                init1ryrg0mha5stezucvajy3mne8a74uhgmygdlnxp sent 1 INIT to itself (no net change).";
    assert_eq!(sentence(&story, 0), said);
    assert_eq!(proof(&story, 0), ["transfer"]);
}

#[test]
fn a_withdrawal_is_found_on_the_l1() {
    let Some(tx) = record("wasm-op-withdraw-1") else { return };
    let story = Story::of(&tx, &rollup());
    assert_eq!(sentence(&story, 0), format!("{P} started withdrawing 0.001 INIT to {P} on L1 (withdrawal #256)."));
    let told = &story.bridge[0];
    assert_eq!(told.identity, BridgeIdentity::Withdrawal { l2_sequence: 256, bridge_id: Some(31) });
    let search = "finalize_token_withdrawal.bridge_id='31' AND finalize_token_withdrawal.l2_sequence='256'";
    assert_eq!(told.search.as_deref(), Some(search));
}

#[test]
fn a_claim_on_the_l1_names_the_rollup() {
    let Some(tx) = record("move-l1-op-finalize-1") else { return };
    let story = Story::of(&tx, &l1());
    let who = "init1r9th529cekjd0v3kryamks7yf6z832pqsapys7";
    assert_eq!(sentence(&story, 0), format!("{who} claimed withdrawal #347 of civitia-1: 716 INIT to {who}."));
    assert_eq!(story.bridge[0].counterparty.as_deref(), Some("civitia-1"));
    assert_eq!(story.bridge[0].identity, BridgeIdentity::WithdrawalClaimed { l2_sequence: 347, bridge_id: Some(12) });
}

#[test]
fn nfts_of_contract_ports_and_of_move_are_told() {
    let Some(wasm) = record("wasm-nft-recv-1") else { return };
    let story = Story::of(&wasm, &rollup());
    assert_eq!(
        sentence(&story, 0),
        format!("NFT “Saint Seiya Bronze Saints” #4 arrived from interwoven-1 for {P} (packet #5).")
    );
    let Some(moved) = record("move-l1-nft-recv-2") else { return };
    let story = Story::of(&moved, &l1());
    assert!(sentence(&story, 1).contains(" arrived from intergaze-1 for init18cd6ufdufm4crr4tjr23uwhn26qz6ndea57aya "));
    assert!(sentence(&story, 1).ends_with(
        " and a new collection 0xfa4e6b1a87f3acefcf070ecee04eb1e0ce4c6c5c89b87fe026b99c6ac47b010c was created for its class."
    ));
}

#[test]
fn every_record_is_told_with_proof_that_is_there() {
    let Some(records) = records() else { return };
    for (name, tx) in &records {
        for glossary in [Glossary::default(), rollup(), l1()] {
            let story = Story::of(tx, &glossary);
            assert_eq!(story.sentences.len(), story.decoded.messages.len(), "{name}");
            assert!(!story.work.is_cut(), "{name}: real records fit the limits");
            assert!(story.sentences.iter().all(|told| !told.lacks_events), "{name}: real records have their events");
            let places = story.sentences.iter().flat_map(|sentence| &sentence.phrases).flat_map(|it| &it.events);
            let places = places.chain(story.bridge.iter().flat_map(|told| &told.events));
            assert!(places.into_iter().all(|place| *place < story.decoded.events.len()), "{name}");
        }
    }
}
