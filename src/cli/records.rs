//! Commands for receipts, call frames, NFTs and holders.

use super::{
    CommandError,
    arguments::{ListArguments, RecordsCommand},
    denom, evm_hash,
    indexer::Indexer,
    list,
    output::CommandOutput,
    single,
};
use crate::{
    client::HoldersQuery,
    msg::{InternalTxScope, TxQuery, TxScope},
};

pub(super) async fn run(
    command: &RecordsCommand,
    indexer: &Indexer,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    match command {
        RecordsCommand::EvmTxs(arguments) => match arguments.hash {
            Some(hash) => single::evm_tx(indexer, hash, output).await,
            None => list::print(&arguments.scope(), indexer, &arguments.list, output).await,
        },
        RecordsCommand::InternalTxs(arguments) => {
            // A trace starts at the outermost call.
            let ascending = arguments.list.ascending || arguments.hash.is_some();
            let list = ListArguments { ascending, ..arguments.list.clone() };
            let (answered, hash) = match list::print(&arguments.scope(), indexer, &list, output).await {
                Err(absent @ CommandError::NotFound(_)) => (Err(absent), arguments.hash),
                answered => (answered, None),
            };
            let Some(hash) = hash else { return answered };
            match evm_hash::find_receipt(indexer, hash).await? {
                Some(receipt) => {
                    let calls = InternalTxScope::Tx(receipt.value.transaction_hash);
                    list::print(&calls, indexer, &list, output).await
                }
                None => answered,
            }
        }
        RecordsCommand::Collections(arguments) => match arguments.address {
            Some(address) => single::collection(indexer, address, output).await,
            None => list::print(&arguments.scope(), indexer, &arguments.list, output).await,
        },
        RecordsCommand::Nfts(arguments) => {
            let nobody = || CommandError::Usage("give --account or --collection".to_owned());
            let query = arguments.query().ok_or_else(nobody)?;
            list::print(&query, indexer, &arguments.list, output).await
        }
        RecordsCommand::NftTxs(arguments) => {
            let query = TxQuery { scope: TxScope::Token(arguments.token()), msgs: Vec::new() };
            list::print(&query, indexer, &arguments.list, output).await
        }
        RecordsCommand::Holders(arguments) => {
            let denom = denom::resolve(&arguments.denom, indexer).await?;
            list::print(&HoldersQuery(denom), indexer, &arguments.list, output).await
        }
    }
}
