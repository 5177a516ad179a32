use strum::EnumIter;

use super::CheckedPart;

/// Known deviation of the real indexer from its chain (`docs/apis/node.md` §9). A check reports it only if both sides
/// prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub enum KnownWay {
    BlockTimeCut,
    BlockTimeRounded,
    ProposerGone,
    ConsensusAsOperator,
    NulReplaced,
    KeyOrder,
    WasmJsonRewritten,
    InnerMessage,
    FilterIgnored,
    MessageAccount,
    QuotedAccount,
    LaterSigner,
    NumberAsAccount,
    ReceiptWithoutCallee,
    OuterOutput,
    NoCalls,
    MintedAgain,
    WasmUriAbsent,
    StaleUri,
    StaleName,
    EmptyCollection,
    LengthKept,
    HeightAsTotal,
    HolderOfNothing,
    ModuleHolder,
}

impl KnownWay {
    pub fn part(self) -> CheckedPart {
        match self {
            Self::BlockTimeCut | Self::BlockTimeRounded | Self::ProposerGone | Self::ConsensusAsOperator => {
                CheckedPart::Blocks
            }
            Self::NulReplaced | Self::KeyOrder | Self::WasmJsonRewritten => CheckedPart::Txs,
            Self::InnerMessage | Self::FilterIgnored => CheckedPart::MessageTypes,
            Self::MessageAccount | Self::QuotedAccount | Self::LaterSigner | Self::NumberAsAccount => {
                CheckedPart::Accounts
            }
            Self::ReceiptWithoutCallee => CheckedPart::Receipts,
            Self::OuterOutput | Self::NoCalls => CheckedPart::Calls,
            Self::MintedAgain | Self::WasmUriAbsent | Self::StaleUri => CheckedPart::Nfts,
            Self::StaleName | Self::EmptyCollection | Self::LengthKept => CheckedPart::Collections,
            Self::HeightAsTotal => CheckedPart::Totals,
            Self::HolderOfNothing | Self::ModuleHolder => CheckedPart::Holders,
        }
    }

    /// Whether the deviation loses data, rather than formats it differently.
    pub fn is_loss(self) -> bool {
        !matches!(
            self,
            Self::BlockTimeCut
                | Self::BlockTimeRounded
                | Self::KeyOrder
                | Self::WasmJsonRewritten
                | Self::NumberAsAccount
                | Self::ReceiptWithoutCallee
                | Self::HolderOfNothing
                | Self::HeightAsTotal
        )
    }

    pub fn sentence(self) -> &'static str {
        match self {
            Self::BlockTimeCut => "the indexer cuts block times to whole seconds",
            Self::BlockTimeRounded => "the indexer rounds a block's interval to the other millisecond",
            Self::ProposerGone => {
                "the indexer cannot serve a block if no validator has its proposer's consensus address as operator"
            }
            Self::ConsensusAsOperator => "the indexer writes the proposer's consensus address as its operator address",
            Self::NulReplaced => "NUL in a string becomes U+FFFD",
            Self::KeyOrder => "the keys of a transaction's objects are in another order",
            Self::WasmJsonRewritten => "the indexer rewrites the JSON of a Wasm message: other key order, no exponents",
            Self::InnerMessage => "the indexer does not find nested messages (authz, opchild) by type",
            Self::FilterIgnored => "the indexer ignores the message type filter",
            Self::MessageAccount => "the indexer misses accounts named only in messages",
            Self::QuotedAccount => "the indexer misses quoted accounts in events",
            Self::LaterSigner => "the indexer misses signers after the first",
            Self::NumberAsAccount => "the indexer takes small numbers in events for accounts",
            Self::ReceiptWithoutCallee => "a receipt without a callee has an empty string, not null",
            Self::OuterOutput => "the indexer drops the output of a transaction's outer call",
            Self::NoCalls => "the indexer serves no call frames, or none yet",
            Self::MintedAgain => "a re-minted NFT keeps its old owner and URI",
            Self::WasmUriAbsent => "an NFT has no URI if its mint event has no URI",
            Self::StaleUri => "an NFT keeps an earlier URI after an update",
            Self::StaleName => "a collection keeps an earlier name after a change",
            Self::EmptyCollection => "the indexer does not find a collection without NFTs",
            Self::LengthKept => "a collection without NFTs keeps a length of 1",
            Self::HeightAsTotal => "the block total is the newest height, not a count",
            Self::HolderOfNothing => "the rich list contains accounts without a balance",
            Self::ModuleHolder => "the rich list does not track balances of modules",
        }
    }
}
