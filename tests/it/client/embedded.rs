//! The client against the embedded rollup, which behaves as specified or as real servers do: every list to its end.

use std::{
    collections::BTreeSet,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use rollscope::{
    client::{ClientOptions, HoldersQuery, IndexerClient, endpoints},
    demo::{Rollup, RollupOptions},
    domain::{Address, Denom},
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, ListPage, Note, Order, PageRequest, PageStart, TokenName,
        TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope,
    },
    wire::{ApiError, Collection},
};
use rstest::rstest;

use super::{newest, options};
use crate::harness::chain_of;

/// Long enough for collections, mints and sales.
const BLOCKS: u64 = 80;

fn start(quirks: bool) -> (Rollup, IndexerClient) {
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let rollup = Rollup::start(RollupOptions { quirks, ..chain_of(BLOCKS) }, any_port).expect("it starts");
    rollup.wait_until_indexed().expect("its history can be indexed");
    let ipfs_gateway = Some(format!("{}/demo/v1/ipfs/", rollup.url()));
    let client = IndexerClient::new(&rollup.url(), ClientOptions { ipfs_gateway, ..options() });
    let client = client.expect("its address is one");
    (rollup, client)
}

/// All rows of a list, page by page; no row comes twice by its key.
async fn walk<T, K: Ord>(
    limit: u16,
    order: Order,
    key: impl Fn(&T) -> K,
    ask: impl AsyncFn(PageRequest) -> Result<ListPage<Arc<T>>, ApiError>,
) -> Vec<Arc<T>> {
    let (mut page, mut rows) = (PageRequest { order, ..newest(limit) }, Vec::new());
    loop {
        let answer = ask(page.clone()).await.expect("the list is served");
        assert!(answer.notes.iter().all(|note| matches!(note, Note::ShortPage(_))), "{:?}", answer.notes);
        rows.extend(answer.items);
        let Some(next) = answer.next else { break };
        assert!(rows.len() < 100_000, "it does not end");
        page = PageRequest { cursor: PageStart::Key(next), count_total: false, ..page };
    }
    let keys: BTreeSet<K> = rows.iter().map(|row| key(row)).collect();
    assert_eq!(keys.len(), rows.len(), "no row comes twice");
    rows
}

