//! Swaps by Skip's entry point contracts on `CosmWasm` chains. Parses `swap_and_action` strictly.

use serde::{Deserialize, de::IgnoredAny};

use super::{effect::FundsEffect, memo_action::MemoAction};
use crate::domain::{Amount, Coin, Denom, Timestamp};

/// Action of the contract on the bought coin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwapContractCall {
    /// Sends the coin to an account of this chain.
    Send { to: String },
    /// Sends the coin over an IBC channel.
    Packet {
        channel: String,
        receiver: String,
        /// Recipient of the coin if the packet fails.
        refund: String,
        onward: MemoAction,
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
    /// In nanoseconds.
    timeout_timestamp: u64,
    post_swap_action: PostSwapAction,
    /// Affiliate fees; refused unless empty.
    affiliates: Vec<IgnoredAny>,
}

/// Swap that the router chose; the guard checks only its minimum output.
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

/// Decodes a contract call with funds; `None` for another call, or if any part is unknown.
pub(super) fn venue_effect(contract: &str, message: &str, sold: Option<Coin>) -> Option<FundsEffect> {
    let EntryPoint { swap_and_action: swap } = serde_json::from_str(message).ok()?;
    let (UserSwap::SwapExactAssetIn(_) | UserSwap::SmartSwapExactAssetIn(_)) = swap.user_swap;
    let MinAsset::Native(NativeAsset { denom, amount }) = swap.min_asset;
    if !swap.affiliates.is_empty() || !Denom::is_fit(denom.as_str()) {
        return None;
    }
    let after = match swap.post_swap_action {
        PostSwapAction::Transfer { to_address } => SwapContractCall::Send { to: to_address },
        PostSwapAction::IbcTransfer { ibc_info } => SwapContractCall::Packet {
            onward: MemoAction::parse(&ibc_info.memo).ok()?,
            channel: ibc_info.source_channel,
            receiver: ibc_info.receiver,
            refund: ibc_info.recover_address,
        },
    };
    let deadline = Timestamp::from_nanos(i128::from(swap.timeout_timestamp));
    let contract = contract.to_owned();
    Some(FundsEffect::VenueSwap { contract, sold, least: Coin { denom, amount }, deadline, after })
}
