use serde::Deserialize;

use super::{
    super::{CommandError, DemoSignArguments, OpHookArguments, output::CommandOutput, table::TableCell},
    Router, files,
    messages::no_wallet,
    print::{BridgeAnswer, OutputStyle, print},
    router_names::RouterNames,
    signing,
    trust::ChosenNetwork,
    unsigned,
};
use crate::{
    client::endpoints,
    domain::{ChainId, Slippage, Timestamp},
    signing::AcceptedQuote,
    wire::router::{OpHook, OpHookRequest, Route},
};

/// Requests the hook of a route and prints it.
pub(super) async fn run(
    arguments: &OpHookArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let route = files::answer::<Route>(&arguments.route, "route")?.value;
    let quoted = route.clone();
    let request = OpHookRequest {
        source_address: arguments.from_address.clone(),
        source_asset_chain_id: route.source_asset_chain_id.clone(),
        source_asset_denom: route.source_asset_denom.clone(),
        dest_address: arguments.to_address.clone(),
        dest_asset_chain_id: route.dest_asset_chain_id.clone(),
        dest_asset_denom: route.dest_asset_denom.clone(),
    };
    let body = router.raw(endpoints::op_hook(&request)).await?;
    // The next step rejects an invalid hook.
    let hook_chain = serde_json::from_slice::<OpHook>(&body).ok().map(|hook| hook.chain_id);
    let chosen = ChosenNetwork::find(router).await;
    let known = chosen.known_contracts(&arguments.trust, hook_chain.as_slice()).await?;
    let reported = chosen.reported_units(&quoted, &known).await;
    let addresses = std::slice::from_ref(&arguments.to_address);
    let (slippage, now) = (Slippage::DEFAULT, Timestamp::now());
    let quote = AcceptedQuote { route: &quoted, addresses, slippage, hook: None, known: &known, now };
    if let Some(folder) = &arguments.unsigned {
        unsigned::write_hook(folder, &quote, &body, (router, &chosen)).await?;
    }
    if arguments.sign {
        return signing::run_hook(&quote, &body, (router, &chosen, &reported, &arguments.accepted), output).await;
    }
    print::<OpHook>(&body, router, output).await
}

/// Signs a hook with the demo wallet and prints it.
pub(super) async fn sign(
    arguments: &DemoSignArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let hook = files::json(&arguments.hook, "op-hook")?;
    no_wallet(router).await?;
    let body = router.raw(endpoints::demo_sign(&hook)).await?;
    print::<ShownSignedHook>(&body, router, output).await
}

impl BridgeAnswer for OpHook {
    const CSV: &'static [&'static str] = &["chain_id", "msg_type_url", "msg"];

    fn csv(&self) -> Vec<Vec<String>> {
        let of = |message: &crate::wire::router::HookMessage| {
            vec![
                self.chain_id.to_string(),
                message.msg_type_url.as_received().to_owned(),
                message.msg.as_received().to_owned(),
            ]
        };
        self.hook.iter().map(of).collect()
    }

    fn chains(&self) -> Vec<ChainId> {
        vec![self.chain_id.clone()]
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let mut fields = vec![("Sign for", TableCell::new(names.full_chain(&self.chain_id)))];
        for message in &self.hook {
            fields.push(("Type", TableCell::new(message.msg_type_url.as_received())));
            fields.push(("Message", TableCell::new(message.msg.as_received())));
        }
        style.details(&fields)
    }
}

/// Signed hook for display; JSON output has it as received.
#[derive(Deserialize)]
pub(super) struct ShownSignedHook {
    signer: String,
    hook: String,
}

impl BridgeAnswer for ShownSignedHook {
    const CSV: &'static [&'static str] = &["signer", "hook"];

    fn csv(&self) -> Vec<Vec<String>> {
        vec![vec![self.signer.clone(), self.hook.clone()]]
    }

    fn table(&self, _: &RouterNames, style: OutputStyle) -> String {
        style.details(&[("Signer", TableCell::new(&self.signer)), ("Hook", TableCell::new(&self.hook))])
    }
}
