//! Fetching of runs of blocks from a node: headers in batches of twenty, results concurrently. Partial results survive
//! a failure, so that no request is repeated.
//!
//! One record with large answers is in memory at a time, until it is written. A run ends with it, as soon as the
//! records before it are there; one that comes before its turn is dropped, since the run would wait for others.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_util::{StreamExt as _, stream};

use super::feed::{FeedError, HEADERS_AT_ONCE, NodeBlock, NodeFeed, NodeHeader, NodeTraces};
use crate::{
    client::AnswerMeter,
    domain::{Height, Timestamp},
};

/// Maximum concurrent requests for headers.
const HEADER_REQUESTS: usize = 4;

/// Maximum cached headers beyond the requested run.
const KEPT_HEADERS: usize = 400;

/// Maximum bytes of the encoded blocks of a run, unless it is one block: their results are some times as large. Also
/// the bytes of its answers from which on a run requests no further records.
const RUN_BYTES: u64 = 8 << 20;

/// Fetcher of runs of blocks, which keeps partial results.
#[derive(Debug)]
pub(super) struct BlockFetcher<F> {
    feed: Arc<F>,
    width: RequestWidth,
    headers: BTreeMap<Height, NodeHeader>,
    blocks: BTreeMap<Height, NodeBlock>,
}

/// Number of concurrent requests for records: one after a large record, then twice as many with each run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestWidth {
    now: usize,
    most: usize,
}

impl RequestWidth {
    pub(super) fn new(most: usize) -> Self {
        Self { now: most, most }
    }
}

/// Record that is made of a node's answers.
pub(super) trait MeteredRecord {
    fn answers(&self) -> &AnswerMeter;
}

impl MeteredRecord for NodeBlock {
    fn answers(&self) -> &AnswerMeter {
        &self.answers
    }
}

impl MeteredRecord for NodeTraces {
    fn answers(&self) -> &AnswerMeter {
        &self.answers
    }
}

/// Requests these records concurrently, in their order, and keeps those that come. Ends early with a large record.
pub(super) async fn gather<K: Clone, T: MeteredRecord, A: Future<Output = Result<T, FeedError>>>(
    wanted: Vec<K>,
    width: &mut RequestWidth,
    ask: impl Fn(K) -> A,
    mut keep: impl FnMut(K, T),
) -> Result<(), FeedError> {
    // Send no further requests to a failing node, or for a run that is large enough, but wait for pending requests.
    let is_over = AtomicBool::new(false);
    let mut came = vec![false; wanted.len()];
    let asked = wanted.into_iter().enumerate().take_while(|_| !is_over.load(Ordering::Relaxed));
    let asked = asked.map(|(place, key)| {
        let answer = ask(key.clone());
        async move { (place, key, answer.await) }
    });
    let mut answers = stream::iter(asked).buffer_unordered(width.now);
    let (mut failure, mut bytes, mut has_large) = (None, 0, false);
    while let Some((place, key, answer)) = answers.next().await {
        match answer {
            Ok(record) if record.answers().is_large() => {
                has_large = true;
                if came.iter().take(place).all(|came| *came) {
                    keep(key, record);
                    failure = None;
                    break;
                }
                is_over.store(true, Ordering::Relaxed);
            }
            Ok(record) => {
                bytes += record.answers().bytes() as u64;
                is_over.fetch_or(bytes >= RUN_BYTES, Ordering::Relaxed);
                came.get_mut(place).into_iter().for_each(|came| *came = true);
                keep(key, record);
            }
            // What the node refuses of one record says nothing of the others.
            Err(error @ FeedError::Refused(_)) => failure = failure.or(Some(error)),
            Err(error) => {
                is_over.store(true, Ordering::Relaxed);
                failure = Some(error);
            }
        }
    }
    width.now = if has_large { 1 } else { (width.now * 2).min(width.most) };
    failure.map_or(Ok(()), Err)
}

/// Run of blocks without gaps.
#[derive(Debug)]
pub(super) struct BlockRun {
    pub(super) blocks: Vec<NodeBlock>,
    /// Time of the block before the run; `None` if unknown.
    pub(super) previous: Option<Timestamp>,
}

impl<F: NodeFeed> BlockFetcher<F> {
    pub(super) fn new(feed: Arc<F>, width: usize) -> Self {
        Self { feed, width: RequestWidth::new(width), headers: BTreeMap::new(), blocks: BTreeMap::new() }
    }

    /// Drops partial results, which may belong to an abandoned chain.
    pub(super) fn forget(&mut self) {
        self.headers.clear();
        self.blocks.clear();
    }

    pub(super) fn held(&self) -> usize {
        self.headers.len() + self.blocks.len()
    }

    /// Requests the current header of a block; `None` if the node lacks it.
    pub(super) async fn newest_header(&mut self, height: Height) -> Result<Option<NodeHeader>, FeedError> {
        self.headers.remove(&height);
        self.header(height).await
    }

    /// Returns the header of a block; `None` if the node lacks it.
    pub(super) async fn header(&mut self, height: Height) -> Result<Option<NodeHeader>, FeedError> {
        self.fetch_headers(height, height, height).await?;
        Ok(self.headers.get(&height).cloned())
    }

    /// Takes the cached headers below this block out of the cache.
    pub(super) fn take_headers_below(&mut self, height: Height) -> Vec<NodeHeader> {
        let kept = self.headers.split_off(&height);
        std::mem::replace(&mut self.headers, kept).into_values().collect()
    }

    pub(super) fn add_headers(&mut self, headers: Vec<NodeHeader>) {
        self.headers.extend(headers.into_iter().map(|header| (header.height, header)));
    }

