//! `/` and `:`: everything that can be pasted, and what is said of what cannot be.

use std::time::Duration;

use rollscope::{
    domain::{Address, TxHash},
    msg::{Instruction, Request, TxQuery, TxScope},
    story,
};
use rstest::rstest;

use super::{Mode, all_txs, explore, hashes, short};

#[rstest]
fn both_forms_of_an_address_open_the_same_account(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 60);
    let txs = all_txs(&explorer, &TxQuery::default());
    let address = story::decode(&txs[0]).signer.expect("a signed transaction");
    let scope = TxScope::Account { address, signer_only: false };
    let expected = short(&all_txs(&explorer, &TxQuery { scope, msgs: Vec::new() }));
    let forms = [address.bech32(), address.bech32().to_uppercase(), address.hex(), address.checksummed()];
    for form in forms {
        explorer.press("1 /").paste(&form).press("enter").wait_for(&address.short());
        let shown = hashes(&explorer);
        assert_eq!(shown[..], expected[..shown.len()], "{form}");
    }
}

#[rstest]
fn a_hash_in_any_form_opens_its_transaction(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 20);
    let tx = &all_txs(&explorer, &TxQuery::default())[3];
    let hash = tx.txhash.to_string();
    for form in [hash.clone(), hash.to_lowercase(), format!("0x{}", hash.to_lowercase()), format!(" \"{hash}\", ")] {
        explorer.press("1 /").paste(&form).press("enter").wait_for(&format!("Tx {hash}")).wait_for("[Story]");
    }
}

#[rstest]
fn sixty_four_digits_are_looked_up_as_hash_and_as_account(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 20);
    let digits = "ab".repeat(32);
    let before = explorer.commands().len();
    explorer.press("/").paste(&digits).press("enter");
    explorer.wait_for("not found as a Cosmos or EVM transaction or a 32-byte address; the API");
    let asked: Vec<Request> = explorer.commands()[before..]
        .iter()
        .filter_map(|command| if let Instruction::Fetch(_, request) = command { Some(request.clone()) } else { None })
        .collect();
    assert!(asked.contains(&Request::Tx(digits.parse::<TxHash>().unwrap())), "{asked:?}");
    let address: Address = digits.parse().unwrap();
    let is_account = |request: &Request| matches!(request, Request::Txs(query, _) if query.scope == TxScope::Account { address, signer_only: false });
    assert!(asked.iter().any(is_account), "{asked:?}");
    explorer.press("esc").wait_gone("Go to");
}

#[rstest]
#[case("hello", "“hello” is not a height, hash or address")]
#[case("0", "“0” is not a height, hash or address")]
#[case("-1", "“-1” is not a height, hash or address")]
#[case("99999999999999999999999", "is not a height,")]
#[case("init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "check for a mistyped character")]
#[case("0x123456789", "“0x123456789” is too short for an address")]
#[case("0x5F", "“0x5F” is too short for an address")]
#[case("", "type a height, a transaction hash or an address;")]
fn what_leads_nowhere_is_said(#[case] typed: &str, #[case] expected: &str) {
    let explorer = explore(Mode::Specified, 5);
    explorer.press("/").type_text(typed).press("enter").wait_for(expected);
    explorer.press("x").wait_gone(expected);
    explorer.press("esc").wait_gone("Go to");
}

#[test]
fn the_beginning_of_an_address_opens_no_other_account() {
    let explorer = explore(Mode::Specified, 60);
    let txs = all_txs(&explorer, &TxQuery::default());
    let address = story::decode(&txs[0]).signer.expect("a signed transaction");
    let start = address.checksummed()[..6].to_owned();
    explorer.press("/").type_text(&start).press("enter").wait_for("is too short for an address").press("esc");
    // Once it was opened, or has a name, its beginning is enough.
    explorer.press("/").paste(&address.bech32()).press("enter").wait_for("[Txs");
    explorer.press("1 /").type_text(&start).press("enter").wait_for(&address.short()).wait_for("[Txs");
    assert!(!explorer.screen().contains("init1qqqqqq"), "{}", explorer.screen());
}

#[test]
fn what_lists_print_beside_hashes_is_found() {
    let explorer = explore(Mode::Specified, 60);
    for typed in ["MsgCall", "/minievm.evm.v1.MsgCall"] {
        explorer.press("1 /").type_text(typed).wait_for("txs with").press("enter").wait_for("Txs · MsgCall");
    }
    // A time leads to its block, as every screen prints it.
    let txs = all_txs(&explorer, &TxQuery::default());
    for (tx, form) in [(&txs[0], "%H:%M:%S"), (&txs[txs.len() / 2], "%Y-%m-%d %H:%M:%S UTC"), (&txs[9], "rfc")] {
        let at = tx.timestamp;
        let typed = match form {
            "%H:%M:%S" => at.clock(),
            "rfc" => at.to_string(),
            _ => format!("{} UTC", at.day_and_clock()),
        };
        explorer.press("1 /").type_text(&typed).wait_for("the block nearest to ").press("enter");
        explorer.wait_for(&format!("Block {} ", tx.height));
    }
    for (typed, said) in [
        ("2001-01-01", "the index begins later: with block 1 of "),
        ("2999-01-01 00:00", "is in the future: type a height"),
        ("16400 INIT", "rollscope txs --all --story | grep '16,400 INIT'"),
        ("1.5 GAS", "no server searches by amount"),
    ] {
        explorer.press("1 /").type_text(typed).press("enter").wait_for(said).press("esc").wait_gone("Go to");
    }
}

