//! The examples one by one. Letters are the accounts of the reference.

use rollscope::story::{BridgeIdentity, PacketWay};

use super::{
    Balances, ExampleCase,
    chains::{Chain, ECHELON_INIT, ETH_6, ETH_18, INIT_6, INIT_18, IUSD, MILK, MOO_IBC, MOO_L2, NAMELESS, ONYX, USDC},
    check,
};

const A: &str = "init1veaum7vy45fzw5x4mflskgx5lnmwmxx5wm3x8p";
/// Somebody of E2 and E10.
const U: &str = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";
/// The ERC-20 wrapper of yominet-1.
const W: &str = "init1f6cg6hqmp2ppxqagd3an4jq9cfunmeurksxhh9";
const P: &str = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";
/// The collection of Jennie, and the id of its first NFT.
const N: &str = "0x83769BeEB7e5405ef0B7dc3C66C43E3a51A6d27f";
const FIRST: &str = "48635463943209834798109814161294753926839975257569795305637098542720658922315";

const fn deposit(l1_sequence: u64, l1_height: u64) -> BridgeIdentity {
    BridgeIdentity::Deposit { l1_sequence, l1_height: Some(l1_height), bridge_id: Some(11) }
}

/// A packet from one end, port and channel, to another.
fn packet(way: PacketWay, from: (&str, &str), to: (&str, &str), sequence: u64) -> BridgeIdentity {
    BridgeIdentity::Packet {
        way,
        source_port: from.0.to_owned(),
        source_channel: from.1.to_owned(),
        destination_port: to.0.to_owned(),
        destination_channel: to.1.to_owned(),
        sequence,
    }
}

#[test]
fn e1_a_bank_send_on_evm_counts_once() {
    const B: &str = "init1yh03a2wr9f5sr9ln0nlpgpwah7gqurccy33y0h";
    const ONE: &str = "1000000000000000000";
    const LOST: &str = "-1000000000000000000";
    check(&ExampleCase {
        record: "evm-bank-send-1",
        chain: Chain::Embr,
        sentences: vec![vec![A, " sent ", ONE, " ", NAMELESS, " to ", B, "."]],
        fee: (A, vec![(NAMELESS, "2026250000000000")]),
        balances: Balances::Are(vec![(A, NAMELESS, LOST), (B, NAMELESS, ONE)]),
        ..ExampleCase::default()
    });
}

#[test]
fn e2_a_withdrawal_through_the_wrapper() {
    check(&ExampleCase {
        record: "evm-op-withdraw-1",
        chain: Chain::Yominet,
        sentences: vec![
            vec![U, " allowed ", W, "0.1 INIT"],
            vec![U, " converted 0.1 INIT (18 decimals) into 0.1 INIT (6 decimals)"],
            vec![U, " started withdrawing 0.1 INIT", " to ", U, " on L1", "withdrawal #12"],
        ],
        fee: (U, vec![(ETH_18, "3461185000000")]),
        balances: Balances::Are(vec![(U, INIT_18, "-100000000000000000"), (W, INIT_6, "-100000")]),
        supply: vec![(INIT_18, "-100000000000000000"), (INIT_6, "-100000")],
        bridge: vec![BridgeIdentity::Withdrawal { l2_sequence: 12, bridge_id: Some(11) }],
        ..ExampleCase::default()
    });
}

#[test]
fn e3_a_deposit_whose_hook_converts_more_than_arrived() {
    const V: &str = "init1z6jxlwyuwy4j3zdh08t4tzsnnvkm8g8m5f088g";
    check(&ExampleCase {
        record: "evm-op-deposit-1",
        chain: Chain::Yominet,
        sentences: vec![vec![
            "1 INIT",
            "arrived from L1",
            V,
            V,
            "deposit #217",
            "7791220",
            "ran 2",
            "allowed",
            W,
            "unlimited",
            "converted ",
            "13.740487 INIT (6 decimals)",
            "13.740487 INIT (18 decimals)",
        ]],
        fee: ("init1jaz6hxkn8cx9dxjwrjwy4v2qs2u09pf25ztcam", vec![]),
        balances: Balances::Are(vec![
            (V, INIT_6, "-12740487"),
            (V, INIT_18, "13740487000000000000"),
            (W, INIT_6, "13740487"),
        ]),
        supply: vec![(INIT_6, "1000000"), (INIT_18, "13740487000000000000")],
        bridge: vec![deposit(217, 7_791_220)],
        ..ExampleCase::default()
    });
}

