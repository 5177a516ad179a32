use super::{
    super::{
        CommandError, RouteArguments,
        output::CommandOutput,
        table::{Align, Heading, TableCell},
    },
    Router, link,
    messages::LONGEST,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
};
use crate::{
    client::endpoints,
    config::Meaning,
    domain::{Amount, ChainId, Denom, text::span},
    story::Names as _,
    transfers::HopProtocol,
    wire::router::{Fee, FeeBehavior, Operation, Route, RouteRequest},
};

/// Requests a route and prints it.
pub(super) async fn run(
    arguments: &RouteArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if arguments.amount.is_zero() {
        return Err(CommandError::Usage("--amount is 0: give a whole number of smallest units".into()));
    }
    let request = RouteRequest {
        amount_in: arguments.amount,
        source_asset_chain_id: arguments.from.chain_id.clone(),
        source_asset_denom: arguments.from.denom.clone(),
        dest_asset_chain_id: arguments.to.chain_id.clone(),
        dest_asset_denom: arguments.to.denom.clone(),
        allow_unsafe: Some(arguments.allow_unsafe),
        go_fast: arguments.go_fast,
        is_op_withdraw: arguments.op_withdraw.then_some(true),
        allow_multi_tx: arguments.allow_multi_tx,
    };
    let body = router.raw(endpoints::route(&request)).await?;
    // `print` reports an unreadable answer.
    if let Ok(route) = serde_json::from_slice::<Route>(&body) {
        let other = |misfit| CommandError::Failed(format!("the router answered another question: {misfit}"));
        route.check_answer(&request).map_err(other)?;
        if arguments.link {
            link::say(&route, output);
        }
    }
    print::<Route>(&body, router, output).await
}

const COLUMNS: &[Heading] = &[
    ("#", Align::Right),
    ("Over", Align::Left),
    ("From", Align::Left),
    ("To", Align::Left),
    ("Arrives in", Align::Right),
    ("Signature", Align::Right),
];

impl BridgeAnswer for Route {
    const CSV: &'static [&'static str] = &[
        "operation",
        "kind",
        "tx_index",
        "from_chain_id",
        "to_chain_id",
        "denom_in",
        "amount_in",
        "denom_out",
        "amount_out",
    ];

    fn csv(&self) -> Vec<Vec<String>> {
        let of = |(place, operation): (usize, &Operation)| {
            let chain = |chain: Option<&ChainId>| chain.map(ToString::to_string).unwrap_or_default();
            let denom = |denom: Option<&Denom>| denom.map(ToString::to_string).unwrap_or_default();
            let amount = |amount: Option<Amount>| amount.map(|amount| amount.to_string()).unwrap_or_default();
            vec![
                place.to_string(),
                operation.kind.to_string(),
                operation.tx_index.to_string(),
                chain(operation.from_chain()),
                chain(operation.to_chain()),
                denom(operation.denom_in()),
                amount(operation.amount_in),
                denom(operation.denom_out()),
                amount(operation.amount_out),
            ]
        };
        self.operations.iter().enumerate().map(of).collect()
    }

    fn chains(&self) -> Vec<ChainId> {
        let ends = [&self.source_asset_chain_id, &self.dest_asset_chain_id];
        let fees = self.estimated_fees.iter().filter_map(|fee| fee.origin_asset.as_ref()).map(|asset| &asset.chain_id);
        ends.into_iter().chain(&self.chain_ids).chain(fees).cloned().collect()
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let end = |chain: &ChainId, denom: &Denom, amount: Amount| {
            TableCell::new(format!("{} on {}", names.amount(chain, denom, amount), names.full_chain(chain)))
        };
        let mut fields = vec![
            ("Send", end(&self.source_asset_chain_id, &self.source_asset_denom, self.amount_in)),
            ("Get", end(&self.dest_asset_chain_id, &self.dest_asset_denom, self.amount_out)),
            (
                "Takes",
                TableCell::new(
                    self.seconds().map_or_else(|| "unknown".to_owned(), |seconds| format!("about {}", span(seconds))),
                ),
            ),
            ("Signatures", TableCell::new(self.txs_count().to_string())),
        ];
        let dollars = |text: &str| if text.is_empty() { "unknown".to_owned() } else { format!("${text}") };
        if !(self.usd_amount_in.is_empty() && self.usd_amount_out.is_empty()) {
            let worth = format!("{} → {}", dollars(&self.usd_amount_in), dollars(&self.usd_amount_out));
            fields.push(("Worth", TableCell::new(worth)));
        }
        if !self.swap_price_impact_percent.is_empty() {
            fields.push(("Price impact", TableCell::new(format!("{} %", self.swap_price_impact_percent))));
        }
        fields.extend(self.estimated_fees.iter().map(|fee| ("Fee", TableCell::new(fee_text(fee, names)))));
        let warning = self
            .warning
            .iter()
            .map(|warning| format!("{}: {}", warning.kind.clipped(60), warning.message.quoted(LONGEST)));
        let warnings = warning.chain(self.extra_warnings.iter().map(|text| text.quoted(LONGEST)));
        fields.extend(warnings.map(|text| ("Warning", TableCell::new(text).meaning(Meaning::Bad))));
        fields.extend(self.extra_infos.iter().map(|text| ("Note", TableCell::new(text.quoted(LONGEST)))));
        let needed: Vec<String> = self.required_chain_addresses.iter().map(ToString::to_string).collect();
        fields.push(("Addresses", TableCell::new(needed.join(", "))));
        if self.required_op_hook {
            fields.push(("Hook", TableCell::new("required: rollscope op-hook shows the hook to sign")));
        }
        let rows: Vec<Vec<TableCell>> =
            self.operations.iter().enumerate().map(|(place, operation)| step(place, operation, names)).collect();
        format!("{}\n{}", style.details(&fields), style.rows(COLUMNS, &rows))
    }
}

fn step(place: usize, operation: &Operation, names: &RouterNames) -> Vec<TableCell> {
    let chain = |chain: Option<&ChainId>| TableCell::new(chain.map(|chain| names.chain(chain)).unwrap_or_default());
    let amount = match (operation.to_chain(), operation.denom_out(), operation.amount_out) {
        (Some(chain), Some(denom), Some(amount)) => names.amount(chain, denom, amount),
        _ => String::new(),
    };
    vec![
        TableCell::new((place + 1).to_string()),
        TableCell::new(HopProtocol::of_operation(operation).to_string()),
        chain(operation.from_chain()),
        chain(operation.to_chain()),
        TableCell::new(amount),
        TableCell::new(operation.tx_index.saturating_add(1).to_string()),
    ]
}

/// Formats a fee: `RELAY 0.5 USDC, deducted on the way`.
fn fee_text(fee: &Fee, names: &RouterNames) -> String {
    let amount = match (&fee.origin_asset, fee.amount) {
        (Some(asset), Some(amount)) => names.amount(&asset.chain_id, &asset.denom, amount),
        (None, Some(amount)) => amount.to_string(),
        (_, None) => "of an unknown amount".to_owned(),
    };
    let how = match fee.behavior() {
        FeeBehavior::Deducted => "deducted on the way",
        FeeBehavior::Additional => "paid on top",
        FeeBehavior::Other(_) => "unknown whether deducted",
    };
    let kind = if fee.fee_type.is_empty() { &fee.bridge_id } else { &fee.fee_type };
    format!("{} {amount}, {how}", kind.clipped(40)).trim_start().to_owned()
}
