use super::{CellValue, Column, ColumnHeader, List, Resource};
use crate::{config::Meaning, domain::text::Foreign, wire::InternalTx};

pub(crate) struct InternalTxs;

impl Resource for InternalTxs {
    type Row<'a> = &'a InternalTx;

    const LISTS: &'static [List] = &[];
    const COLUMNS: &'static [Column<Self>] = &[
        Column::<Self>::new("height", "Height", ColumnHeader::new("height", 10).right(), |frame, _| {
            CellValue::number(frame.height.get())
        })
        .table(10)
        .csv(10),
        Column::<Self>::new("hash", "Hash", ColumnHeader::new("hash", 11).of(Meaning::Link), |frame, _| {
            CellValue::hash(frame.hash.to_string(), frame.hash.short())
        })
        .table(20)
        .csv(20),
        Column::<Self>::new("index", "Index", ColumnHeader::new("index", 6).right(), |frame, _| {
            CellValue::text(frame.index.to_string())
        })
        .exact_number(|frame| frame.index.to_string().into())
        .table(30)
        .csv(30),
        Column::<Self>::new("parent_index", "Parent", ColumnHeader::new("parent", 6).right(), |frame, _| {
            CellValue::text(if frame.parent_index < 0 { String::new() } else { frame.parent_index.to_string() })
        })
        .exact_number(|frame| frame.parent_index.to_string().into())
        .table(40)
        .csv(40),
        Column::<Self>::new("type", "Type", ColumnHeader::new("type", 12).of(Meaning::Kind), |frame, _| {
            CellValue::text(&frame.kind)
        })
        .table(50)
        .csv(50),
        Column::<Self>::new("from", "From", ColumnHeader::new("from", 15), |frame, _| CellValue::hex(&frame.from))
            .table(60)
            .csv(60),
        Column::<Self>::new("to", "To", ColumnHeader::new("to", 15), |frame, _| CellValue::hex(&frame.to))
            .table(70)
            .csv(70),
        Column::<Self>::new("value", "Value", ColumnHeader::new("value", 20).right(), |frame, _| {
            // What moved no coins is no payment.
            frame.moved().map_or_else(|| CellValue::text(""), |_| CellValue::quantity(&frame.value))
        })
        .table(80)
        .csv(80),
        Column::<Self>::new("gas", "Gas limit", ColumnHeader::new("gas limit", 12).right(), |frame, _| {
            CellValue::quantity(&frame.gas)
        })
        .csv(90),
        Column::<Self>::new("gas_used", "Gas used", ColumnHeader::new("gas", 12).right(), |frame, _| {
            CellValue::quantity(&frame.gas_used)
        })
        .table(90)
        .csv(100),
        Column::<Self>::new("input", "Input", ColumnHeader::new("input", 24), |frame, _| CellValue::data(&frame.input))
            .table(100)
            .csv(110),
        Column::<Self>::new("output", "Output", ColumnHeader::new("output", 24), |frame, _| {
            CellValue::data(&frame.output)
        })
        .table(110)
        .csv(120),
        Column::<Self>::new("error", "Error", ColumnHeader::new("error", 20).of(Meaning::Bad), |frame, _| {
            let undone = if frame.undone { "undone: its caller failed" } else { "" };
            CellValue::text(frame.error.as_ref().map_or(undone, Foreign::as_received))
        })
        .table(120)
        .csv(130),
    ];
}
