//! A rollup's node is followed: newest first, nothing lost, nothing twice, whatever happens to the node or to us.

mod chain;
pub(crate) mod kills;

use std::{sync::Arc, time::Duration};

use rollscope::{
    domain::{Height, MsgType},
    indexer::{
        index::{
            AccountRules, ChainPlace, CollectionSelection, Index, PageRange, ReceiptSelection, RecordKind, Seek,
            TokenKey, TokenSelection, TokenSorting, TxSelection,
        },
        node::{FollowOptions, NodeFollower, feed::FeedError},
        progress::NodeProgress,
    },
};
use tokio::{sync::watch, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::harness::index::{empty_index, index_at, is_on_server};
use chain::{CHAIN_ID, MemoryNode, account, contract, height, identity, upwards};

/// A follower at work; it ends with the test.
struct Following {
    index: Arc<Index>,
    progress: watch::Receiver<NodeProgress>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Following {
    fn start(node: &Arc<MemoryNode>, index: Index, options: FollowOptions) -> Self {
        let index = Arc::new(index);
        let follower = NodeFollower::new(Arc::clone(node), Arc::clone(&index), options);
        let (progress, stop) = (follower.progress(), CancellationToken::new());
        let until = stop.clone();
        let task = tokio::spawn(async move { follower.run(&until).await.expect("the index can be written") });
        Self { index, progress, stop, task }
    }

    fn in_memory(node: &Arc<MemoryNode>) -> Self {
        Self::start(node, empty_index(&identity()), FollowOptions::default())
    }

    fn bounds(&self) -> Option<(u64, u64)> {
        self.index.bounds().expect("the index can be read").map(|held| (held.from.get(), held.tip.get()))
    }

    /// Waits until it holds these blocks.
    async fn holds(&self, from: u64, tip: u64) {
        self.until(|| self.bounds() == Some((from, tip))).await;
    }

    async fn until(&self, is_so: impl Fn() -> bool) {
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        let waiting = async {
            while !is_so() {
                looks.tick().await;
            }
        };
        let told = timeout(Duration::from_secs(60), waiting).await;
        assert!(told.is_ok(), "it never came: {:?} {:?}", self.bounds(), self.progress.borrow());
    }

    async fn end(self) -> Arc<Index> {
        self.stop.cancel();
        self.task.await.expect("it ended well");
        self.index
    }
}

fn all() -> PageRange {
    PageRange { limit: 1000, descending: true, ..PageRange::default() }
}

/// All that an index says that does not depend on the order in which blocks came.
fn everything(index: &Index) -> Vec<String> {
    let seek = Seek { limit: 1000, descending: true, ..Seek::default() };
    let mut said = Vec::new();
    said.push(format!("{:?}", index.blocks("x", &all()).expect("blocks").blocks));
    let scopes = (0..40).map(|number| TxSelection::Account(account(number), AccountRules::Chain));
    let signers = (0..40).map(|number| TxSelection::Signer(account(number)));
    for scope in std::iter::once(TxSelection::Chain).chain(scopes).chain(signers) {
        for types in [vec![], vec![MsgType::new("a.b.MsgEven")]] {
            let page = index.txs(scope, &types, &all(), true).expect("transactions");
            said.push(format!("{:?} {}", page.total, String::from_utf8(page.json).expect("text")));
        }
    }
    let receipts = index.evm_txs(ReceiptSelection::Chain, &all(), true).expect("receipts");
    said.push(format!("{:?} {:?}", receipts.total, receipts.txs));
    said.push(format!(
        "{:?}",
        index.collections(&CollectionSelection::All, &seek, false, true).expect("collections").rows
    ));
    let scope = TokenSelection { collection: Some(contract()), ..TokenSelection::default() };
    let tokens = index.tokens(&scope, TokenSorting::TokenId, &seek, true).expect("tokens");
    said.push(format!("{:?} {:?}", tokens.total, tokens.rows));
    said
}

#[track_caller]
fn assert_same(index: &Index, expected: &Index) {
    for (one, other) in everything(index).into_iter().zip(everything(expected)) {
        assert_eq!(one, other);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn the_newest_come_first_and_keys_hold_while_older_ones_arrive() {
    let node = MemoryNode::new(457);
    node.state().gate = 453;
    node.state().untraced = 1;
    let following = Following::in_memory(&node);
    following.holds(453, 457).await;
    following.until(|| following.progress.borrow().missing == 452).await;
    let held = following.index.bounds().unwrap().unwrap();
    assert_eq!(following.index.offset(&held), None, "nobody knows how many came before");
    assert_eq!(following.index.oldest_so_far(Some(held)), Some(height(453)));
    let last = i64::try_from(held.next_sequence).unwrap() - 1;
    let place = following.index.place(RecordKind::Tx, last).unwrap();
    assert_eq!(place, ChainPlace { height: 457, index: 0 });
    let page = following.index.txs(TxSelection::Chain, &[], &all(), false).unwrap().json;

    node.state().gate = 0;
    following.holds(1, 457).await;
    assert_same(&following.index, &upwards(&node, 1));
    let held = following.index.bounds().unwrap().unwrap();
    assert_eq!(following.index.oldest_so_far(Some(held)), None);
    let offset = following.index.offset(&held).unwrap();
    assert_eq!((held.first_sequence - offset, held.txs()), (1, 457), "now the chain's own numbers are known");
    assert_eq!(following.index.sequence(RecordKind::Tx, place, true).unwrap(), last);
    let again = following.index.txs(TxSelection::Chain, &[], &all(), false).unwrap().json;
    assert!(again.starts_with(&page), "the same transactions stand where they stood");
    let doubled: Vec<_> = node.state().given.iter().filter(|(_, times)| **times != 1).map(|(at, _)| *at).collect();
    assert_eq!(doubled, Vec::<u64>::new(), "no block is asked for twice");
    let is_traced = |to: u64| {
        let traced = following.index.traced().unwrap();
        traced.is_some_and(|traced| (traced.from, traced.tip) == (Height::FIRST, height(to)))
    };
    // Older blocks do not wait for the newest, which the node has not traced yet.
    following.until(|| is_traced(456)).await;
    node.state().untraced = 0;
    following.until(|| is_traced(457)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_node_in_trouble_is_waited_for() {
    for failure in [
        FeedError::Away("502".to_owned()),
        FeedError::Busy(Duration::from_millis(1)),
        FeedError::Unreadable("HTML".to_owned()),
    ] {
        let node = MemoryNode::new(130);
        (node.state().failing, node.state().failure) = (7, failure);
        let following = Following::in_memory(&node);
        following.holds(1, 130).await;
        node.state().tip = 150;
        following.holds(1, 150).await;
        assert_same(&following.index, &upwards(&node, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_block_that_the_node_never_sends_is_reported_while_newer_ones_come() {
    let node = MemoryNode::new(200);
    node.state().broken = Some(50);
    let following = Following::in_memory(&node);
    following.until(|| !following.progress.borrow().notes.is_empty()).await;
    assert_eq!(following.progress.borrow().notes, ["backfill waits: the node is away"]);
    node.state().tip = 205;
    following.until(|| following.bounds().is_some_and(|(_, tip)| tip == 205)).await;
    assert_eq!(following.progress.borrow().trouble, None);
    node.state().broken = None;
    following.holds(1, 205).await;
    assert_eq!(following.progress.borrow().notes.len(), 1, "reported once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn large_blocks_come_in_short_runs() {
    let node = MemoryNode::new(120);
    (node.state().bytes, node.state().gate) = (3 << 20, 119);
    let following = Following::in_memory(&node);
    // Two of them are 6 MiB, and a third does not fit.
    following.holds(119, 120).await;
    node.state().tip = 140;
    following.holds(119, 140).await;
    node.state().gate = 117;
    following.holds(117, 140).await;
    (node.state().bytes, node.state().gate) = (9 << 20, 0);
    following.holds(1, 140).await;
    assert_same(&following.index, &upwards(&node, 1));
    assert!(node.state().given.values().all(|times| *times == 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn runs_end_with_large_answers_and_lose_nothing() {
    let node = MemoryNode::new(120);
    node.state().answers = 3 << 20;
    let following = Following::in_memory(&node);
    following.holds(1, 120).await;
    node.state().tip = 140;
    following.holds(1, 140).await;
    // None is large now, but four are as much as a run may have.
    (node.state().answers, node.state().tip) = (2 << 20, 190);
    following.holds(1, 190).await;
    assert_same(&following.index, &upwards(&node, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_pruned_node_and_a_wanted_height_end_history() {
    let node = MemoryNode::new(300);
    node.state().oldest = 120;
    let following = Following::in_memory(&node);
    following.holds(120, 300).await;
    let held = following.index.bounds().unwrap();
    assert_eq!(following.index.oldest_so_far(held), None, "nothing older can be had");
    assert_eq!(following.index.offset(&held.unwrap()), None);
    following.end().await;

    let index = empty_index(&identity());
    let options = FollowOptions { from: Height::new(150), ..FollowOptions::default() };
    let following = Following::start(&node, index, options);
    following.holds(150, 300).await;
    assert_eq!(following.index.block("x", height(150)).unwrap().unwrap().block_time, 500);
    // Pruned further while it is followed: what is held stays.
    node.state().oldest = 290;
    node.state().tip = 320;
    following.holds(150, 320).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn blocks_that_the_chain_took_back_are_undone_to_the_fork() {
    for (fork, tip) in [(250, 300), (299, 305), (290, 292), (31, 340)] {
        let node = MemoryNode::new(300);
        let following = Following::in_memory(&node);
        following.holds(1, 300).await;
        {
            let mut state = node.state();
            state.salts.push((fork, 5));
            state.tip = tip;
        }
        following
            .until(|| {
                let held = following.index.block_hash(height(tip)).unwrap();
                following.bounds() == Some((1, tip)) && held == Some(node.state().hash(tip))
            })
            .await;
        assert_same(&following.index, &upwards(&node, 1));
        let notes = following.progress.borrow().notes.clone();
        assert!(notes.len() == 1 && notes[0].contains(&format!("after block {}", fork - 1)), "{notes:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_load_balancer_whose_nodes_differ_undoes_nothing() {
    let node = MemoryNode::new(200);
    let following = Following::in_memory(&node);
    following.holds(1, 200).await;
    let requests = node.requests();
    node.state().tip = 198;
    following.until(|| node.requests() > requests + 3).await;
    assert_eq!(following.bounds(), Some((1, 200)));
    node.state().tip = 203;
    following.holds(1, 203).await;
    assert_eq!(following.progress.borrow().notes, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_file_keeps_its_chain_while_the_node_serves_another() {
    let folder = tempfile::tempdir().unwrap();
    let node = MemoryNode::new(150);
    let index = index_at(&folder.path().join("chain.sqlite"), &identity()).unwrap();
    let following = Following::start(&node, index, FollowOptions::default());
    following.holds(1, 150).await;
    (node.state().chain_id, node.state().tip) = ("memory-2", 300);
    following.until(|| following.progress.borrow().trouble.is_some()).await;
    let trouble = following.progress.borrow().trouble.clone().unwrap();
    assert!(trouble.contains("the node now serves memory-2, but the index holds memory-1"), "{trouble}");
    assert_eq!(following.bounds(), Some((1, 150)));
    assert_eq!(following.progress.borrow().tip, Some(height(150)), "the heights stay those of the own chain");
    node.state().chain_id = CHAIN_ID;
    following.holds(1, 300).await;
    assert_eq!(following.progress.borrow().notes, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_chain_that_restarted_is_begun_anew_and_the_old_file_kept_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.sqlite");
    let node = MemoryNode::new(150);
    let following = Following::start(&node, index_at(&path, &identity()).unwrap(), FollowOptions::default());
    following.holds(1, 150).await;
    {
        let mut state = node.state();
        state.salts = vec![(1, 9)];
        state.tip = 40;
    }
    following.until(|| following.index.block_hash(height(40)).unwrap() == Some(node.state().hash(40))).await;
    following.holds(1, 40).await;
    assert_same(&following.index, &upwards(&node, 1));
    let notes = following.progress.borrow().notes.clone();
    assert!(notes.len() == 1 && notes[0].contains("the old index is now in"), "{notes:?}");
    let index = following.end().await;
    index.close();
    if is_on_server() {
        assert!(notes[0].contains("is now in the schema test_"), "{notes:?}");
        return;
    }
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let old = files.iter().find(|file| **file != path).unwrap();
    let old = Index::in_file(old, &identity()).unwrap();
    let held = old.bounds().unwrap().unwrap();
    assert_eq!((held.from.get(), held.tip.get()), (1, 150));
    old.claim(CHAIN_ID).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn whom_a_block_touched_is_asked_again() {
    let node = MemoryNode::new(110);
    for number in 0..100 {
        node.state().balances.insert(account(number), 1_000 + number);
    }
    let following = Following::in_memory(&node);
    following.holds(1, 110).await;
    following.until(|| following.index.has_state()).await;
    following.until(|| following.index.rich_list_height().unwrap() == Some(height(110))).await;
    let asked = node.state().asked.clone();
    assert!(asked.values().all(|times| *times <= 2), "{asked:?}");
    // Block 112 is signed by account 112 and pays account 112 × 7.
    {
        let mut state = node.state();
        state.balances.insert(account(112), 5);
        state.balances.insert(account(112 * 7), 0);
        state.tip = 113;
    }
    following.holds(1, 113).await;
    following.until(|| following.index.rich_list_height().unwrap() == Some(height(113))).await;
    let seek = Seek { limit: 1000, descending: true, ..Seek::default() };
    let page = following.index.holders(&TokenKey::Denom("umin".to_owned()), &seek).unwrap().unwrap();
    let listed: u64 = page.rows.iter().map(|holder| holder.amount.to_string().parse::<u64>().unwrap()).sum();
    assert_eq!(listed, node.state().balances.values().sum::<u64>());
    let again = node.state().asked.iter().filter(|(who, times)| asked.get(who) != Some(times)).count();
    assert!((1..=8).contains(&again), "only those whom new blocks touched: {again}");
}
