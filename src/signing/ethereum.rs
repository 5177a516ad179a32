//! Transactions that an Ethereum wallet broadcasts: calls, and the approvals before them.

use alloy_primitives::{U256, hex};

use crate::{
    domain::{Address, Amount, ChainId, text::clip},
    wire::router::{Erc20Approval, RouterTxKind},
};

/// Selector of `approve(address,uint256)`.
const APPROVE: [u8; 4] = hex!("095ea7b3");
const ALLOWANCE: [u8; 4] = hex!("dd62ed3e");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumCall {
    /// Chain id as in EIP-155.
    pub chain_id: u64,
    pub from: Address,
    /// Called contract, or recipient of the value.
    pub to: Address,
    /// Transferred value in wei.
    pub value: Amount,
    pub data: Vec<u8>,
    pub approvals: Vec<TokenApproval>,
}

/// Approval that must precede a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenApproval {
    pub token: Address,
    pub spender: Address,
    pub amount: Amount,
}

/// Transaction of a wallet that changes an allowance before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalStep {
    /// Sets an earlier allowance to 0: the token refuses to change it otherwise.
    Reset,
    Approval,
}

impl ApprovalStep {
    /// Describes a sent transaction.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reset => "earlier allowance set to 0",
            Self::Approval => "approval sent",
        }
    }
}

/// Reason why a router's transaction is no valid call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EthereumCallError {
    #[error("this is not an EVM transaction")]
    Kind,
    /// The chain id is not a number.
    #[error("“{}” is not an EVM chain id", clip(.0, 40))]
    Chain(String),
    #[error("unreadable {0}")]
    Field(&'static str),
}

impl EthereumCall {
    /// Parses a router's transaction; every field must be present and valid.
    pub fn of_router(tx: &RouterTxKind) -> Result<Self, EthereumCallError> {
        let RouterTxKind::Evm { chain_id, to, value, data, approvals, signer_address } = tx else {
            return Err(EthereumCallError::Kind);
        };
        let field = EthereumCallError::Field;
        let digits = data.as_received().strip_prefix("0x").unwrap_or(data.as_received());
        Ok(Self {
            chain_id: number_of(chain_id).ok_or_else(|| EthereumCallError::Chain(chain_id.to_string()))?,
            from: evm_address(signer_address.as_received()).ok_or(field("signer"))?,
            to: evm_address(to.as_received()).ok_or(field("contract"))?,
            value: if value.is_empty() {
                Amount::ZERO
            } else {
                value.as_received().parse().map_err(|_| field("value"))?
            },
            data: hex::decode(digits).map_err(|_| field("data"))?,
            approvals: approvals.iter().map(TokenApproval::of_router).collect::<Result<_, _>>()?,
        })
    }
}

impl TokenApproval {
    fn of_router(approval: &Erc20Approval) -> Result<Self, EthereumCallError> {
        let field = EthereumCallError::Field;
        Ok(Self {
            token: evm_address(approval.token_contract.as_received()).ok_or(field("token to approve"))?,
            spender: evm_address(approval.spender.as_received()).ok_or(field("spender"))?,
            amount: approval.amount.as_received().parse().map_err(|_| field("amount to approve"))?,
        })
    }

    /// Encodes the token's call `approve` with exactly this amount.
    pub fn approve_data(&self) -> Vec<u8> {
        call_data(APPROVE, &[self.spender.word(), self.amount.get().to_be_bytes()])
    }

    /// Encodes the token's call `approve` with 0, which ends an allowance.
    pub fn reset_data(&self) -> Vec<u8> {
        Self { amount: Amount::ZERO, ..self.clone() }.approve_data()
    }

    /// Encodes the token's call `allowance` for an owner.
    pub fn allowance_data(&self, owner: Address) -> Vec<u8> {
        call_data(ALLOWANCE, &[owner.word(), self.spender.word()])
    }

    /// Decodes the response to [`Self::allowance_data`]; `None` if the response is not a 32-byte word.
    pub fn read_allowance(answer: &[u8]) -> Option<Amount> {
        (answer.len() == 32).then(|| Amount::new(U256::from_be_slice(answer)))
    }

    /// Returns the call that gives the approval.
    pub fn call(&self, chain_id: u64, from: Address) -> EthereumCall {
        let (data, approvals) = (self.approve_data(), Vec::new());
        EthereumCall { chain_id, from, to: self.token, value: Amount::ZERO, data, approvals }
    }
}

fn call_data(selector: [u8; 4], words: &[[u8; 32]]) -> Vec<u8> {
    [selector.as_slice(), words.concat().as_slice()].concat()
}

fn number_of(chain: &ChainId) -> Option<u64> {
    let is_number = chain.as_str().bytes().all(|byte| byte.is_ascii_digit());
    chain.as_str().parse().ok().filter(|_| is_number)
}

/// Parses `0x` and 40 hex digits.
pub(super) fn evm_address(text: &str) -> Option<Address> {
    let bytes = hex::decode(text.strip_prefix("0x")?).ok()?;
    bytes.try_into().ok().map(Address::Short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_are_asked_for_and_given_exactly() {
        let [owner, spender, token] = [1, 2, 3].map(|byte| Address::Short([byte; 20]));
        let approval = TokenApproval { token, spender, amount: Amount::from(0x0100) };
        let spender = format!("{}{}", "0".repeat(24), "02".repeat(20));
        assert_eq!(hex::encode(approval.approve_data()), format!("095ea7b3{spender}{:0>64}", "100"));
        let asked = format!("dd62ed3e{}{}{spender}", "0".repeat(24), "01".repeat(20));
        assert_eq!(hex::encode(approval.allowance_data(owner)), asked);
        assert_eq!(TokenApproval::read_allowance(&[0; 31]), None);
        assert_eq!(TokenApproval::read_allowance(&[0; 32]), Some(Amount::ZERO));
        let call = approval.call(1, owner);
        assert_eq!((call.to, call.value, call.approvals.len()), (token, Amount::ZERO, 0));
    }

    #[test]
    fn a_call_is_read_whole_or_not_at_all() {
        let read = |field: &str, value: &str| {
            let mut tx = serde_json::json!({"chain_id": "1", "to": format!("0x{}", "03".repeat(20)), "value": "",
                "data": "a9059cbb", "required_erc20_approvals": [], "signer_address": format!("0x{}", "01".repeat(20))});
            tx[field] = value.into();
            let text = serde_json::json!({ "evm_tx": tx }).to_string();
            let tx: crate::wire::router::RouterTx = serde_json::from_str(&text).unwrap();
            EthereumCall::of_router(&tx.kind)
        };
        assert_eq!(read("chain_id", "42161").unwrap().chain_id, 42161);
        assert_eq!(read("chain_id", "yominet-1"), Err(EthereumCallError::Chain("yominet-1".to_owned())));
        for (field, value, name) in [
            ("to", "0x12", "contract"),
            ("to", "init1s3kcx5ps579955rvh7we684lkh25zaz9huxrqt", "contract"),
            ("value", "1.5", "value"),
            ("data", "xyz", "data"),
            ("signer_address", "", "signer"),
        ] {
            assert_eq!(read(field, value), Err(EthereumCallError::Field(name)), "{field}");
        }
    }
}