    /// Fetches a run. `lowest` is the oldest available header; the header of the previous block, and others in its
    /// batch, are fetched too. A run of large blocks is shorter: it ends at `to` with a `lowest` header, else it starts
    /// at `from`.
    pub(super) async fn run(
        &mut self,
        from: Height,
        to: Height,
        lowest: Option<Height>,
    ) -> Result<BlockRun, FeedError> {
        let below_of = |from: Height| from.previous().filter(|below| lowest.is_some_and(|lowest| lowest <= *below));
        let below = below_of(from);
        self.fetch_headers(below.unwrap_or(from), to, lowest.filter(|_| below.is_some()).unwrap_or(from)).await?;
        let is_downward = lowest.is_some();
        let (from, to) = self.affordable(from, to, is_downward);
        let failure = self.fetch_blocks(from, to, is_downward).await.err();
        let is_held = |at: &u64| Height::new(*at).is_some_and(|at| self.blocks.contains_key(&at));
        // What came is written although the rest did not; the next run reports why, if that lasts.
        let Some((from, to)) = start_of(from, to, is_downward, is_held) else {
            return Err(failure.unwrap_or(FeedError::NotYet));
        };
        let above = self.blocks.split_off(&to.next());
        let run = self.blocks.split_off(&from);
        self.blocks.extend(above);
        let below = below_of(from);
        let previous = below.and_then(|below| self.headers.get(&below)).map(|header| header.time);
        while self.headers.len() > KEPT_HEADERS {
            // Drop headers at the far end: the next runs continue at the near end.
            let far = self.headers.keys().next().filter(|first| **first > from).or(self.headers.keys().next_back());
            let Some(far) = far.copied() else { break };
            self.headers.remove(&far);
        }
        Ok(BlockRun { blocks: run.into_values().collect(), previous })
    }

    /// Shortens a run to one block or more whose blocks are too large together.
    fn affordable(&self, from: Height, to: Height, is_downward: bool) -> (Height, Height) {
        let mut bytes = 0_u64;
        let fits = |at: &u64| {
            let size = Height::new(*at).and_then(|at| self.headers.get(&at)).map_or(0, |header| header.bytes);
            bytes = bytes.saturating_add(size);
            bytes <= RUN_BYTES
        };
        start_of(from, to, is_downward, fits).unwrap_or(if is_downward { (to, to) } else { (from, from) })
    }

    /// Requests the missing headers of a run in batches from the top. The last batch may extend below the run, down to
    /// `lowest`.
    async fn fetch_headers(&mut self, from: Height, to: Height, lowest: Height) -> Result<(), FeedError> {
        let is_missing = |at: u64| Height::new(at).is_some_and(|at| !self.headers.contains_key(&at));
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for at in (from.get()..=to.get()).rev().filter(|at| is_missing(*at)) {
            match runs.last_mut() {
                Some((first, last)) if at + 1 == *first && *last - at < HEADERS_AT_ONCE => *first = at,
                _ => runs.push((at, at)),
            }
        }
        if let Some((first, last)) = runs.last_mut().filter(|(first, _)| *first == from.get()) {
            let free = HEADERS_AT_ONCE - 1 - (*last - *first);
            let below = (lowest.get()..from.get()).rev();
            *first -= below.take_while(|at| is_missing(*at)).zip(0..free).count() as u64;
        }
        let runs = runs.into_iter().filter_map(|(first, last)| Height::new(first).zip(Height::new(last)));
        let feed = &self.feed;
        let mut answers =
            stream::iter(runs.map(|(first, last)| feed.headers(first, last))).buffer_unordered(HEADER_REQUESTS);
        let mut failure = None;
        while let Some(answer) = answers.next().await {
            match answer {
                Ok(headers) => self.headers.extend(headers.into_iter().map(|header| (header.height, header))),
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(()), Err)
    }

    async fn fetch_blocks(&mut self, from: Height, to: Height, is_downward: bool) -> Result<(), FeedError> {
        let mut heights: Vec<_> = (from.get()..=to.get()).filter_map(Height::new).collect();
        if is_downward {
            heights.reverse();
        }
        let (mut wanted, mut is_whole) = (Vec::new(), true);
        for at in heights.into_iter().filter(|at| !self.blocks.contains_key(at)) {
            let Some(header) = self.headers.get(&at).cloned() else {
                is_whole = false;
                break;
            };
            wanted.push(header);
        }
        let (feed, blocks) = (&self.feed, &mut self.blocks);
        let keep = |header: NodeHeader, block: NodeBlock| drop(blocks.insert(header.height, block));
        // A new block waits for its parts; older ones are written without, and get them later.
        let ask = async |header: NodeHeader| {
            let block = feed.block(header).await?;
            match block.awaited().filter(|_| !is_downward) {
                Some(refusal) => Err(FeedError::Refused(refusal)),
                None => Ok(block),
            }
        };
        let gathered = gather(wanted, &mut self.width, ask, keep).await;
        if is_whole { gathered } else { gathered.and(Err(FeedError::NotYet)) }
    }
}

/// Returns the blocks of a run up to the first that is not such, in the run's direction; `None` if there are none.
fn start_of(
    from: Height,
    to: Height,
    is_downward: bool,
    is_such: impl FnMut(&u64) -> bool,
) -> Option<(Height, Height)> {
    let heights = from.get()..=to.get();
    let beyond = if is_downward {
        heights.rev().take_while(is_such).count().checked_sub(1)?
    } else {
        heights.take_while(is_such).count().checked_sub(1)?
    } as u64;
    Some(if is_downward { (to.back(beyond), to) } else { (from, Height::new(from.get() + beyond)?) })
}