#[test]
fn e4_a_deposit_whose_hook_failed() {
    const S: &str = "init16zz3x9rg5f7wx9c6rr3tvlf8ydc3hr02679zt7t0tkxv0zthsresldx5v0";
    check(&ExampleCase {
        record: "evm-op-deposit-2",
        chain: Chain::Yominet,
        sentences: vec![vec!["132.34098 INIT", "arrived from L1", S, P, "deposit #211", "7788622", "hook failed", P]],
        fee: ("init1jaz6hxkn8cx9dxjwrjwy4v2qs2u09pf25ztcam", vec![]),
        balances: Balances::Are(vec![(P, INIT_6, "132340980")]),
        supply: vec![(INIT_6, "132340980")],
        bridge: vec![deposit(211, 7_788_622)],
        failure: vec!["61", "63"],
        ..ExampleCase::default()
    });
}

#[test]
fn e5_an_arrival_over_ibc_that_is_converted_by_a_hook() {
    let sender = "init102f37svmnhu0z95y6c0nzgrt8746r2ukefuvl0p8h5xtjy9654vqrugufe";
    check(&ExampleCase {
        record: "evm-ibc-recv-1",
        chain: Chain::Yominet,
        sentences: vec![
            vec!["07-tendermint-0", "1-6431085"],
            vec![
                "0.00001 ETH",
                "arrived from ",
                "interwoven-1",
                sender,
                W,
                "packet #5920",
                "converted",
                "0.00001 ETH",
                P,
            ],
        ],
        fee: ("init1fvhhqk3tvv08vd5gmsp45x8tkzhcwv3ly8kn78", vec![]),
        balances: Balances::Are(vec![(W, ETH_6, "10"), (P, ETH_18, "10000000000000")]),
        supply: vec![(ETH_6, "10"), (ETH_18, "10000000000000")],
        bridge: vec![packet(PacketWay::Received, ("transfer", "channel-25"), ("transfer", "channel-0"), 5920)],
        ..ExampleCase::default()
    });
}

#[test]
fn e6_an_nft_arrives_on_evm() {
    check(&ExampleCase {
        record: "evm-nft-recv-1",
        chain: Chain::Embr,
        sentences: vec![
            vec!["07-tendermint-"],
            vec!["NFT ", "Jennie", "1", "arrived from ", "interwoven-1", P, "packet #2", "contract ", N],
        ],
        fee: ("init1weelg7lg98xqv90ntmc8j3pgrd5lyy9yzk9v00", vec![]),
        nfts: vec![(N, FIRST, None, Some(P))],
        bridge: vec![packet(PacketWay::Received, ("nft-transfer", "channel-63"), ("nft-transfer", "channel-1"), 2)],
        ..ExampleCase::default()
    });
}

#[test]
fn e6_the_nft_leaves_again() {
    check(&ExampleCase {
        record: "evm-nft-send-1",
        chain: Chain::Embr,
        sentences: vec![vec![
            P,
            " sent NFT ",
            "Jennie",
            "1",
            " to ",
            "0xb845fba0d0072c282f6284465933c4b32b1a0d4071604935a7a8d999c85d01fb::nft_transfer::nft_transfer",
            "interwoven-1",
            "packet #2",
            "channel-59",
        ]],
        fee: (P, vec![(NAMELESS, "429859000000000")]),
        nfts: vec![(N, FIRST, Some(P), None)],
        bridge: vec![packet(PacketWay::Sent, ("nft-transfer", "channel-1"), ("nft-transfer", "channel-63"), 2)],
        ..ExampleCase::default()
    });
}

#[test]
fn e7_a_contract_is_deployed_and_gas_given_back() {
    const C: &str = "init1dzqda0wz983yeqcyw6agxk7nf9fslx9urdm0uw";
    check(&ExampleCase {
        record: "evm-create-2",
        chain: Chain::Yominet,
        sentences: vec![vec![
            C,
            " deployed contract ",
            "0x014C4861F5f19b4c86f26657Dd40c1a18539D11A",
            "owner",
            "0x236e7e385185994e67fb68b28823967a04e96f7d",
        ]],
        fee: (C, vec![(ETH_18, "4740762937501")]),
        ..ExampleCase::default()
    });
}

