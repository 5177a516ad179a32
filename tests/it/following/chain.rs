//! A node in memory whose chain is a function of its salt and heights, and which can be slow, away, pruned, or of
//! another mind.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rollscope::{
    client::AnswerMeter,
    domain::{Address, Amount, BlockHash, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    indexer::{
        index::{AccountBalances, DueBalances, Index, IndexFeed, IndexIdentity, UnknownNft},
        node::feed::{AccountsPage, FeedError, NodeBlock, NodeFeed, NodeHead, NodeHeader, NodeTraces},
        source::{
            BlockProposer, CommittedBlock, CommittedTx, EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces,
            FrameKind, NftCollection, OwnedNft, TxEvent,
        },
    },
};
use tokio::sync::Notify;

pub(super) const CHAIN_ID: &str = "memory-1";
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

pub(super) fn identity() -> IndexIdentity {
    IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() }
}

pub(super) fn height(value: u64) -> Height {
    Height::new(value).expect("heights start at 1")
}

pub(super) fn account(number: u64) -> Address {
    Address::Short([u8::try_from(number % 200).expect("small") + 1; 20])
}

pub(super) fn contract() -> Address {
    Address::Short([0xcc; 20])
}

/// What a node knows and does.
pub(super) struct NodeState {
    pub(super) chain_id: &'static str,
    /// From this height on the blocks are of the salt beside it.
    pub(super) salts: Vec<(u64, u64)>,
    pub(super) tip: u64,
    pub(super) oldest: u64,
    /// Blocks below this are not given out until it is lowered.
    pub(super) gate: u64,
    /// Every so many requests one fails; 0: none.
    pub(super) failing: u64,
    /// What to fail with.
    pub(super) failure: FeedError,
    /// How many newest blocks have no call frames yet.
    pub(super) untraced: u64,
    /// A block that always fails.
    pub(super) broken: Option<u64>,
    /// The size of each block.
    pub(super) bytes: u64,
    /// The size of the answers of which each block is made.
    pub(super) answers: usize,
    /// How often each block was given.
    pub(super) given: BTreeMap<u64, u64>,
    pub(super) balances: BTreeMap<Address, u64>,
    pub(super) asked: BTreeMap<Address, u64>,
}

pub(super) struct MemoryNode {
    state: Mutex<NodeState>,
    requests: AtomicU64,
    /// The request at which it falls silent for ever; 0: never.
    pub(super) silent_from: AtomicU64,
    changed: Notify,
}

impl MemoryNode {
    pub(super) fn new(tip: u64) -> Arc<Self> {
        let state = NodeState {
            chain_id: CHAIN_ID,
            salts: vec![(1, 0)],
            tip,
            oldest: 1,
            gate: 0,
            failing: 0,
            failure: FeedError::Away("the node is away".to_owned()),
            untraced: 0,
            broken: None,
            bytes: 0,
            answers: 0,
            given: BTreeMap::new(),
            balances: BTreeMap::new(),
            asked: BTreeMap::new(),
        };
        let (requests, silent_from) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { state: Mutex::new(state), requests, silent_from, changed: Notify::new() })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, NodeState> {
        self.changed.notify_waiters();
        self.state.lock().expect("nobody panicked")
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    async fn request(&self) -> Result<(), FeedError> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let silent = self.silent_from.load(Ordering::Relaxed);
        if silent > 0 && number >= silent {
            std::future::pending::<()>().await;
        }
        tokio::task::yield_now().await;
        let state = self.state.lock().expect("nobody panicked");
        if state.failing > 0 && number.is_multiple_of(state.failing) {
            return Err(state.failure.clone());
        }
        Ok(())
    }

    async fn pass(&self, at: u64) {
        loop {
            let changed = self.changed.notified();
            if self.state.lock().expect("nobody panicked").gate <= at {
                return;
            }
            // Looked at again after a while, should the change have come between the two lines above.
            let _ = tokio::time::timeout(Duration::from_millis(50), changed).await;
        }
    }
}

impl NodeState {
    fn is_untraced(&self, height: u64) -> bool {
        height + self.untraced > self.tip
    }

    fn salt(&self, at: u64) -> u64 {
        self.salts.iter().rev().find(|(from, _)| *from <= at).map_or(0, |(_, salt)| *salt)
    }

    pub(super) fn hash(&self, at: u64) -> BlockHash {
        let mut hash = [0xab; 32];
        hash[..8].copy_from_slice(&self.salt(at).to_be_bytes());
        hash[24..].copy_from_slice(&at.to_be_bytes());
        BlockHash::new(hash)
    }

    fn previous(&self, at: u64) -> Option<BlockHash> {
        (at > 1).then(|| self.hash(at - 1))
    }

    fn time(at: u64) -> Timestamp {
        Timestamp::EPOCH.after(Duration::from_millis(500 * at))
    }

