use std::cell::RefCell;

use super::{
    super::{
        AddressArgument, CommandError, DemoClaimArguments, DemoSendArguments, MsgsArguments, output::CommandOutput,
        table::TableCell,
    },
    Router, files, link,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
    signing::CommandSigning,
    trust::ChosenNetwork,
    unsigned,
};
use crate::{
    client::endpoints,
    domain::{
        ChainId, Timestamp,
        text::{clean, count, group_digits},
    },
    signing::AcceptedQuote,
    wire::{
        Verbatim,
        router::{Broadcast, BroadcastRequest, MsgsRequest, MsgsResponse, Route, RouterTx, RouterTxKind, TrackRequest},
    },
};

/// Maximum columns of a router's warning.
pub(super) const LONGEST: usize = 1000;

/// Requests the messages of a route and prints them.
pub(super) async fn run(
    arguments: &MsgsArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let is_input = |path: &std::path::Path| path == std::path::Path::new("-");
    if is_input(&arguments.route) && arguments.signed_op_hook.as_deref().is_some_and(is_input) {
        return Err(CommandError::Usage("only one of --route and --signed-op-hook can be standard input".to_owned()));
    }
    let Verbatim { value: route, raw } = files::answer::<Route>(&arguments.route, "route")?;
    let signed_op_hook = arguments.signed_op_hook.as_deref().map(files::signed_hook).transpose()?;
    if route.required_op_hook && signed_op_hook.is_none() {
        let advice = "this route requires a signed hook: sign the output of `rollscope op-hook`, and give it with \
         --signed-op-hook FILE";
        return Err(CommandError::Usage(advice.to_owned()));
    }
    if arguments.link {
        link::say(&route, output);
    }
    let quoted = route.clone();
    let request = MsgsRequest {
        address_list: address_list(&route.required_chain_addresses, &arguments.addresses)?,
        amount_in: route.amount_in,
        amount_out: route.amount_out,
        source_asset_chain_id: route.source_asset_chain_id,
        source_asset_denom: route.source_asset_denom,
        dest_asset_chain_id: route.dest_asset_chain_id,
        dest_asset_denom: route.dest_asset_denom,
        operations: route.operations,
        slippage_tolerance_percent: arguments.slippage.to_string(),
        estimated_amount_out: route.estimated_amount_out,
        signed_op_hook,
    };
    let body = router.raw(endpoints::msgs(&request)).await?;
    let chosen = ChosenNetwork::find(router).await;
    let known = chosen.known_contracts(&arguments.trust, &signed_on(&body, arguments.tx)?).await?;
    let reported = chosen.reported_units(&quoted, &known).await;
    let known = known.with_reported_decimals(reported.decimals());
    let quote = AcceptedQuote {
        route: &quoted,
        addresses: &request.address_list,
        slippage: arguments.slippage,
        hook: request.signed_op_hook.as_ref(),
        known: &known,
        now: Timestamp::now(),
    };
    if arguments.sign {
        let signing = CommandSigning {
            quote,
            route: &raw,
            request: &request,
            only: arguments.tx,
            chosen: &chosen,
            reported: &reported,
            accepted_doubts: RefCell::new([&*arguments.accepted_connections, &*arguments.accepted].concat()),
            accepts_wait: arguments.accept_wait,
            accepted_fees: &arguments.accepted_fees,
        };
        return signing.run(&body, router, output).await;
    }
    if let Some(folder) = &arguments.unsigned {
        unsigned::write(folder, &quote, &body, (router, &chosen, &reported)).await?;
    } else if let Ok(answer) = serde_json::from_slice(&body)
        && let Err(refusal) = quote.compare(&answer)
    {
        let what = if refusal.is_unknown() { "cannot be compared with" } else { "are not those of" };
        eprintln!("these messages {what} the route: {}", clean(&refusal.to_string()));
    }
    print::<MsgsResponse>(&body, router, output).await
}

