//! Fees that a router, or a node that it names, makes too high: a second yes, or a refusal.

use serde_json::{Value, json};

use super::{AtNode, FEE_DENOM, Signing, TestKey, World, own_networks};
use crate::{
    cli::{bridge::file, program::Home},
    pty::terminal::{Output, Pty},
};

const SIMULATE: &str = "/rest/cosmos/tx/v1beta1/simulate";
/// The usual fee of a withdrawal: 210,000 gas at 0.015.
const USUAL: &str = "3150";

fn using(gas: &str) -> Vec<(&'static str, Value)> {
    vec![(SIMULATE, json!({"gas_info": {"gas_used": gas}}))]
}

fn world(seed: u8, answers: Vec<(&'static str, Value)>) -> World {
    World::new(&TestKey::new(seed), AtNode::Tells(answers))
}

/// What is complained of when nobody can be asked; nothing is sent, kept or offered.
fn refused(world: &World, more: &str) -> String {
    let (status, out, err) = Signing::start(&world.home, &format!("{} {more}", world.arguments)).end();
    assert_eq!((status, out.as_str(), world.sent()), (Some(1), "", 0), "{err}");
    assert!(err.contains("nothing signed") && !err.contains("Withdraw 40"), "{err}");
    err
}

#[test]
fn a_fee_far_above_the_usual_one_needs_a_yes_or_its_own_flag() {
    let world = world(34, using("2000000"));
    let err = refused(&world, "");
    let fee = format!("42000{FEE_DENOM}");
    assert!(
        err.contains(&format!("({fee}), over 5 times the usual {USUAL}{FEE_DENOM}: confirm at a terminal")),
        "{err}"
    );
    assert!(err.contains(&format!("or add --accept-fee {fee}")), "{err}");
    for other in [format!("41999{FEE_DENOM}"), "42000uinit".to_owned()] {
        refused(&world, &format!("--accept-fee {other}"));
    }
    let mut signing =
        Signing::start(&world.home, &format!("{} --accept-fee 1uinit --accept-fee {fee}", world.arguments));
    signing.hear("Withdraw 40");
    signing.kill();
}

#[test]
fn at_a_terminal_yes_is_the_second_yes_to_a_dear_fee() {
    let world = world(34, using("2000000"));
    let home = world.home.path().display().to_string();
    let state = world.home.path().join("state").display().to_string();
    let config = world.home.path().join("config").display().to_string();
    let start = || {
        let arguments: Vec<&str> = world.arguments.split_whitespace().collect();
        let variables =
            [("HOME", home.as_str()), ("XDG_STATE_HOME", state.as_str()), ("XDG_CONFIG_HOME", config.as_str())];
        let mut pty = Pty::spawn(env!("CARGO_BIN_EXE_rollscope"), &arguments, &variables, (250, 40));
        pty.wait_for("type yes to continue");
        assert!(pty.read(Output::screen).contains("over 5 times the usual"));
        pty
    };
    for no in ["y enter", "n o enter", "enter"] {
        let mut pty = start();
        pty.keys(no).wait_for("nothing signed");
        assert_eq!(pty.wait_exit(), 1, "{no}");
        assert!(!pty.read(Output::screen).contains("Withdraw 40"), "{no}: nothing is offered");
    }
    let mut pty = start();
    // Only now is it shown, and offered on the page.
    pty.keys("y e s enter").wait_for("Withdraw 40").keys("ctrl-c");
    assert_eq!((world.sent(), world.kept().len()), (0, 0), "nobody signed it");
}

#[test]
fn a_simulation_without_gas_is_refused_and_no_flag_helps() {
    let world = world(35, using("0"));
    let err = refused(&world, &format!("--accept-fee 1000000{FEE_DENOM}"));
    assert!(err.contains("the simulation on civitia-1 used no gas"), "{err}");
}

#[test]
fn the_routers_node_raises_the_price_within_the_bound_only() {
    let priced = |price: &str| {
        let prices = json!([{"denom": FEE_DENOM, "amount": price}, {"denom": "uusdc", "amount": "100"}]);
        vec![("/rest/opinit/opchild/v1/params", json!({"params": {"min_gas_prices": prices}}))]
    };
    for (price, fee) in [("0.03", "0.004201"), ("0.001", "0.002101")] {
        let world = world(36, priced(price));
        let mut signing = world.start();
        signing.hear(&format!("Fee       {fee} INIT for at most 140002 gas"));
        signing.kill();
    }
    let err = refused(&world(36, priced("0.15")), "");
    assert!(err.contains(&format!("(21001{FEE_DENOM}), over 5 times the usual")), "{err}");
}

#[test]
fn without_a_known_price_the_routers_needs_a_yes() {
    let mut world = world(37, Vec::new());
    world.home = Home::with_config(&own_networks("fees = []"));
    let route = file(&world.home, "route.json", &super::fixture("route-op-withdraw-composed"));
    let rest = world.arguments.split_once(" --address").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    world.arguments = format!("msgs --route {route} --address{rest}");
    let err = refused(&world, "");
    assert!(err.contains("(14000200uusdc), and only the router states the gas price of civitia-1"), "{err}");
    world.home = Home::with_config(&own_networks("fees = [{ denom = \"uinit\" }]"));
    file(&world.home, "route.json", &super::fixture("route-op-withdraw-composed"));
    let route = world.home.path().join("route.json").display().to_string();
    world.arguments = format!("msgs --route {route} --address{rest}");
    let err = refused(&world, "");
    assert!(err.contains("(14000200uusdc), but civitia-1 takes fees in uinit"), "{err}");
}