#[test]
fn e8_liquidity_is_added_on_move() {
    const Q: &str = "init1ttp33s68n4gc77um47q2nj2nx365xjmy2vtdye4p9en2xjdf72hqdyslrm";
    const L: &str = "move/5ac318c3479d518f7b9baf80a9c9533475434b645316d266a12e66a349a9f2ae";
    check(&ExampleCase {
        record: "move-l1-provide-1",
        sentences: vec![vec![
            A,
            " added ",
            "0.1 milkINIT",
            " and ",
            "0.168935 INIT",
            "stableswap pool ",
            Q,
            " received ",
            "265227 ",
            L,
        ]],
        fee: (A, vec![("uinit", "6162")]),
        balances: Balances::Are(vec![
            (A, MILK, "-100000"),
            (A, "uinit", "-168935"),
            (A, L, "265227"),
            (Q, MILK, "100000"),
            (Q, "uinit", "168935"),
        ]),
        supply: vec![(L, "265227")],
        ..ExampleCase::default()
    });
}

#[test]
fn e9_a_failure_in_the_move_machine() {
    const F: &str = "init13fqnd2cwsxjn8a7047h7fahmnuc5zv9zw3z9yr";
    check(&ExampleCase {
        record: "move-l1-fail-1",
        sentences: vec![vec![
            F,
            " tried to run ",
            "0xd8cba23cdaf8e969fd17c8eabecf82a4f002ee8d::drop_lp::provide",
            "; it failed.",
        ]],
        fee: (F, vec![("uinit", "54798")]),
        failure: vec!["0x1::dex", "7", "75", "ARITHMETIC_ERROR", "below zero", "fee"],
        memo: Some("sample memo"),
        ..ExampleCase::default()
    });
}

#[test]
fn e10_a_packet_leaves() {
    const X: &str = "init1je5zsemauel5dqjwug9snfvkwr8hks9zrfgla2";
    check(&ExampleCase {
        record: "move-l1-ibc-send-1",
        sentences: vec![vec![U, " sent 0.2 INIT to ", U, " on moo-1 ", "channel-29", "packet #2898"]],
        fee: (U, vec![(USDC, "1779")]),
        balances: Balances::Are(vec![(U, "uinit", "-200000"), (X, "uinit", "200000")]),
        bridge: vec![packet(PacketWay::Sent, ("transfer", "channel-29"), ("transfer", "channel-0"), 2898)],
        ..ExampleCase::default()
    });
}

#[test]
fn e10_the_packet_arrives() {
    check(&ExampleCase {
        record: "wasm-ibc-recv-1",
        chain: Chain::Moo,
        sentences: vec![
            vec!["07-tendermint-"],
            vec!["0.2 INIT", "arrived from ", "interwoven-1", U, U, "packet #2898"],
        ],
        fee: ("init1k90humrtx4yd7lyu57vkpu2v7qaj8udyultcjs", vec![]),
        balances: Balances::Are(vec![(U, MOO_IBC, "200000")]),
        supply: vec![(MOO_IBC, "200000")],
        bridge: vec![packet(PacketWay::Received, ("transfer", "channel-29"), ("transfer", "channel-0"), 2898)],
        ..ExampleCase::default()
    });
}

#[test]
fn e11_an_nft_changes_hands_on_wasm() {
    const K: &str = "init1qyygux5t4s3a3l25k8psxjydhtudu5lnt0tk0szm8q4s27xa980scjvh6c";
    check(&ExampleCase {
        record: "wasm-cw721-transfer-1",
        chain: Chain::Moo,
        sentences: vec![vec![P, " transferred NFT ", "2", " of ", K, " to ", A, "."]],
        fee: (P, vec![(MOO_IBC, "3437")]),
        nfts: vec![(K, "2", Some(P), Some(A))],
        ..ExampleCase::default()
    });
}

#[test]
fn e12_a_contract_that_refuses_its_beginning() {
    check(&ExampleCase {
        record: "wasm-instantiate-2",
        chain: Chain::Moo,
        sentences: vec![vec![P, " tried to create contract ", "ztest", "code 10", "; it failed."]],
        fee: (P, vec![(MOO_IBC, "4321")]),
        failure: vec![
            "Generic error: addr_validate errored: decoding bech32 failed: invalid checksum (expected 3fextf got ywycq0)",
            "initial_balances[0].address",
        ],
        ..ExampleCase::default()
    });
}

