//! Accounts that a browser wallet shows before it signs anything.

use std::collections::BTreeMap;

use super::{ChainSuggestion, OfferWords};
use crate::domain::{Address, AddressRule, ChainAddress, ChainId, text::Foreign};

/// Request for a wallet's accounts on these chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountsOrder {
    /// Each chain with its suggestion to a wallet that does not know the chain.
    pub chains: Vec<(ChainId, Option<ChainSuggestion>)>,
    /// Description for the page and the terminal.
    pub words: OfferWords,
}

/// Accounts of a connected wallet; unproven until the wallet signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletAccounts {
    /// Name that the wallet reports; cleaned.
    pub wallet: Foreign,
    pub ethereum: Option<Address>,
    /// Accounts of a Cosmos wallet as it wrote them; cleaned.
    pub by_chain: BTreeMap<ChainId, Foreign>,
}

impl WalletAccounts {
    /// Returns the wallet's account on a chain. Initia's chains accept the key of an Ethereum account, which has equal
    /// bytes there; other chains derive another account from the same seed.
    pub fn on(&self, chain: &ChainId, rule: &AddressRule) -> Option<ChainAddress> {
        let own = self.by_chain.get(chain).and_then(|text| rule.read(text.as_received()).ok());
        let has_key = matches!(rule, AddressRule::Initia | AddressRule::Evm);
        own.or_else(|| rule.read(&self.ethereum.filter(|_| has_key)?.hex()).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ethereum_account_is_one_of_initia_and_of_no_other_cosmos_chain() {
        let account = Address::Short([7; 20]);
        let [initia, celestia, ethereum] = ["interwoven-1", "celestia", "1"].map(ChainId::new);
        let accounts =
            WalletAccounts { wallet: String::new().into(), ethereum: Some(account), by_chain: BTreeMap::new() };
        let on = |accounts: &WalletAccounts, chain, rule| accounts.on(chain, &rule).map(|it| it.as_str().to_owned());
        let bech32 = AddressRule::of_prefix("celestia");
        assert_eq!(on(&accounts, &initia, AddressRule::Initia), Some(account.bech32()));
        assert_eq!(on(&accounts, &ethereum, AddressRule::Evm), Some(account.checksummed()));
        for rule in [bech32.clone(), AddressRule::Solana, AddressRule::Unknown] {
            assert_eq!(on(&accounts, &celestia, rule), None);
        }
        let own = account.bech32_as("celestia");
        let by_chain = BTreeMap::from([(celestia.clone(), own.as_str().into()), (initia.clone(), "nonsense".into())]);
        let keplr = WalletAccounts { ethereum: None, by_chain, ..accounts };
        assert_eq!(on(&keplr, &celestia, bech32), Some(own));
        assert_eq!(on(&keplr, &initia, AddressRule::Initia), None, "what is no address of the chain is not taken");
    }
}
