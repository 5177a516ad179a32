use serde::Serialize;
use serde_json::Value;

/// Request to a wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SigningOffer {
    /// Transaction that the wallet signs and broadcasts itself.
    Ethereum(EthereumOffer),
    /// Sign document that the wallet signs and rollscope broadcasts.
    Document(DocumentOffer),
}

/// Ethereum transaction with its required approvals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EthereumOffer {
    pub chain: EthereumChain,
    /// Signer, `0x`.
    pub from: String,
    /// Called contract, `0x`.
    pub to: String,
    /// Wei, hexadecimal with `0x`.
    pub value: String,
    /// Call data, hexadecimal with `0x`.
    pub data: String,
    /// Approvals in order, each mined before the next.
    pub approvals: Vec<ApprovalCall>,
}

/// Approval before the call, unless the allowance suffices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalCall {
    /// Token contract, `0x`.
    pub token: String,
    /// Exact amount, decimal in the token's smallest unit.
    pub amount: String,
    /// Call data of the allowance query, hexadecimal with `0x`.
    pub allowance_data: String,
    /// Call data of the approval, hexadecimal with `0x`.
    pub approve_data: String,
}

/// Ethereum chain in the form of `wallet_addEthereumChain`, for wallets that do not know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EthereumChain {
    /// Hexadecimal with `0x`, without leading zeros.
    pub chain_id: String,
    pub chain_name: String,
    /// JSON-RPC URLs; without any the chain cannot be added.
    pub rpc_urls: Vec<String>,
    /// Coin for gas.
    pub native_currency: NativeCurrency,
}

/// Coin for an Ethereum chain's gas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NativeCurrency {
    pub name: String,
    /// 2 to 6 letters.
    pub symbol: String,
    /// 18 on nearly every chain.
    pub decimals: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentPurpose {
    /// Transaction that is broadcast after signing.
    Transaction,
    /// Hook that travels with another transaction.
    Hook,
}

/// Cosmos sign document: for an Ethereum wallet's `personal_sign`, or `signAmino` of a Keplr-like wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentOffer {
    pub purpose: DocumentPurpose,
    pub chain_id: String,
    /// Argument of `experimentalSuggestChain`, for wallets that do not know the chain.
    pub suggestion: Option<Value>,
    /// Signer's address in bech32.
    pub signer: String,
    /// Signer's address in an Ethereum wallet if the chain accepts `personal_sign`; else `None`.
    pub ethereum_signer: Option<String>,
    /// Canonical text, signed byte for byte.
    pub text: String,
}
