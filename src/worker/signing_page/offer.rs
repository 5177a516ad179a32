use serde::Serialize;
use serde_json::Value;

/// What a wallet is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SigningOffer {
    /// A transaction that the wallet signs and sends itself.
    Ethereum(EthereumOffer),
    /// A sign document of ours, which the wallet signs and rollscope sends.
    Document(DocumentOffer),
}

/// An Ethereum transaction with what must be approved before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EthereumOffer {
    /// Where.
    pub chain: EthereumChain,
    /// Who signs, `0x`.
    pub from: String,
    /// The contract that is called, `0x`.
    pub to: String,
    /// Wei, hexadecimal with `0x`.
    pub value: String,
    /// Call data, hexadecimal with `0x`.
    pub data: String,
    /// In this order, each mined before what follows.
    pub approvals: Vec<ApprovalCall>,
}

/// An allowance that is given before the call where the token does not have it already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalCall {
    /// The token's contract, `0x`.
    pub token: String,
    /// Decimal, in the token's smallest unit: exactly so much is approved.
    pub amount: String,
    /// Call data that asks for the allowance, hexadecimal with `0x`.
    pub allowance_data: String,
    /// Call data that gives it, hexadecimal with `0x`.
    pub approve_data: String,
}

/// An Ethereum chain as `wallet_addEthereumChain` wants it, where the wallet does not know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EthereumChain {
    /// Hexadecimal with `0x`, without leading zeros.
    pub chain_id: String,
    /// Its name for people.
    pub chain_name: String,
    /// Its JSON-RPC; without one a chain that the wallet does not know cannot be added.
    pub rpc_urls: Vec<String>,
    /// What its gas is paid in.
    pub native_currency: NativeCurrency,
}

/// What an Ethereum chain's gas is paid in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NativeCurrency {
    /// In full.
    pub name: String,
    /// 2 to 6 letters.
    pub symbol: String,
    /// 18 everywhere but for a few.
    pub decimals: u8,
}

/// What a sign document is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentPurpose {
    /// A transaction that is sent when it is signed.
    Transaction,
    /// A hook that travels with another transaction.
    Hook,
}

/// A Cosmos sign document: `personal_sign` of its text by an Ethereum wallet, or `signAmino` by a Keplr-like one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentOffer {
    /// What it is for.
    pub purpose: DocumentPurpose,
    /// The chain that it is made for.
    pub chain_id: String,
    /// What `experimentalSuggestChain` takes, where a wallet does not know the chain.
    pub suggestion: Option<Value>,
    /// The signer's address in bech32.
    pub signer: String,
    /// The same as an Ethereum wallet has it, where the chain takes `personal_sign`; `None` where it does not.
    pub ethereum_signer: Option<String>,
    /// The canonical text, signed to the byte.
    pub text: String,
}
