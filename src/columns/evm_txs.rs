use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::{
    config::Meaning,
    domain::{Target, short_address},
    wire::EvmTx,
};

pub(crate) struct EvmTxs;

impl Resource for EvmTxs {
    type Row<'a> = &'a EvmTx;

    const LISTS: &'static [List] = &[];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("result", "", ColumnHeader::new("", 1), |receipt, _| {
            if receipt.is_success() {
                CellValue::text("✓").of(Meaning::Good)
            } else {
                CellValue::text("✗").of(Meaning::Bad)
            }
        })
        .table(10),
        Column::<Self>::new(
            "transaction_hash",
            "Hash",
            ColumnHeader::new("hash", 11).of(Meaning::Link),
            |receipt, _| {
                let hash = receipt.transaction_hash;
                CellValue::tx_hash(hash.to_string(), hash.short(), Target::EvmTx(hash))
            },
        )
        .table(30)
        .csv(10),
        Column::<Self>::new("block_number", "Height", ColumnHeader::new("height", 10).right(), |receipt, _| {
            CellValue::quantity(&receipt.block_number)
        })
        .table(20)
        .csv(20),
        Column::<Self>::new("transaction_index", "Index", ColumnHeader::new("index", 6).right(), |receipt, _| {
            CellValue::quantity(&receipt.transaction_index)
        })
        .csv(30),
        Column::<Self>::new("status", "Status", ColumnHeader::new("status", 6).right(), |receipt, _| {
            CellValue::quantity(&receipt.status)
        })
        .csv(40),
        Column::<Self>::new("type", "Type", ColumnHeader::new("type", 4).right(), |receipt, _| {
            CellValue::quantity(&receipt.kind)
        })
        .csv(50),
        Column::<Self>::new("from", "From", ColumnHeader::new("from", 15), |receipt, _| CellValue::hex(&receipt.from))
            .table(40)
            .csv(60),
        Column::<Self>::new("to", "To", ColumnHeader::new("to", 15), |receipt, _| called(receipt))
            .exact(|receipt| receipt.to.as_str().into())
            .table(50)
            .csv(70),
        Column::<Self>::new("contract_address", "Deployed", ColumnHeader::new("deployed", 11), |receipt, _| {
            CellValue::hex(receipt.contract_address.as_deref().unwrap_or_default())
        })
        .csv(80),
        Column::<Self>::new("gas_used", "Gas used", ColumnHeader::new("gas", 12).right(), |receipt, _| {
            CellValue::quantity(&receipt.gas_used)
        })
        .table(60)
        .csv(90),
        Column::<Self>::new(
            "effective_gas_price",
            "Gas price charged",
            ColumnHeader::new("gas price", 14).right(),
            |receipt, _| CellValue::quantity(&receipt.effective_gas_price),
        )
        .csv(100),
        Column::<Self>::new(
            "cumulative_gas_used",
            "Cumulative gas",
            ColumnHeader::new("cumul. gas", 12).right(),
            |receipt, _| CellValue::quantity(&receipt.cumulative_gas_used),
        )
        .csv(110),
        Column::<Self>::new("logs", "Logs", ColumnHeader::new("logs", 5).right(), |receipt, _| {
            CellValue::number(receipt.logs().len() as u64)
        })
        .table(70)
        .csv(120),
    ];
}

/// Returns the called contract; for a deployment, the new contract.
fn called(receipt: &EvmTx) -> CellValue<'_> {
    match &receipt.contract_address {
        Some(contract) if receipt.to.is_empty() => {
            let short = format!("new {}", short_address(contract));
            CellValue::written(short.clone(), format!("new {contract}"), Some(short))
        }
        _ => CellValue::hex(&receipt.to),
    }
}
