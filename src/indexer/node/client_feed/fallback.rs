//! Other nodes of a chain, one of which takes over when the node in use fails.

use std::{
    iter, mem,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{ClientFeed, failure, lock, observed, proofs::ProofVerdict};
use crate::{
    client::{ClientOptions, HostLimits, NodeAddresses, NodeClient, NodeError, NodeFindError, NodeInterface},
    domain::{Height, text},
    indexer::node::feed::{FeedError, HeldChain, NodeChange},
    wire::node::{BlockAnswers, BlockMeta, NodeStatusAnswer},
};

/// Interval between looks at whether the node is away.
const LOOK: Duration = Duration::from_millis(250);

/// Pause that a node asks for from which on its requests count as failed.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// Nodes of one chain, in the order in which they take over.
#[derive(Debug)]
pub struct NodeFallback {
    nodes: Vec<NodeAddresses>,
    /// Place of the node in use.
    present: AtomicUsize,
    /// Cancels the requests to the node in use when another takes over.
    used: Mutex<CancellationToken>,
    /// Whether the head of the node in use was waited for in vain: it is then waited for to the end.
    is_missed: AtomicBool,
    /// Whether no other node could be used at the last search.
    is_alone: AtomicBool,
    options: ClientOptions,
    limits: HostLimits,
}

/// Reason why a node cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitNode {
    #[error("{0}")]
    Away(String),
    /// The node answers, but is not proven to serve the held chain.
    #[error("{0}")]
    Refused(String),
}

impl NodeFallback {
    /// Creates the nodes, of which `present` is in use; `None` for one node.
    pub fn new(
        nodes: Vec<NodeAddresses>,
        present: usize,
        options: ClientOptions,
        limits: impl Into<HostLimits>,
    ) -> Option<Self> {
        (nodes.len() > 1).then(|| Self {
            nodes,
            present: AtomicUsize::new(present),
            used: Mutex::default(),
            is_missed: AtomicBool::new(false),
            is_alone: AtomicBool::new(false),
            options,
            limits: limits.into(),
        })
    }

    /// Returns the name of the node in use. Its URL may hold a key, and answers are public.
    pub(super) fn present(&self) -> String {
        self.name(self.present.load(Ordering::Acquire))
    }

    fn name(&self, place: usize) -> String {
        format!("node {} of {}", place + 1, self.nodes.len())
    }

    /// Returns the places and addresses of the other nodes, beginning after the one in use.
    fn others(&self) -> impl Iterator<Item = (usize, &NodeAddresses)> {
        let present = self.present.load(Ordering::Acquire);
        let places = (present + 1..self.nodes.len()).chain(0..present);
        places.filter_map(|place| Some((place, self.nodes.get(place)?)))
    }
}

impl ClientFeed {
    /// Returns the place of the node in use, and the number of all that can be asked.
    pub(super) fn nodes(&self) -> (usize, usize) {
        let of = |fallback: &NodeFallback| {
            let all = if fallback.is_alone.load(Ordering::Acquire) { 1 } else { fallback.nodes.len() };
            (fallback.present.load(Ordering::Acquire), all)
        };
        self.fallback.as_ref().map_or((0, 1), of)
    }

    /// Requests the node's status. With other nodes to take over, a node that is away is not waited for until all
    /// pending requests have failed, which are sent ever more seldom.
    pub(super) async fn ask_head(&self) -> Result<NodeStatusAnswer, FeedError> {
        let client = self.client();
        // A node that asks for a long pause is not waited for in silence.
        let paused = async {
            loop {
                match client.pause().filter(|pause| *pause >= LONG_PAUSE) {
                    Some(pause) => return pause,
                    None => sleep(LOOK).await,
                }
            }
        };
        let asked = async {
            tokio::select! {
                biased;
                pause = paused => Err(FeedError::Busy(pause)),
                head = client.head() => head.map_err(failure),
            }
        };
        let Some(fallback) = self.fallback.as_ref().filter(|one| !one.is_missed.load(Ordering::Acquire)) else {
            let head = asked.await?;
            self.fallback.iter().for_each(|fallback| fallback.is_missed.store(false, Ordering::Release));
            return Ok(head);
        };
        let missed = async {
            while !client.is_away() {
                sleep(LOOK).await;
            }
        };
        tokio::select! {
            biased;
            head = asked => head,
            () = missed => {
                fallback.is_missed.store(true, Ordering::Release);
                Err(FeedError::Away(format!("{} failed several times in a row", fallback.present())))
            }
        }
    }

    /// Sends requests to the node in use; they end when another takes over.
    pub(super) async fn while_used<T>(
        &self,
        ask: impl AsyncFnOnce(NodeClient) -> Result<T, FeedError>,
    ) -> Result<T, FeedError> {
        let used = self.fallback.as_ref().map(|fallback| lock(&fallback.used).clone()).unwrap_or_default();
        let answer = used.run_until_cancelled(ask(self.client())).await;
        answer.unwrap_or_else(|| Err(FeedError::Away("another node took over".to_owned())))
    }

