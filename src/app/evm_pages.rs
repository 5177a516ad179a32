//! Pages of EVM transactions.

use std::sync::Arc;

use super::App;
use crate::{domain::Target, wire};

impl App {
    /// Opens the block of a receipt: receipts name no Cosmos transaction.
    pub(super) fn open_evm_tx(&mut self, receipt: &Arc<wire::EvmTx>) {
        self.remember_target(&Target::EvmTx(receipt.transaction_hash));
        match receipt.height() {
            Some(height) => {
                self.open_block(height);
                self.say(format!("EVM transaction {} is in this block", receipt.transaction_hash.short()));
            }
            None => self.complain("this receipt does not say in which block it is"),
        }
    }
}
