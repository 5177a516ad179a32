//! Names of tokens from their contracts.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use serde_json::{Value, json};

use super::{NodeClient, NodeError, NodeInterface, StateQuestion};
use crate::domain::{Address, Denom, Height, text};

/// Selectors of `symbol()` and `decimals()`.
pub(super) const SYMBOL: [u8; 4] = [0x95, 0xd8, 0x9b, 0x41];
pub(super) const DECIMALS: [u8; 4] = [0x31, 0x3c, 0xe5, 0x67];

/// Maximum characters of a symbol: a contract may return megabytes.
const SYMBOL_LENGTH: usize = 64;

/// Largest power of ten that fits into 256 bits.
const MOST_DECIMALS: u8 = 77;

impl NodeClient {
    /// Requests symbol and decimals of ERC-20 contracts. Skips contracts that lack either. A symbol equal to the denom
    /// is a name only with a power of ten: a module makes the contract of a denom with 0 decimals.
    pub(super) async fn erc20_units(
        &self,
        contracts: &BTreeMap<Denom, Address>,
    ) -> Result<Vec<(Denom, (String, u8))>, NodeError> {
        let calls =
            contracts.values().flat_map(|contract| [(*contract, SYMBOL.to_vec()), (*contract, DECIMALS.to_vec())]);
        let returned = self.contract_calls(&calls.collect::<Vec<_>>(), None).await?;
        let units = contracts.keys().zip(returned.chunks(2)).filter_map(|(denom, returned)| {
            let [Some(symbol), Some(decimals)] = returned else { return None };
            let (symbol, decimals) = (symbol_of(symbol)?, decimals_of(decimals)?);
            let is_made =
                decimals == 0 && (symbol == denom.as_str() || symbol.starts_with("l2/") || symbol.starts_with("ibc/"));
            (!is_made).then(|| (denom.clone(), (symbol, decimals)))
        });
        Ok(units.collect())
    }

    /// Calls EVM contracts at a height or at the newest block; `None` for a revert.
    pub(super) async fn contract_calls(
        &self,
        calls: &[(Address, Vec<u8>)],
        at: Option<Height>,
    ) -> Result<Vec<Option<Vec<u8>>>, NodeError> {
        if self.url(NodeInterface::JsonRpc).is_some() {
            return self.eth_calls(calls, at).await;
        }
        let mut returned = Vec::with_capacity(calls.len());
        for (contract, input) in calls {
            let question = StateQuestion::evm_call(*contract, input);
            let answer = match self.state::<crate::wire::node::EvmCallAnswer>(&question, at).await {
                Err(error) if error.is_refusal() => None,
                answered => Some(answered?),
            };
            let answer = answer.filter(|answer| answer.error.is_empty());
            returned.push(answer.and_then(|answer| alloy_primitives::hex::decode(answer.response).ok()));
        }
        Ok(returned)
    }

    /// Requests symbol and decimals of a CW-20 contract; `None` if the contract lacks either.
    pub(super) async fn cw20_unit(&self, contract: Address) -> Result<Option<(String, u8)>, NodeError> {
        let info = self.smart(contract, &json!({"token_info": {}})).await?;
        Ok(info.as_ref().and_then(cw20_unit_in))
    }

    /// Sends a smart query to a contract; `None` if the contract refuses it.
    pub(super) async fn smart(&self, contract: Address, query: &Value) -> Result<Option<Value>, NodeError> {
        let answer: Option<Value> = self.state_if_any(&StateQuestion::smart_query(contract, query)).await?;
        Ok(answer.and_then(|mut answer| answer.get_mut("data").map(Value::take)))
    }
}

/// Reads symbol and decimals from the answer to `token_info`.
pub(super) fn cw20_unit_in(info: &Value) -> Option<(String, u8)> {
    let symbol = cleaned(info.get("symbol")?.as_str()?)?;
    let decimals = u8::try_from(info.get("decimals")?.as_u64()?).ok()?;
    Some((symbol, decimals)).filter(|_| decimals <= MOST_DECIMALS)
}