    /// Uses the first of the other nodes that serves the held chain.
    pub(super) async fn find_another_node(&self, cause: &str, held: HeldChain<'_>) -> NodeChange {
        let mut change = NodeChange::default();
        for (fallback, (place, addresses)) in
            self.fallback.iter().flat_map(|fallback| iter::repeat(fallback).zip(fallback.others()))
        {
            let (name, url) = (fallback.name(place), text::clean(&addresses.node));
            tracing::debug!("trying {name}, {url}");
            match self.connect(fallback, addresses, held).await {
                Ok(client) => {
                    change.used = Some(format!("{cause}; the index goes on with {name}"));
                    *lock(&self.client) = observed(&client, &self.metrics);
                    fallback.present.store(place, Ordering::Release);
                    fallback.is_missed.store(false, Ordering::Release);
                    mem::take(&mut *lock(&fallback.used)).cancel();
                    self.is_untraced.store(false, Ordering::Release);
                    break;
                }
                Err(UnfitNode::Refused(why)) => {
                    change.refused.push(format!("the index does not go on with {name}: {why}"));
                }
                Err(UnfitNode::Away(why)) => tracing::debug!("cannot go on with {url}: {why}"),
            }
        }
        if let Some(fallback) = &self.fallback {
            fallback.is_alone.store(change.used.is_none(), Ordering::Release);
        }
        change
    }

    /// Requests a block from the other nodes; returns the first answers that the chain's headers prove.
    pub(super) async fn answers_of_others(&self, meta: &BlockMeta) -> Option<BlockAnswers> {
        for (fallback, (_, addresses)) in
            self.fallback.iter().flat_map(|fallback| iter::repeat(fallback).zip(fallback.others()))
        {
            let found = NodeClient::find(addresses, fallback.options.clone(), fallback.limits.clone()).await;
            let Ok(client) = found else { continue };
            let answers = observed(&client, &self.metrics).answers(meta.clone(), true).await;
            if let Some(answers) = answers.ok().filter(|one| lock(&self.proofs).verdict(one) == ProofVerdict::Fits) {
                return Some(answers);
            }
        }
        None
    }

    /// Connects to a node of the held chain with the interfaces that the index reads.
    async fn connect(
        &self,
        fallback: &NodeFallback,
        addresses: &NodeAddresses,
        held: HeldChain<'_>,
    ) -> Result<NodeClient, UnfitNode> {
        let found = NodeClient::find(addresses, fallback.options.clone(), fallback.limits.clone()).await;
        let client = found.map_err(|error| match error {
            NodeFindError::Away { .. } | NodeFindError::Node(_) | NodeFindError::Unproven { .. } => {
                UnfitNode::Away(error.to_string())
            }
            error => UnfitNode::Refused(error.to_string()),
        })?;
        let used = self.client();
        for interface in [NodeInterface::Rest, NodeInterface::JsonRpc] {
            if used.url(interface).is_some() && client.url(interface).is_none() {
                return Err(UnfitNode::Refused(format!("it has no {interface}, which the index reads")));
            }
        }
        prove_held(&client, held).await.map(|()| client)
    }
}

/// Fails unless a node serves the held chain: it has its id, and the newest block that both it and the index have.
pub async fn prove_held(client: &NodeClient, held: HeldChain<'_>) -> Result<(), UnfitNode> {
    let refused = |why| Err(UnfitNode::Refused(why));
    let away = |error: NodeError| UnfitNode::Away(error.to_string());
    let chain_id = text::clean(client.chain_id());
    if !held.chain_id.is_empty() && held.chain_id != chain_id {
        return refused(format!("it serves {chain_id}; the index holds {}", held.chain_id));
    }
    let Some(tip) = held.tip else { return Ok(()) };
    let reached = client.status().await.map_err(away)?.sync_info;
    let common = Height::new(reached.latest_block_height).map_or(tip, |reached| reached.min(tip));
    if common.get() < reached.earliest_block_height {
        return refused(format!("it has pruned block {common}, which would prove the chain"));
    }
    let Some(own) = (held.hash_of)(common) else {
        return refused(format!("it is at block {common}, below the indexed blocks"));
    };
    let headers = client.headers(common, common).await.map_err(away)?;
    match headers.first().map(|header| header.block_id.block_hash()) {
        Some(Some(hash)) if hash == own => Ok(()),
        Some(Some(_)) => refused(format!("its block {common} differs from the indexed one")),
        Some(None) | None => Err(UnfitNode::Away(format!("it does not send block {common}"))),
    }
}
