//! What is signed does to funds, decoded from the very values that are signed.

use alloy_primitives::hex;

use super::{
    EthereumCall, SignableMessage,
    calls::{evm_effect, move_effect, selector_text},
    ethereum::evm_address,
    message::FieldValue,
    onward::Onward,
    venue::{VenueAction, venue_effect},
};
use crate::domain::{Address, Amount, Coin, Denom, text::clip};

/// What a message or a call does with the signer's funds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FundsEffect {
    /// Coins go to an account of the same chain.
    Send {
        /// Which.
        coins: Vec<Coin>,
        /// To whom.
        to: String,
    },
    /// A coin leaves over an IBC channel.
    Packet {
        /// Which.
        coin: Coin,
        /// Over which channel.
        channel: String,
        /// To whom there.
        receiver: String,
        /// What happens there.
        onward: Onward,
    },
    /// A coin enters a rollup over its optimistic bridge.
    Deposit {
        /// Which.
        coin: Coin,
        /// Over which bridge.
        bridge_id: u64,
        /// To whom on the rollup.
        to: String,
        /// The signed transaction that the rollup runs when it arrives.
        hook: Vec<u8>,
    },
    /// A coin leaves a rollup over its optimistic bridge.
    Withdrawal {
        /// Which, as the rollup calls it.
        coin: Coin,
        /// To whom on the L1.
        to: String,
    },
    /// What was withdrawn is claimed on the L1.
    Claim {
        /// Which.
        coin: Coin,
        /// Over which bridge.
        bridge_id: u64,
        /// The withdrawal's number.
        sequence: u64,
        /// To whom.
        to: String,
    },
    /// Another may take tokens, from now on.
    Allowance {
        /// The token's contract.
        token: Address,
        /// Who may.
        spender: Address,
        /// How much; the largest number means any amount.
        amount: Amount,
    },
    /// Tokens go to an account of the same chain.
    TokenTransfer {
        /// The token's contract.
        token: Address,
        /// To whom.
        to: Address,
        /// How much.
        amount: Amount,
    },
    /// A token takes another form on its rollup.
    Conversion {
        /// The contract that does it.
        wrapper: Address,
        /// Who gets the other form.
        to: Address,
        /// What is given.
        denom: Denom,
        /// How much; `None` is all that there is.
        amount: Option<Amount>,
    },
    /// A token is sold on the L1's exchange; the signer gets the other.
    Swap {
        /// The pool's object.
        pool: [u8; 32],
        /// The metadata object of what is sold.
        sold: [u8; 32],
        /// How much is sold.
        amount: Amount,
        /// The least that must come of it; `None` where anything is taken.
        least: Option<Amount>,
    },
    /// Coins are swapped by a contract of their chain, which passes on what comes of it.
    VenueSwap {
        /// Which.
        contract: String,
        /// What is sold; `None` is what a packet brings.
        sold: Option<Coin>,
        /// The least that must come of it.
        least: Coin,
        /// What happens to that.
        after: VenueAction,
    },
    /// A token is burnt to be minted on another chain, by Circle.
    Burn(BurnCall),
    /// A token, or the chain's own coin, leaves over `LayerZero`.
    Message {
        /// The protocol's number of the other chain.
        endpoint: u32,
        /// Who has it there, behind zeros.
        recipient: [u8; 32],
        /// How much leaves.
        amount: Amount,
        /// How much of that must be paid out there at least, in the units of what leaves.
        least: Amount,
        /// What the message costs on top, in the chain's own coin.
        fee: Amount,
        /// Who gets back what the message did not cost.
        refund: Address,
    },
    /// A solver is asked to pay out on another chain.
    Order {
        /// Who gets it back when nobody does, behind zeros.
        sender: [u8; 32],
        /// Who is paid there, behind zeros.
        recipient: [u8; 32],
        /// How much is given.
        amount: Amount,
        /// How much must be paid out.
        least: Amount,
        /// The number of the other chain.
        domain: u32,
        /// What follows there.
        onward: Onward,
    },
    /// The chain's own coin goes to an account.
    Value {
        /// In the smallest unit.
        amount: Amount,
        /// To whom.
        to: Address,
    },
}

/// A burn of Circle's protocol, in any of its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurnCall {
    /// The token's contract.
    pub token: Address,
    /// How much the contract takes, a relayer's fee included.
    pub amount: Amount,
    /// How much of it is minted at least: fees are taken off.
    pub least: Amount,
    /// Circle's number of the other chain.
    pub domain: u32,
    /// Who has it minted there, behind zeros.
    pub recipient: [u8; 32],
    /// Who alone can have it minted, behind zeros; `None` is anybody.
    pub finisher: Option<[u8; 32]>,
    /// What follows there.
    pub onward: Onward,
}

impl BurnCall {
    /// The same, finished by this account only; zeros are anybody.
    pub(super) fn with_finisher(self, finisher: [u8; 32]) -> Self {
        Self { finisher: Some(finisher).filter(|finisher| *finisher != [0; 32]), ..self }
    }
}

/// Why it is not known what a message or a call does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EffectError {
    /// Of no known kind, in words.
    #[error("it cannot be told what {0} does")]
    Unknown(String),
}

impl FundsEffect {
    /// The most that an allowance can be: any amount.
    pub const ANY: Amount = Amount::new(alloy_primitives::U256::MAX);

    /// The coins that leave by a message of a Cosmos transaction.
    pub fn coins(&self) -> Option<&[Coin]> {
        match self {
            Self::Send { coins, .. } => Some(coins),
            Self::Packet { coin, .. } | Self::Deposit { coin, .. } | Self::Withdrawal { coin, .. } => {
                Some(std::slice::from_ref(coin))
            }
            _ => None,
        }
    }

    /// What a message of a Cosmos transaction does.
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
            "MsgTransfer" if message.text("source_port") == "transfer" => Self::Packet {
                coin: coin("token")?,
                channel: text("source_channel"),
                receiver: text("receiver"),
                onward: Onward::of(message.text("memo"))?,
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
                // Without funds it would sell what somebody else has.
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

    /// What a call of an Ethereum wallet does. The value that goes with a call of a contract is not part of it.
    pub fn of_call(call: &EthereumCall) -> Result<Self, EffectError> {
        if call.data.is_empty() {
            return Ok(Self::Value { amount: call.value, to: call.to });
        }
        let name = || format!("a call of {} at {}", selector_text(&call.data), call.to.checksummed());
        evm_effect(call.to, &call.data).ok_or_else(|| EffectError::Unknown(name()))
    }
}
