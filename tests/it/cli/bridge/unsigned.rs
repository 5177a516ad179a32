//! `msgs --unsigned`: files for the chains' own command lines, against the embedded router and against scripted ones.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::json;

use super::{Chain, Home, file, fixture, parse, router_of};
use crate::harness::replay::Answer;

const ME: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const THIEF: &str = "init1dvl455wwqnkjs9gj5hpxqqvt3c8l8jatuqrggy";

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("the file was written")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A router that answers with these messages, and knows chains and assets.
fn router(msgs: &str) -> Chain {
    router_of(vec![
        ("/v2/fungible/msgs", Answer::json(msgs)),
        ("/v2/info/chains", Answer::json(fixture("chains-initia-composed"))),
        ("/v2/fungible/assets", Answer::json(fixture("assets-initia-composed"))),
    ])
}

struct Asked {
    home: Home,
    arguments: String,
}

impl Asked {
    fn new(route: &str, addresses: &[&str]) -> Self {
        let home = Home::empty();
        let route = file(&home, "route.json", &fixture(route));
        let addresses: String = addresses.iter().flat_map(|address| ["--address ", address, " "]).collect();
        let arguments = format!("msgs --route {route} {addresses} --unsigned {}/out", home.path().display());
        Self { home, arguments }
    }

    fn folder(&self) -> std::path::PathBuf {
        self.home.path().join("out")
    }

    fn run(&self, router: &Chain) -> crate::cli::program::Ran {
        self.home.run(&format!("{} --router {}", self.arguments, router.url()))
    }

    /// What is printed where the files were written, which is said on standard error.
    fn written(&self, router: &Chain) -> String {
        let ran = self.run(router);
        let names = names(&self.folder());
        let said: String = names.iter().flat_map(|name| ["wrote ~/out/", name, "\n"]).collect();
        let mut lines: Vec<&str> = ran.err.lines().collect();
        lines.sort_unstable();
        assert_eq!((ran.status, lines.join("\n") + "\n"), (0, said), "{ran:?}");
        ran.out
    }
}

fn withdrawal() -> Asked {
    Asked::new("route-op-withdraw-composed", &[&format!("civitia-1={ME}"), &format!("interwoven-1={ME}")])
}

