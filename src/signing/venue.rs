//! Swaps by the entry points of Skip's contracts on `CosmWasm` chains: `swap_and_action`, read to the last field.

use serde::{Deserialize, de::IgnoredAny};

use super::{effect::FundsEffect, onward::Onward};
use crate::domain::{Amount, Coin, Denom};

/// What happens to what a venue bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VenueAction {
    /// It goes to an account of the same chain.
    Send {
        /// To whom.
        to: String,
    },
    /// It leaves over an IBC channel.
    Packet {
        /// Over which.
        channel: String,
        /// To whom there.
        receiver: String,
        /// Who has it where the packet is not taken.
        refund: String,
        /// What happens there.
        onward: Onward,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryPoint {
    swap_and_action: SwapAndAction,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwapAndAction {
    user_swap: UserSwap,
    min_asset: MinAsset,
    #[serde(rename = "timeout_timestamp")]
    _timeout: u64,
    post_swap_action: PostSwapAction,
    /// Shares for others: none is ever signed.
    affiliates: Vec<IgnoredAny>,
}

/// How it is sold is the router's choice: what counts is the least that comes of it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum UserSwap {
    SwapExactAssetIn(IgnoredAny),
    SmartSwapExactAssetIn(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum MinAsset {
    Native(NativeAsset),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NativeAsset {
    denom: Denom,
    amount: Amount,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum PostSwapAction {
    Transfer { to_address: String },
    IbcTransfer { ibc_info: IbcInfo },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IbcInfo {
    source_channel: String,
    receiver: String,
    memo: String,
    recover_address: String,
}

/// What a call of a contract does with what is given to it; `None` where it is another call, or has anything that is not
/// understood.
pub(super) fn venue_effect(contract: &str, message: &str, sold: Option<Coin>) -> Option<FundsEffect> {
    let EntryPoint { swap_and_action: swap } = serde_json::from_str(message).ok()?;
    let (UserSwap::SwapExactAssetIn(_) | UserSwap::SmartSwapExactAssetIn(_)) = swap.user_swap;
    let MinAsset::Native(NativeAsset { denom, amount }) = swap.min_asset;
    if !swap.affiliates.is_empty() || !Denom::is_fit(denom.as_str()) {
        return None;
    }
    let after = match swap.post_swap_action {
        PostSwapAction::Transfer { to_address } => VenueAction::Send { to: to_address },
        PostSwapAction::IbcTransfer { ibc_info } => VenueAction::Packet {
            onward: Onward::of(&ibc_info.memo).ok()?,
            channel: ibc_info.source_channel,
            receiver: ibc_info.receiver,
            refund: ibc_info.recover_address,
        },
    };
    Some(FundsEffect::VenueSwap { contract: contract.to_owned(), sold, least: Coin { denom, amount }, after })
}
