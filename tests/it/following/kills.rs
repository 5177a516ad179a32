//! Whatever moment it ends at, a file goes on where it was.

use std::sync::atomic::Ordering;

use rollscope::{domain::Height, indexer::index::IndexError};

use super::{FollowOptions, Following, MemoryNode, assert_same, identity, index_at, upwards};
use crate::harness::index::is_on_server;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_file_goes_on_where_it_was_whenever_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.sqlite");
    let node = MemoryNode::new(330);
    let mut ends = 0;
    loop {
        // The node falls silent ever later, and whoever waits for it is dropped in the middle.
        let silent = node.requests() + 9 + ends * 5;
        node.silent_from.store(silent, Ordering::Relaxed);
        let following = Following::start(&node, index_at(&path, &identity()).unwrap(), FollowOptions::default());
        let is_whole = || {
            following.bounds() == Some((1, 330))
                && following
                    .index
                    .traced()
                    .unwrap()
                    .is_some_and(|traced| traced.from.get() == 1 && traced.tip.get() == 330)
        };
        following.until(|| node.requests() >= silent || is_whole()).await;
        let is_done = is_whole();
        following.task.abort();
        let ended = following.task.await;
        assert!(ended.is_err_and(|ended| ended.is_cancelled()));
        // A write that goes on by itself ends before the file is another's.
        let mut index = following.index;
        while std::sync::Arc::strong_count(&index) > 1 {
            tokio::task::yield_now().await;
        }
        let held = index.bounds().unwrap();
        std::sync::Arc::get_mut(&mut index).unwrap();
        drop(index);
        if is_done {
            assert_eq!(held.map(|held| held.blocks()), Some(330));
            break;
        }
        ends += 1;
        assert!(ends < 200, "it gets further every time");
    }
    assert!(ends > 5, "it was left in many places: {ends}");
    node.silent_from.store(0, Ordering::Relaxed);
    assert_same(&index_at(&path, &identity()).unwrap(), &upwards(&node, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_gap_to_the_tip_is_filled_upwards_and_nothing_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.sqlite");
    let node = MemoryNode::new(120);
    let following = Following::start(&node, index_at(&path, &identity()).unwrap(), FollowOptions::default());
    following.holds(1, 120).await;
    let index = following.end().await;
    index.close();
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(left == ["chain.sqlite"] || left.is_empty() && is_on_server(), "{left:?}");
    assert!(
        matches!(index.undo_above(Height::new(60).unwrap()), Err(IndexError::Closed)),
        "a write that comes late is refused"
    );
    node.state().tip = 555;
    let following = Following::start(&node, index_at(&path, &identity()).unwrap(), FollowOptions::default());
    following.holds(1, 555).await;
    assert_same(&following.index, &upwards(&node, 1));
    assert!(node.state().given.values().all(|times| *times == 1));
    // A node that no longer has what follows is told of, and nothing is skipped.
    following.end().await;
    (node.state().tip, node.state().oldest) = (900, 700);
    let following = Following::start(&node, index_at(&path, &identity()).unwrap(), FollowOptions::default());
    following
        .until(|| following.progress.borrow().trouble.as_ref().is_some_and(|said| said.contains("556 to 699")))
        .await;
    assert_eq!(following.bounds(), Some((1, 555)));
}
