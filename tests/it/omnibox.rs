//! Properties of the reader behind `/`: it never panics, and finds pasted text however it is dressed.

use std::sync::Arc;

use proptest::prelude::*;
use rollscope::domain::{
    Address, Denom, EvmTxHash, Height, NumberedTransfer, Target, TargetKind, TxHash, classify, interpret, several,
};

fn addresses() -> impl Strategy<Value = Address> {
    prop_oneof![any::<[u8; 20]>().prop_map(Address::Short), any::<[u8; 32]>().prop_map(Address::Long)]
}

fn heights() -> impl Strategy<Value = Height> {
    prop_oneof![1..=u64::MAX, 1..=10_000_000_u64].prop_map(|height| Height::new(height).expect("not zero"))
}

fn denoms() -> impl Strategy<Value = String> {
    "ibc/[0-9A-F]{64}|l2/[0-9a-f]{64}|move/[0-9a-f]{64}|evm/[0-9a-fA-F]{40}|factory/init1[a-z0-9]{38}/[a-z0-9.]{0,20}[a-z0-9]"
}

/// Ids as chains have them: digits, or words with anything inside that is not lost when recents are trimmed.
fn token_ids() -> impl Strategy<Value = Arc<str>> {
    "[0-9]{1,70}|[a-z0-9]{1,20}|[a-zA-Z0-9]([ -~]{0,30}[a-zA-Z0-9])?".prop_map(Arc::from)
}

fn targets() -> impl Strategy<Value = Target> {
    prop_oneof![
        heights().prop_map(Target::Block),
        any::<[u8; 32]>().prop_map(|bytes| Target::Tx(TxHash::new(bytes))),
        any::<[u8; 32]>().prop_map(|bytes| Target::EvmTx(EvmTxHash::new(bytes))),
        addresses().prop_map(Target::Account),
        addresses().prop_map(Target::Collection),
        (addresses(), token_ids()).prop_map(|(collection, token_id)| Target::Token { collection, token_id }),
        prop_oneof![denoms(), "[A-Z]{2,9}".boxed(), "u[a-z]{2,9}".boxed()]
            .prop_map(|denom| Target::Denom(Denom::new(denom))),
        "[a-z]{1,12}-[1-9][0-9]{0,3}".prop_map(Target::Chain),
        (1..u64::MAX, 0..3_u8).prop_map(|(number, kind)| Target::Transfer(match kind {
            0 => NumberedTransfer::Withdrawal(number),
            1 => NumberedTransfer::Deposit(number),
            _ => NumberedTransfer::Packet(number),
        })),
    ]
}

/// What stands around a pasted value.
fn dressings() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![
        ("", ""),
        ("  ", "\n"),
        ("\"", "\","),
        ("(", ")."),
        ("“", "”"),
        ("[", "];"),
        ("<", ">"),
        ("`", "`!"),
        ("\u{feff}", "\u{200b}"),
    ])
}

/// An address in one of its forms.
fn write(address: Address, form: u8) -> String {
    match form % 5 {
        0 => address.bech32(),
        1 => address.bech32().to_uppercase(),
        2 => address.hex(),
        3 => address.hex().to_uppercase(),
        _ => address.checksummed().trim_start_matches("0x").to_owned(),
    }
}

/// A path of each kind of site that leads to such a thing.
fn web_addresses(target: &Target) -> Vec<String> {
    let paths = match target {
        Target::Block(height) => vec![format!("blocks/{height}"), format!("block/{height}/txs")],
        Target::Tx(hash) => vec![format!("txs/{hash}?tab=events"), format!("tx/{}", hash.to_string().to_lowercase())],
        Target::EvmTx(hash) => vec![format!("tx/{hash}#logs"), format!("evm-txs/{hash}")],
        Target::Account(address) => {
            vec![format!("accounts/{address}/txs?page=1"), format!("address/{}", address.hex())]
        }
        Target::Collection(address) => vec![format!("nft/{}", address.hex()), format!("collections/{address}")],
        Target::Token { collection, token_id } => {
            let id = token_id.bytes().fold(String::new(), |id, byte| id + &format!("%{byte:02X}"));
            vec![format!("nft/{}/{id}", collection.hex()), format!("indexer/nft/v1/txs/{collection}/{id}")]
        }
        Target::Denom(denom) => vec![format!("indexer/richlist/v1/{}", denom.as_str().replace('/', "%2F"))],
        Target::Transfer(_) => return Vec::new(),
        Target::Chain(name) => return vec![format!("https://scan.initia.xyz/{name}")],
    };
    let sites = ["https://scan.initia.xyz/some-1", "http://127.0.0.1:8080", "explorer.example"];
    paths.iter().flat_map(|path| sites.map(|site| format!("{site}/{path}"))).collect()
}

