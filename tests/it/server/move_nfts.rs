//! NFTs and stores of Move by their events, in whichever order blocks come. The events' data is that of recorded
//! transactions; a URI's change and a store without its owner's event are as the standard library writes them.

use rollscope::{
    demo::ledger::{BlockProposer, CommittedBlock, CommittedTx, TxEvent},
    domain::{Address, BlockHash, Height, Timestamp, TxHash, Vm},
    indexer::{
        index::{
            AccountRules, Index, IndexFeed, IndexIdentity, PageRange, Seek, TokenSelection, TokenSorting, TxSelection,
            UnknownNft,
        },
        source::{NftCollection, OwnedNft},
    },
    wire::Token,
};

use super::chain::height;

const COLLECTION: &str = "0x597cd3f37f21f59c771731a31e92ac1214f72b4f8a86541a94b50f0308f4e20";
const NFT: &str = "0xeafbe62f2441e2ecce99db4cfbab294f7542d78ce2d82ca28de13da0a9d41b86";
const CREATOR: &str = "0xe7ddea46e6bd763c1610f0544f5cf9dc8c623b5c";
const BUYER: &str = "0x3e1bae25bc4eeb818eab90d51e3af356802d4db9";
const STORE: &str = "0x57337d6e7d4acc7f875cb2ef0fe20911ff816e4faeca075237a523ca14dfdca2";
const METADATA: &str = "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9";

/// Height of the last block.
const TIP: u64 = 8;

fn address(text: &str) -> Address {
    let digits = text.trim_start_matches("0x");
    let width = if digits.len() > 40 { 64 } else { 40 };
    format!("0x{digits:0>width$}").parse().expect("an address")
}

