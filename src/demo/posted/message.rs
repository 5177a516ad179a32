//! The messages that the simulated chains carry out.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::Value;

use super::{TxRefusal, coins};
use crate::domain::{Address, Amount, Coin};

/// A coin as proto JSON has it.
#[derive(Clone, Debug, Deserialize)]
pub struct PostedCoin {
    pub(super) denom: String,
    pub(super) amount: String,
}

/// What a transaction asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostedMessage {
    /// Coins for another account.
    Send {
        /// Who signs.
        from: String,
        /// Who gets them.
        to: String,
        /// What.
        coins: Vec<Coin>,
    },
    /// A packet of tokens.
    Transfer(PostedTransfer),
    /// Tokens go to a rollup.
    Deposit(TokenDeposit),
    /// Tokens go to the L1.
    Withdraw {
        /// Who signs.
        sender: String,
        /// Who gets them on the L1.
        to: String,
        /// What.
        coin: Coin,
    },
    /// What was withdrawn is claimed on the L1.
    Claim(Box<TokenClaim>),
    /// A call of an EVM contract.
    Call(PostedCall),
    /// A call of a Move function.
    Execute {
        /// Who signs.
        sender: String,
    },
}

/// A packet of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedTransfer {
    /// Who signs.
    pub sender: String,
    /// Who gets it on the other chain.
    pub receiver: String,
    /// What.
    pub coin: Coin,
    /// The port here.
    pub port: String,
    /// The channel here.
    pub channel: String,
    /// Instructions for the other chain.
    pub memo: String,
    /// Until when it may arrive, in nanoseconds since 1970; 0 is for ever.
    pub timeout_nanos: u64,
    /// Whether it says a height on the other chain, too.
    pub has_timeout_height: bool,
}

/// A deposit over the optimistic bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenDeposit {
    /// Who signs.
    pub sender: String,
    /// The bridge.
    pub bridge_id: u64,
    /// Who gets it on the rollup.
    pub to: String,
    /// What.
    pub coin: Coin,
    /// The signed transaction that goes with it; empty without one.
    pub hook: Vec<u8>,
}

/// The claim of a withdrawal over the optimistic bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenClaim {
    /// Who signs.
    pub sender: String,
    /// The bridge.
    pub bridge_id: u64,
    /// The output that covers it.
    pub output_index: u64,
    /// The hashes beside the way from the withdrawal to the storage root.
    pub proofs: Vec<Vec<u8>>,
    /// Who withdrew on the rollup.
    pub from: String,
    /// Who gets it.
    pub to: String,
    /// The withdrawal's number.
    pub sequence: u64,
    /// What, by its denom on the L1.
    pub coin: Coin,
    /// The version of the output.
    pub version: Vec<u8>,
    /// The root of the output's withdrawals.
    pub storage_root: Vec<u8>,
    /// The hash of the output's last block.
    pub last_block_hash: Vec<u8>,
}

/// A call of an EVM contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedCall {
    /// Who signs.
    pub sender: String,
    /// Which contract.
    pub contract: Address,
    /// Call data.
    pub input: Vec<u8>,
    /// What of the fee token goes with it.
    pub value: Amount,
}

/// The same as proto JSON has them.
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
    /// Reads a message of REST's JSON; one of a type that is not simulated is refused.
    pub(super) fn read(json: &Value) -> Result<Self, TxRefusal> {
        let kind = json["@type"].as_str().unwrap_or_default();
        if json.get("@value").is_some() {
            return Err(TxRefusal::sdk(2, format!("unable to resolve type URL {kind}")));
        }
        if json.get("@unknown").is_some() {
            return Err(TxRefusal::sdk(2, format!("{kind}: errUnknownField")));
        }
        let read = MessageJson::deserialize(json)
            .map_err(|_| TxRefusal::sdk(37, format!("this simulated chain does not carry out {kind}")))?;
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
                    .map_err(|_| TxRefusal::sdk(18, format!("{contract_addr} is no contract's address")))?,
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

    /// What of the chain's own coin it pays along.
    pub(super) fn value(&self) -> Option<Amount> {
        match self {
            Self::Call(call) => Some(call.value),
            _ => None,
        }
    }

    /// Whose signature it needs.
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
        let height = |name: &str| self.timeout_height[name].as_str().is_some_and(|number| number != "0");
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
