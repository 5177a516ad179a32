//! Messages that the simulated chains support.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::Value;

use super::{TxRefusal, coins};
use crate::domain::{Address, Amount, Coin};

/// Coin as proto JSON.
#[derive(Clone, Debug, Deserialize)]
pub struct PostedCoin {
    pub(super) denom: String,
    pub(super) amount: String,
}

/// Message that the simulated chains support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostedMessage {
    Send {
        from: String,
        to: String,
        coins: Vec<Coin>,
    },
    /// IBC transfer of tokens.
    Transfer(PostedTransfer),
    Deposit(TokenDeposit),
    /// Withdrawal over the OPinit bridge.
    Withdraw {
        sender: String,
        /// Recipient on the L1.
        to: String,
        coin: Coin,
    },
    /// Claim of a withdrawal on the L1.
    Claim(Box<TokenClaim>),
    Call(PostedCall),
    Execute {
        sender: String,
    },
}

/// IBC transfer of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedTransfer {
    pub sender: String,
    /// Recipient on the other chain.
    pub receiver: String,
    pub coin: Coin,
    pub port: String,
    pub channel: String,
    /// Memo for the other chain.
    pub memo: String,
    /// Timeout in nanoseconds since 1970; 0 if there is none.
    pub timeout_nanos: u64,
    pub has_timeout_height: bool,
}

/// Deposit over the OPinit bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenDeposit {
    pub sender: String,
    pub bridge_id: u64,
    /// Recipient on the rollup.
    pub to: String,
    pub coin: Coin,
    /// Signed transaction that runs after the deposit; empty without a hook.
    pub hook: Vec<u8>,
}

/// Claim of a withdrawal over the OPinit bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenClaim {
    pub sender: String,
    pub bridge_id: u64,
    pub output_index: u64,
    /// Sibling hashes from the withdrawal's leaf to the storage root.
    pub proofs: Vec<Vec<u8>>,
    /// Sender on the rollup.
    pub from: String,
    pub to: String,
    pub sequence: u64,
    /// Amount, in the denom of the L1.
    pub coin: Coin,
    pub version: Vec<u8>,
    /// Root of the output's withdrawal tree.
    pub storage_root: Vec<u8>,
    pub last_block_hash: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedCall {
    pub sender: String,
    pub contract: Address,
    pub input: Vec<u8>,
    /// Value in the fee token.
    pub value: Amount,
}

/// Message as proto JSON.
#[derive(Deserialize)]
#[serde(tag = "@type")]
enum MessageJson {
    #[serde(rename = "/cosmos.bank.v1beta1.MsgSend")]
    Send { from_address: String, to_address: String, amount: Vec<PostedCoin> },
    #[serde(rename = "/ibc.applications.transfer.v1.MsgTransfer")]
    Transfer(TransferJson),
    #[serde(rename = "/opinit.ophost.v1.MsgInitiateTokenDeposit")]
    Deposit { sender: String, bridge_id: String, to: String, amount: PostedCoin, data: Option<String> },
    #[serde(rename = "/opinit.opchild.v1.MsgInitiateTokenWithdrawal")]
    Withdraw { sender: String, to: String, amount: PostedCoin },
    #[serde(rename = "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal")]
    Claim(Box<ClaimJson>),
    #[serde(rename = "/minievm.evm.v1.MsgCall")]
    Call { sender: String, contract_addr: String, input: String, value: String },
    #[serde(rename = "/initia.move.v1.MsgExecute")]
    Execute { sender: String },
}

#[derive(Deserialize)]
struct TransferJson {
    source_port: String,
    source_channel: String,
    token: PostedCoin,
    sender: String,
    receiver: String,
    timeout_height: Value,
    timeout_timestamp: String,
    memo: String,
}

#[derive(Deserialize)]
struct ClaimJson {
    sender: String,
    bridge_id: String,
    output_index: String,
    withdrawal_proofs: Vec<String>,
    from: String,
    to: String,
    sequence: String,
    amount: PostedCoin,
    version: Option<String>,
    storage_root: Option<String>,
    last_block_hash: Option<String>,
}

