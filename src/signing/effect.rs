//! Effects on funds, decoded from exactly the values that the wallet signs.

use std::time::Duration;

use alloy_primitives::hex;

use super::{
    EthereumCall, SignableMessage,
    calls::{evm_effect, move_effect, selector_text},
    ethereum::evm_address,
    memo_action::MemoAction,
    message::FieldValue,
    swap_contract::{SwapContractCall, venue_effect},
};
use crate::domain::{Address, Amount, ChainId, Coin, Denom, Timestamp, same_account, text::clip};

/// Effect of a message or call on the signer's funds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FundsEffect {
    /// Sends coins to an account of this chain.
    Send { coins: Vec<Coin>, to: String },
    /// Coin over an IBC channel.
    Packet {
        coin: Coin,
        channel: String,
        receiver: String,
        /// The coin comes back if no chain receives the packet before this time.
        timeout: Timestamp,
        onward: MemoAction,
    },
    /// Coin into a rollup over its OPinit bridge.
    Deposit {
        coin: Coin,
        bridge_id: u64,
        to: String,
        /// Signed transaction that the rollup executes on arrival.
        hook: Vec<u8>,
    },
    /// Withdraws a coin from a rollup over its OPinit bridge.
    Withdrawal {
        coin: Coin,
        /// Recipient on the L1.
        to: String,
    },
    /// Claims a withdrawal on the L1.
    Claim { coin: Coin, bridge_id: u64, sequence: u64, to: String },
    /// Allows another account to take tokens.
    Allowance {
        token: Address,
        spender: Address,
        /// [`Self::ANY`] means unlimited.
        amount: Amount,
    },
    /// Sends tokens to an account of this chain.
    TokenTransfer { token: Address, to: Address, amount: Amount },
    /// Converts a token between wrapped and unwrapped on the rollup.
    Conversion {
        wrapper: Address,
        /// Recipient of the converted token.
        to: Address,
        denom: Denom,
        /// Amount in the smallest unit; `None` converts the whole balance.
        amount: Option<Amount>,
        /// Decimals of the denom, which choose the token that the wrapper makes; `None` if the call names none.
        decimals: Option<u8>,
    },
    /// Sells a token on the L1's exchange; the signer receives the other token.
    Swap {
        pool: [u8; 32],
        /// Metadata object of the sold token.
        sold: [u8; 32],
        amount: Amount,
        /// Minimum received, in the smallest unit; `None` accepts any amount.
        least: Option<Amount>,
    },
    /// Swaps by a contract of the chain, which forwards the bought coin.
    VenueSwap {
        contract: String,
        /// Sold coin; `None` sells the coin that a packet brings.
        sold: Option<Coin>,
        /// Minimum received.
        least: Coin,
        /// The swap fails after this time.
        deadline: Timestamp,
        after: SwapContractCall,
    },
    /// Burns a token with Circle's protocol, which mints it on another chain.
    Burn(BurnCall),
    /// Sends a token or native coin over `LayerZero`.
    Message {
        /// Endpoint id of the other chain.
        endpoint: u32,
        /// Recipient on the other chain, left-padded with zeros.
        recipient: [u8; 32],
        amount: Amount,
        /// Minimum paid out on the other chain, in the smallest unit of the sent token.
        least: Amount,
        /// Additional message fee, in the smallest unit of the chain's native coin.
        fee: Amount,
        /// Recipient of the unused fee.
        refund: Address,
    },
    /// Creates an order for a solver, who pays out on another chain.
    Order {
        /// Recipient of a refund, left-padded with zeros.
        sender: [u8; 32],
        /// Recipient on the other chain, left-padded with zeros.
        recipient: [u8; 32],
        amount: Amount,
        /// Minimum paid out on the other chain, in the smallest unit.
        least: Amount,
        /// Protocol's number of the other chain.
        domain: u32,
        /// The order can be refunded from then on.
        deadline: Timestamp,
        onward: MemoAction,
    },
    /// Sends native coin to an account.
    Value {
        /// Amount in the smallest unit.
        amount: Amount,
        to: Address,
    },
}

