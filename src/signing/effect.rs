//! Effects on funds, decoded from the very values that are signed.

use alloy_primitives::hex;

use super::{
    EthereumCall, SignableMessage,
    calls::{evm_effect, move_effect, selector_text},
    ethereum::evm_address,
    memo_action::MemoAction,
    message::FieldValue,
    swap_contract::{SwapContractCall, venue_effect},
};
use crate::domain::{Address, Amount, Coin, Denom, Timestamp, text::clip};

/// Effect of a message or call on the signer's funds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FundsEffect {
    /// Coins to an account of the same chain.
    Send { coins: Vec<Coin>, to: String },
    /// Coin over an IBC channel.
    Packet {
        coin: Coin,
        channel: String,
        receiver: String,
        /// The coin comes back if the packet is not received by then.
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
    /// Coin out of a rollup over its OPinit bridge.
    Withdrawal {
        coin: Coin,
        /// Recipient on the L1.
        to: String,
    },
    /// Claim of a withdrawal on the L1.
    Claim { coin: Coin, bridge_id: u64, sequence: u64, to: String },
    /// Allowance for another account to take tokens.
    Allowance {
        token: Address,
        spender: Address,
        /// [`Self::ANY`] means unlimited.
        amount: Amount,
    },
    /// Tokens to an account of the same chain.
    TokenTransfer { token: Address, to: Address, amount: Amount },
    /// Conversion of a token to its other form on the rollup.
    Conversion {
        wrapper: Address,
        /// Recipient of the other form.
        to: Address,
        denom: Denom,
        /// `None` converts the whole balance.
        amount: Option<Amount>,
    },
    /// Sale of a token on the L1's exchange; the signer receives the other token.
    Swap {
        pool: [u8; 32],
        /// Metadata object of the sold token.
        sold: [u8; 32],
        amount: Amount,
        /// Minimum received; `None` accepts any amount.
        least: Option<Amount>,
    },
    /// Swap by a contract of the chain, which forwards the result.
    VenueSwap {
        contract: String,
        /// Sold coin; `None` sells what a packet brings.
        sold: Option<Coin>,
        /// Minimum received.
        least: Coin,
        /// The swap fails after this time.
        deadline: Timestamp,
        after: SwapContractCall,
    },
    /// Burn of a token to mint it on another chain, by Circle.
    Burn(BurnCall),
    /// Token or native coin over `LayerZero`.
    Message {
        /// Endpoint id of the other chain.
        endpoint: u32,
        /// Recipient on the other chain, left-padded with zeros.
        recipient: [u8; 32],
        amount: Amount,
        /// Minimum paid out on the other chain, in the units of the sent token.
        least: Amount,
        /// Message fee on top, in the chain's native coin.
        fee: Amount,
        /// Recipient of the unused fee.
        refund: Address,
    },
    /// Order for a solver to pay out on another chain.
    Order {
        /// Recipient of a refund, left-padded with zeros.
        sender: [u8; 32],
        /// Recipient on the other chain, left-padded with zeros.
        recipient: [u8; 32],
        amount: Amount,
        /// Minimum paid out.
        least: Amount,
        /// Domain number of the other chain.
        domain: u32,
        /// The order can be refunded from then on.
        deadline: Timestamp,
        onward: MemoAction,
    },
    /// Native coin to an account.
    Value {
        /// In the smallest unit.
        amount: Amount,
        to: Address,
    },
}

/// Burn of Circle's protocol, in any of its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurnCall {
    pub token: Address,
    /// Total taken, including a relayer's fee.
    pub amount: Amount,
    /// Minimum minted, after fees.
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
    /// Restricts which account can mint the token; zeros allow any account.
    pub(super) fn with_finisher(self, finisher: [u8; 32]) -> Self {
        Self { finisher: Some(finisher).filter(|finisher| *finisher != [0; 32]), ..self }
    }
}

/// Effect that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EffectError {
    /// Unknown message or call, described.
    #[error("unknown effect: {0}")]
    Unknown(String),
}

impl FundsEffect {
    /// Largest possible allowance: unlimited.
    pub const ANY: Amount = Amount::new(alloy_primitives::U256::MAX);

    /// Returns the coins that leave by a message of a Cosmos transaction.
    pub fn coins(&self) -> Option<&[Coin]> {
        match self {
            Self::Send { coins, .. } => Some(coins),
            Self::Packet { coin, .. } | Self::Deposit { coin, .. } | Self::Withdrawal { coin, .. } => {
                Some(std::slice::from_ref(coin))
            }
            _ => None,
        }
    }

    /// Decodes a message of a Cosmos transaction.
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
                // Without funds it would sell somebody else's coins.
                let effect = sold.and_then(|sold| venue_effect(contract, given, Some(sold)));
                effect.ok_or_else(|| unknown(&format!("of {}", clip(contract, 80))))?
            }
            _ => return Err(unknown("of this form")),
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

    /// Decodes a call of an Ethereum wallet. The value sent with a contract call is not included.
    pub fn of_call(call: &EthereumCall) -> Result<Self, EffectError> {
        if call.data.is_empty() {
            return Ok(Self::Value { amount: call.value, to: call.to });
        }
        let name = || format!("a call of {} at {}", selector_text(&call.data), call.to.checksummed());
        evm_effect(call.to, &call.data).ok_or_else(|| EffectError::Unknown(name()))
    }
}
