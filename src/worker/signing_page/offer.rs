use serde::Serialize;
use serde_json::Value;

/// Request that the page passes to a wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SigningOffer {
    /// Transaction that the wallet signs and broadcasts.
    Ethereum(EthereumOffer),
    /// Sign document: the wallet signs it, and rollscope broadcasts the transaction.
    Document(DocumentOffer),
    /// Accounts of the wallet, which signs nothing.
    Accounts(AccountsOffer),
}

/// Chains whose accounts a Cosmos wallet shows; an Ethereum wallet shows its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountsOffer {
    pub chains: Vec<AccountsChain>,
}

/// Chain of a request for accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountsChain {
    pub chain_id: String,
    /// Argument of `experimentalSuggestChain`, for wallets that do not know the chain.
    pub suggestion: Option<Value>,
}

/// Ethereum transaction with the approvals that it requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EthereumOffer {
    pub chain: EthereumChain,
    /// Signer in hex with `0x`.
    pub from: String,
    /// Called contract in hex with `0x`.
    pub to: String,
    /// Transferred wei in hex with `0x`.
    pub value: String,
    /// Call data in hex with `0x`.
    pub data: String,
    /// Approvals in order: a block must include each before the next.
    pub approvals: Vec<ApprovalCall>,
}

/// Approval before the call; the page skips it if the allowance suffices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalCall {
    /// Token contract in hex with `0x`.
    pub token: String,
    /// Exact amount as decimal text, in the token's smallest unit.
    pub amount: String,
    /// Call data of the allowance query, in hex with `0x`.
    pub allowance_data: String,
    /// Call data of the approval, in hex with `0x`.
    pub approve_data: String,
    /// Call data that sets the allowance to 0, in hex with `0x`.
    pub reset_data: String,
}

/// Ethereum chain as `wallet_addEthereumChain` expects it, for wallets that do not know the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EthereumChain {
    /// Chain id in hex with `0x`, without leading zeros.
    pub chain_id: String,
    pub chain_name: String,
    /// JSON-RPC URLs; without a URL, the wallet cannot add the chain.
    pub rpc_urls: Vec<String>,
    /// Coin that pays for gas.
    pub native_currency: NativeCurrency,
}

/// Coin that pays for gas on an Ethereum chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NativeCurrency {
    pub name: String,
    /// Symbol of 2 to 6 letters.
    pub symbol: String,
    /// Decimals: 18 on nearly every chain.
    pub decimals: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentPurpose {
    /// Transaction that rollscope broadcasts after signing.
    Transaction,
    /// Hook that another transaction carries.
    Hook,
}

/// Cosmos sign document, for `personal_sign` of an Ethereum wallet or `signAmino` of a Keplr-like wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentOffer {
    pub purpose: DocumentPurpose,
    pub chain_id: String,
    /// Argument of `experimentalSuggestChain`, for wallets that do not know the chain.
    pub suggestion: Option<Value>,
    /// Bech32 address of the signer.
    pub signer: String,
    /// Address of the signer in an Ethereum wallet; `None` if the chain does not accept `personal_sign`.
    pub ethereum_signer: Option<String>,
    /// Canonical text that the wallet signs byte for byte.
    pub text: String,
}