    pub(super) fn block(&self, at: u64) -> CommittedBlock {
        let salt = self.salt(at);
        CommittedBlock {
            missing_txs: 0,
            height: height(at),
            hash: self.hash(at),
            previous_hash: self.previous(at),
            time: Self::time(at),
            proposer: BlockProposer { consensus_address: None, validator: None },
            first_sequence: None,
            txs: (0..at % 3).map(|place| tx(at, place, salt)).collect(),
            events: Vec::new(),
        }
    }

    fn node_block(&self, at: u64) -> NodeBlock {
        let block = self.block(at);
        let receipt = |(place, tx): (usize, &CommittedTx)| EvmReceipt {
            hash: *tx.hash.bytes(),
            kind: 2,
            index: place as u64,
            is_success: true,
            from: [7; 20],
            to: Some([0xcc; 20]),
            created: None,
            gas_used: 5,
            cumulative_gas: 5 * (place as u64 + 1),
            gas_price: 1,
            logs: Vec::new(),
            other_bloom: None,
        };
        let receipts = block.txs.iter().enumerate().map(receipt).collect();
        let receipts = Some(EvmReceipts { block_hash: [1; 32], first_sequence: None, receipts });
        let answers = Arc::new(AnswerMeter::of(self.answers));
        NodeBlock { block, receipts, undecoded: Vec::new(), answers, tx_hashes: Vec::new(), is_bare: false }
    }
}

fn tx(at: u64, place: u64, salt: u64) -> CommittedTx {
    let mut hash = [0x11; 32];
    hash[..8].copy_from_slice(&(at * 10 + place).to_be_bytes());
    hash[8..16].copy_from_slice(&salt.to_be_bytes());
    let (signer, other) = (account(at + salt), account(at * 7 + place));
    let mut events = vec![
        TxEvent::new("coin_spent", [("spender", signer.bech32())]),
        TxEvent::new("coin_received", [("receiver", other.bech32())]),
    ];
    events.extend(nft_event(at, salt).filter(|_| place == 0));
    CommittedTx {
        hash: TxHash::new(hash),
        code: 0,
        codespace: "".into(),
        data: Vec::new(),
        raw_log: String::new(),
        info: String::new(),
        gas_wanted: 10,
        gas_used: 5,
        fee: Vec::new(),
        raw: None,
        body: format!(
            "{{\"body\":{{\"messages\":[],\"memo\":\"{at} {place} {salt}\"}},\"auth_info\":{{}},\"signatures\":[]}}"
        ),
        message_types: vec![MsgType::new(if at.is_multiple_of(2) { "a.b.MsgEven" } else { "a.b.MsgOdd" })],
        signer: Some(signer),
        events,
    }
}

/// Token N is minted in block 12N + 1, moved in 12N + 4 and 12N + 7, and every third one is burned in 12N + 10.
fn nft_event(at: u64, salt: u64) -> Option<TxEvent> {
    let (token, step) = (at / 12, at % 12);
    let party = |number: Option<u64>| match number {
        Some(number) => format!("0x{:0>64}", account(number + salt).hex().trim_start_matches("0x")),
        None => format!("0x{}", "0".repeat(64)),
    };
    let (from, to) = match step {
        1 => (None, Some(token)),
        4 => (Some(token), Some(token + 1)),
        7 => (Some(token + 1), Some(token + 2)),
        10 if token.is_multiple_of(3) => (Some(token + 2), None),
        _ => return None,
    };
    let log = format!(
        "{{\"address\":\"{}\",\"topics\":[\"{TRANSFER}\",\"{}\",\"{}\",\"0x{token:0>64x}\"],\"data\":\"0x\"}}",
        contract().hex(),
        party(from),
        party(to)
    );
    Some(TxEvent::new("evm", [("log", log)]))
}

impl NodeFeed for MemoryNode {
    async fn head(&self) -> Result<NodeHead, FeedError> {
        self.request().await?;
        let state = self.state.lock().expect("nobody panicked");
        Ok(NodeHead {
            chain_id: state.chain_id.to_owned(),
            tip: height(state.tip),
            tip_hash: Some(state.hash(state.tip)),
            tip_time: Some(NodeState::time(state.tip)),
            oldest: height(state.oldest),
            is_catching_up: false,
        })
    }

    async fn headers(&self, from: Height, to: Height) -> Result<Vec<NodeHeader>, FeedError> {
        assert!(to.get() - from.get() < 20, "a node gives twenty headers at once");
        self.request().await?;
        let state = self.state.lock().expect("nobody panicked");
        let held = (from.get()..=to.get()).filter(|at| (state.oldest..=state.tip).contains(at));
        let header = |at| NodeHeader {
            height: height(at),
            hash: state.hash(at),
            previous_hash: state.previous(at),
            time: NodeState::time(at),
            txs: at % 3,
            bytes: state.bytes,
        };
        Ok(held.map(header).collect())
    }

