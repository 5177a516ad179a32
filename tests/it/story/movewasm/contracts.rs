//! What is said of contracts, their codes, and the tokens that users make.

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

#[test]
fn contracts_that_keep_tokens_are_told_by_what_they_say() {
    let transfer = execute(&json!({"transfer": {"recipient": OTHER, "amount": "5"}}));
    let token = format!("cw20:{CONTRACT}").replace(CONTRACT, "K");
    let event = wasm(&[("action", "transfer"), ("from", SENDER), ("to", OTHER), ("amount", "6")]);
    assert_eq!(told_of(0, &transfer, &[event]), format!("P sent 6 {token} to A."), "the event wins");
    assert_eq!(told_of(0, &transfer, &[]), "P called transfer on K.", "a contract that says nothing may be anything");
    assert_eq!(told_of(1, &transfer, &[]), format!("P tried to send 5 {token} to A; it failed."));
    let send = execute(&json!({"send": {"contract": OTHER, "amount": "5", "msg": "eyJib25kIjp7fX0="}}));
    let event = wasm(&[("action", "send"), ("from", SENDER), ("to", OTHER), ("amount", "5")]);
    assert_eq!(told_of(0, &send, &[event]), format!("P sent 5 {token} to A for bond."));
    let from = execute(&json!({"transfer_from": {"owner": OTHER, "recipient": SENDER, "amount": "5"}}));
    let event = wasm(&[("action", "transfer_from"), ("from", OTHER), ("to", SENDER), ("by", SENDER), ("amount", "5")]);
    assert_eq!(
        told_of(0, &from, &[event]),
        format!("P sent 5 {token} of A to itself (no net change).").replace("to itself (no net change)", "to P")
    );
    let allow = execute(&json!({"increase_allowance": {"spender": OTHER, "amount": "5"}}));
    let event = wasm(&[("action", "increase_allowance"), ("owner", SENDER), ("spender", OTHER), ("amount", "5")]);
    assert_eq!(told_of(0, &allow, &[event]), format!("P allowed A to spend 5 {token} more."));
    let burn = execute(&json!({"burn": {"amount": "5"}}));
    let event = wasm(&[("action", "burn"), ("from", SENDER), ("amount", "5")]);
    assert_eq!(told_of(0, &burn, &[event]), format!("P burned 5 {token}."));
    let swap = execute(&json!({"swap": {"max_spread": "0.05"}}));
    let event = wasm(&[
        ("action", "swap"),
        ("offer_asset", "uinit"),
        ("ask_asset", CONTRACT),
        ("offer_amount", "5"),
        ("return_amount", "7"),
    ]);
    assert_eq!(told_of(0, &swap, &[event]), format!("P swapped 5 u for 7 {token} in the pool K."));
    let funded = json!({"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "sender": SENDER, "contract": CONTRACT,
        "msg": "eyJib25kIjp7fX0=", "funds": [{"denom": "uinit", "amount": "5"}]});
    assert_eq!(told_of(0, &funded, &[]), "P called bond on K with 5 u.", "a message may come as its bytes");
    assert_eq!(told_of(0, &execute(&json!("odd")), &[]), "P called K.");
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
        "P minted NFT 2 of K for A."
    );
    assert_eq!(nft("burn", json!({"token_id": "2"}), &[("sender", SENDER)]), "P burned NFT 2 of K.");
    assert_eq!(
        nft("approve", json!({"token_id": "2", "spender": OTHER}), &[("spender", OTHER)]),
        "P allowed A to move NFT 2 of K."
    );
    assert_eq!(
        nft("revoke", json!({"token_id": "2", "spender": OTHER}), &[("spender", OTHER)]),
        "P stopped letting A move NFT 2 of K."
    );
    assert_eq!(
        nft("send_nft", json!({"token_id": "2", "contract": OTHER, "msg": "e30="}), &[("recipient", OTHER)]),
        "P sent NFT 2 of K to A."
    );
    assert_eq!(nft("buy", json!({}), &[("recipient", OTHER)]), "P called buy on K.", "only known actions are told");
    let market = execute(&json!({"buy": {}}));
    let given = wasm(&[("action", "transfer_nft"), ("token_id", "2"), ("recipient", SENDER)]);
    assert_eq!(told_of(0, &market, &[given]), "P called buy on K, which moved NFT 2 of K to P.");
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
        json!({"label": "shop", "code_id": "12", "funds": [{"denom": "uinit", "amount": "5"}]}),
    );
    assert_eq!(told_of(0, &create, &[made]), "P created contract \"shop\" from code 12 at K with 5 u.");
    let migrate = message("MsgMigrateContract", json!({"code_id": "13", "msg": {}}));
    assert_eq!(told_of(0, &migrate, &[]), "K was upgraded to code 13.");
    assert_eq!(told_of(1, &migrate, &[]), "P tried to upgrade K to code 13; it failed.");
    assert_eq!(told_of(0, &message("MsgUpdateAdmin", json!({"new_admin": OTHER})), &[]), "Admin of K is now A.");
    assert_eq!(
        told_of(1, &message("MsgUpdateAdmin", json!({"new_admin": OTHER})), &[]),
        "P tried to make A admin of K; it failed."
    );
    assert_eq!(told_of(0, &message("MsgClearAdmin", json!({})), &[]), "K has no admin any more.");
    let within = json!({"@type": "/initia.move.v1.MsgExecuteJSON", "sender": OTHER, "module_address": "0x1", "module_name": "cosmos",
        "function_name": "stargate", "args": [json!(migrate.to_string()).to_string()]});
    assert_eq!(told_of(0, &within, &[]), "A acted through Move: upgraded K to code 13.");

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
    let coin = json!({"denom": "uinit", "amount": "5"});
    assert_eq!(
        told_of(0, &factory("MsgMint", json!({"amount": coin, "mint_to_address": OTHER})), &[]),
        "P minted 5 u to A."
    );
    assert_eq!(
        told_of(0, &factory("MsgMint", json!({"amount": coin, "mint_to_address": ""})), &[]),
        "P minted 5 u to P."
    );
    assert_eq!(told_of(0, &factory("MsgBurn", json!({"amount": coin, "burn_from_address": ""})), &[]), "P burned 5 u.");
    let given = factory("MsgChangeAdmin", json!({"denom": "uinit", "new_admin": OTHER}));
    assert_eq!(told_of(0, &given, &[]), "P made A admin of the token INIT.");
    let hooked = factory("MsgSetBeforeSendHook", json!({"denom": "uinit", "cosmwasm_address": CONTRACT}));
    assert_eq!(told_of(0, &hooked, &[]), "P set the contract K to be asked before each transfer of INIT.");
    let named = factory(
        "MsgSetDenomMetadata",
        json!({"metadata": {"base": "factory/x/shell", "name": "Shell", "symbol": "SHL"}}),
    );
    assert_eq!(told_of(0, &named, &[]), "P described the token factory/x/shell as Shell (SHL).");
}
