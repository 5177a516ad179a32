//! Search for a call on an EVM chain among its signer's transactions, by sender, contract, value and input.

use crate::{
    cli::CommandError,
    client::EvmClient,
    domain::{Address, ChainId, Timestamp, TxHash, text::clean},
    signing::{FoundTx, SearchVerdict, SoughtCall, is_since},
    wire::{ApiError, ErrorKind},
};

use super::Router;

/// Maximum blocks per scan, if the node cannot name the blocks with the signer's transactions.
const BLOCKS: u64 = 600;

/// Search for one call in the blocks since its creation.
pub(super) struct CallSearch {
    client: EvmClient,
    sought: SoughtCall,
    signer: Address,
    since: Timestamp,
    /// Next block to search; `None` until a block is new enough.
    next: Option<u64>,
    /// Candidates in earlier blocks.
    found: Vec<FoundTx>,
}

impl CallSearch {
    /// Starts the search on the node from the command line, else on the router's node for the chain.
    pub(super) async fn begin(
        node: Option<&str>,
        router: &Router,
        chain: &ChainId,
        sought: SoughtCall,
        since: Timestamp,
    ) -> Result<Self, CommandError> {
        let usage = |words: String| CommandError::Usage(words);
        let named = clean(chain.as_str());
        let url = if let Some(url) = node {
            Some(url.to_owned())
        } else {
            let chains = router.chains().await;
            let info = chains.into_iter().find(|info| info.chain_id == *chain);
            info.map(|info| info.json_rpc).filter(|url| !url.is_empty())
        };
        let url =
            url.ok_or_else(|| usage(format!("cannot search EVM chain {named}: give a node with --evm-node URL")))?;
        let client = EvmClient::new(&url, router.options.clone()).map_err(|error| usage(error.to_string()))?;
        let own = client.chain_id().await?;
        if own != sought.chain_number {
            return Err(usage(format!(
                "the transaction is for EVM chain {}, but the node serves {own}: give another --evm-node",
                sought.chain_number
            )));
        }
        let signer = sought.signer().ok_or_else(|| super::nothing_made(chain))?;
        Ok(Self { client, sought, signer, since, next: None, found: Vec::new() })
    }

    /// Returns the signer in the chain's format.
    pub(super) fn signer(&self) -> String {
        self.signer.hex()
    }

    pub(super) async fn look(&mut self) -> Result<SearchVerdict, CommandError> {
        let tip = self.client.tip().await?;
        if self.next.is_none() {
            self.next = self.first_block(tip).await?;
        }
        if let Some(first) = self.next.filter(|first| *first <= tip) {
            for height in self.blocks(first, tip).await? {
                if !self.look_at(height).await? {
                    // Another node behind this URL has the block: retry it.
                    self.next = Some(height);
                    return Ok(SearchVerdict::from_found(self.found.clone()));
                }
                self.next = Some(height + 1);
            }
            self.next = Some(tip + 1);
        }
        Ok(SearchVerdict::from_found(self.found.clone()))
    }

    /// Finds the first block that is not older than the call; `None` if all blocks are older.
    async fn first_block(&self, tip: u64) -> Result<Option<u64>, CommandError> {
        let is_new = async |height| -> Result<bool, CommandError> {
            let time = self.client.time(height).await?;
            let missing = || CommandError::Failed(format!("the node does not have block {height}"));
            Ok(is_since(time.ok_or_else(missing)?, self.since))
        };
        if !is_new(tip).await? {
            return Ok(None);
        }
        // Step down from the newest block with doubled steps: pruned nodes lack old blocks.
        let (mut new, mut step) = (tip, 1);
        let mut old = loop {
            let Some(before) = new.checked_sub(step) else { break 0 };
            if !is_new(before).await? {
                break before;
            }
            (new, step) = (before, step * 2);
        };
        while new - old > 1 {
            let between = old + (new - old) / 2;
            if is_new(between).await? {
                new = between;
            } else {
                old = between;
            }
        }
        Ok(Some(new))
    }

    /// Returns the blocks with transactions of the signer; all blocks if the node cannot name them.
    async fn blocks(&self, first: u64, last: u64) -> Result<Vec<u64>, CommandError> {
        match self.blocks_of_signer(first, last).await {
            Ok(blocks) => Ok(blocks),
            Err(error) if matches!(error.kind, ErrorKind::Rejected { .. }) => {
                let count = last - first + 1;
                if count > BLOCKS {
                    return Err(CommandError::Failed(format!(
                        "the node does not show which of {count} blocks has the signer's transaction, and \
                         rollscope searches at most {BLOCKS}: give the hash to track, or use an archive node"
                    )));
                }
                Ok((first..=last).collect())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Finds the blocks with the signer's transactions by the signer's nonce, which never decreases.
    async fn blocks_of_signer(&self, first: u64, last: u64) -> Result<Vec<u64>, ApiError> {
        let before = first.saturating_sub(1);
        let counts =
            (self.client.sent_count(self.signer, before).await?, self.client.sent_count(self.signer, last).await?);
        let mut open = vec![((before, counts.0), (last, counts.1))];
        let mut blocks = Vec::new();
        while let Some((from, to)) = open.pop() {
            if from.1 == to.1 {
                continue;
            }
            if to.0 - from.0 <= 1 {
                blocks.push(to.0);
                continue;
            }
            let between = from.0 + (to.0 - from.0) / 2;
            let middle = (between, self.client.sent_count(self.signer, between).await?);
            open.extend([(middle, to), (from, middle)]);
        }
        Ok(blocks)
    }

    /// Records the candidates in a block; false if the node lacks the block.
    async fn look_at(&mut self, height: u64) -> Result<bool, CommandError> {
        let Some((block, at)) = self.client.block(height).await? else { return Ok(false) };
        if !is_since(at, self.since) {
            return Ok(true);
        }
        for tx in &block.transactions {
            let Some(likeness) = self.sought.compare(tx) else { continue };
            // Count a transaction only when the chain reports its success or failure.
            let Some(is_success) = self.client.is_success(tx.hash).await? else { return Ok(false) };
            let hash = TxHash::new(*tx.hash.bytes());
            let found = FoundTx { hash, at, is_failed: !is_success, differs: likeness.differs };
            if !self.found.iter().any(|known| known.hash == hash) {
                self.found.push(found);
            }
        }
        Ok(true)
    }
}