fn tokens_of(scope: TokenScope, order_by: TokenOrder) -> TokenQuery {
    TokenQuery { scope, token_id: None, order_by }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipts_and_frames_agree_with_each_other(#[values(false, true)] quirks: bool) {
    let (_rollup, client) = start(quirks);
    let ask = async |page: PageRequest| client.list(&EvmTxScope::All, &page).await;
    let receipts = walk(37, Order::Descending, |receipt| receipt.transaction_hash, ask).await;
    let upwards = walk(1000, Order::Ascending, |receipt| receipt.transaction_hash, ask).await;
    assert!(receipts.len() > 50 && receipts.iter().rev().eq(&upwards), "{}", receipts.len());
    let one = &receipts[receipts.len() / 2];
    assert_eq!(client.one(endpoints::evm_tx(one.transaction_hash)).await.unwrap(), **one);
    let height = EvmTxScope::Height(one.height().unwrap());
    let beside = client.list(&height, &newest(1000)).await.unwrap();
    assert!(beside.items.contains(one) && beside.items.iter().all(|each| each.height() == one.height()));
    let sent = EvmTxScope::Account { address: one.sender().unwrap(), signer_only: true };
    let sent = client.list(&sent, &newest(1000)).await.unwrap();
    assert!(sent.items.contains(one) && sent.items.iter().all(|each| each.sender() == one.sender()));

    let ask = async |page: PageRequest| client.list(&InternalTxScope::All, &page).await;
    let frames = walk(100, Order::Descending, |frame| (frame.hash, frame.index), ask).await;
    // The traces' index may lag behind, so one is taken that is there.
    let traced = |hash| frames.iter().filter(|frame| frame.hash == hash).count();
    let one = receipts.iter().max_by_key(|receipt| traced(receipt.transaction_hash)).expect("there are receipts");
    let trace = PageRequest { order: Order::Ascending, ..newest(1000) };
    let trace = client.list(&InternalTxScope::Tx(one.transaction_hash), &trace).await.unwrap();
    assert_eq!((trace.items[0].index, trace.items[0].parent_index), (0, -1));
    assert_eq!(trace.items.len(), traced(one.transaction_hash));
    assert!(trace.items.is_sorted_by_key(|frame| frame.index) && trace.items.len() > 1);
    let absent = client.list(&InternalTxScope::Tx("0".repeat(64).parse().unwrap()), &newest(5)).await;
    assert!(absent.is_err_and(|error| error.is_not_found() && !error.is_feature_off()));
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn collections_and_their_tokens_agree_with_each_other(#[values(false, true)] quirks: bool) {
    let (_rollup, client) = start(quirks);
    let ask = async |page: PageRequest| client.list(&CollectionScope::All, &page).await;
    let collections = walk(3, Order::Descending, |each: &Collection| each.object_addr.clone(), ask).await;
    assert!(collections.len() >= 2, "{}", collections.len());
    for collection in &collections {
        let address = collection.address().unwrap();
        assert_eq!(client.one(endpoints::collection(address)).await.unwrap(), **collection);
        let name = format!("  {} !", collection.collection.name.as_received().to_uppercase());
        let found = client.list(&CollectionScope::Name(name.into()), &newest(100)).await.unwrap();
        assert!(found.items.contains(collection), "{}", collection.collection.name.as_received());
        for order_by in [TokenOrder::TokenId, TokenOrder::Height] {
            let query = tokens_of(TokenScope::Collection(address), order_by);
            let ask = async |page: PageRequest| client.list(&query, &page).await;
            let tokens = walk(7, Order::Ascending, |token| token.nft.token_id.clone(), ask).await;
            assert_eq!(tokens.len() as u64, collection.collection.nfts.length);
        }
    }
    let largest = collections.iter().max_by_key(|each| each.collection.nfts.length).unwrap().address().unwrap();
    let page = client.list(&tokens_of(TokenScope::Collection(largest), TokenOrder::Height), &newest(5)).await.unwrap();
    let token = page.items.first().expect("the largest has tokens");
    let owner = token.owner_address().unwrap();
    let query = TokenQuery {
        scope: TokenScope::Owner { address: owner, collection: Some(largest) },
        token_id: Some(token.nft.token_id.as_received().into()),
        order_by: TokenOrder::TokenId,
    };
    assert_eq!(client.list(&query, &newest(5)).await.unwrap().items, [Arc::clone(token)]);
    let owned = client.list(&CollectionScope::Owner(owner), &newest(100)).await.unwrap();
    assert!(owned.items.iter().any(|each| each.address() == Some(largest)));
    let name = TokenName { collection: largest, token_id: token.nft.token_id.as_received().into() };
    let history = TxQuery { scope: TxScope::Token(name), msgs: Vec::new() };
    let history = client.list(&history, &newest(100)).await.unwrap();
    assert!(history.items.iter().any(|tx| tx.height == token.height), "its last transfer is among them");
    let metadata = client.metadata(token.nft.uri.as_received()).await.unwrap();
    assert!(!metadata.name.is_empty(), "{metadata:?}");
    let picture = client.picture(metadata.image.as_deref().expect("it has a picture")).await.unwrap();
    assert!(picture.width > 1 && picture.rgba.len() == 4 * (picture.width * picture.height) as usize, "{picture:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn holders_come_in_order_and_once(#[values(false, true)] quirks: bool) {
    let (_rollup, client) = start(quirks);
    let denom = Denom::new(rollscope::demo::ledger::token_names(rollscope::domain::Vm::Evm, 7)[0].denom.to_string());
    let ask = async |page: PageRequest| client.list(&HoldersQuery(denom.clone()), &page).await;
    let holders = walk(20, Order::Descending, |holder| holder.account.clone(), ask).await;
    assert!(holders.len() > 20 && holders.is_sorted_by(|one, next| one.amount >= next.amount), "{}", holders.len());
    assert!(holders.iter().all(|holder| holder.account.parse::<Address>().is_ok()));
    let smallest = walk(50, Order::Ascending, |holder| holder.account.clone(), ask).await;
    assert!(smallest.len() == holders.len() && smallest.is_sorted_by(|one, next| one.amount <= next.amount));
}