/// Returns the chains of the transactions to sign: of all transactions, or of the transaction with index `only`.
fn signed_on(body: &[u8], only: Option<u32>) -> Result<Vec<ChainId>, CommandError> {
    let answer: MsgsResponse = serde_json::from_slice(body).map_err(CommandError::failed)?;
    let is_signed = |place: usize| only.is_none_or(|only| only as usize == place);
    let signed = answer.txs.iter().enumerate().filter(|(place, _)| is_signed(*place));
    Ok(signed.filter_map(|(_, tx)| tx.chain_id().cloned()).collect())
}

/// Assigns an address to each required chain, in the route's order. A chain that is required twice takes two addresses
/// in the given order, or one address for both.
fn address_list(required: &[ChainId], given: &[AddressArgument]) -> Result<Vec<String>, CommandError> {
    let names = || required.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if let Some(stray) = given.iter().find(|address| !required.contains(&address.chain_id)) {
        let chain = &stray.chain_id;
        return Err(CommandError::Usage(format!(
            "the route needs no address on {chain}; give addresses on: {}",
            names()
        )));
    }
    let mut list = Vec::new();
    for (place, chain) in required.iter().enumerate() {
        let before = required.iter().take(place).filter(|earlier| *earlier == chain).count();
        let mut own = given.iter().filter(|address| address.chain_id == *chain);
        let address = own.clone().nth(before).or_else(|| own.next_back());
        let missing =
            || CommandError::Usage(format!("an address on {chain} is missing: add --address {chain}=ADDRESS"));
        list.push(address.ok_or_else(missing)?.address.clone());
    }
    Ok(list)
}

/// Signs and broadcasts a transaction with the demo wallet; prints chain and hash.
pub(super) async fn send(
    arguments: &DemoSendArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let msgs = files::answer::<MsgsResponse>(&arguments.msgs, "msgs")?;
    if msgs.value.txs.get(arguments.tx as usize).is_none() {
        let count = count(msgs.value.txs.len(), "transaction");
        return Err(CommandError::Usage(format!("--tx {} does not exist: the response has {count}", arguments.tx)));
    }
    no_wallet(router).await?;
    let request = BroadcastRequest { msgs: msgs.raw, tx_index: Some(arguments.tx) };
    let body = router.raw(endpoints::demo_broadcast(&request)).await?;
    print::<Broadcast>(&body, router, output).await
}

/// Claims an OPinit withdrawal with the demo wallet; prints chain and hash of the claim.
pub(super) async fn claim(
    arguments: &DemoClaimArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    no_wallet(router).await?;
    let started = TrackRequest { tx_hash: arguments.hash.to_string(), chain_id: arguments.chain.clone() };
    let body = router.raw(endpoints::demo_claim(&started)).await?;
    print::<Broadcast>(&body, router, output).await
}

/// Fails if the router has no demo wallet.
pub(super) async fn no_wallet(router: &Router) -> Result<(), CommandError> {
    let info = router.client()?.demo().await.map_err(|error| router.failure(error))?;
    if info.is_some_and(|info| info.wallet.is_some()) {
        return Ok(());
    }
    let sentence = "this router has no demo wallet: sign with --sign, or sign and broadcast elsewhere";
    Err(CommandError::Failed(sentence.to_owned()))
}

