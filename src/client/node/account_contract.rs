//! What an account's contract is: its code, and what it says about itself as a token or a collection.

use alloy_primitives::{U256, hex};
use serde_json::{Value, json};

use super::{
    NodeClient, NodeError, StateQuestion,
    contracts::{DECIMALS, SYMBOL, cleaned, cw20_unit_in, decimals_of, returned_text, symbol_of},
};
use crate::{
    domain::{Address, Amount, Denom, Height, Vm},
    wire::node::{
        ContractFacts, ContractToken, ContractTokenKind, EvmCodeAnswer, NodeCode, NodeContract, WasmContractAnswer,
    },
};

/// Selectors of `name()` and `totalSupply()`.
const NAME: [u8; 4] = [0x06, 0xfd, 0xde, 0x03];
const TOTAL_SUPPLY: [u8; 4] = [0x18, 0x16, 0x0d, 0xdd];

/// Call of `supportsInterface(bytes4)` with the id of ERC-721, without the padding.
const IS_ERC721: [u8; 8] = [0x01, 0xff, 0xc9, 0xa7, 0x80, 0xac, 0x58, 0xcd];
/// Bytes of a selector and one argument.
const CALL_OF_ONE: usize = 36;

/// Start of the code of a user's account that delegates to a contract (EIP-7702): the account is no contract itself.
const DELEGATION: [u8; 3] = [0xef, 0x01, 0x00];

impl NodeClient {
    /// Requests what an account's contract is: one request for an account without code, at most three more for a
    /// contract. Names no contract on Move, whose code lives in modules.
    pub async fn contract(&self, account: Address) -> Result<ContractFacts, NodeError> {
        let contract = match (self.vm(), account) {
            (Vm::Evm, Address::Short(_)) => self.evm_contract(account).await?,
            (Vm::Wasm, Address::Long(_)) => self.wasm_contract(account).await?,
            (Vm::Evm | Vm::Wasm | Vm::Move, _) => None,
        };
        Ok(ContractFacts { chain_id: self.chain_id().to_owned(), contract })
    }

    async fn evm_contract(&self, account: Address) -> Result<Option<NodeContract>, NodeError> {
        let answer: Option<EvmCodeAnswer> = self.state_if_any(&StateQuestion::evm_code(account)).await?;
        let code = answer.and_then(|answer| hex::decode(answer.code).ok()).unwrap_or_default();
        if code.is_empty() || code.starts_with(&DELEGATION) {
            return Ok(None);
        }
        let mut is_collection = IS_ERC721.to_vec();
        is_collection.resize(CALL_OF_ONE, 0);
        let calls = [NAME, SYMBOL, DECIMALS, TOTAL_SUPPLY].map(|selector| (account, selector.to_vec()));
        let calls: Vec<(Address, Vec<u8>)> = calls.into_iter().chain([(account, is_collection)]).collect();
        let mut token = erc_token(&self.contract_calls(&calls, None).await?);
        if let Some(ContractToken { kind: ContractTokenKind::Fungible { denom, .. }, .. }) = &mut token {
            *denom = self.denom_of_contract(account).await?;
        }
        Ok(Some(NodeContract { code: NodeCode::Evm { size: code.len() }, token }))
    }

    /// Returns the bank's denom of an ERC-20 contract, else the one that the bank would derive from its address.
    async fn denom_of_contract(&self, contract: Address) -> Result<Denom, NodeError> {
        let answer: Option<Value> = self.state_if_any(&StateQuestion::denom_of_contract(contract)).await?;
        let listed = answer.and_then(|answer| answer.get("denom")?.as_str().map(Denom::new));
        let address = contract.checksummed();
        let derived = || Denom::new(format!("evm/{}", address.trim_start_matches("0x")));
        Ok(listed.filter(|denom| !denom.as_str().is_empty()).unwrap_or_else(derived))
    }

    async fn wasm_contract(&self, account: Address) -> Result<Option<NodeContract>, NodeError> {
        let answer: Option<WasmContractAnswer> = self.state_if_any(&StateQuestion::wasm_contract(account)).await?;
        let Some(WasmContractAnswer { contract_info: info }) = answer else { return Ok(None) };
        let code = NodeCode::Wasm {
            code_id: info.code_id,
            label: info.label.into_received(),
            creator: info.creator.parse().ok(),
            admin: info.admin.parse().ok(),
            created: info.created.and_then(|created| Height::new(created.block_height)),
        };
        let token = match self.smart(account, &json!({"token_info": {}})).await?.and_then(|info| cw20(account, &info)) {
            Some(token) => Some(token),
            None => self.cw721(account).await?,
        };
        Ok(Some(NodeContract { code, token }))
    }