impl PostedMessage {
    /// Parses a message from REST's JSON. Rejects a type that the simulation does not support.
    pub(super) fn read(json: &Value) -> Result<Self, TxRefusal> {
        let kind = json["@type"].as_str().unwrap_or_default();
        if json.get("@value").is_some() {
            return Err(TxRefusal::sdk(2, format!("unable to resolve type URL {kind}")));
        }
        if json.get("@unknown").is_some() {
            return Err(TxRefusal::sdk(2, format!("{kind}: errUnknownField")));
        }
        let read = MessageJson::deserialize(json)
            .map_err(|_| TxRefusal::sdk(37, format!("this simulated chain does not support {kind}")))?;
        Ok(match read {
            MessageJson::Send { from_address, to_address, amount } => {
                Self::Send { from: from_address, to: to_address, coins: coins(amount)? }
            }
            MessageJson::Transfer(transfer) => Self::Transfer(transfer.read()?),
            MessageJson::Deposit { sender, bridge_id, to, amount, data } => Self::Deposit(TokenDeposit {
                sender,
                bridge_id: number(&bridge_id)?,
                to,
                coin: amount.read()?,
                hook: BASE64_STANDARD.decode(data.unwrap_or_default()).map_err(|error| TxRefusal::sdk(2, error))?,
            }),
            MessageJson::Withdraw { sender, to, amount } => Self::Withdraw { sender, to, coin: amount.read()? },
            MessageJson::Claim(claim) => Self::Claim(Box::new(claim.read()?)),
            MessageJson::Call { sender, contract_addr, input, value } => Self::Call(PostedCall {
                sender,
                contract: contract_addr
                    .parse()
                    .map_err(|_| TxRefusal::sdk(18, format!("{contract_addr} is not a contract address")))?,
                input: hex::decode(&input).map_err(|error| TxRefusal::sdk(18, error))?,
                value: if value.is_empty() {
                    Amount::ZERO
                } else {
                    value.parse().map_err(|error| TxRefusal::sdk(18, format!("value: {error}")))?
                },
            }),
            MessageJson::Execute { sender } => Self::Execute { sender },
        })
    }

    /// Returns the amount of the native coin that the call pays.
    pub(super) fn value(&self) -> Option<Amount> {
        match self {
            Self::Call(call) => Some(call.value),
            _ => None,
        }
    }

    pub fn signer(&self) -> &str {
        match self {
            Self::Send { from, .. } => from,
            Self::Claim(claim) => &claim.sender,
            Self::Transfer(PostedTransfer { sender, .. })
            | Self::Deposit(TokenDeposit { sender, .. })
            | Self::Withdraw { sender, .. }
            | Self::Call(PostedCall { sender, .. })
            | Self::Execute { sender } => sender,
        }
    }
}

impl TransferJson {
    fn read(self) -> Result<PostedTransfer, TxRefusal> {
        let height =
            |name: &str| self.timeout_height.get(name).and_then(Value::as_str).is_some_and(|number| number != "0");
        let has_timeout_height = height("revision_number") || height("revision_height");
        Ok(PostedTransfer {
            coin: self.token.read()?,
            timeout_nanos: number(&self.timeout_timestamp)?,
            has_timeout_height,
            sender: self.sender,
            receiver: self.receiver,
            port: self.source_port,
            channel: self.source_channel,
            memo: self.memo,
        })
    }
}

impl ClaimJson {
    fn read(self) -> Result<TokenClaim, TxRefusal> {
        let bytes = |text: &str| BASE64_STANDARD.decode(text).map_err(|error| TxRefusal::sdk(2, error));
        let given = |text: &Option<String>| bytes(text.as_deref().unwrap_or_default());
        Ok(TokenClaim {
            bridge_id: number(&self.bridge_id)?,
            output_index: number(&self.output_index)?,
            proofs: self.withdrawal_proofs.iter().map(|proof| bytes(proof)).collect::<Result<_, _>>()?,
            sequence: number(&self.sequence)?,
            coin: self.amount.read()?,
            version: given(&self.version)?,
            storage_root: given(&self.storage_root)?,
            last_block_hash: given(&self.last_block_hash)?,
            sender: self.sender,
            from: self.from,
            to: self.to,
        })
    }
}

fn number(text: &str) -> Result<u64, TxRefusal> {
    text.parse().map_err(|error| TxRefusal::sdk(2, error))
}