/// Burn by Circle's protocol, in any version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurnCall {
    pub token: Address,
    /// Total taken in the smallest unit, including a relayer's fee.
    pub amount: Amount,
    /// Minimum minted in the smallest unit, after fees.
    pub least: Amount,
    /// Circle's number of the other chain.
    pub domain: u32,
    /// Recipient of the minted token, left-padded with zeros.
    pub recipient: [u8; 32],
    /// Only account that can mint the token, left-padded with zeros; `None` allows any account.
    pub finisher: Option<[u8; 32]>,
    pub onward: MemoAction,
}

impl BurnCall {
    /// Restricts minting to one account; zeros allow any account.
    pub(super) fn with_finisher(self, finisher: [u8; 32]) -> Self {
        Self { finisher: Some(finisher).filter(|finisher| *finisher != [0; 32]), ..self }
    }
}

/// Wait of an optimistic withdrawal before its claim on the L1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimWait {
    pub l1: ChainId,
    /// Time from the withdrawal to its claim; `None` if unknown.
    pub period: Option<Duration>,
    /// Whether the period is the bridge's challenge period, from a server that no router named; else the router's
    /// estimate.
    pub is_of_chain: bool,
}

/// Returns the denom of a token contract: the quote's source denom if it names this contract.
pub fn token_denom(token: Address, source: Option<&Denom>) -> Denom {
    let digits = token.hex();
    let is_source = |denom: &&Denom| {
        let text = denom.as_str().to_ascii_lowercase();
        text == digits || text.strip_prefix("evm/").is_some_and(|rest| digits.ends_with(rest) && rest.len() == 40)
    };
    let checksummed = token.checksummed();
    let bare = checksummed.trim_start_matches("0x");
    source.filter(is_source).cloned().unwrap_or_else(|| Denom::new(format!("evm/{bare}")))
}

/// Effect that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EffectError {
    /// Unknown message or call, with its description.
    #[error("unknown effect: {0}")]
    Unknown(String),
    /// Memo that no chain or person reads as rollscope shows it.
    #[error("the memo has {0}")]
    Memo(&'static str),
}

impl FundsEffect {
    /// Largest possible allowance: unlimited.
    pub const ANY: Amount = Amount::new(alloy_primitives::U256::MAX);

    /// Returns the coins that leave the signer's account by a message of a Cosmos transaction; `None` for other
    /// effects.
    pub fn coins(&self) -> Option<&[Coin]> {
        match self {
            Self::Send { coins, .. } => Some(coins),
            Self::Packet { coin, .. } | Self::Deposit { coin, .. } | Self::Withdrawal { coin, .. } => {
                Some(std::slice::from_ref(coin))
            }
            _ => None,
        }
    }

    /// Returns what leaves the account of this signer, with the quote's source denom; `None` if the amount is unknown.
    pub fn spent(&self, signer: &str, source: &Denom) -> Option<Vec<Coin>> {
        let one = |denom: Denom, amount: Amount| vec![Coin { denom, amount }];
        Some(match self {
            Self::Send { to, .. } if same_account(to, signer) => Vec::new(),
            Self::Claim { .. } | Self::Allowance { .. } => Vec::new(),
            Self::VenueSwap { sold, .. } => sold.iter().cloned().collect(),
            Self::TokenTransfer { token, amount, .. } | Self::Burn(BurnCall { token, amount, .. }) => {
                one(token_denom(*token, Some(source)), *amount)
            }
            Self::Conversion { denom, amount, .. } => one(denom.clone(), (*amount)?),
            Self::Swap { amount, .. }
            | Self::Message { amount, .. }
            | Self::Order { amount, .. }
            | Self::Value { amount, .. } => one(source.clone(), *amount),
            Self::Send { .. } | Self::Packet { .. } | Self::Deposit { .. } | Self::Withdrawal { .. } => {
                self.coins()?.to_vec()
            }
        })
    }

    /// Returns the denoms that a contract converts after an allowance of their contracts.
    pub fn approved_tokens(effects: &[Self]) -> Vec<(Denom, Address)> {
        let pairs = effects.iter().zip(effects.iter().skip(1));
        let token = |pair: (&Self, &Self)| match pair {
            (Self::Allowance { token, .. }, Self::Conversion { denom, .. }) => Some((denom.clone(), *token)),
            _ => None,
        };
        pairs.filter_map(token).collect()
    }