#[test]
fn e13_a_multisig_pays_many() {
    const G: &str = "init13qfq5sx34m9uc5g72rl8tawtlve7j2nnfzv5cz";
    const S: &str = "init1dzuzj4pck02slqt8nkugyc99j6u2k86tu892jjhc034c2wa00vsqg4xsux";
    let largest = "init1n7r0zuh3rh2knhk69p6enl2ludqtk2egzdp6mc";
    check(&ExampleCase {
        record: "move-multisend-1",
        chain: Chain::Echelon,
        sentences: vec![vec![G, " executed proposal 115 of ", S, "sent ", "6127.390019 iUSD", "71 accounts"]],
        fee: (G, vec![(ECHELON_INIT, "71621")]),
        balances: Balances::Include(72, vec![(S, IUSD, "-6127390019"), (largest, IUSD, "2229289363")]),
        ..ExampleCase::default()
    });
}

#[test]
fn e14_one_acts_for_another_who_pays() {
    const R: &str = "init1ryrg0mha5stezucvajy3mne8a74uhgmygdlnxp";
    const H: &str = "init1rw34mgv2y626996n2ccpl6lfctk43v7azmarvg";
    check(&ExampleCase {
        record: "move-l1-authz-1",
        sentences: vec![vec![H, "acting for ", R, R, " sent 1 INIT to itself"]],
        fee: (R, vec![("uinit", "3075")]),
        ..ExampleCase::default()
    });
}

#[test]
fn e15_a_withdrawal_from_wasm() {
    check(&ExampleCase {
        record: "wasm-op-withdraw-1",
        chain: Chain::Moo,
        sentences: vec![vec![P, " started withdrawing 0.001 INIT to ", P, " on L1", "withdrawal #256"]],
        fee: (P, vec![(MOO_L2, "5371")]),
        balances: Balances::Are(vec![(P, MOO_L2, "-1000")]),
        supply: vec![(MOO_L2, "-1000")],
        bridge: vec![BridgeIdentity::Withdrawal { l2_sequence: 256, bridge_id: Some(31) }],
        ..ExampleCase::default()
    });
}

#[test]
fn e16_a_contract_deploys_two_more() {
    const Z: &str = "init1cn3qyuw80svnjxgprtp4ezp78ngxwntu5t8y8a";
    const O: &str = "init1f295rtp93tj64cz5cyxgk367kr8zge0vdh9l7g";
    const MANY: &str = "1000000000000000000000000";
    check(&ExampleCase {
        record: "evm-create-3",
        chain: Chain::Yominet,
        sentences: vec![vec![
            Z,
            " deployed contract ",
            O,
            "2 more",
            "0x4BaDFb501Ab304fF11217C44702bb9E9732E7CF4",
            "0x64B79841F0e59F17c1df269F84a51772d120724d",
            "1000000 ONYX",
            "minted to ",
            O,
            "pool",
        ]],
        fee: (Z, vec![]),
        balances: Balances::Are(vec![(O, ONYX, MANY)]),
        supply: vec![(ONYX, MANY)],
        ..ExampleCase::default()
    });
}

/// Where the other half of each move is looked for.
#[test]
fn the_other_half_of_a_move_can_be_searched() {
    let Some(records) = super::records() else { return };
    for (record, chain, place, search) in [
        (
            "wasm-op-withdraw-1",
            Chain::Moo,
            "L1",
            "finalize_token_withdrawal.bridge_id='31' AND finalize_token_withdrawal.l2_sequence='256'",
        ),
        ("move-l1-ibc-send-1", Chain::Interwoven, "moo-1", "recv_packet.packet_sequence='2898'"),
        ("wasm-ibc-recv-1", Chain::Moo, "interwoven-1", "send_packet.packet_sequence='2898'"),
    ] {
        let (_, tx) = records.iter().find(|(name, _)| name == record).expect("the record is there");
        let story = rollscope::story::Story::of(tx, &chain.glossary());
        let [moved] = story.bridge.as_slice() else { panic!("{record}: {:?}", story.bridge) };
        assert_eq!(moved.counterparty.as_deref(), Some(place), "{record}");
        let query = moved.search.as_deref().unwrap_or_default();
        assert!(query.contains(search), "{record}: {query}");
    }
}