#[test]
fn a_transaction_and_the_commands_for_it_are_written_once() {
    let msgs = fixture("msgs-op-withdraw-cosmos-tx-composed");
    let (asked, router) = (withdrawal(), router(&msgs));
    assert_eq!(asked.written(&router), format!("{msgs}\n"), "the messages are printed as ever");
    let folder = asked.folder();
    assert_eq!(names(&folder), ["HOWTO.txt", "made.json", "tx-1.unsigned.json"]);
    for name in names(&folder) {
        assert_eq!(fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let tx = parse(&read(&folder, "tx-1.unsigned.json"));
    let message = &tx["body"]["messages"][0];
    assert_eq!(message["@type"], "/opinit.opchild.v1.MsgInitiateTokenWithdrawal");
    assert_eq!(
        (&message["sender"], &message["to"], &message["amount"]["amount"]),
        (&json!(ME), &json!(ME), &json!("40000000"))
    );
    assert_eq!((&tx["signatures"], &tx["auth_info"]["signer_infos"]), (&json!([]), &json!([])));
    let howto = read(&folder, "HOWTO.txt");
    assert!(howto.contains(&format!("{ME} withdraws 40 INIT to {ME} on the L1.")), "{howto}");
    assert!(howto.contains(&format!("{ME} then has at least 40 INIT on Initia.")), "{howto}");
    let commands: Vec<&str> = howto.lines().map(str::trim).filter(|line| line.starts_with("minitiad")).collect();
    assert_eq!(commands.len(), 2, "{howto}");
    assert!(commands[0].starts_with("minitiad tx sign tx-1.unsigned.json --from KEY --chain-id civitia-1 --node "));
    assert!(commands[1].starts_with("minitiad tx broadcast tx-1.signed.json --node "), "{howto}");
    let track = format!("\n  rollscope track civitia-1 HASH --router {}\n", router.url());
    assert!(howto.contains(&track), "{howto}");
    assert!(howto.contains("rollscope find-sent FOLDER") && howto.trim_end().ends_with("(--evm-node URL)."), "{howto}");
    let sentence = asked.run(&router).bad(1);
    assert!(sentence.contains("out/tx-1.unsigned.json: the file already exists"), "{sentence}");
    assert_eq!(read(&folder, "HOWTO.txt"), howto);
}

#[test]
fn the_fee_is_that_of_the_chains_own_asset() {
    let route = "route-op-deposit-composed";
    let to = parse(&fixture(route))["required_chain_addresses"].clone();
    let of: Vec<String> = to.as_array().unwrap().iter().map(|id| format!("{}={ME}", id.as_str().unwrap())).collect();
    let asked = Asked::new(route, &of.iter().map(String::as_str).collect::<Vec<_>>());
    let mut msgs = parse(&fixture("msgs-gas-warning-composed"));
    let quoted = parse(&fixture(route));
    let amount = |name: &str| quoted[name].clone();
    let text = msgs["txs"][0]["cosmos_tx"]["msgs"][0]["msg"].as_str().unwrap().to_owned();
    let mut message = parse(&text);
    message["amount"] = json!({"denom": quoted["source_asset_denom"], "amount": amount("amount_in")});
    message["bridge_id"] = quoted["operations"][0]["op_init_transfer"]["op_init_bridge_id"].clone();
    msgs["txs"][0]["cosmos_tx"]["msgs"][0]["msg"] = json!(message.to_string());
    msgs["min_amount_out"] = amount("amount_out");
    asked.written(&router(&msgs.to_string()));
    let tx = parse(&read(&asked.folder(), "tx-1.unsigned.json"));
    let fee =
        json!({"amount": [{"denom": "uinit", "amount": "7500"}], "gas_limit": "500000", "payer": "", "granter": ""});
    assert_eq!(tx["auth_info"]["fee"], fee, "0.015 for a unit of gas");
    assert!(read(&asked.folder(), "HOWTO.txt").contains("initiad tx sign"));
}

#[test]
fn what_differs_from_the_quote_is_not_written() {
    let honest = fixture("msgs-op-withdraw-cosmos-tx-composed");
    for (from, to, why) in [
        (format!("\\\"to\\\":\\\"{ME}"), format!("\\\"to\\\":\\\"{THIEF}"), THIEF),
        (
            "\\\"amount\\\":\\\"40000000".to_owned(),
            "\\\"amount\\\":\\\"40000001".to_owned(),
            "the transaction sends 40000001",
        ),
    ] {
        let msgs = honest.replace(&from, &to);
        assert_ne!(msgs, honest);
        let asked = withdrawal();
        let sentence = asked.run(&router(&msgs)).bad(1);
        assert!(sentence.contains("nothing written") && sentence.contains(why), "{sentence}");
        assert_eq!(names(&asked.folder()), [""; 0]);
    }
}

#[test]
fn calls_are_for_cast_and_what_nobody_can_decode_is_said_to_be_unchecked() {
    let msgs = fixture("msgs-cctp-evm-tx-composed");
    let asked = Asked::new(
        "route-cctp-evm-to-initia-composed",
        &[
            "1=0x294fAc7D33Ac5250DBa7f3f233766637Ac18Ff69",
            "noble-1=noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv",
            &format!("interwoven-1={ME}"),
        ],
    );
    asked.written(&router(&msgs));
    assert_eq!(names(&asked.folder()), ["HOWTO.txt", "made.json"]);
    let howto = read(&asked.folder(), "HOWTO.txt");
    assert!(howto.contains("NOT CHECKED: unknown effect: a call of 0xcbb12ff8"), "{howto}");
    let commands: Vec<&str> = howto.lines().map(str::trim).filter(|line| line.starts_with("cast send")).collect();
    let contract = "0x3333333333333333333333333333333333333333";
    let approve = format!(
        "cast send 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 \"approve(address,uint256)\" {contract} 500000000 "
    );
    assert!(commands[0].starts_with(&approve), "{howto}");
    let data = parse(&msgs)["txs"][0]["evm_tx"]["data"].as_str().unwrap().to_owned();
    assert!(commands[1].starts_with(&format!("cast send {contract} 0x{data} --value 0 ")), "{howto}");
    assert_eq!(commands.len(), 2);
    let made = parse(&read(&asked.folder(), "made.json"));
    let call = json!({"chain_number": 1, "from": "0x294fac7d33ac5250dba7f3f233766637ac18ff69", "to": contract,
        "value": "0", "data": format!("0x{data}")});
    assert_eq!((&made["txs"][0]["chain_id"], &made["txs"][0]["call"]), (&json!("1"), &call), "it can be found again");
}

#[test]
fn a_hostile_node_of_the_routers_list_stays_one_word() {
    let node = "https://x.invalid/$(touch a)'; rm -rf ~\n#";
    let chains =
        json!({"chains": [{"chain_id": "civitia-1", "chain_type": "cosmos", "bech32_prefix": "init", "rpc": node}]});
    let router = router_of(vec![
        ("/v2/fungible/msgs", Answer::json(fixture("msgs-op-withdraw-cosmos-tx-composed"))),
        ("/v2/info/chains", Answer::json(chains.to_string())),
    ]);
    let asked = withdrawal();
    asked.written(&router);
    let howto = read(&asked.folder(), "HOWTO.txt");
    let lines: Vec<&str> = howto.lines().filter(|line| line.contains("touch")).collect();
    assert_eq!(lines.len(), 2, "{howto}");
    for line in lines {
        assert!(line.contains(r"--node 'https://x.invalid/$(touch a)'\''; rm -rf ~"), "{line}");
    }
}
