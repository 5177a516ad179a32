//! Several nodes of a chain: another takes over when one fails, if it proves to serve the same chain.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rollscope::indexer::{
    index::{Index, IndexFeed, IndexIdentity},
    node::{FollowOptions, ServiceOptions},
};

use super::played::{everything, expected, player};
use crate::harness::player::{Fault, NodePlayer, Served};

/// The index of several nodes, the first of which is in use.
async fn served(nodes: &[&NodePlayer]) -> Served {
    let identity = IndexIdentity { vm: nodes[0].vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_memory(&identity, 20_000).expect("an index in memory");
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    let listen = std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into();
    let addresses = nodes.iter().map(|node| node.addresses()).collect();
    Served::at(listen, addresses, index, options).await.expect("the first node is found")
}

/// The node answers nothing from the time of this request on.
fn dies_at(node: &NodePlayer, request: &'static str) -> Arc<AtomicBool> {
    let is_dead = Arc::new(AtomicBool::new(false));
    let dead = Arc::clone(&is_dead);
    node.change(|stage| {
        stage.fault = Some(Box::new(move |asked, _| {
            dead.fetch_or(asked.contains(request), Ordering::SeqCst);
            dead.load(Ordering::SeqCst).then_some(Fault::Status(502))
        }));
    });
    is_dead
}

#[tokio::test]
async fn another_node_goes_on_where_one_died_and_no_height_falls() {
    let (first, second) = (player(), player());
    let expected = expected(&second).await;
    first.change(|stage| stage.tip = 150);
    second.change(|stage| stage.tip = 148);
    dies_at(&first, "/rpc/block_results?height=70");
    let served = served(&[&first, &second]).await;
    let changed = served.progress("the second node", |progress| progress.node.as_deref() == Some("node 2 of 2")).await;
    let [note] = changed.notes.as_slice() else { panic!("{changed:?}") };
    assert!(
        note.starts_with("node 1 of 2")
            && note.contains(" failed ")
            && note.ends_with("; the index goes on with node 2 of 2"),
        "{note}"
    );
    served.filled().await;
    let status = served.json("/status").await;
    assert_eq!(
        (&status["height"], &status["node"]["height"], &status["node"]["url"]),
        (&150.into(), &150.into(), &"node 2 of 2".into())
    );
    second.change(|stage| stage.tip = 160);
    served.until("/status", |status| status["height"] == 160 && status["node"]["height"] == 160).await;
    assert_eq!(everything(&served).await, expected);
    let progress = served.progress("no trouble", |progress| progress.trouble.is_none()).await;
    assert_eq!(progress.notes.len(), 1, "nothing was taken back: {:?}", progress.notes);
}

#[tokio::test]
async fn a_node_of_another_chain_and_a_fork_are_refused() {
    let (first, other, forked) = (player(), player(), player());
    other.change(|stage| stage.chain_id = "other-1".to_owned());
    forked.change(|stage| stage.fork_above = Some(120));
    let served = served(&[&first, &other, &forked]).await;
    served.filled().await;
    let before = everything(&served).await;
    let is_dead = dies_at(&first, "/rpc/status");
    let told = served.progress("both are refused", |progress| progress.notes.len() == 2).await;
    let own = served.json("/status").await["chain_id"].as_str().map(str::to_owned).expect("a chain id");
    let [first_note, second_note] = told.notes.as_slice() else { panic!("{told:?}") };
    let expected = format!("the index does not go on with node 2 of 3: it serves other-1; the index holds {own}");
    assert_eq!(*first_note, expected);
    let expected = "the index does not go on with node 3 of 3: its block 160 differs from the indexed one";
    assert_eq!(second_note, expected);
    let failing = served.progress("the trouble", |progress| progress.trouble.is_some()).await;
    assert_eq!(failing.node.as_deref(), Some("node 1 of 3"), "no other is used");
    assert_eq!(everything(&served).await, before);
    first.change(|stage| stage.fault = None);
    drop(is_dead);
    let well = served.progress("the first again", |progress| progress.trouble.is_none()).await;
    assert_eq!((well.node.as_deref(), well.notes), (Some("node 1 of 3"), told.notes), "each refusal is told once");
}