#[test]
fn what_was_opened_is_suggested() {
    let explorer = explore(Mode::Specified, 40);
    explorer.keys("/").type_text(" 1_7 ").press("enter").wait_for("Block 17 ");
    explorer.keys("/").type_text("0,023").press("enter").wait_for("Block 23 ");
    explorer
        .press("/")
        .wait_for("block      23")
        .wait_for("block      17")
        .press("down down enter")
        .wait_for("Block 17 ");
    explorer.press("3").keys("/").type_text(&hashes(&explorer)[5][..4]);
    explorer.wait_for("  tx         ").press("down enter").wait_for("[Story]");
}

#[test]
fn a_paste_opens_the_go_to_input() {
    let explorer = explore(Mode::Specified, 40);
    explorer.paste("  33\n").wait_for("Go to").press("enter").wait_for("Block 33 ");
}

#[test]
fn in_an_input_letters_are_letters_and_ctrl_c_still_quits() {
    let explorer = explore(Mode::Specified, 5);
    explorer.press("/").type_text("q?:/ ").press("left left backspace").type_text("!").wait_for("/ q?!/");
    explorer.quit();
}

#[rstest]
fn the_palette_runs_actions_and_goes_to_heights(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 140);
    explorer.press(":").wait_for("Commands").type_text("123").wait_for("go to block 123").press("enter");
    explorer.wait_for("Block 123 ").press(":").type_text("freeze").press("enter").wait_for("■ frozen");
    explorer.press(":").type_text("tab-blocks").press("enter").wait_for("[2 Blocks]");
    explorer.press(":").type_text("zzyzx").wait_for("unknown command").press("enter");
    explorer.wait_for("unknown command; : and Tab list all").press(": esc").wait_gone("Commands");
}

#[test]
fn a_web_address_of_another_chain_of_the_router_is_tracked() {
    let explorer = explore(Mode::Specified, 20);
    let hash = "AB".repeat(32);
    for (address, label, page) in [
        (format!("https://scan.initia.xyz/interwoven-1/txs/{hash}"), "ABAB…ABAB on Initia", "ABAB…ABAB on Initia"),
        (format!("https://explorer.skip.build/?tx_hash={hash}&chain_id=celestia"), "on Celestia", "on Celestia"),
    ] {
        explorer.press("1 /").paste(&address).wait_for("track").wait_for(label);
        explorer.press("enter").wait_for("┌ Transfer ").wait_for(page);
    }
}

#[test]
fn a_hash_that_is_not_here_is_offered_to_the_routers_chains() {
    let explorer = explore(Mode::Specified, 20);
    explorer.press("/").paste(&"cd".repeat(32)).press("enter").wait_for("not found as a Cosmos or EVM transaction");
    explorer.wait_for("CDCD…CDCD on Initia").wait_for("0xcdcd…cdcd on Rollscope Ethereum");
    explorer.wait_for("the router tracks it on none of these chains").press("enter").wait_for("┌ Transfer ");
    explorer.wait_for("on Initia");
    explorer.quit();
}

#[test]
fn a_hash_that_is_not_here_opens_the_transfer_that_is_kept_or_that_the_router_tracks() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("6").wait_for("l2/").advance(Duration::from_millis(400)).press("tab enter S");
    explorer.wait_for("┌ Transfer ").step(3).press("y v");
    let hash = explorer.copied().pop().expect("the hash was copied");
    explorer.press("1 /").paste(&hash).press("enter").wait_for("rollscope already tracks this transfer");
    // The board prints it shortened.
    for short in [format!("{}…{}", &hash[..4], &hash[60..]), hash[..5].to_owned()] {
        explorer.press("1 /").type_text(&short).press("enter").wait_for("already tracks").wait_for("┌ Transfer ");
    }
    explorer.wait_for("┌ Transfer ").press("D D").wait_gone("┌ Transfer ");
    explorer.press("1 /").paste(&hash).press("enter").wait_for("┌ Transfer ").wait_gone("already tracks");
    explorer.wait_for("on Initia");
    explorer.quit();
}

#[test]
fn a_web_address_of_a_chain_that_the_router_does_not_know_is_looked_up_here() {
    let explorer = explore(Mode::Specified, 20);
    let address = format!("https://scan.initia.xyz/nowhere-9/txs/{}", "ab".repeat(32));
    explorer.press("/").paste(&address).press("enter").wait_for("URL of nowhere-9");
}

#[test]
fn enter_takes_the_name_that_is_shown_and_says_so() {
    let explorer = explore(Mode::Specified, 40);
    let txs = all_txs(&explorer, &TxQuery::default());
    let address = story::decode(&txs[0]).signer.expect("a signed transaction");
    explorer.press("1 /").paste(&address.bech32()).press("enter").wait_for(&address.short());
    explorer.press("c").type_text("Zzytreasury").press("enter").wait_for("Zzytreasury");
    explorer.press("1 /").type_text("Zzytr").wait_for("Zzytreasury").press("enter");
    explorer.wait_for("“Zzytr” read as").wait_gone("Go to").wait_for(&address.short());
    explorer.press("1 /").type_text("Zzyq").press("enter").wait_for("“Zzyq” is not a height, hash or address");
    explorer.quit();
}
