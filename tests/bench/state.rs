//! Pages of holders and tokens of a large chain, and how long its state takes to be taken over.

use std::{hint::black_box, time::Instant};

use criterion::Criterion;
use rollscope::{
    demo::{
        KEPT_TXS,
        ledger::{CommittedBlock, FungibleToken, NftCollection, OwnedNft},
    },
    domain::{Address, Amount, Denom, Height, Timestamp},
    indexer::index::{Index, KeysetPosition, Seek, TokenKey, TokenSelection, TokenSorting},
    indexer::source::Source,
};

use super::{PER_BLOCK, block, digest, ledger, report};

/// Holders of each of the tokens.
const HOLDERS: u64 = 120_000;
const TOKENS: u64 = 12;

/// NFTs of the one collection.
const NFTS: u64 = 20_000;

/// A chain of one block with a large state.
struct Large;

fn address(kind: &str, number: u64) -> Address {
    Address::from_bytes(digest(kind, number).get(..20).unwrap_or_default()).unwrap_or(Address::Short([0; 20]))
}

fn amount(number: u64) -> Amount {
    Amount::from(u128::from(number % 90_000) * 1_000_003_000_000_007)
}

impl Source for Large {
    fn chain_id(&self) -> &'static str {
        "bench-1"
    }

    fn tip(&self) -> Option<Height> {
        Some(Height::FIRST)
    }

    fn time(&self, _: Height) -> Timestamp {
        Timestamp::EPOCH
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        (height == Height::FIRST).then(|| block(1, PER_BLOCK))
    }

    fn tokens(&self) -> Vec<FungibleToken> {
        let token = |number| FungibleToken {
            denom: Denom::new(format!("token{number}")),
            contract: Some(address("token", number)),
            metadata: None,
            symbol: "TOKEN".into(),
            decimals: 18,
            supply: Amount::ZERO,
        };
        (0..TOKENS).map(token).collect()
    }

    fn holders(&self, _: &Denom) -> Vec<(Address, Amount)> {
        (0..HOLDERS).map(|number| (address("holder", number), amount(number))).collect()
    }

    fn collections(&self) -> Vec<NftCollection> {
        vec![NftCollection {
            address: address("collection", 0),
            creator: address("creator", 0),
            name: "Bench".to_owned(),
            origin_name: String::new(),
            created: Height::FIRST,
        }]
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        let nft = |number: u64| OwnedNft {
            collection: address("collection", 0),
            token_id: number.to_string(),
            object: None,
            owner: address("holder", number % 100),
            uri: format!("ipfs://bench/{number}.json"),
            moved: Height::FIRST,
        };
        (0..NFTS).map(nft).collect()
    }
}

/// Pages of 100 at every depth, by place and by offset.
pub(super) fn holders_and_tokens(_: &mut Criterion) {
    let index = Index::in_memory(&ledger().identity(), KEPT_TXS).expect("memory can be had");
    let start = Instant::now();
    let mut longest = start.elapsed();
    loop {
        let piece = Instant::now();
        if !index.take_state(&Large, true).expect("the state can be taken over") {
            break;
        }
        longest = longest.max(piece.elapsed());
    }
    println!(
        "{TOKENS} tokens with {HOLDERS} holders each taken over in {:?}, the longest piece {longest:?}",
        start.elapsed()
    );
    let seek = Seek { limit: 100, descending: true, ..Seek::default() };
    let gas = TokenKey::Denom("token0".to_owned());
    let holders = |seek: &Seek| drop(black_box(index.holders(&gas, seek).expect("the index is whole")));
    report("holders, any depth by place", |turn| {
        let place = KeysetPosition::Holder { amount: amount(turn * 7_919).into(), account: None };
        holders(&Seek { after: Some(place), ..seek.clone() });
    });
    report("holders, at offset 100,000", |_| holders(&Seek { offset: 100_000, ..seek.clone() }));
    report("holders, at offset 60,000", |_| holders(&Seek { offset: 60_000, ..seek.clone() }));
    let owned = TokenSelection { owner: Some(address("holder", 7)), ..TokenSelection::default() };
    let all = TokenSelection { collection: Some(address("collection", 0)), ..TokenSelection::default() };
    for (name, scope) in [("an account's tokens", &owned), ("a collection's tokens", &all)] {
        report(&format!("{name}, any depth by place"), |turn| {
            let token_id = (turn * 104_729 % NFTS).to_string();
            let after = Some(KeysetPosition::TokenById { token_id, height: 1, row: None });
            let seek = Seek { after, ..seek.clone() };
            drop(black_box(index.tokens(scope, TokenSorting::TokenId, &seek, true).expect("the index is whole")));
        });
    }
    report("a collection's tokens, at offset 10,000", |_| {
        let seek = Seek { offset: 10_000, ..seek.clone() };
        drop(black_box(index.tokens(&all, TokenSorting::Height, &seek, true).expect("the index is whole")));
    });
}