/// Decodes an ABI-encoded string; `None` if invalid.
pub fn returned_text(returned: &[u8]) -> Option<String> {
    returned_bytes(returned).map(|bytes| String::from_utf8_lossy(bytes).replace('\0', ""))
}

fn returned_bytes(returned: &[u8]) -> Option<&[u8]> {
    let number = |at: usize| {
        let word = returned.get(at..at.checked_add(32)?)?;
        usize::try_from(U256::from_be_slice(word)).ok()
    };
    let start = number(0)?;
    let from = start.checked_add(32)?;
    returned.get(from..from.checked_add(number(start)?)?)
}

/// Decodes a symbol: a string, or 32 zero-padded bytes as in early tokens.
pub(super) fn symbol_of(returned: &[u8]) -> Option<String> {
    let bytes = match returned.len() {
        32 => returned,
        _ => returned_bytes(returned)?,
    };
    // No valid symbol is longer, and rollscope shows no more.
    let bytes = bytes.get(..bytes.len().min(4 * SYMBOL_LENGTH))?;
    cleaned(&String::from_utf8_lossy(bytes).replace('\0', ""))
}

/// Removes control characters from a symbol, because a terminal obeys them; `None` if the result is empty.
pub(super) fn cleaned(symbol: &str) -> Option<String> {
    let symbol: String = text::clean(symbol).trim().chars().take(SYMBOL_LENGTH).collect();
    (!symbol.is_empty()).then_some(symbol)
}

/// Decodes the decimals from one 32-byte word.
pub(super) fn decimals_of(returned: &[u8]) -> Option<u8> {
    let word: [u8; 32] = returned.try_into().ok()?;
    u8::try_from(U256::from_be_bytes(word)).ok().filter(|decimals| *decimals <= MOST_DECIMALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(value: u8) -> Vec<u8> {
        [vec![0; 31], vec![value]].concat()
    }

    #[test]
    fn strings_are_read_and_what_is_none_is_not() {
        let text = [word(32), word(5), b"Hello".to_vec(), vec![0; 27]].concat();
        assert_eq!(returned_text(&text).as_deref(), Some("Hello"));
        assert_eq!(returned_text(&[word(32), word(200), vec![1; 32]].concat()), None);
        assert_eq!(returned_text(&[vec![0xff; 32], word(1)].concat()), None);
        assert_eq!(returned_text(&[]), None);
    }

    #[test]
    fn symbols_are_strings_or_words_and_nothing_else() {
        let text = [word(32), word(3), b"MIN".to_vec(), vec![0; 29]].concat();
        assert_eq!(symbol_of(&text).as_deref(), Some("MIN"));
        let old = [b"MKR".to_vec(), vec![0; 29]].concat();
        assert_eq!(symbol_of(&old).as_deref(), Some("MKR"));
        let long = [word(32), vec![0; 30], vec![0x10, 0], vec![b'A'; 0x1000]].concat();
        assert_eq!(symbol_of(&long).map(|symbol| symbol.len()), Some(SYMBOL_LENGTH));
        let hostile = [word(32), word(6), b"\x1b[2JOK".to_vec(), vec![0; 26]].concat();
        assert!(symbol_of(&hostile).is_some_and(|symbol| !symbol.contains('\u{1b}')));
        for nothing in [vec![], vec![0; 32], vec![0; 31], [word(32), word(0)].concat(), [word(32), word(9)].concat()] {
            assert_eq!(symbol_of(&nothing), None);
        }
    }

    #[test]
    fn decimals_are_a_number_that_can_be_shown() {
        assert_eq!(decimals_of(&word(18)), Some(18));
        for other in [word(78), vec![0xff; 32], vec![], vec![6], [word(6), word(0)].concat()] {
            assert_eq!(decimals_of(&other), None);
        }
    }
}
