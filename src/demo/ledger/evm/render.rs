//! Renders the EVM's part of a block.

pub(crate) mod abi;
mod calls;
mod hooks;
mod items;
mod logs;
mod nft;
mod receipt;
mod trace;

use alloy_primitives::hex;

use self::{abi::AbiLog, receipt::TIP};
use super::{
    Evm,
    catalogue::{GAS_PRICE, UNLISTED, UNLISTED_TOKEN},
    gas_price,
    record::{RevertReason, VmFailure, VmMessage},
    refunded_gas,
};
use crate::demo::chain::{EthereumTx, UnlistedToken};
use crate::demo::ledger::{
    CommittedBlock, EvmReceipts, EvmTraces,
    common::{
        catalogue::FEE_TOKEN,
        record::{BlockRecord, PartyId, SignMode, TokenId, TxRecord},
        render::{Render, RenderView, event_writer::EventWriter},
        state::LedgerState,
        world::{PartyRole, World},
    },
    json::Json,
};
use crate::domain::{Address, Amount};
use crate::events::names::GAS_REFUND;

pub(crate) use self::{calls::nft_word, nft::decimal_id, receipt::chain_id};

impl Render for Evm {
    fn kind(message: &VmMessage) -> &'static str {
        match message {
            VmMessage::Call { .. } => "/minievm.evm.v1.MsgCall",
            VmMessage::Create { salt: None, .. } => "/minievm.evm.v1.MsgCreate",
            VmMessage::Create { salt: Some(_), .. } => "/minievm.evm.v1.MsgCreate2",
        }
    }

    fn sender(message: &VmMessage) -> PartyId {
        match message {
            VmMessage::Call { sender, .. } | VmMessage::Create { sender, .. } => *sender,
        }
    }

    fn fields(view: &RenderView<'_>, json: &mut Json, message: &VmMessage) {
        match message {
            VmMessage::Call { sender, call } => {
                let request = calls::request(view, *sender, call);
                json.field("sender", &view.party(*sender).bech32).field("contract_addr", &request.contract.hex);
                json.field("input", &request.input).number("value", request.value);
            }
            VmMessage::Create { sender, nonce, salt } => {
                let owner = view.party(*sender);
                let code = calls::init_code(owner, *nonce);
                json.field("sender", &owner.bech32).field("code", &hex::encode_prefixed(code));
                if let Some(salt) = salt {
                    json.number("salt", salt);
                }
                json.number("value", 0);
            }
        }
        json.value("access_list", "[]");
    }

    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &VmMessage) -> Vec<u8> {
        match message {
            VmMessage::Call { sender, call } => calls::call(view, events, *sender, call),
            VmMessage::Create { sender, nonce, salt } => calls::create(view, events, *sender, *nonce, *salt),
        }
    }

    fn failure(_view: &RenderView<'_>, tx: &TxRecord<Self>, failure: VmFailure) -> (u32, &'static str, String) {
        match failure {
            VmFailure::Reverted(RevertReason::Reason(reason)) => (23, "evm", format!("revert: {reason}: Reverted")),
            VmFailure::Reverted(RevertReason::Custom) => (23, "evm", "Reverted".to_owned()),
            VmFailure::CallFailed(stop) => (3, "evm", format!("{}: EVMCall failed", stop.text())),
            VmFailure::CreateFailed(stop) => (4, "evm", format!("{}: EVMCreate failed", stop.text())),
            VmFailure::IntrinsicGas => {
                let have = tx.gas_wanted;
                (1, "undefined", format!("intrinsic gas too low: have {have}, want {}", have + 1_212))
            }
            VmFailure::NotSupported => {
                (1, "undefined", "rpc error: code = Unimplemented desc = not supported".to_owned())
            }
            VmFailure::BadInput => (6, "evm", "hex string of odd length: Invalid hex string".to_owned()),
        }
    }

    fn params(view: &RenderView<'_>, json: &mut Json) {
        json.value("extra_eips", "[]").value("allowed_publishers", "[]").value("allow_custom_erc20", "true");
        json.value("allowed_custom_erc20s", "[]").field("fee_denom", view.denom(TokenId(FEE_TOKEN)));
        json.field("gas_refund_ratio", "0.500000000000000000").field("num_retain_block_hashes", "256");
        json.value("gas_enforcement", "null");
    }

    fn ethereum_counts(view: &RenderView<'_>, txs: &[TxRecord<Self>]) -> (u64, u64) {
        (receipt::count(txs), trace::count(view, txs))
    }

    fn receipts(view: &RenderView<'_>, block: &CommittedBlock, record: &BlockRecord<Self>) -> Option<EvmReceipts> {
        Some(receipt::receipts(view, block, record))
    }

    fn traces(view: &RenderView<'_>, record: &BlockRecord<Self>) -> Option<EvmTraces> {
        Some(trace::traces(view, record))
    }

    fn unlisted_token(world: &World, state: &LedgerState, contract: &Address) -> Option<UnlistedToken> {
        let (name, symbol, decimals) = UNLISTED;
        let is_its = world.party(world.token(UNLISTED_TOKEN).contract).address == *contract;
        let supply = Amount::from(state.supply(UNLISTED_TOKEN));
        is_its.then_some(UnlistedToken { name, symbol, decimals, supply })
    }

    fn unlisted_balance(_: &World, state: &LedgerState, _: &Address, party: PartyId) -> u128 {
        state.balance(UNLISTED_TOKEN, party)
    }

    fn ethereum_txs(
        view: &RenderView<'_>,
        block: &CommittedBlock,
        record: &BlockRecord<Self>,
    ) -> Option<Vec<EthereumTx>> {
        Some(receipt::ethereum_txs(view, block, record))
    }

    /// Returns the gas prices that Ethereum wallets write into the memo.
    fn memo(tx: &TxRecord<Self>) -> String {
        if tx.style != SignMode::Ethereum {
            return tx.note.text().to_owned();
        }
        let gas = tx.gas_wanted;
        format!(r#"{{"type":2,"gas_fee_cap":{GAS_PRICE},"gas_tip_cap":{TIP},"gas_limit":{gas}}}"#)
    }

    /// Writes the gas refund of an Ethereum transaction: a call of the fee token's contract, without bank events.
    fn after(view: &RenderView<'_>, events: &mut EventWriter, tx: &TxRecord<Self>) {
        if tx.style != SignMode::Ethereum {
            return;
        }
        let gas = refunded_gas(tx);
        let amount = u128::from(gas) * gas_price(tx);
        let token = view.contract(TokenId(FEE_TOKEN));
        let coins = view.coin(TokenId(FEE_TOKEN), amount);
        events.emit(GAS_REFUND, vec![("gas", gas.to_string()), ("coins", coins)]);
        logs::call(events, token, &[]);
        let (from, to) = (view.role(PartyRole::FeeCollector), view.party(tx.signer));
        logs::logs(events, &[AbiLog::transfer(token, from.word(), to.word(), amount)]);
    }
}
