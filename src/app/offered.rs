//! The dialog on a network that a link or a file describes: its servers are examined before it can be opened.

use super::{
    App,
    context::Context,
    effect::NetworkSwitch,
    kept_name::KeptName,
    modal::Modal,
    prompt::{Pick, PickChoice, PickPurpose, Prompt, pick_network},
};
use crate::{
    config::{Networks, OfferedNetwork, OfferedNetworkError},
    domain::{
        LocalZone,
        text::{self, clean, group},
    },
    msg::{Slot, ask},
    wire::{ServerInterface, ServerReport, ServerReports, ServerUrls},
};

/// Asks for another network, with this text typed; examines the servers of a link or a file first.
pub(super) fn use_network(app: &mut App, typed: &str) {
    if let Some(offered) = OfferedNetwork::of_link(typed) {
        return offer(app, typed, offered);
    }
    if OfferedNetwork::is_file(typed) {
        let path = typed.to_owned();
        return app.requests.fetch(Slot::OfferedNetwork, ask::file(typed.into()), move |app, result| match result {
            Ok(content) => offer(app, &path, OfferedNetwork::of_chain_file(&content)),
            Err(error) => app.toasts.refuse(error.to_string()),
        });
    }
    let kept: Vec<PickChoice> = kept_networks(&app.context).map(|kept| kept_choice(kept, &app.context.zone)).collect();
    let has_kept = !kept.is_empty();
    let mut pick = pick_network(&app.context.directory.networks, kept, &app.context.network, typed);
    if has_kept {
        pick.notes.push("kept networks return as you left them; the others open new".to_owned());
    }
    let live = app.context.transfers.live();
    if live > 0 {
        pick.notes.push(format!("{}: tracking pauses until you return", text::count(live, "live transfer")));
    }
    app.open_modal(Modal::Prompt(Prompt::Pick(pick)));
    app.modal_typed();
}

/// Returns the networks that are still kept.
fn kept_networks(context: &Context) -> impl Iterator<Item = &KeptName> {
    context.kept_networks.iter().filter(|kept| kept.until > context.now)
}

fn kept_choice(kept: &KeptName, zone: &LocalZone) -> PickChoice {
    let paused = match kept.transfers {
        0 => String::new(),
        live => format!(" · {}, paused", text::count(live, "live transfer")),
    };
    let detail = format!("kept until {}{paused}", zone.clock(kept.until));
    PickChoice { label: clean(&kept.label).into_owned(), detail, value: kept.name.clone() }
}

/// Whether a text describes a network, so that its servers are examined before it is opened; those of a kept network
/// were.
pub(super) fn is_description(app: &App, text: &str) -> bool {
    let is_kept = kept_networks(&app.context).any(|kept| kept.name == text);
    !is_kept && (OfferedNetwork::of_link(text).is_some() || OfferedNetwork::is_file(text))
}

fn offer(app: &mut App, text: &str, offered: Result<OfferedNetwork, OfferedNetworkError>) {
    let offered = match offered {
        Ok(offered) => offered,
        Err(error) => return app.toasts.refuse(error.to_string()),
    };
    let node = offered.node.clone().unwrap_or_default();
    let urls = ServerUrls {
        indexer: offered.indexer.clone(),
        node: offered.node.as_ref().map(|node| node.node.clone()),
        rest: node.rest,
        json_rpc: node.json_rpc,
    };
    let pick = pick_offered(&offered, &urls, &app.context.directory.networks, text);
    app.open_modal(Modal::Prompt(Prompt::Pick(pick)));
    app.requests.fetch(Slot::OfferedNetwork, ask::servers(urls), move |app, result| {
        if let Some(Modal::Prompt(Prompt::Pick(pick))) = &mut app.modal
            && pick.purpose == PickPurpose::OfferedNetwork
        {
            match result {
                Ok(found) => take_reports(pick, &found, &offered.chain_id),
                Err(error) => pick.refusal = Some(error.to_string()),
            }
            app.needs_redraw = true;
        }
    });
}