    /// Returns a Cosmos message's effect on the signer's funds. Fails for an unknown type or a missing coin.
    pub fn of_message(message: &SignableMessage) -> Result<Self, EffectError> {
        let kind = message.kind();
        let unknown = |what: &str| EffectError::Unknown(format!("a {} {what}", kind.short()));
        let coin = |name: &str| message.coin(name).cloned().ok_or_else(|| unknown("without a coin"));
        let text = |name: &str| message.text(name).to_owned();
        Ok(match kind.short() {
            "MsgSend" => match message.value("amount") {
                Some(FieldValue::Coins(coins)) => Self::Send { coins: coins.clone(), to: text("to_address") },
                _ => return Err(unknown("without coins")),
            },
            "MsgTransfer" if message.value("timeout_height") != Some(&FieldValue::Height(0, 0)) => {
                return Err(unknown("with a timeout at a block height"));
            }
            "MsgTransfer" if message.text("source_port") == "transfer" => Self::Packet {
                coin: coin("token")?,
                timeout: Timestamp::from_nanos(i128::from(message.number("timeout_timestamp"))),
                channel: text("source_channel"),
                receiver: text("receiver"),
                onward: MemoAction::parse(message.text("memo"))?,
            },
            "MsgInitiateTokenDeposit" => {
                let hook = match message.value("data") {
                    Some(FieldValue::Bytes(bytes)) => bytes.clone(),
                    _ => Vec::new(),
                };
                Self::Deposit { coin: coin("amount")?, bridge_id: message.number("bridge_id"), to: text("to"), hook }
            }
            "MsgInitiateTokenWithdrawal" => Self::Withdrawal { coin: coin("amount")?, to: text("to") },
            "MsgFinalizeTokenWithdrawal" => Self::Claim {
                coin: coin("amount")?,
                bridge_id: message.number("bridge_id"),
                sequence: message.number("sequence"),
                to: text("to"),
            },
            "MsgCall" => Self::of_evm_message(message)?,
            "MsgExecute" => {
                let [address, module, function] = ["module_address", "module_name", "function_name"].map(text);
                let args = match (message.value("args"), message.value("type_args")) {
                    (Some(FieldValue::BytesList(args)), Some(FieldValue::Texts(types))) if types.is_empty() => args,
                    _ => return Err(unknown("with type arguments")),
                };
                let effect = move_effect(&address, [&module, &function], args);
                let name = clip(&format!("{address}::{module}::{function}"), 120);
                effect.ok_or_else(|| unknown(&format!("that runs {name}")))?
            }
            "MsgExecuteContract" => {
                let contract = message.text("contract");
                let sold = match message.value("funds") {
                    Some(FieldValue::Coins(coins)) if coins.len() == 1 => coins.first().cloned(),
                    _ => None,
                };
                let given = match message.value("msg") {
                    Some(FieldValue::InlineJson { given, .. }) => given.as_str(),
                    _ => "",
                };
                // Without attached funds, the call would sell another account's coins.
                let effect = sold.and_then(|sold| venue_effect(contract, given, Some(sold)));
                effect.ok_or_else(|| unknown(&format!("of {}", clip(contract, 80))))?
            }
            _ => return Err(unknown("of an unsupported kind")),
        })
    }

    fn of_evm_message(message: &SignableMessage) -> Result<Self, EffectError> {
        let contract = clip(message.text("contract_addr"), 64);
        let unknown = |data: &[u8]| EffectError::Unknown(format!("a call of {} at {contract}", selector_text(data)));
        let data = hex::decode(message.text("input")).map_err(|_| unknown(&[]))?;
        let is_free = matches!(message.value("value"), Some(FieldValue::Integer(value)) if value.is_zero());
        let to = evm_address(message.text("contract_addr")).filter(|_| is_free).ok_or_else(|| unknown(&data))?;
        evm_effect(to, &data).ok_or_else(|| unknown(&data))
    }

    /// Decodes a call that an Ethereum wallet sends. Does not include the value sent with a contract call.
    pub fn of_call(call: &EthereumCall) -> Result<Self, EffectError> {
        if call.data.is_empty() {
            return Ok(Self::Value { amount: call.value, to: call.to });
        }
        let name = || format!("a call of {} at {}", selector_text(&call.data), call.to.checksummed());
        evm_effect(call.to, &call.data).ok_or_else(|| EffectError::Unknown(name()))
    }
}