impl BridgeAnswer for MsgsResponse {
    const CSV: &'static [&'static str] = &["tx", "kind", "chain_id", "signer_address", "msg_type_url", "msg"];

    fn csv(&self) -> Vec<Vec<String>> {
        let of = |(place, tx): (usize, &RouterTx)| -> Vec<Vec<String>> {
            let start = |kind: &str, chain: &ChainId, signer: &str| {
                vec![place.to_string(), kind.to_owned(), chain.to_string(), signer.to_owned()]
            };
            let row =
                |start: Vec<String>, kind: &str, msg: &str| [start, vec![kind.to_owned(), msg.to_owned()]].concat();
            match &tx.kind {
                RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } => msgs
                    .iter()
                    .map(|msg| {
                        row(
                            start("cosmos", chain_id, signer_address.as_received()),
                            msg.msg_type_url.as_received(),
                            msg.msg.as_received(),
                        )
                    })
                    .collect(),
                RouterTxKind::Evm { chain_id, data, signer_address, .. } => {
                    vec![row(start("evm", chain_id, signer_address.as_received()), "", data.as_received())]
                }
                RouterTxKind::Svm { chain_id, tx, signer_address } => {
                    vec![row(start("svm", chain_id, signer_address.as_received()), "", tx.as_received())]
                }
                RouterTxKind::Other(key) => {
                    vec![row(start(key.as_received(), &ChainId::new(""), ""), "", tx.raw.get())]
                }
            }
        };
        self.txs.iter().enumerate().flat_map(of).collect()
    }

    fn chains(&self) -> Vec<ChainId> {
        self.txs.iter().filter_map(|tx| tx.chain_id().cloned()).collect()
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let mut fields = Vec::new();
        if let Some(least) = self.min_amount_out {
            fields.push(("Arrives at least", TableCell::new(group_digits(&least.to_string()))));
        }
        if let Some(warning) = &self.warning {
            fields.push((
                "Warning",
                TableCell::new(format!("{}: {}", warning.kind.clipped(60), warning.message.quoted(LONGEST))),
            ));
        }
        let txs = self.txs.iter().enumerate().map(|(place, tx)| {
            let mut fields = vec![("Transaction", TableCell::new(place.to_string()))];
            describe(tx, names, &mut fields);
            style.details(&fields)
        });
        let blocks: Vec<String> = std::iter::once(style.details(&fields)).chain(txs).collect();
        blocks.join("\n").trim_start().to_owned()
    }
}

fn describe(tx: &RouterTx, names: &RouterNames, fields: &mut Vec<(&'static str, TableCell)>) {
    let mut add = |name: &'static str, text: &str| fields.push((name, TableCell::new(text)));
    match &tx.kind {
        RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } => {
            add("Chain", &names.full_chain(chain_id));
            add("Signer", signer_address.as_received());
            for msg in msgs {
                add("Type", msg.msg_type_url.as_received());
                add("Message", msg.msg.as_received());
            }
        }
        RouterTxKind::Evm { chain_id, to, value, data, approvals, signer_address } => {
            add("Chain", &names.full_chain(chain_id));
            add("Signer", signer_address.as_received());
            for approval in approvals {
                let allowed = group_digits(&approval.amount.clipped(LONGEST));
                let token = format!(
                    "{allowed} of {} for {}",
                    approval.token_contract.clipped(LONGEST),
                    approval.spender.clipped(LONGEST)
                );
                add("Approve first", &token);
            }
            add("To", to.as_received());
            add("Value", if value.is_empty() { "0" } else { value.as_received() });
            add("Data", &format!("0x{}", data.as_received().trim_start_matches("0x")));
        }
        RouterTxKind::Svm { chain_id, tx, signer_address } => {
            add("Chain", &names.full_chain(chain_id));
            add("Signer", signer_address.as_received());
            add("Transaction", tx.as_received());
        }
        RouterTxKind::Other(key) => {
            add("Kind", key.as_received());
            add("JSON", tx.raw.get());
        }
    }
}

impl BridgeAnswer for Broadcast {
    const CSV: &'static [&'static str] = &["chain_id", "tx_hash"];

    fn csv(&self) -> Vec<Vec<String>> {
        vec![vec![self.chain_id.to_string(), self.tx_hash.clone()]]
    }

    fn chains(&self) -> Vec<ChainId> {
        vec![self.chain_id.clone()]
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        style.details(&[
            ("Sent on", TableCell::new(names.full_chain(&self.chain_id))),
            ("Hash", TableCell::new(&self.tx_hash)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_put_in_the_routes_order() {
        let required: Vec<ChainId> = ["a", "b", "a"].into_iter().map(ChainId::new).collect();
        let given = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<AddressArgument>>();
        let list = |texts: &[&str]| address_list(&required, &given(texts));
        assert_eq!(list(&["b=2", "a=1", "a=3"]).unwrap(), ["1", "2", "3"]);
        assert_eq!(list(&["a=1", "b=2"]).unwrap(), ["1", "2", "1"], "one is for both");
        let missing = list(&["a=1"]).unwrap_err().to_string();
        assert_eq!(missing, "an address on b is missing: add --address b=ADDRESS");
        let stray = list(&["a=1", "b=2", "c=3"]).unwrap_err().to_string();
        assert_eq!(stray, "the route needs no address on c; give addresses on: a, b, a");
    }
}