#[test]
fn the_id_of_a_token_may_have_a_semicolon() {
    let collection = "0x0000000000000000000000000000000000000000".parse().expect("an address");
    let target = Target::Token { collection, token_id: "0;1".into() };
    assert!(several(&target.tagged()).is_none(), "{}", target.tagged());
    assert_eq!(several("12;13").map(|several| several.pieces.len()), Some(2));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_reader(text in any::<String>(), noise in "\\PC{0,200}", times in 1_usize..60) {
        for text in [&text, &noise, &noise.repeat(times), &format!("https://{noise}"), &format!("0x{text}/{noise}")] {
            if let Ok(reading) = interpret(text) {
                prop_assert!(!reading.targets.is_empty());
            }
            if let Some(several) = several(text) {
                prop_assert!((2..=100).contains(&several.pieces.len()));
            }
        }
    }

    #[test]
    fn a_tagged_text_names_just_what_it_was_made_of(target in targets()) {
        prop_assert_eq!(classify(&target.tagged()), Ok(vec![target.clone()]));
        prop_assert!(several(&target.tagged()).is_none(), "{}", target.tagged());
    }

    #[test]
    fn heights_and_hashes_are_found_in_any_dress(height in heights(), bytes in any::<[u8; 32]>(), (before, after) in dressings()) {
        let number = height.get().to_string();
        let grouped = rollscope::domain::text::group(height.get());
        for text in [number.clone(), grouped.clone(), grouped.replace(',', " "), grouped.replace(',', "_"), format!("#{number}")] {
            prop_assert_eq!(classify(&format!("{before}{text}{after}")), Ok(vec![Target::Block(height)]), "{}", text);
        }
        let (cosmos, evm) = (TxHash::new(bytes), EvmTxHash::new(bytes));
        for text in [cosmos.to_string(), cosmos.to_string().to_lowercase(), evm.to_string(), format!("0X{cosmos}")] {
            let found = classify(&format!("{before}{text}{after}")).unwrap();
            prop_assert!(found.contains(&Target::Tx(cosmos)) && found.contains(&Target::EvmTx(evm)), "{}", text);
            prop_assert!(found.contains(&Target::Account(Address::Long(bytes))), "{}", text);
        }
    }

    #[test]
    fn addresses_tokens_and_denoms_are_found_in_any_dress(
        address in addresses(), form in any::<u8>(), id in "[a-zA-Z0-9]{1,40}", denom in denoms(), (before, after) in dressings()
    ) {
        let text = write(address, form);
        let found = classify(&format!("{before}{text}{after}")).unwrap();
        prop_assert!(found.contains(&Target::Account(address)) && found.contains(&Target::Collection(address)), "{}", text);
        let token = Target::Token { collection: address, token_id: id.as_str().into() };
        prop_assert_eq!(classify(&format!("{before}{text}/{id}{after}")), Ok(vec![token]));
        prop_assert_eq!(classify(&format!("{before}{denom}{after}")), Ok(vec![Target::Denom(Denom::new(denom))]));
    }

    #[test]
    fn web_addresses_lead_to_what_they_show(target in targets(), (before, after) in dressings()) {
        for url in web_addresses(&target) {
            let reading = interpret(&format!("{before}{url}{after}"));
            prop_assert!(reading.as_ref().is_ok_and(|reading| reading.targets.contains(&target)), "{url}: {reading:?}");
        }
    }

    #[test]
    fn a_list_is_taken_apart_whole(targets in prop::collection::vec(targets(), 2..20), separator in prop::sample::select(vec!["\n", "\r\n", "; ", " ;\n\n"])) {
        let listable = |target: &&Target| !matches!(target, Target::Denom(_) | Target::Chain(_) | Target::Transfer(_));
        let mut expected: Vec<Target> = Vec::new();
        for target in targets.iter().filter(listable).filter(|target| !target.text().contains(';')) {
            if !expected.contains(target) {
                expected.push(target.clone());
            }
        }
        // "TOKEN/0; 1" may be one token, whose id has a semicolon.
        let certain = expected.iter().filter(|target| target.kind() != TargetKind::Block).count();
        prop_assume!(expected.len() >= 2 && (certain >= 2 || separator.contains('\n')));
        let list: Vec<String> = expected.iter().map(Target::tagged).collect();
        let found = several(&list.join(separator)).map(|several| several.pieces).unwrap_or_default();
        let found: Vec<Vec<Target>> = found.into_iter().map(|piece| piece.targets).collect();
        let expected: Vec<Vec<Target>> = expected.into_iter().map(|target| vec![target]).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_path_of_an_explorer_is_no_chain() {
    for (address, chain) in [
        ("https://scan.initia.xyz/custom-network/add/link?config=eyJ2bSI6", None),
        ("https://scan.testnet.initia.xyz/settings", None),
        ("https://scan.testnet.initia.xyz/initiation-2", Some("initiation-2")),
        ("https://www.mintscan.io/noble", Some("noble")),
    ] {
        let targets = interpret(address).map(|reading| reading.targets).unwrap_or_default();
        let named = targets.iter().find_map(|target| if let Target::Chain(name) = target { Some(name) } else { None });
        assert_eq!(named.map(String::as_str), chain, "{address}");
    }
}

#[test]
fn a_validator_is_its_operator_and_a_token_of_a_contract_its_denom() {
    for bytes in [[7; 20], [0xab; 20]] {
        let operator = Address::Short(bytes);
        let text = operator.bech32_as("initvaloper");
        assert_eq!(classify(&text), Ok(vec![Target::Account(operator)]), "{text}");
        assert!(classify(&operator.bech32_as("initvalcons")).is_err());
        let denom = format!("cw20:{}", operator.bech32());
        assert_eq!(classify(&denom), Ok(vec![Target::Denom(Denom::new(denom.as_str()))]));
    }
    let mut wrong = Address::Short([7; 20]).bech32_as("initvaloper");
    wrong.replace_range(20..21, if wrong[20..].starts_with('q') { "p" } else { "q" });
    assert!(classify(&wrong).is_err() && classify("cw20:init1abc").is_err());
    for (text, crossing) in [
        ("withdrawal 9", NumberedTransfer::Withdrawal(9)),
        ("Deposit #1,204", NumberedTransfer::Deposit(1204)),
        ("packet: 4", NumberedTransfer::Packet(4)),
    ] {
        assert_eq!(classify(text), Ok(vec![Target::Transfer(crossing)]), "{text}");
    }
}
