//! Two rollups on one machine: what was named is what it is, and the other rollup is never taken for it.

use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient, NodeFindError, NodeInterface},
    demo::{RollupOptions, ledger::LedgerOptions},
    domain::Vm,
};
use rstest::rstest;

use super::{rollup, tried};
use crate::{
    cli::{chain::Chain, parse, program::run},
    harness::{
        chain_of,
        replay::{Answer, Seen, forward},
        rollup_of,
    },
};

/// The interfaces of the own rollup on the machine.
const OWN: [(&str, &str); 6] =
    [("a", "rpc"), ("b", "rest"), ("c", "json-rpc"), ("x", "rpc"), ("y", "rest"), ("z", "json-rpc")];

/// Where a path of the machine leads: each name of [`OWN`] to that interface of the own rollup. What is guessed first
/// from it, right below, are the other rollup's interfaces; the own ones lie below `node`, but not for x, y and z.
fn led(target: &str, own: &str, other: &str) -> Option<(String, String)> {
    let (name, below) = target.trim_start_matches('/').split_once('/').unwrap_or((target.trim_start_matches('/'), ""));
    let (name, interface) = *OWN.iter().find(|(known, _)| *known == name)?;
    // Other usual names of interfaces, which lead nowhere.
    if ["lcd", "api", "jsonrpc", "evm"].contains(&below.trim_start_matches("node/").split(['/', '?']).next()?) {
        return None;
    }
    let is_interface = |path: &str| OWN.iter().any(|(_, known)| path.split('/').next() == Some(*known));
    Some(match below.strip_prefix("node/") {
        Some(path) if is_interface(path) && name < "x" => (own.to_owned(), format!("/node/{path}")),
        Some(path) if is_interface(path) => return None,
        _ if is_interface(below) => (other.to_owned(), format!("/node/{below}")),
        _ => (own.to_owned(), format!("/node/{interface}/{below}").trim_end_matches('/').to_owned()),
    })
}

fn machine(own: String, other: String) -> Chain {
    Chain::scripted(move |seen| match led(&seen.target, &own, &other) {
        Some((server, target)) => {
            let (status, kind, body) = forward(&server, &Seen { target, ..seen.clone() });
            Answer::Full(status, vec![("content-type", kind)], body)
        }
        None => Answer::text(404, "nothing here"),
    })
}

/// The interfaces that are found from these addresses.
fn find(addresses: &NodeAddresses) -> Result<NodeAddresses, NodeFindError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let found = runtime.block_on(NodeClient::find(addresses, ClientOptions::default(), 4))?;
    Ok(found.addresses())
}

#[rstest]
#[case::of_another_machine(Vm::Wasm)]
#[case::with_one_machine_and_chain_id(Vm::Evm)]
fn a_neighbours_interface_is_never_taken(#[case] vm: Vm) {
    let (own, options) = (rollup(30), chain_of(40));
    let genesis_time = "2026-01-31T12:00:07Z".parse().expect("a fixed time");
    let ledger = LedgerOptions { vm, seed: 8, genesis_time, ..options.ledger };
    let other = rollup_of(RollupOptions { ledger, ..options });
    let machine = machine(own.url(), other.url());
    let at = |path: &str| format!("{}/{path}", machine.url());
    let named = |node: &str, rest: Option<&str>, json_rpc: Option<&str>| {
        let (rest, json_rpc) = (rest.map(at), json_rpc.map(at));
        find(&NodeAddresses { node: at(node), rest, json_rpc })
    };
    // A guess may come too late on a busy machine, but what is found is never the other's.
    let expect = |(node, rest, json_rpc): (&str, Option<&str>, Option<&str>), urls: [&str; 3]| {
        let expected = NodeAddresses { node: at(urls[0]), rest: Some(at(urls[1])), json_rpc: Some(at(urls[2])) };
        tried(|| {
            let found = named(node, rest, json_rpc).ok()?;
            assert_eq!(found.node, expected.node);
            assert!(found.rest.is_none() || found.rest == expected.rest, "{found:?}");
            assert!(found.json_rpc.is_none() || found.json_rpc == expected.json_rpc, "{found:?}");
            (found == expected).then_some(())
        });
    };
    expect(("a", None, None), ["a", "a/node/rest", "a/node/json-rpc"]);
    expect(("b", None, None), ["b/node/rpc", "b", "b/node/json-rpc"]);
    expect(("c", None, None), ["c/node/rpc", "c/node/rest", "c"]);
    expect(("x", Some("y"), Some("z")), ["x", "y", "z"]);
    expect(("b", None, Some("z")), ["b/node/rpc", "b", "z"]);
    // Where only the other's are near, the named one stands alone.
    assert_eq!(named("x", None, None), Ok(NodeAddresses { node: at("x"), rest: None, json_rpc: None }));
    for (node, interface) in [("y", NodeInterface::Rest), ("z", NodeInterface::JsonRpc)] {
        assert_eq!(named(node, None, None), Err(NodeFindError::NoRpc { url: at(node), interface }));
    }
    let refused = named("a", Some("a/rest"), None).expect_err("it is the other's");
    assert!(matches!(&refused, NodeFindError::OtherChain { interface: NodeInterface::Rest, .. }), "{refused}");
    assert!(named("a", None, Some("a/json-rpc")).is_err());
    if vm == Vm::Evm {
        let status = tried(|| {
            let ran = run(&format!("status --node {} --timeout 60s", at("b")));
            (ran.status == 0).then(|| parse(&ran.out))
        });
        assert_eq!(status["height"], 30, "the own rollup has 30 blocks, the other 40");
    }
}