    async fn block(&self, header: NodeHeader) -> Result<NodeBlock, FeedError> {
        let at = header.height.get();
        self.pass(at).await;
        self.request().await?;
        let mut state = self.state.lock().expect("nobody panicked");
        if state.broken == Some(at) {
            return Err(state.failure.clone());
        }
        if at < state.oldest {
            return Err(FeedError::Pruned);
        }
        if at > state.tip {
            return Err(FeedError::NotYet);
        }
        *state.given.entry(at).or_default() += 1;
        Ok(state.node_block(at))
    }

    fn is_traced(&self) -> bool {
        true
    }

    async fn traces(&self, height: Height) -> Result<NodeTraces, FeedError> {
        self.request().await?;
        if self.state.lock().expect("nobody panicked").is_untraced(height.get()) {
            return Err(FeedError::Away("the node sends no call frames of its newest blocks yet".to_owned()));
        }
        let frame = EvmFrame {
            parent: None,
            kind: FrameKind::Call,
            from: [7; 20],
            to: Some([0xcc; 20]),
            input: Vec::new(),
            output: Vec::new(),
            error: None,
            value: None,
            gas: 1,
            gas_used: 1,
        };
        let traces = (0..height.get() % 3).map(|receipt| EvmTrace { receipt, frames: vec![frame.clone()] }).collect();
        let answers = Arc::new(AnswerMeter::of(self.state.lock().expect("nobody panicked").answers));
        Ok(NodeTraces { traces: EvmTraces { first_sequence: None, traces }, undecoded: Vec::new(), answers })
    }

    async fn collection(&self, address: Address, at: Height) -> Result<Option<NftCollection>, FeedError> {
        self.request().await?;
        Ok((address == contract()).then(|| NftCollection {
            address,
            creator: Address::Short([0; 20]),
            name: "Things".to_owned(),
            origin_name: String::new(),
            created: at,
        }))
    }

    async fn nft(&self, nft: UnknownNft) -> Result<Option<OwnedNft>, FeedError> {
        self.request().await?;
        let UnknownNft { collection, token_id, height: at, .. } = nft;
        let uri = format!("ipfs://{token_id}");
        Ok(Some(OwnedNft { collection, token_id, object: None, owner: account(0), uri, moved: at }))
    }

    fn has_balances(&self) -> bool {
        true
    }

    async fn accounts(&self, key: Option<String>) -> Result<AccountsPage, FeedError> {
        self.request().await?;
        let state = self.state.lock().expect("nobody panicked");
        let skipped: usize = key.as_deref().unwrap_or("0").parse().expect("a key of its own");
        let accounts: Vec<Address> = state.balances.keys().skip(skipped).take(30).copied().collect();
        let next = (skipped + accounts.len() < state.balances.len()).then(|| (skipped + accounts.len()).to_string());
        Ok(AccountsPage { accounts, next })
    }

    async fn balances(&self, due: DueBalances) -> Result<AccountBalances, FeedError> {
        let account = due.account;
        self.request().await?;
        let mut state = self.state.lock().expect("nobody panicked");
        *state.asked.entry(account).or_default() += 1;
        let held = state.balances.get(&account).copied().unwrap_or(0);
        let coins = vec![(Denom::new("umin"), None, Amount::from(u128::from(held)))];
        Ok(AccountBalances { account, height: height(state.tip), coins, tokens: Vec::new() })
    }
}

/// These blocks in an index that took them upwards, in one run.
pub(super) fn upwards(node: &MemoryNode, from: u64) -> Index {
    let state = node.state();
    let index = Index::in_memory(&identity(), 20_000).expect("memory can be had");
    index.claim(state.chain_id).expect("a new index");
    let blocks: Vec<NodeBlock> = (from..=state.tip).map(|at| state.node_block(at)).collect();
    let (blocks, receipts): (Vec<_>, Vec<_>) = blocks
        .into_iter()
        .map(|one| {
            let receipts = one.receipts.map(|receipts| (one.block.height, receipts));
            (one.block, receipts)
        })
        .unzip();
    let previous = (from > 1).then(|| NodeState::time(from - 1));
    let prepared = index.prepare(blocks, previous).expect("the blocks can be read");
    let mut prepared = prepared.with_receipts(receipts.into_iter().flatten().collect());
    for (address, at) in index.unknown_collections(&prepared).expect("the index can be read") {
        if address == contract() {
            let (creator, name) = (Address::Short([0; 20]), "Things".to_owned());
            prepared.learn_collection(NftCollection {
                address,
                creator,
                name,
                origin_name: String::new(),
                created: at,
            });
        }
    }
    for UnknownNft { collection, token_id, height: moved, .. } in
        index.unknown_nfts(&prepared).expect("the index can be read")
    {
        let uri = format!("ipfs://{token_id}");
        prepared.learn_nft(OwnedNft { collection, token_id, object: None, owner: account(0), uri, moved });
    }
    index.write(&prepared).expect("the index can be written");
    index
}
