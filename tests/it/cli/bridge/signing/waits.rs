//! The wait of an optimistic withdrawal: told before signing, and accepted by a yes or its own flag.

use serde_json::json;

use super::{AtNode, Signing, TestKey, World};
use crate::cli::{bridge::file, program::Home};

const BRIDGE: &str = "/opinit/ophost/v1/bridges/12";

/// What is complained of without the flag: nothing is offered.
fn refused(world: &World) -> String {
    let (status, out, err) = Signing::start(&world.home, &world.arguments.replace(" --accept-wait", "")).end();
    assert_eq!((status, out.as_str(), world.sent()), (Some(1), "", 0), "{err}");
    assert!(err.contains("nothing signed: the funds wait ") && !err.contains("http://127.0.0.1"), "{err}");
    assert!(
        err.contains("; then you claim the funds on Initia: a second signature, with a fee on that chain;"),
        "{err}"
    );
    assert!(err.contains("to accept this, add --accept-wait"), "{err}");
    err
}

#[test]
fn a_withdrawal_says_how_long_it_waits_before_it_is_signed() {
    let world = World::new(&TestKey::new(41), AtNode::Takes);
    let err = refused(&world);
    assert!(
        err.contains("the funds wait about 7 d, until about 20") && err.contains("by the router's estimate"),
        "{err}"
    );
    let mut signing = world.start();
    signing.hear("Wait      about 7 d, until about 20");
    signing.hear("Then      you claim the funds on Initia: a second signature, with a fee on that chain");
    signing.kill();
}

#[test]
fn the_l1_that_the_person_names_tells_the_challenge_period_whatever_the_router_says() {
    let period = json!({"bridge_config": {"finalization_period": "1209600s"}});
    let mut world = World::new(&TestKey::new(41), AtNode::Tells(vec![(BRIDGE, period)]));
    let l1 = format!("[[networks]]\nname = \"initia\"\nnode = \"{0}\"\nrest = \"{0}\"\n", world.chain.url());
    world.home = Home::with_config(&l1);
    let route = file(&world.home, "route.json", &super::fixture("route-op-withdraw-composed"));
    let rest = world.arguments.split_once(" --address").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    world.arguments = format!("msgs --route {route} --address{rest}");
    let err = refused(&world);
    assert!(
        err.contains("the funds wait at least 14 d, until 20") && err.contains("or later (challenge period)"),
        "{err}"
    );
}