fn row(label: &str, detail: &str, text: &str) -> PickChoice {
    PickChoice { label: label.to_owned(), detail: clean(detail).into_owned(), value: text.to_owned() }
}

/// Label of the row with the chain id.
const CHAIN: &str = "chain id";
/// Start of the value of the row that also keeps the network. Nobody types into that dialog.
const KEPT: &str = "keep ";

/// Returns the switch to the network of a row: a typed one is never kept.
pub(super) fn switch_of(purpose: PickPurpose, value: &str) -> NetworkSwitch {
    let kept = value.strip_prefix(KEPT).filter(|_| purpose == PickPurpose::OfferedNetwork);
    NetworkSwitch { network: kept.unwrap_or(value).to_owned(), is_kept: kept.is_some() }
}

fn pick_offered(offered: &OfferedNetwork, urls: &ServerUrls, networks: &Networks, text: &str) -> Pick {
    let servers = [
        (ServerInterface::Indexer, &urls.indexer),
        (ServerInterface::Rpc, &urls.node),
        (ServerInterface::Rest, &urls.rest),
        (ServerInterface::JsonRpc, &urls.json_rpc),
    ];
    let asked = |(interface, url): (ServerInterface, &Option<String>)| {
        url.as_ref().map(|url| row(interface.name(), &format!("  asking {url}"), text))
    };
    let mut rows = vec![row(CHAIN, &format!("  {}, unproven", offered.chain_id), text)];
    rows.extend(servers.into_iter().filter_map(asked));
    if let Ok(known) = networks.find(&offered.chain_id)
        && !offered.network().has_servers_of(known)
    {
        rows.push(row("registry", &format!("! {} has this chain id and other servers", known.name), text));
    }
    let mut pick = Pick::new(PickPurpose::OfferedNetwork, "Network by a link or file", rows, "");
    pick.picker = pick.picker.menu();
    pick.refusal = Some("asking its servers".to_owned());
    pick
}

/// Shows what the servers answered. The network can be opened only if all of them serve the chain that was named.
fn take_reports(pick: &mut Pick, found: &ServerReports, chain_id: &str) {
    for report in &found.reports {
        let text = detail(report);
        let mut is_shown = false;
        pick.picker.change(|row| {
            if row.label == report.interface.name() {
                row.detail.clone_from(&text);
                is_shown = true;
            }
        });
        if !is_shown && report.result.is_ok() {
            let value = pick.picker.choices().first().map(|row| row.value.clone()).unwrap_or_default();
            pick.picker.insert(1, row(report.interface.name(), &text, &value));
        }
    }
    let proven = match found.chain_id() {
        Ok(served) if served == chain_id => Ok(format!("✓ {chain_id}, by each server")),
        Ok(served) => Err(format!("the servers serve {}, not {chain_id}: the link or file is wrong", clean(served))),
        Err(failure) => Err(failure),
    };
    pick.picker.change(|row| {
        if row.label == CHAIN {
            row.detail = proven.clone().unwrap_or_else(|_| format!("✗ {chain_id}, unproven"));
        }
    });
    let link = pick.picker.choices().first().map(|row| row.value.clone()).filter(|_| proven.is_ok());
    if let Some(link) = link {
        let keeping = row("keep", "  open it, and keep URLs and chain id in config.toml", &format!("{KEPT}{link}"));
        pick.picker.insert(pick.picker.choices().len(), keeping);
    }
    pick.refusal = proven.err();
}

fn detail(report: &ServerReport) -> String {
    let text = match &report.result {
        Ok(answer) => format!("✓ {} · height {} · {} ms", report.url, group(answer.height), group(answer.milliseconds)),
        Err(failure) => format!("✗ {failure}"),
    };
    clean(&text).into_owned()
}
