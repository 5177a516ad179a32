//! A call of an EVM chain, found among what its signer sent: a node's blocks have sender, receiver, value and input.

use crate::{
    cli::CommandError,
    client::EvmClient,
    domain::{Address, ChainId, Timestamp, TxHash, text::clean},
    signing::{FoundTx, SearchVerdict, SoughtCall, is_since},
    wire::{ApiError, ErrorKind},
};

use super::Router;

/// Blocks looked through at the most at once, where the node cannot say in which of them the signer sent something.
const BLOCKS: u64 = 600;

/// The blocks of a chain, looked through for one call from the time on at which it was made.
pub(super) struct CallSearch {
    client: EvmClient,
    sought: SoughtCall,
    signer: Address,
    since: Timestamp,
    /// The block that is looked at next; `None` while none is that new.
    next: Option<u64>,
    /// What may be it, of the blocks before.
    found: Vec<FoundTx>,
}

impl CallSearch {
    /// At the node that the command names, else at that which the router names for the chain.
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
            let chains = router.client.chains().await.unwrap_or_default();
            let info = chains.into_iter().find(|info| info.chain_id == *chain);
            info.map(|info| info.json_rpc).filter(|url| !url.is_empty())
        };
        let url = url.ok_or_else(|| {
            usage(format!("name a node of EVM chain {named} with --evm-node URL: it is looked for in its blocks"))
        })?;
        let client = EvmClient::new(&url, router.options.clone()).map_err(|error| usage(error.to_string()))?;
        let own = client.chain_id().await?;
        if own != sought.chain_number {
            return Err(usage(format!(
                "it was made for EVM chain {}, and this is a node of {own}: it cannot be seen there",
                sought.chain_number
            )));
        }
        let signer = sought.signer().ok_or_else(|| super::nothing_made(chain))?;
        Ok(Self { client, sought, signer, since, next: None, found: Vec::new() })
    }

    /// Who signs it, as the chain writes it.
    pub(super) fn signer(&self) -> String {
        self.signer.hex()
    }

    /// Looks at the blocks that are new.
    pub(super) async fn look(&mut self) -> Result<SearchVerdict, CommandError> {
        let tip = self.client.tip().await?;
        if self.next.is_none() {
            self.next = self.first_block(tip).await?;
        }
        if let Some(first) = self.next.filter(|first| *first <= tip) {
            for height in self.blocks(first, tip).await? {
                if !self.look_at(height).await? {
                    // Another node behind the same address has it; it is asked for again.
                    self.next = Some(height);
                    return Ok(SearchVerdict::of(self.found.clone()));
                }
                self.next = Some(height + 1);
            }
            self.next = Some(tip + 1);
        }
        Ok(SearchVerdict::of(self.found.clone()))
    }

    /// The first block that is not older than the call; `None` where even the newest is.
    async fn first_block(&self, tip: u64) -> Result<Option<u64>, CommandError> {
        let is_new = async |height| -> Result<bool, CommandError> {
            let time = self.client.time(height).await?;
            let missing = || CommandError::Failed(format!("the node does not have its block {height}"));
            Ok(is_since(time.ok_or_else(missing)?, self.since))
        };
        if !is_new(tip).await? {
            return Ok(None);
        }
        // Doubling steps back from the newest: nodes without their oldest blocks are not asked for those.
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

    /// The blocks in which the signer sent something; all of them where the node does not say.
    async fn blocks(&self, first: u64, last: u64) -> Result<Vec<u64>, CommandError> {
        match self.blocks_of_signer(first, last).await {
            Ok(blocks) => Ok(blocks),
            Err(error) if matches!(error.kind, ErrorKind::Rejected { .. }) => {
                let count = last - first + 1;
                if count > BLOCKS {
                    return Err(CommandError::Failed(format!(
                        "the node does not say in which of {count} blocks the signer sent something, and no more than \
                         {BLOCKS} are looked through: give the hash to track, or a node with old states"
                    )));
                }
                Ok((first..=last).collect())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// By the number of what the signer has sent, which grows in these blocks only.
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

    /// Notes what may be it in a block. False where the node does not have it.
    async fn look_at(&mut self, height: u64) -> Result<bool, CommandError> {
        let Some((block, at)) = self.client.block(height).await? else { return Ok(false) };
        if !is_since(at, self.since) {
            return Ok(true);
        }
        for tx in &block.transactions {
            let Some(likeness) = self.sought.compare(tx) else { continue };
            // It counts only once the chain says that it did what it was to do.
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
