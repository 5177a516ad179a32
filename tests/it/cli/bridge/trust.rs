//! `msgs --sign` where a router names a contract that nobody knows; and what goes with a route: the hook's documents, a
//! link.

mod accepted;

use std::fs;

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{signing::SignDocument, wire::router::OpHook};
use serde_json::{Value, json};

use super::{
    Chain, Home, file, fixture, json_answer, parse, router_of,
    signing::{Signing, own_networks},
};
use crate::{harness::replay::Answer, pty::terminal::Pty};

const ME: &str = "0x294fAc7D33Ac5250DBa7f3f233766637Ac18Ff69";
const NOBLE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
const INIT: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const MESSENGER: &str = "0xBd3fa81B58Ba92a82136038B25aDec7066af3155";
const MADE_UP: &str = "0x444444444444444444444444444444444444aBCD";

/// A burn of 500 USDC by this contract, quoted and asked for.
struct Burn {
    home: Home,
    router: Chain,
    route: String,
    arguments: String,
}

impl Burn {
    fn new(contract: &str) -> Self {
        let word = |number: u64| hex::encode(U256::from(number).to_be_bytes::<32>());
        let account =
            |text: &str| hex::encode(rollscope::signing::account_of(text).map(|it| it.word()).unwrap_or_default());
        let selector = hex::encode(&keccak256("depositForBurn(uint256,uint32,bytes32,address)")[..4]);
        let data = [selector, word(500), word(4), account(NOBLE), account(USDC)].concat();
        let approval = json!({"token_contract": USDC, "spender": contract, "amount": "500"});
        let msgs = json!({"txs": [{"evm_tx": {"chain_id": "1", "to": contract, "value": "0", "data": data,
            "required_erc20_approvals": [approval], "signer_address": ME}}]});
        let route = json!({"amount_in": "500", "amount_out": "500", "source_asset_chain_id": "1",
            "source_asset_denom": USDC, "dest_asset_chain_id": "noble-1", "dest_asset_denom": "uusdc",
            "required_chain_addresses": ["1", "noble-1"], "chain_ids": ["1", "noble-1"], "txs_required": 1,
            "operations": [{"cctp_transfer": {"from_chain_id": "1", "to_chain_id": "noble-1", "denom_in": USDC,
                "denom_out": "uusdc"}, "tx_index": 0, "amount_in": "500", "amount_out": "500"}]});
        let router = router_of(vec![("/v2/fungible/msgs", Answer::json(msgs.to_string()))]);
        let home = Home::empty();
        let route = route.to_string();
        let path = file(&home, "route.json", &route);
        let url = router.url();
        let arguments = format!("msgs --route {path} --address 1={ME} --address noble-1={NOBLE} --sign --router {url}");
        Self { home, router, route, arguments }
    }

    /// With settings that name the JSON-RPC of the source chain.
    fn with_node(self, json_rpc: &str) -> Self {
        let nowhere = "http://127.0.0.1:1";
        let network = format!(
            "[[networks]]\nname = \"ethereum\"\nchain_id = \"1\"\nindexer = \"{nowhere}\"\nnode = \"{nowhere}\"\n\
             json_rpc = \"{json_rpc}\"\n"
        );
        let home = Home::with_config(&network);
        let route = file(&home, "route.json", &self.route);
        let arguments = self.arguments.replace(&file(&self.home, "route.json", &self.route), &route);
        Self { home, arguments, ..self }
    }

    /// At a terminal, where somebody can be asked.
    fn at_terminal(&self) -> Pty {
        let home = self.home.path().display().to_string();
        let config = format!("{home}/config");
        let variables = [("HOME", &*home), ("XDG_STATE_HOME", &*home), ("XDG_CONFIG_HOME", &*config)];
        let arguments: Vec<&str> = self.arguments.split_whitespace().collect();
        Pty::spawn(env!("CARGO_BIN_EXE_rollscope"), &arguments, &variables, (250, 40))
    }
}

#[test]
fn without_a_terminal_an_unknown_contract_is_refused_unless_it_is_named() {
    let burn = Burn::new(MADE_UP);
    let sentence = burn.home.run(&burn.arguments).bad(1);
    assert!(
        sentence.contains("nothing signed") && sentence.contains("rollscope does not know this contract"),
        "{sentence}"
    );
    assert!(sentence.contains(&format!("--trust 1:{MADE_UP}")) && !sentence.contains("http://127"), "{sentence}");
    let other = burn.home.run(&format!("{} --trust {MESSENGER}", burn.arguments)).bad(1);
    assert!(other.contains("rollscope does not know this contract"), "another contract was named: {other}");
    let bad = burn.home.run(&format!("{} --trust nonsense", burn.arguments)).bad(2);
    assert!(bad.contains("not an address"), "{bad}");
    let elsewhere = burn.home.run(&format!("{} --trust 8453:{MADE_UP}", burn.arguments)).bad(1);
    assert!(elsewhere.contains("rollscope does not know this contract"), "it was named on another chain: {elsewhere}");
    for named in [format!("1:{MADE_UP}"), MADE_UP.to_owned()] {
        let mut signing = Signing::start(&burn.home, &format!("{} --trust {named}", burn.arguments));
        signing.hear("one-time address in your browser to sign: ");
        signing.kill();
    }
    assert!(burn.router.targets().iter().any(|target| target == "/v2/fungible/msgs"));
}

