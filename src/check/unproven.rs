use strum::EnumIter;

use super::CheckedPart;

/// What an indexer claims and the node neither proves nor refutes here: it is said as unknown, never as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub enum UnprovenClaim {
    /// A list without a total.
    UncountedTotal,
    /// How many blocks there are.
    BlockTotal,
    /// How many transactions there are.
    TxTotal,
    /// How many transactions the lists of accounts have.
    AccountTotals,
    /// How many transactions there are of each type.
    TypeTotals,
    /// Who made a collection.
    CollectionCreator,
    /// How many NFTs a collection has.
    CollectionLength,
    /// Since when a collection exists, and where it came from.
    CollectionOrigin,
}

impl UnprovenClaim {
    /// The part of the check that meets it.
    pub fn part(self) -> CheckedPart {
        match self {
            Self::UncountedTotal | Self::BlockTotal | Self::TxTotal | Self::AccountTotals | Self::TypeTotals => {
                CheckedPart::Totals
            }
            Self::CollectionCreator | Self::CollectionLength | Self::CollectionOrigin => CheckedPart::Collections,
        }
    }

    /// What is not known and why, as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::UncountedTotal => "the indexer gives no total here",
            Self::BlockTotal => "how many blocks there are: the node is behind the indexer",
            Self::TxTotal => {
                "how many transactions there are: the node keeps too few headers, or there are too many to add up"
            }
            Self::AccountTotals => "how many transactions accounts have: only a check of every block proves that",
            Self::TypeTotals => "how many transactions there are of each type: only a check of every block proves that",
            Self::CollectionCreator => "who made a collection: a contract of the EVM does not say",
            Self::CollectionLength => "how many NFTs a collection has: its contract does not count them",
            Self::CollectionOrigin => "since when a collection exists, and where it came from: its state does not say",
        }
    }
}
