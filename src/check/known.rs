use strum::EnumIter;

use super::CheckedPart;

/// A way in which the real indexer is known to differ from the chain that it indexes (`docs/apis/node.md` §9). Each is
/// named only where both sides prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub enum KnownWay {
    /// The time of a block is cut to seconds.
    BlockTimeCut,
    /// A block whose proposer left the validator set cannot be had.
    ProposerGone,
    /// NUL characters are replaced.
    NulReplaced,
    /// The JSON of a Wasm message is written anew.
    WasmJsonRewritten,
    /// Inner messages are not found by type.
    InnerMessage,
    /// The filter by type does not filter.
    FilterIgnored,
    /// Who stands in the messages only is not found.
    MessageAccount,
    /// Who stands quoted in events only is not found.
    QuotedAccount,
    /// Later signers are not found.
    LaterSigner,
    /// Small numbers are taken for accounts.
    NumberAsAccount,
    /// A receipt without a callee has an empty text.
    ReceiptWithoutCallee,
    /// The output of outer calls is not kept.
    OuterOutput,
    /// There are no call frames.
    NoCalls,
    /// An NFT that was burned and minted again keeps what it was.
    MintedAgain,
    /// The URI of a CW-721 that its mint did not name is absent.
    WasmUriAbsent,
    /// A collection without NFTs cannot be had.
    EmptyCollection,
    /// A collection whose last NFT was burned keeps a length.
    LengthKept,
    /// The total of blocks is the newest height.
    HeightAsTotal,
    /// Who holds nothing is listed.
    HolderOfNothing,
    /// The balances of modules are not followed.
    ModuleHolder,
}

impl KnownWay {
    /// The part of the check that meets it.
    pub fn part(self) -> CheckedPart {
        match self {
            Self::BlockTimeCut | Self::ProposerGone => CheckedPart::Blocks,
            Self::NulReplaced | Self::WasmJsonRewritten => CheckedPart::Txs,
            Self::InnerMessage | Self::FilterIgnored => CheckedPart::MessageTypes,
            Self::MessageAccount | Self::QuotedAccount | Self::LaterSigner | Self::NumberAsAccount => {
                CheckedPart::Accounts
            }
            Self::ReceiptWithoutCallee => CheckedPart::Receipts,
            Self::OuterOutput | Self::NoCalls => CheckedPart::Calls,
            Self::MintedAgain | Self::WasmUriAbsent => CheckedPart::Nfts,
            Self::EmptyCollection | Self::LengthKept => CheckedPart::Collections,
            Self::HeightAsTotal => CheckedPart::Totals,
            Self::HolderOfNothing | Self::ModuleHolder => CheckedPart::Holders,
        }
    }

    /// Whether something of the chain is lost by it; otherwise it is only written in another way.
    pub fn is_loss(self) -> bool {
        !matches!(
            self,
            Self::BlockTimeCut
                | Self::WasmJsonRewritten
                | Self::NumberAsAccount
                | Self::ReceiptWithoutCallee
                | Self::HolderOfNothing
                | Self::HeightAsTotal
        )
    }

    /// What it is, as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::BlockTimeCut => "the time of a block is cut to whole seconds",
            Self::ProposerGone => "a block whose proposer left the validator set cannot be had",
            Self::NulReplaced => "NUL characters in texts become U+FFFD",
            Self::WasmJsonRewritten => {
                "the JSON of a Wasm message is written anew: keys in another order, numbers written out"
            }
            Self::InnerMessage => "messages inside of others (authz, opchild) are not found by their type",
            Self::FilterIgnored => "the filter by message type does not filter here",
            Self::MessageAccount => "accounts that stand in the messages only do not have the transaction",
            Self::QuotedAccount => "accounts that stand in quotes in events do not have the transaction",
            Self::LaterSigner => "signers after the first do not have the transaction",
            Self::NumberAsAccount => "small numbers in events are taken for accounts",
            Self::ReceiptWithoutCallee => "a receipt without a callee has an empty text instead of null",
            Self::OuterOutput => "the output of a transaction's outer call is not kept",
            Self::NoCalls => "call frames are not kept",
            Self::MintedAgain => "an NFT that was burned and minted again keeps its old owner and URI",
            Self::WasmUriAbsent => "the URI of an NFT whose mint did not name it is absent",
            Self::EmptyCollection => "a collection without NFTs is not found",
            Self::LengthKept => "a collection whose last NFT was burned keeps a length of 1",
            Self::HeightAsTotal => "the total of blocks is the newest height, whatever the first block",
            Self::HolderOfNothing => "accounts that hold nothing are listed",
            Self::ModuleHolder => "the balances of modules are not followed",
        }
    }
}