#[test]
fn a_known_contract_needs_no_second_yes() {
    let burn = Burn::new(MESSENGER);
    let mut signing = Signing::start(&burn.home, &burn.arguments);
    signing.hear("one-time address in your browser to sign: ");
    signing.kill();
}

#[test]
fn at_a_terminal_the_end_of_the_address_is_the_second_yes() {
    let burn = Burn::new(MADE_UP);
    let mut pty = burn.at_terminal();
    pty.wait_for("UNKNOWN: 0x4444").wait_for("Type the address's last 4 characters").keys("y e s enter");
    pty.wait_for("nothing signed: you did not confirm");
    assert_eq!(pty.wait_exit(), 1);
    let mut pty = burn.at_terminal();
    // It is asked once for both that it would do.
    pty.wait_for("would be called and might take tokens")
        .wait_for("Type the address's last 4 characters")
        .keys("a b c d enter");
    pty.wait_for("one-time address in your browser to sign: ").wait_for("UNKNOWN recipient").keys("ctrl-c");
}

#[test]
fn a_hooks_document_lies_beside_its_transaction() {
    let route = fixture("route-op-deposit-required-hook-composed");
    let hook = fixture("op-hook-composed");
    let url: std::sync::Arc<std::sync::OnceLock<String>> = std::sync::Arc::default();
    let (known, answer) = (std::sync::Arc::clone(&url), hook.clone());
    let router = Chain::scripted(move |seen| {
        let path = seen.target.split('?').next().unwrap_or_default();
        let base = known.get().map(String::as_str).unwrap_or_default();
        match path {
            "/op-hook" => Answer::json(&answer),
            "/v2/info/chains" => Answer::json(
                json!({"chains": [{"chain_id": "yominet-1", "chain_type": "cosmos", "bech32_prefix": "init",
                    "rest": format!("{base}/rest")}]})
                .to_string(),
            ),
            _ if path.starts_with("/rest/cosmos/auth/v1beta1/account_info/init1") => {
                Answer::json(json!({"info": {"account_number": "7", "sequence": "8"}}).to_string())
            }
            _ => json_answer(404, "{}"),
        }
    });
    url.set(router.url().to_owned()).expect("it was not known before");
    let home = Home::with_config(&own_networks(""));
    let route = file(&home, "route.json", &route);
    let folder = home.path().join("out");
    let ends = format!("--from-address {INIT} --to-address {INIT}");
    let arguments = format!("op-hook --route {route} {ends} --unsigned {} --router", folder.display());
    let ran = home.run(&format!("{arguments} {}", router.url()));
    assert_eq!((ran.status, ran.out), (0, format!("{hook}\n")), "{}", ran.err);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let payload: OpHook = serde_json::from_str(&hook).unwrap();
    assert_eq!(read("hook.signdoc.json"), SignDocument::of_hook(&payload, 7, 8).unwrap().text());
    let howto = read("hook.HOWTO.txt");
    assert!(howto.contains("hook.signdoc.json") && howto.contains("account 7 and sequence 8"), "{howto}");
    let order = ["tx sign hook.unsigned.json", "tx encode", "hook.signdoc.json"].map(|words| howto.find(words));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{howto}");
    let again = home.run(&format!("{arguments} {}", router.url())).bad(1);
    assert!(again.contains("the file already exists"), "{again}");
    // Where nobody says what the account is, words stand in its place.
    let silent = router_of(vec![("/op-hook", Answer::json(&hook))]);
    let other = home.path().join("other");
    let arguments = format!("op-hook --route {route} {ends} --unsigned {} --router {}", other.display(), silent.url());
    assert_eq!(home.run(&arguments).status, 0);
    let document: Value = parse(&fs::read_to_string(other.join("hook.signdoc.json")).unwrap());
    assert_eq!((&document["account_number"], &document["sequence"]), (&json!("ACCOUNT_NUMBER"), &json!("SEQUENCE")));
    assert_eq!(document["msgs"], parse(&read("hook.signdoc.json"))["msgs"]);
}

#[test]
fn a_link_is_said_beside_the_answer_and_its_code_is_read_back() {
    let body = fixture("route-op-deposit-required-hook-composed");
    let router = router_of(vec![("/v2/fungible/route", Answer::json(&body))]);
    let home = Home::empty();
    let ran = home.run(&format!("{} --link --router {}", super::asking(&body), router.url()));
    let link = "https://go.skip.build/?src_chain=interwoven-1&src_asset=uinit&dest_chain=yominet-1&dest_asset=evm%2F856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96";
    assert_eq!((ran.status, ran.out, ran.err.trim_end()), (0, format!("{body}\n"), link));
    let code = rollscope::domain::QrMatrix::new(link).unwrap();
    assert_eq!(crate::harness::qr::read(&code.text(false)), [link]);
    let colored = code.text(true);
    assert!(colored.lines().all(|line| line.starts_with("\u{1b}[38;5;231;48;5;16m") && line.ends_with("\u{1b}[0m")));
}
