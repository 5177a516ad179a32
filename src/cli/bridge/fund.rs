use super::{
    super::{CommandError, DemoFundArguments, output::CommandOutput, table::TableCell},
    Router,
    messages::no_wallet,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
};
use crate::{
    client::endpoints,
    domain::ChainId,
    wire::router::{FaucetGift, FaucetTx, FundRequest},
};

/// Funds an account from the faucet and prints the amounts.
pub(super) async fn run(
    arguments: &DemoFundArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    no_wallet(router).await?;
    let request = FundRequest { address: arguments.address.clone() };
    let body = router.raw(endpoints::demo_fund(&request)).await?;
    print::<FaucetGift>(&body, router, output).await
}

impl BridgeAnswer for FaucetGift {
    const CSV: &'static [&'static str] = &["chain_id", "address", "tx_hash", "denom", "amount"];

    fn csv(&self) -> Vec<Vec<String>> {
        let of = |one: &FaucetTx| {
            let FaucetTx { chain_id, address, tx_hash, denom, amount } = one;
            vec![chain_id.to_string(), address.clone(), tx_hash.clone(), denom.to_string(), amount.clone()]
        };
        self.given.iter().map(of).collect()
    }

    fn chains(&self) -> Vec<ChainId> {
        self.given.iter().map(|one| one.chain_id.clone()).collect()
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let mut fields = Vec::new();
        for one in &self.given {
            fields.push(("Chain", TableCell::new(names.full_chain(&one.chain_id))));
            fields.push(("Account", TableCell::new(&one.address)));
            fields.push(("Given", TableCell::new(format!("{} {}", one.amount, one.denom))));
            fields.push(("Transaction", TableCell::new(&one.tx_hash)));
        }
        style.details(&fields)
    }
}