    async fn cw721(&self, account: Address) -> Result<Option<ContractToken>, NodeError> {
        let info = self.smart(account, &json!({"contract_info": {}})).await?;
        let text = |name: &str| cleaned(info.as_ref()?.get(name)?.as_str()?);
        let Some((name, symbol)) = text("name").zip(text("symbol")) else { return Ok(None) };
        let count = self.smart(account, &json!({"num_tokens": {}})).await?;
        let supply = count.and_then(|count| count.get("count")?.as_u64()).map(|count| Amount::from(u128::from(count)));
        Ok(Some(ContractToken { kind: ContractTokenKind::Collection, name, symbol, supply }))
    }
}

/// Reads what an EVM contract returned for its name, symbol, decimals, supply, and interface of ERC-721; the denom of a
/// token is not known yet.
fn erc_token(returned: &[Option<Vec<u8>>]) -> Option<ContractToken> {
    let [name, symbol, decimals, supply, is_collection] = returned else { return None };
    let number = |word: &Option<Vec<u8>>| Some(U256::from_be_bytes(<[u8; 32]>::try_from(&**word.as_ref()?).ok()?));
    let name = name.as_deref().and_then(returned_text).and_then(|name| cleaned(&name)).unwrap_or_default();
    let symbol = symbol.as_deref().and_then(symbol_of);
    let supply = number(supply);
    let kind = if number(is_collection) == Some(U256::from(1)) {
        ContractTokenKind::Collection
    } else {
        // An exchange pair or a vault may have a name; only a token has decimals and a supply too.
        let decimals = decimals.as_deref().and_then(decimals_of).filter(|_| symbol.is_some() && supply.is_some())?;
        ContractTokenKind::Fungible { denom: Denom::new(""), decimals }
    };
    Some(ContractToken { kind, name, symbol: symbol.unwrap_or_default(), supply: supply.map(Amount::new) })
}

fn cw20(contract: Address, info: &Value) -> Option<ContractToken> {
    let (symbol, decimals) = cw20_unit_in(info)?;
    let name = info.get("name").and_then(Value::as_str).and_then(cleaned).unwrap_or_default();
    let supply = info.get("total_supply").and_then(|supply| supply.as_str()?.parse().ok());
    let denom = Denom::new(format!("cw20:{}", contract.bech32()));
    Some(ContractToken { kind: ContractTokenKind::Fungible { denom, decimals }, name, symbol, supply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "a contract may return nothing")]
    fn word(value: u8) -> Option<Vec<u8>> {
        Some([vec![0; 31], vec![value]].concat())
    }

    #[expect(clippy::unnecessary_wraps, reason = "a contract may return nothing")]
    fn text(text: &str) -> Option<Vec<u8>> {
        let number = |value: usize| [vec![0; 31], vec![u8::try_from(value).unwrap_or_default()]].concat();
        Some([number(32), number(text.len()), text.as_bytes().to_vec(), vec![0; 32 - text.len()]].concat())
    }

    #[test]
    fn a_contract_is_a_token_only_with_symbol_decimals_and_supply_and_a_collection_only_by_its_interface() {
        let (dollar, symbol) = (text("Rollup Dollar"), text("RUSD"));
        let kind = |returned: [Option<Vec<u8>>; 5]| erc_token(&returned).map(|token| token.kind);
        let of =
            |decimals, supply, is_collection| kind([dollar.clone(), symbol.clone(), decimals, supply, is_collection]);
        let fungible = ContractTokenKind::Fungible { denom: Denom::new(""), decimals: 6 };
        assert_eq!(of(word(6), word(9), word(0)), Some(fungible.clone()));
        assert_eq!(of(word(6), word(9), None), Some(fungible), "old tokens have no ERC-165");
        assert_eq!(of(word(6), None, None), None);
        assert_eq!(of(None, word(9), None), None);
        assert_eq!(kind([dollar.clone(), None, word(6), word(9), None]), None);
        assert_eq!(of(None, None, word(1)), Some(ContractTokenKind::Collection));
        assert_eq!(of(None, None, word(2)), None, "not a boolean");
        let token = erc_token(&[dollar, symbol, word(6), word(9), word(0)]).unwrap();
        assert_eq!((token.name.as_str(), token.symbol.as_str()), ("Rollup Dollar", "RUSD"));
        assert_eq!(token.supply, Some(Amount::from(9)));
    }

    #[test]
    fn a_cw20_contract_tells_name_unit_and_supply() {
        let contract = Address::Long([7; 32]);
        let info = json!({"name": "Miller", "symbol": "MILL", "decimals": 6, "total_supply": "1005000"});
        let token = cw20(contract, &info).unwrap();
        let denom = Denom::new(format!("cw20:{}", contract.bech32()));
        assert_eq!(token.kind, ContractTokenKind::Fungible { denom, decimals: 6 });
        assert_eq!((token.name.as_str(), token.supply), ("Miller", Some(Amount::from(1_005_000))));
        assert_eq!(cw20(contract, &json!({"name": "Miller", "symbol": "MILL"})), None);
    }
}
