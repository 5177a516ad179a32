use strum::EnumIter;

use super::CheckedPart;

/// Claim of an indexer that the node neither proves nor refutes. The check reports it as unknown, never as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub enum UnprovenClaim {
    UncountedTotal,
    AverageBlockTime,
    BlockTotal,
    TxTotal,
    AccountTotals,
    TypeTotals,
    CollectionCreator,
    CollectionLength,
    CollectionOrigin,
}

impl UnprovenClaim {
    pub fn part(self) -> CheckedPart {
        match self {
            Self::UncountedTotal
            | Self::AverageBlockTime
            | Self::BlockTotal
            | Self::TxTotal
            | Self::AccountTotals
            | Self::TypeTotals => CheckedPart::Totals,
            Self::CollectionCreator | Self::CollectionLength | Self::CollectionOrigin => CheckedPart::Collections,
        }
    }

    /// Returns a sentence that names the unknown fact and the reason.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::UncountedTotal => "the indexer reports no total for this list",
            Self::AverageBlockTime => {
                "average block time: the node lacks headers, or the indexer's blocks change too fast to compare it"
            }
            Self::BlockTotal => "number of blocks: the node is behind the indexer",
            Self::TxTotal => "number of transactions: the node lacks headers, or the chain has too many",
            Self::AccountTotals => "transactions per account: only a check of all blocks proves them",
            Self::TypeTotals => "transactions per type: only a check of all blocks proves them",
            Self::CollectionCreator => "creator of a collection: an EVM contract does not name its creator",
            Self::CollectionLength => "number of NFTs in a collection: its contract does not count them",
            Self::CollectionOrigin => "age and origin of a collection: its state does not record them",
        }
    }
}
