//! The pages of contracts: that they are contracts, and who deployed them where.

use std::collections::BTreeSet;

use rollscope::domain::{Address, Vm, text::group};

use super::{Walk, truth::text};

/// The most contracts to look at.
const CONTRACTS: usize = 4;

impl Walk {
    /// The contracts that a message of their own deployed: what each is, by whom it was deployed, and where.
    pub(super) fn contracts(&self) {
        let (event, key) = match self.vm {
            Vm::Wasm => ("instantiate", "_contract_address"),
            Vm::Evm | Vm::Move => ("create", "contract"),
        };
        let is_deploying = |kind: &str| kind.contains(".MsgCreate") || kind.contains(".MsgInstantiateContract");
        let alone = self.truth.newest_txs().filter(|(_, tx)| tx.has_succeeded() && tx.messages().len() == 1);
        let deployed = alone.filter(|(_, tx)| is_deploying(tx.kinds()[0]));
        let deployed = deployed.filter_map(|(block, tx)| Some((block, tx, tx.attributes(event, key).next()?)));
        // The address of a collection leads to the page of the collection.
        let collections: BTreeSet<Address> = self.truth.owners.keys().map(|(collection, _)| *collection).collect();
        let is_collection = |contract: &str| contract.parse().is_ok_and(|contract| collections.contains(&contract));
        let deployed: Vec<_> = deployed.filter(|(_, _, contract)| !is_collection(contract)).take(CONTRACTS).collect();
        assert!(deployed.len() > 2, "{} contracts", deployed.len());
        for (block, tx, contract) in deployed {
            let of = format!("contract {contract}");
            self.go_to(contract);
            self.says(&of, " · contract");
            self.explorer.press("l").settle();
            let (message, height) = (&tx.messages()[0], group(block.height));
            self.says(&of, &format!("deployed   by {} in block {height} (Enter)", text(&message["sender"])));
            if self.vm == Vm::Wasm {
                self.says(&of, &format!("code       {} · label “", text(&message["code_id"])));
                let symbol = text(&message["msg"]["symbol"]);
                let is_token = message["msg"]["initial_balances"].is_array();
                let unit = format!("(“{symbol}”, {} decimal", message["msg"]["decimals"]);
                self.check(!is_token || self.screen().contains(&unit), || format!("{of}: no {unit}"));
            }
            self.is_well(&of);
            self.explorer.click("deployed").press("enter").settle();
            self.says(&of, &format!("✓ Tx {}", tx.hash));
        }
        // An account that only signs is none.
        let (_, newest) = self.truth.newest_txs().next().expect("transactions");
        let signer = newest.attributes("tx", "acc_seq").next().and_then(|value| value.split('/').next());
        self.go_to(signer.expect("a signer"));
        let screen = self.screen();
        self.check(!screen.contains(" · contract") && !screen.contains(" Contract "), || "a signer".to_owned());
    }
}
