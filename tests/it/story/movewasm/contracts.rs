//! What is said of contracts, their codes, and the tokens that users make.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{CONTRACT, OTHER, SENDER, event, told_of};

fn execute(msg: &Value) -> Value {
    json!({"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "sender": SENDER, "contract": CONTRACT, "msg": msg, "funds": []})
}

fn wasm(attributes: &[(&str, &str)]) -> Value {
    let mut own = vec![("_contract_address", CONTRACT)];
    own.extend(attributes);
    event("wasm", &own)
}

const SAID: &str = ", as the contract reports.";

#[test]
fn contracts_that_keep_tokens_are_told_by_what_they_say() {
    let transfer = execute(&json!({"transfer": {"recipient": OTHER, "amount": "5"}}));
    let denom = format!("cw20:{CONTRACT}").replace(CONTRACT, "K");
    let event = wasm(&[("action", "transfer"), ("from", SENDER), ("to", OTHER), ("amount", "6")]);
    assert_eq!(told_of(0, &transfer, &[event]), format!("P sent 6 {denom} to A{SAID}"), "the event wins");
    assert_eq!(
        told_of(0, &transfer, &[]),
        "P called transfer on K; no event tells of a movement.",
        "a contract that says nothing may be anything"
    );
    let taken = wasm(&[("action", "transfer"), ("from", OTHER), ("to", SENDER), ("amount", "6")]);
    assert_eq!(
        told_of(0, &transfer, &[taken]),
        format!("P called transfer on K, which reports that A sent 6 {denom} to P."),
        "who lost is said by the event"
    );
    let odd = wasm(&[("action", "transfer"), ("from", SENDER), ("to", OTHER), ("amount", "-6")]);
    assert_eq!(told_of(0, &transfer, &[odd]), "P called transfer on K, which reports an unreadable amount, “-6”.");
    assert_eq!(told_of(1, &transfer, &[]), format!("P tried to send 5 {denom} to A; it failed."));
    let send = execute(&json!({"send": {"contract": OTHER, "amount": "5", "msg": "eyJib25kIjp7fX0="}}));
    let event = wasm(&[("action", "send"), ("from", SENDER), ("to", OTHER), ("amount", "5")]);
    assert_eq!(told_of(0, &send, &[event]), format!("P sent 5 {denom} to A for bond{SAID}"));
    let from = execute(&json!({"transfer_from": {"owner": OTHER, "recipient": SENDER, "amount": "5"}}));
    let event = wasm(&[("action", "transfer_from"), ("from", OTHER), ("to", SENDER), ("by", SENDER), ("amount", "5")]);
    assert_eq!(told_of(0, &from, &[event]), format!("P moved 5 {denom} from A to P{SAID}"));
    let allow = execute(&json!({"increase_allowance": {"spender": OTHER, "amount": "5"}}));
    let event = wasm(&[("action", "increase_allowance"), ("owner", SENDER), ("spender", OTHER), ("amount", "5")]);
    assert_eq!(told_of(0, &allow, &[event]), format!("P raised A's allowance by 5 {denom}{SAID}"));
    let burn = execute(&json!({"burn": {"amount": "5"}}));
    let event = wasm(&[("action", "burn"), ("from", SENDER), ("amount", "5")]);
    assert_eq!(told_of(0, &burn, &[event]), format!("P burned 5 {denom}{SAID}"));
    let two = execute(&json!({"transfer": {"recipient": OTHER, "amount": "5"}}));
    let within =
        |inner: &Value| json!({"@type": "/cosmos.authz.v1beta1.MsgExec", "grantee": SENDER, "msgs": [inner, inner]});
    let event = |number: &str| {
        let mut event = wasm(&[("action", "transfer"), ("from", SENDER), ("to", OTHER), ("amount", "5")]);
        let list = event["attributes"].as_array_mut().expect("a list");
        list.push(json!({"key": "authz_msg_index", "value": number}));
        event
    };
    let text = told_of(0, &within(&two), &[event("0")]);
    assert!(text.contains("called transfer on K; no event tells of a movement"), "each call has its own trace: {text}");
}

#[test]
fn funds_left_only_where_the_bank_says_so() {
    let funded = json!({"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "sender": SENDER, "contract": CONTRACT,
        "msg": "eyJib25kIjp7fX0=", "funds": [{"denom": "uinit", "amount": "5"}]});
    let spent = |who: &str, amount: &str| event("coin_spent", &[("spender", who), ("amount", amount)]);
    let text = told_of(0, &funded, &[spent(SENDER, "5uinit")]);
    assert_eq!(text, "P called bond on K with 5 u.", "a message may come as its bytes");
    for events in [vec![], vec![spent(OTHER, "5uinit")], vec![spent(SENDER, "4uinit")]] {
        let text = told_of(0, &funded, &events);
        assert!(text.starts_with("P asked to call bond on K with 5 u"), "{text}");
    }
    let mut odd = funded.clone();
    odd["funds"] = json!([{"denom": "uinit", "amount": "-5"}]);
    let text = told_of(0, &odd, &[]);
    assert!(text.starts_with("P asked to call bond on K with an unreadable amount"), "{text}");
    assert_eq!(told_of(0, &execute(&json!("odd")), &[]), "P called K.");
}

#[test]
fn a_swap_is_one_where_both_sides_moved() {
    let swap = execute(&json!({"swap": {"max_spread": "0.05"}}));
    let said = |ask: &str| {
        wasm(&[
            ("action", "swap"),
            ("offer_asset", "uinit"),
            ("ask_asset", ask),
            ("offer_amount", "5"),
            ("return_amount", "7"),
        ])
    };
    let spent = |who: &str, amount: &str| event("coin_spent", &[("spender", who), ("amount", amount)]);
    let got = |who: &str, amount: &str| event("coin_received", &[("receiver", who), ("amount", amount)]);
    let paid = || vec![spent(SENDER, "5uinit"), got(CONTRACT, "5uinit")];
    let back = |who: &str| vec![spent(CONTRACT, "7uusd"), got(who, "7uusd")];
    let told = |parts: &[Vec<Value>]| told_of(0, &swap, &parts.concat());
    let word = "P called swap on K, which reports a swap of 5 u for 7 uusd";
    assert_eq!(told(&[vec![said("uusd")]]), format!("{word}."), "it only says so");
    assert_eq!(told(&[paid(), vec![said("uusd")]]), format!("{word}."), "nothing came back");
    assert_eq!(told(&[vec![said("uusd")], back(SENDER)]), format!("{word}."), "nothing was given");
    assert_eq!(told(&[paid(), vec![said("uusd")], back(SENDER)]), "P swapped 5 u for 7 uusd in the pool K.");
    assert_eq!(
        told(&[paid(), vec![said("uusd")], back(OTHER)]),
        "P swapped 5 u for 7 uusd in the pool K, which went to A."
    );
    let token = vec![wasm(&[("action", "transfer"), ("from", CONTRACT), ("to", SENDER), ("amount", "7")])];
    assert_eq!(
        told(&[paid(), vec![said(CONTRACT)], token]),
        "P swapped 5 u for 7 cw20:K in the pool K, as the contracts report."
    );
    let routed = execute(&json!({"route": {}}));
    let aside = told_of(0, &routed, &[paid(), vec![said("uusd")], back(SENDER)].concat());
    assert_eq!(aside, "P called route on K, with a swap of 5 u for 7 uusd.");
    let aside = told_of(0, &routed, &[said("uusd")]);
    assert_eq!(aside, "P called route on K, in which K reports a swap of 5 u for 7 uusd.");
}

#[test]
fn contracts_that_keep_nfts_are_told_by_what_they_say() {
    let nft = |name: &str, body: Value, said: &[(&str, &str)]| {
        let mut attributes = vec![("action", name), ("token_id", "2")];
        attributes.extend(said);
        told_of(0, &execute(&json!({name: body})), &[wasm(&attributes)])
    };
    assert_eq!(
        nft("mint", json!({"token_id": "2", "owner": OTHER}), &[("minter", SENDER), ("owner", OTHER)]),
        format!("P minted NFT 2 of K for A{SAID}")
    );
    assert_eq!(nft("burn", json!({"token_id": "2"}), &[("sender", SENDER)]), format!("P burned NFT 2 of K{SAID}"));
    assert_eq!(
        nft("approve", json!({"token_id": "2", "spender": OTHER}), &[("sender", SENDER), ("spender", OTHER)]),
        format!("P allowed A to move NFT 2 of K{SAID}")
    );
    assert_eq!(
        nft("revoke", json!({"token_id": "2", "spender": OTHER}), &[("sender", SENDER), ("spender", OTHER)]),
        format!("P revoked A's approval for NFT 2 of K{SAID}")
    );
    assert_eq!(
        nft(
            "send_nft",
            json!({"token_id": "2", "contract": OTHER, "msg": "e30="}),
            &[("sender", SENDER), ("recipient", OTHER)]
        ),
        format!("P sent NFT 2 of K to A{SAID}")
    );
    assert_eq!(
        nft("transfer_nft", json!({"token_id": "2", "recipient": OTHER}), &[("sender", OTHER), ("recipient", SENDER)]),
        "P called transfer_nft on K, which reports that A transferred NFT 2 of K to P.",
        "who gave it is said by the event"
    );
    assert_eq!(nft("buy", json!({}), &[("recipient", OTHER)]), "P called buy on K.", "only known actions are told");
    let market = execute(&json!({"buy": {}}));
    let given = wasm(&[("action", "transfer_nft"), ("token_id", "2”. A got 5 INIT"), ("recipient", SENDER)]);
    assert_eq!(
        told_of(0, &market, &[given]),
        "P called buy on K; NFT “2\". A got 5 INIT” of K was moved to P, as the NFT contract reports."
    );
}

#[test]
fn wasm2_transfer_names_no_sender() {
    let transfer = execute(&json!({"transfer": {"recipient": OTHER, "amount": "5"}}));
    let said = |parties: &[(&str, &str)]| wasm(&[&[("action", "transfer"), ("amount", "5")], parties].concat());
    let told = told_of(0, &transfer, &[said(&[("to", OTHER)])]);
    assert_eq!(told, "P called transfer on K, which reports that an unnamed account sent 5 cw20:K to A.");
    let honest = told_of(0, &transfer, &[said(&[("from", SENDER), ("to", OTHER)])]);
    assert_eq!(honest, format!("P sent 5 cw20:K to A{SAID}"));
    let own = execute(&json!({"transfer": {"recipient": SENDER, "amount": "5"}}));
    let told = told_of(0, &own, &[said(&[("to", SENDER)])]);
    assert_eq!(told, "P called transfer on K, which reports that an unnamed account sent 5 cw20:K to P.");
    let burn = wasm(&[("action", "burn"), ("amount", "5")]);
    let told = told_of(0, &execute(&json!({"burn": {"amount": "5"}})), &[burn]);
    assert_eq!(told, "P called burn on K, which reports that an unnamed account burned 5 cw20:K.");
    let mint = wasm(&[("action", "mint"), ("to", OTHER), ("amount", "5")]);
    let told = told_of(0, &execute(&json!({"mint": {"recipient": OTHER, "amount": "5"}})), &[mint]);
    assert_eq!(told, format!("P minted 5 cw20:K to A{SAID}"), "tokens that are minted were nobody's");
    let approve = wasm(&[("action", "approve"), ("token_id", "2"), ("spender", OTHER)]);
    let told = told_of(0, &execute(&json!({"approve": {"token_id": "2", "spender": OTHER}})), &[approve]);
    assert!(told.starts_with("P called approve on K, which reports that an unnamed account allowed A"), "{told}");
}

#[test]
fn wasm2_mint_in_foreign_name() {
    let given = json!({"type": "wasm", "attributes": [{"key": "_contract_address", "value": OTHER},
        {"key": "action", "value": "mint"}, {"key": "token_id", "value": "7"}, {"key": "owner", "value": SENDER},
        {"key": "msg_index", "value": "0"}]});
    let ran = event("execute", &[("_contract_address", CONTRACT)]);
    let told = told_of(0, &execute(&json!({"mint": {"token_id": "7"}})), &[ran, given]);
    assert_eq!(told, "P called mint on K; NFT 7 of A was minted for P, as the NFT contract reports.");
}

#[test]
fn wasm2_cw1155_mint() {
    let said = |name: &str, action: &str| {
        let call = execute(&json!({name: {"recipient": OTHER, "token_id": "7", "amount": "5"}}));
        told_of(0, &call, &[wasm(&[("action", action), ("recipient", OTHER), ("amount", "5")])])
    };
    assert_eq!(said("mint", "mint_single"), "P called mint on K.", "the list of actions is open");
    let call = execute(&json!({"mint": {"recipient": OTHER, "amount": "5"}}));
    let custom = event("wasm-minted", &[("_contract_address", CONTRACT), ("amount", "5")]);
    assert_eq!(told_of(0, &call, &[custom]), "P called mint on K.");
    assert_eq!(told_of(0, &call, &[]), "P called mint on K; no event tells of a movement.");
}

#[test]
fn wasm2_cw1155_send_from() {
    let call = execute(&json!({"send_from": {"from": OTHER, "to": SENDER, "token_id": "7", "amount": "5"}}));
    let said = wasm(&[("action", "transfer_single"), ("from", OTHER), ("to", SENDER), ("amount", "5")]);
    assert_eq!(told_of(0, &call, &[said]), "P called send_from on K.");
}

#[test]
fn an_nft_that_leaves_is_told_with_its_packet() {
    let order = json!({"receiver": OTHER, "channel_id": "channel-1", "timeout": {"block": null}}).to_string();
    let body = json!({"send_nft": {"token_id": "2", "contract": OTHER, "msg": BASE64_STANDARD.encode(order)}});
    let given = wasm(&[("action", "send_nft"), ("sender", SENDER), ("recipient", OTHER), ("token_id", "2")]);
    let named = BASE64_STANDARD.encode(json!({"name": "Gull Council"}).to_string());
    let packet = |port: &str, id: &str| {
        let data = json!({"classId": CONTRACT, "classData": named, "tokenIds": [id], "receiver": "init1far"});
        event(
            "send_packet",
            &[
                ("packet_data", &data.to_string()),
                ("packet_sequence", "31"),
                ("packet_src_port", port),
                ("packet_src_channel", "channel-1"),
                ("packet_dst_port", "nft-transfer"),
                ("packet_dst_channel", "channel-9"),
            ],
        )
    };
    let (port, alone) = (format!("wasm.{OTHER}"), format!("P sent NFT 2 of K to A{SAID}"));
    assert_eq!(
        told_of(0, &execute(&body), &[given.clone(), packet(&port, "2")]),
        format!("P sent NFT 2 of K (“Gull Council”) to init1far over channel-1 (packet #31){SAID}")
    );
    assert_eq!(told_of(0, &execute(&body), std::slice::from_ref(&given)), alone, "the order is no name of an action");
    assert_eq!(told_of(0, &execute(&body), &[given.clone(), packet(&port, "3")]), alone, "another NFT left");
    assert_eq!(told_of(0, &execute(&body), &[given, packet("wasm.x", "2")]), alone, "another contract sent it");
}

#[test]
fn codes_admins_and_denoms_are_told() {
    let message = |kind: &str, fields: Value| {
        let mut message = json!({"@type": format!("/cosmwasm.wasm.v1.{kind}"), "sender": SENDER, "contract": CONTRACT});
        message.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        message
    };
    let stored = event("store_code", &[("code_id", "12"), ("code_checksum", "ab")]);
    assert_eq!(told_of(0, &message("MsgStoreCode", json!({})), &[stored]), "P uploaded code #12.");
    let made = event("instantiate", &[("_contract_address", CONTRACT), ("code_id", "12")]);
    let create = message(
        "MsgInstantiateContract2",
        json!({"label": "x” at A; B sent “5", "code_id": "1", "funds": [{"denom": "uinit", "amount": "5"}]}),
    );
    let spent = event("coin_spent", &[("spender", SENDER), ("amount", "5uinit")]);
    assert_eq!(
        told_of(0, &create, &[made.clone(), spent]),
        "P created contract “x\" at A; B sent \"5” from code 12 at K with 5 u.",
        "the code is the event's, and a label cannot close its quotes"
    );
    assert!(told_of(0, &create, &[made]).starts_with("P asked to create contract “x"));
    let migrate = message("MsgMigrateContract", json!({"code_id": "13", "msg": {}}));
    let migrated = |contract: &str| event("migrate", &[("code_id", "14"), ("_contract_address", contract)]);
    assert_eq!(told_of(0, &migrate, &[migrated(CONTRACT)]), "K was upgraded to code 14.");
    assert!(told_of(0, &migrate, &[migrated(OTHER)]).starts_with("P asked to upgrade K to code 13"));
    assert_eq!(told_of(1, &migrate, &[]), "P tried to upgrade K to code 13; it failed.");
    let admin =
        |new: &str| event("update_contract_admin", &[("_contract_address", CONTRACT), ("new_admin_address", new)]);
    let update = message("MsgUpdateAdmin", json!({"new_admin": OTHER}));
    assert_eq!(told_of(0, &update, &[admin(OTHER)]), "Admin of K is now A.");
    assert_eq!(told_of(0, &update, &[admin(SENDER)]), "Admin of K is now P.", "the event counts");
    assert!(told_of(0, &update, &[]).starts_with("P asked to make A admin of K"));
    assert!(told_of(1, &update, &[admin(OTHER)]).starts_with("P tried to make A admin of K"), "undone");
    assert_eq!(
        told_of(1, &message("MsgUpdateAdmin", json!({"new_admin": OTHER})), &[]),
        "P tried to make A admin of K; it failed."
    );
    assert_eq!(told_of(0, &message("MsgClearAdmin", json!({})), &[admin("")]), "K has no admin any more.");
    let within = json!({"@type": "/initia.move.v1.MsgExecuteJSON", "sender": SENDER, "module_address": "0x1", "module_name": "cosmos",
        "function_name": "stargate", "args": [json!(migrate.to_string()).to_string()]});
    assert_eq!(told_of(0, &within, &[migrated(CONTRACT)]), "P acted through Move: upgraded K to code 14.");
    let pinned = |codes: &[&str]| codes.iter().map(|code| event("pin_code", &[("code_id", code)])).collect::<Vec<_>>();
    let pin = message("MsgPinCodes", json!({"authority": SENDER, "code_ids": ["1", "2"]}));
    assert_eq!(told_of(0, &pin, &pinned(&["1", "2"])), "P pinned codes 1,2.");
    assert!(told_of(0, &pin, &pinned(&["1"])).starts_with("P asked to pin codes 1,2"));

    let factory = |kind: &str, fields: Value| {
        let mut message = json!({"@type": format!("/miniwasm.tokenfactory.v1.{kind}"), "sender": SENDER});
        message.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        message
    };
    let made = event("create_denom", &[("creator", SENDER), ("new_token_denom", "factory/x/shell")]);
    assert_eq!(
        told_of(0, &factory("MsgCreateDenom", json!({"subdenom": "shell"})), &[made]),
        "P created token factory/x/shell."
    );
    assert!(
        told_of(0, &factory("MsgCreateDenom", json!({"subdenom": "shell"})), &[])
            .starts_with("P asked to create token shell")
    );
    let coin = json!({"denom": "uinit", "amount": "5"});
    let mint = factory("MsgMint", json!({"amount": coin, "mint_to_address": SENDER}));
    let minted = event("tf_mint", &[("mint_to_address", OTHER), ("amount", "6uinit")]);
    assert_eq!(told_of(0, &mint, &[minted]), "P minted 0.000006 INIT to A.", "the event counts");
    assert!(told_of(0, &mint, &[]).starts_with("P asked to mint 5 u to P"));
    let inner = || event("tf_mint", &[("mint_to_address", OTHER), ("amount", "9ufoo")]);
    let own = event("tf_mint", &[("mint_to_address", SENDER), ("amount", "5uinit")]);
    assert_eq!(told_of(0, &mint, &[inner(), own]), "P minted 5 u to P.", "a contract minted something else on the way");
    let text = told_of(0, &mint, &[inner(), inner()]);
    assert!(text.starts_with("P asked to mint 5 u to P"), "neither is it: {text}");
    let mint = factory("MsgMint", json!({"amount": coin, "mint_to_address": ""}));
    assert_eq!(told_of(1, &mint, &[]), "P tried to mint 5 u to P; it failed.");
    let burn = factory("MsgBurn", json!({"amount": coin, "burn_from_address": ""}));
    let burned = event("tf_burn", &[("burn_from_address", SENDER), ("amount", "5uinit")]);
    assert_eq!(told_of(0, &burn, &[burned]), "P burned 5 u.");
    let given = factory("MsgChangeAdmin", json!({"denom": "uinit", "new_admin": OTHER}));
    let changed = event("change_admin", &[("denom", "uinit"), ("new_admin", OTHER)]);
    assert_eq!(told_of(0, &given, &[changed]), "P made A admin of the token INIT.");
    let hooked = factory("MsgSetBeforeSendHook", json!({"denom": "uinit", "cosmwasm_address": CONTRACT}));
    let set = event("set_before_send_hook", &[("denom", "uinit"), ("before_send_hook_address", CONTRACT)]);
    assert_eq!(told_of(0, &hooked, &[set]), "P set K as the before-send hook of INIT.");
    let named = factory(
        "MsgSetDenomMetadata",
        json!({"metadata": {"base": "factory/x/shell", "name": "Shell", "symbol": "SHL"}}),
    );
    let set = event("set_denom_metadata", &[("denom", "factory/x/shell"), ("denom_metadata", "x")]);
    assert_eq!(told_of(0, &named, &[set]), "P set the metadata of the token factory/x/shell: “Shell” (“SHL”).");
    let params = factory("MsgUpdateParams", json!({"authority": SENDER}));
    let own = event("message", &[("action", "/miniwasm.tokenfactory.v1.MsgUpdateParams"), ("sender", SENDER)]);
    assert_eq!(told_of(0, &params, &[own]), "P changed the parameters of the token factory.");
    assert_eq!(told_of(0, &params, &[]), "P ran MsgUpdateParams for the parameters of the token factory.");
}