/// What the block at this height did.
fn moved(at: u64) -> Vec<(&'static str, String)> {
    let mutated = |field: &str, value: &str| {
        let data = format!(
            r#"{{"nft":"{NFT}","mutated_field_name":"{field}","old_value":"ipfs://first","new_value":"{value}"}}"#
        );
        vec![("0x1::nft::MutationEvent", data)]
    };
    let given = |from: &str, to: &str| {
        vec![("0x1::object::TransferEvent", format!(r#"{{"object":"{NFT}","from":"{from}","to":"{to}"}}"#))]
    };
    match at {
        1 => vec![(
            "0x1::collection::CreateCollectionEvent",
            format!(r#"{{"collection":"{COLLECTION}","creator":"{CREATOR}","name":"Things"}}"#),
        )],
        2 => vec![
            ("0x1::object::CreateEvent", format!(r#"{{"object":"{NFT}","owner":"{CREATOR}","version":"1"}}"#)),
            ("0x1::collection::MintEvent", format!(r#"{{"collection":"{COLLECTION}","token_id":"1","nft":"{NFT}"}}"#)),
        ],
        3 => vec![(
            "0x1::primary_fungible_store::PrimaryStoreCreatedEvent",
            format!(r#"{{"owner_addr":"{BUYER}","store_addr":"{STORE}","metadata_addr":"{METADATA}"}}"#),
        )],
        4 | 7 => vec![(
            "0x1::fungible_asset::WithdrawEvent",
            format!(r#"{{"store_addr":"{STORE}","metadata_addr":"{METADATA}","amount":"4002"}}"#),
        )],
        5 => given(CREATOR, BUYER),
        6 => [mutated("uri", "ipfs://second"), mutated("description", "ipfs://no")].concat(),
        _ => given(BUYER, CREATOR),
    }
}

fn block(at: u64) -> CommittedBlock {
    let events =
        moved(at).into_iter().map(|(kind, data)| TxEvent::new("move", [("type_tag", kind.to_owned()), ("data", data)]));
    let number = u8::try_from(at).expect("few blocks");
    let tx = CommittedTx {
        hash: TxHash::new([number; 32]),
        code: 0,
        codespace: "".into(),
        info: String::new(),
        data: Vec::new(),
        raw_log: String::new(),
        gas_wanted: 0,
        gas_used: 0,
        fee: Vec::new(),
        raw: None,
        body: r#"{"body":{"messages":[]},"auth_info":{},"signatures":[]}"#.to_owned(),
        message_types: Vec::new(),
        signer: Some(Address::Short([9; 20])),
        events: events.collect(),
    };
    CommittedBlock {
        missing_txs: 0,
        height: height(at),
        hash: BlockHash::new([number; 32]),
        previous_hash: (at > 1).then(|| BlockHash::new([number - 1; 32])),
        time: Timestamp::from_nanos(i128::from(at) * 1_000_000_000),
        proposer: BlockProposer { consensus_address: None, validator: None },
        first_sequence: None,
        txs: vec![tx],
        events: Vec::new(),
    }
}

/// Takes runs of blocks in this order; the node says what events do not.
fn index(runs: &[(u64, u64)]) -> Index {
    let identity = IndexIdentity { vm: Vm::Move, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_memory(&identity, 20_000).expect("memory can be had");
    for (place, (from, to)) in runs.iter().copied().enumerate() {
        let blocks = (from..=to).map(block).collect();
        let previous = (from > 1).then(|| Timestamp::from_nanos(i128::from(from - 1) * 1_000_000_000));
        let mut prepared = index.prepare(blocks, previous).expect("the blocks can be read");
        for (address, created) in index.unknown_collections(&prepared).expect("the index can be read") {
            let (name, creator) = ("Things".to_owned(), self::address(CREATOR));
            prepared.learn_collection(NftCollection { address, creator, name, origin_name: String::new(), created });
        }
        for nft in index.unknown_nfts(&prepared).expect("the index can be read") {
            prepared.learn_nft(answer(nft));
        }
        let is_older = place > 0 && to < runs[0].0;
        index.write(&if is_older { prepared.below_what_is_held() } else { prepared }).expect("it can be written");
    }
    index
}

/// What the node says of an NFT as of a block.
fn answer(asked: UnknownNft) -> OwnedNft {
    let UnknownNft { collection, token_id, object, height: moved } = asked;
    let uri = if moved < height(6) { "ipfs://first" } else { "ipfs://second" }.to_owned();
    OwnedNft { collection, token_id, object, owner: Address::Short([0; 20]), uri, moved }
}

fn token(index: &Index) -> Token {
    let of = TokenSelection { collection: Some(address(COLLECTION)), ..TokenSelection::default() };
    let seek = Seek { limit: 10, ..Seek::default() };
    let mut found = index.tokens(&of, TokenSorting::TokenId, &seek, false).expect("the index can be read").rows;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// The heights at which an account has transactions, and how many are counted.
fn heights(index: &Index, account: &str, rules: AccountRules) -> (Vec<u64>, Option<i64>) {
    let range = PageRange { limit: 100, ..PageRange::default() };
    let page = index.txs(TxSelection::Account(address(account), rules), &[], &range, true).expect("it can be read");
    let rows: Vec<serde_json::Value> =
        serde_json::from_slice(&[b"[", &*page.json, b"]"].concat()).expect("the rows are JSON");
    let height = |row: &serde_json::Value| row["height"].as_str().and_then(|text| text.parse().ok());
    (rows.iter().filter_map(height).collect(), page.total)
}

#[test]
fn owners_and_uris_are_of_the_last_event_whichever_way_blocks_come() {
    let orders: [&[(u64, u64)]; 5] = [
        &[(1, 8)],
        &[(1, 3), (4, 6), (7, 8)],
        &[(7, 8), (3, 6), (1, 2)],
        &[(6, 6), (7, 8), (5, 5), (4, 4), (3, 3), (2, 2), (1, 1)],
        &[(8, 8), (6, 7), (1, 5)],
    ];
    for runs in orders {
        let index = index(runs);
        assert_eq!(index.bounds().unwrap().unwrap().tip, height(TIP));
        let token = token(&index);
        let found = (token.owner_address(), token.nft.uri.as_received(), token.height);
        assert_eq!(found, (Some(address(CREATOR)), "ipfs://second", height(8)), "{runs:?}");
        for rules in [AccountRules::RealServer, AccountRules::Chain] {
            assert_eq!(heights(&index, BUYER, rules), (vec![3, 4, 5, 7, 8], Some(5)), "{runs:?} {rules:?}");
        }
    }
}

#[test]
fn a_change_of_the_uri_is_a_change_of_the_nft() {
    for runs in [&[(1, 6)][..], &[(6, 6), (1, 5)], &[(1, 5), (6, 6)], &[(5, 6), (1, 4)]] {
        let token = token(&index(runs));
        assert_eq!((token.nft.uri.as_received(), token.height), ("ipfs://second", height(6)), "{runs:?}");
        assert_eq!(token.owner_address(), Some(address(BUYER)), "{runs:?}");
    }
    let before = token(&index(&[(1, 5)]));
    assert_eq!((before.nft.uri.as_received(), before.height), ("ipfs://first", height(5)));
}

#[test]
fn blocks_that_are_taken_back_take_their_uris_with_them() {
    let back_to = |above: u64| {
        let index = index(&[(1, 8)]);
        index.undo_above(height(above)).unwrap();
        let asked = index.unnamed_nfts().unwrap();
        let answers: Vec<OwnedNft> = asked.iter().cloned().map(answer).collect();
        index.name_nfts(&asked, &answers).unwrap();
        let token = token(&index);
        (token.nft.uri.clone(), token.height, token.owner_address())
    };
    let of = |uri: &str, at: u64, owner: &str| (uri.into(), height(at), Some(address(owner)));
    assert_eq!(back_to(7), of("ipfs://second", 6, BUYER), "the transfer is gone, the change before it is not");
    assert_eq!(back_to(6), of("ipfs://second", 6, BUYER));
    assert_eq!(back_to(5), of("ipfs://first", 5, BUYER), "the node is asked what it was before");
    assert_eq!(back_to(2), of("ipfs://first", 2, CREATOR));
}

#[test]
fn accounts_that_lose_their_last_transaction_are_counted_anew() {
    let index = index(&[(4, 8), (1, 3)]);
    index.undo_above(height(4)).unwrap();
    assert_eq!(heights(&index, BUYER, AccountRules::Chain), (vec![3, 4], Some(2)));
    assert_eq!(heights(&index, NFT, AccountRules::RealServer), (vec![2], Some(1)));
    assert_eq!(Height::FIRST, index.bounds().unwrap().unwrap().from);
}
