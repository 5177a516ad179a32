use super::{item::AbiItem, *};
use crate::story::ContractLog;

/// Concatenates 32-byte words in hex, each right- or left-aligned.
fn words(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| match part.strip_prefix('<') {
            Some(left) => format!("{left:0<64}"),
            None => format!("{part:0>64}"),
        })
        .collect()
}

fn book(signatures: &str) -> AbiRegistry {
    let mut book = AbiRegistry::default();
    book.add_file("Test", signatures).unwrap();
    book
}

fn shown(reading: &AbiReading) -> Option<String> {
    let arguments = reading.arguments.as_ref()?;
    let texts: Vec<String> = arguments.iter().map(|argument| argument.value.write()).collect();
    Some(texts.join(" | "))
}

#[test]
fn every_hash_is_that_of_its_signature() {
    let mut count = 0;
    for line in table::TABLE.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let kind = ItemKind::parse(columns[0]).unwrap();
        let item = AbiItem::parse(columns[2]).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(item.hash(kind), columns[1], "{line}");
        count += 1;
    }
    assert!(count > 370, "{count}");
}

#[test]
fn known_selectors_have_names() {
    assert_eq!(selector_name("a9059cbb"), Some("transfer"));
    assert_eq!(selector_name("A9059CBB"), Some("transfer"));
    assert_eq!(selector_name("00000000"), None);
    assert_eq!(signature("414bf389").unwrap().matches("uint256").count(), 3);
}

#[test]
fn a_call_is_read_with_names_and_types() {
    let to = "d".repeat(40);
    let reading = AbiRegistry::default().decode_call(None, &format!("0xA9059CBB{}", words(&[&to, "64"])));
    assert_eq!(reading.selector.as_deref(), Some("0xa9059cbb"));
    assert_eq!(reading.signature.as_deref(), Some("transfer(address,uint256)"));
    let arguments = reading.arguments.as_ref().unwrap();
    let names: Vec<&str> = arguments.iter().map(|argument| &*argument.name).collect();
    assert_eq!(names, ["to", "value"]);
    assert_eq!(arguments[1].value.number().unwrap().to_string(), "100");
    assert_eq!(arguments[0].value.address().unwrap().hex(), format!("0x{to}"));
}

/// Worked examples of the ABI specification.
#[test]
fn the_examples_of_the_specification_are_read() {
    let json = r#"[
        {"type":"function","name":"baz","inputs":[{"type":"uint32"},{"type":"bool"}]},
        {"type":"function","name":"bar","inputs":[{"type":"bytes3[2]"}]},
        {"type":"function","name":"sam","inputs":[{"type":"bytes"},{"type":"bool"},{"type":"uint256[]"}]},
        {"type":"function","name":"f","inputs":[{"type":"uint256"},{"type":"uint32[]"},{"type":"bytes10"},{"type":"bytes"}]},
        {"type":"function","name":"g","inputs":[{"type":"uint256[][]"},{"type":"string[]"}]}
    ]"#;
    let book = book(json);
    let read = |selector: &str, parts: &[&str]| {
        shown(&book.decode_call(None, &format!("0x{selector}{}", words(parts)))).unwrap()
    };
    assert_eq!(read("cdcd77c0", &["45", "1"]), "69 | true");
    assert_eq!(read("fce353f6", &["<616263", "<646566"]), "[0x616263, 0x646566]");
    let sam = ["60", "1", "a0", "4", "<64617665", "3", "1", "2", "3"];
    assert_eq!(read("a5643bf2", &sam), "0x64617665 | true | [1, 2, 3]");
    let f = ["123", "80", "<31323334353637383930", "e0", "2", "456", "789", "d", "<48656c6c6f2c20776f726c6421"];
    assert_eq!(read("8be65246", &f), "291 | [1110, 1929] | 0x31323334353637383930 | 0x48656c6c6f2c20776f726c6421");
    let g = [
        "40",
        "140",
        "2",
        "40",
        "a0",
        "2",
        "1",
        "2",
        "1",
        "3",
        "3",
        "60",
        "a0",
        "e0",
        "3",
        "<6f6e65",
        "3",
        "<74776f",
        "5",
        "<7468726565",
    ];
    assert_eq!(read("2289b18c", &g), "[[1, 2], [3]] | [\"one\", \"two\", \"three\"]");
}

#[test]
fn words_that_do_not_fit_are_no_values() {
    let book = AbiRegistry::default();
    let misfit = |selector: &str, parts: &[&str]| {
        let reading = book.decode_call(None, &format!("0x{selector}{}", words(parts)));
        assert!(reading.is_misfit(), "{selector} {:?}", shown(&reading));
    };
    let dirty = "f".repeat(64);
    misfit("a9059cbb", &[&dirty, "1"]);
    misfit("a9059cbb", &["1"]);
    misfit("a22cb465", &["1", "2"]);
    misfit("701dcf21", &["1", "60", "100", "0"]);
    // Offsets and lengths out of range, at the end, or beyond any machine integer.
    misfit("ac9650d8", &["20"]);
    misfit("ac9650d8", &[&dirty]);
    misfit("ac9650d8", &["20", &dirty]);
    misfit("ac9650d8", &["20", "ffffffffffffffff"]);
    misfit("ac9650d8", &["20", "1", "7fffffffffffffe0"]);
    misfit("ac9650d8", &["20", "1", "20", "ffffffff"]);
    let odd = book.decode_call(None, "0xa9059cbb0");
    assert!(odd.is_misfit());
    let unknown = book.decode_call(None, "0x12345678ff");
    assert_eq!((unknown.name, unknown.arguments, unknown.selector.as_deref()), (None, None, Some("0x12345678")));
    assert_eq!(book.decode_call(None, "0x"), AbiReading::default());
    assert_eq!(book.decode_call(None, "é€é€é€"), AbiReading::default());
}

#[test]
fn offsets_that_share_one_place_cost_no_more_than_their_bytes() {
    let json = r#"[{"type":"function","name":"g","inputs":[{"type":"uint256[][][][]"},{"type":"string[]"}]}]"#;
    let book = book(json);
    let many = 1000_usize;
    // Nested lists whose offsets all point at one list.
    let mut parts = vec!["40".to_owned(), "0".to_owned(), format!("{many:x}")];
    for _ in 0..3 {
        parts.extend((0..many).map(|_| format!("{:x}", many * 32)));
        parts.push(format!("{many:x}"));
    }
    parts.extend((0..many).map(|_| "1".to_owned()));
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let selector = &AbiItem::parse("g(uint[][][][],string[])").unwrap().hash(ItemKind::Function);
    assert!(book.decode_call(None, &format!("0x{selector}{}", words(&parts))).is_misfit());
    // Each of many byte strings covers the whole input.
    let mut parts = vec!["20".to_owned(), format!("{many:x}")];
    parts.extend((0..many).map(|_| format!("{:x}", many * 32)));
    parts.push(format!("{:x}", 32 * 100));
    parts.extend((0..100).map(|_| "0".to_owned()));
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    assert!(AbiRegistry::default().decode_call(None, &format!("0xac9650d8{}", words(&parts))).is_misfit());
}

fn log(topics: &[String], data: &str) -> ContractLog {
    ContractLog { address: format!("0x{}", "c".repeat(40)), topics: topics.to_vec(), data: data.to_owned() }
}

#[test]
fn a_log_is_read_by_its_topics() {
    let book = AbiRegistry::default();
    let transfer = crate::events::names::TRANSFER_TOPIC.to_owned();
    let account = |digit: &str| format!("0x{}", words(&[&digit.repeat(40)]));
    let token = book.decode_log(&log(&[transfer.clone(), account("a"), account("b")], &words(&["5"])));
    assert_eq!(token.arguments.as_ref().unwrap()[2].name.as_ref(), "value");
    assert!(!token.arguments.as_ref().unwrap()[2].is_indexed);
    let id = format!("0x{}", words(&["7"]));
    let nft = book.decode_log(&log(&[transfer.clone(), account("a"), account("b"), id], "0x"));
    assert_eq!(nft.arguments.as_ref().unwrap()[2].name.as_ref(), "tokenId");
    let old = book.decode_log(&log(std::slice::from_ref(&transfer), &words(&[&"a".repeat(40), &"b".repeat(40), "9"])));
    assert_eq!(old.value(2).unwrap().write(), "9");
    let half = book.decode_log(&log(&[transfer, account("a")], &words(&["1", "2"])));
    assert!(half.is_misfit());
    assert_eq!(book.decode_log(&log(&[], "0x00")), AbiReading::default());
}

#[test]
fn of_an_indexed_text_only_the_digest_is_known() {
    let book = book(r#"[{"type":"event","name":"Named","inputs":[{"name":"name","type":"string","indexed":true}]}]"#);
    let topic = format!("0x{}", AbiItem::parse("Named(string)").unwrap().hash(ItemKind::Event));
    let digest = format!("0x{}", "ab".repeat(32));
    let reading = book.decode_log(&log(&[topic, digest.clone()], "0x"));
    assert_eq!(reading.value(0).unwrap().write(), digest);
    assert!(matches!(reading.value(0), Some(AbiValue::Digest(_))));
}

#[test]
fn errors_are_read() {
    let book = AbiRegistry::default();
    let text = format!("0x08c379a0{}", words(&["20", "3", "<6e6f21"]));
    assert_eq!(shown(&book.decode_error(None, &text)).unwrap(), "\"no!\"");
    let reading = book.decode_error(None, &format!("0x4e487b71{}", words(&["11"])));
    assert_eq!((reading.title(), shown(&reading).as_deref()), ("Panic", Some("17")));
}

#[test]
fn numbers_that_may_be_negative_keep_their_sign_and_their_size() {
    let book = book(r#"[{"name":"move","inputs":[{"type":"int24"}]}]"#);
    let selector = AbiItem::parse("move(int24)").unwrap().hash(ItemKind::Function);
    let read = |word: &str| shown(&book.decode_call(None, &format!("0x{selector}{word}")));
    assert_eq!(read(&"f".repeat(64)).as_deref(), Some("-1"));
    assert_eq!(read(&words(&["7fffff"])).as_deref(), Some("8388607"));
    assert_eq!(read(&words(&["800000"])), None);
    assert_eq!(read(&format!("{}800000", "f".repeat(58))).as_deref(), Some("-8388608"));
}

#[test]
fn a_file_goes_before_the_embedded_and_a_contract_s_own_before_all() {
    let named = |name: &str| {
        format!(
            r#"{{"abi":[{{"type":"function","name":"transfer","inputs":[
                {{"name":"{name}","type":"address"}},{{"name":"{name}Amount","type":"uint256"}}]}}]}}"#
        )
    };
    let contract: Address = "0x00000000000000000000000000000000000000aa".parse().unwrap();
    let mut book = AbiRegistry::default();
    let before = book.clone();
    assert_eq!(book.add_file("Token", &named("general")).unwrap(), AbiFile { taken: 1, left_out: 0 });
    book.add_file(&contract.hex(), &named("own")).unwrap();
    let name = |book: &AbiRegistry, to| {
        let reading = book.decode_call(to, &format!("0xa9059cbb{}", words(&["1", "2"])));
        reading.arguments.unwrap()[0].name.to_string()
    };
    assert_eq!(name(&book, Some(contract)), "own");
    assert_eq!(name(&book, "0xbb".parse().ok()), "general");
    assert_eq!(name(&book, None), "general");
    assert_eq!(name(&before, Some(contract)), "to");
    let reading = book.decode_call(None, &format!("0xa9059cbb{}", words(&["1", "2"])));
    assert_eq!(reading.source.as_deref(), Some("Token"));
}

#[test]
fn what_a_file_has_that_is_no_abi_is_said() {
    let add = |json: &str| AbiRegistry::default().add_file("Bad", json);
    assert!(matches!(add("{"), Err(AbiFileError::Json(_))));
    assert!(matches!(add("{\"name\":\"x\"}"), Err(AbiFileError::NoAbi)));
    assert!(matches!(add("7"), Err(AbiFileError::NoAbi)));
    assert!(matches!(add("[]"), Err(AbiFileError::Empty)));
    assert!(matches!(add(r#"[{"type":"constructor","inputs":[]}]"#), Err(AbiFileError::Empty)));
    assert!(matches!(AbiRegistry::default().add_file("0x12zz", "[]"), Err(AbiFileError::Address)));
    let mixed = r#"[
        {"type":"constructor","inputs":[]}, 7, {"type":"function","name":"a","inputs":[{"type":"fixed128x18"}]},
        {"type":"function","name":"evil\u001b[31m","inputs":[]}, {"type":"receive"},
        {"type":"event","name":"Quiet","anonymous":true,"inputs":[]},
        {"type":"function","name":"good","inputs":[{"name":"p","type":"tuple[2]","components":[
            {"name":"who","type":"address payable"}]}]},
        {"type":"function","name":"fine","inputs":[{"name":"p","type":"tuple[2][]","components":[
            {"name":"who","type":"address"},{"name":"bits","type":"bytes4"}]}]}
    ]"#;
    assert_eq!(add(mixed).unwrap(), AbiFile { taken: 1, left_out: 4 });
    let deep = "[".repeat(100_000);
    assert!(matches!(add(&deep), Err(AbiFileError::Json(_))));
}

#[test]
fn unknown_data_is_guessed_only_where_one_shape_fits_exactly() {
    let guessed = |parts: &[&str]| {
        let reading = AbiRegistry::default().decode_call(None, &format!("0x12345678{}", words(parts)));
        assert_eq!((reading.name.is_none(), reading.is_guess), (true, reading.arguments.is_some()), "{parts:?}");
        let kind = reading.arguments.as_ref().map(|arguments| arguments[0].kind.to_string());
        kind.zip(shown(&reading))
    };
    let read = |kind: &str, value: &str| Some((kind.to_owned(), value.to_owned()));
    assert_eq!(guessed(&["20", "5", "<68656c6c6f"]), read("string", "\"hello\""));
    assert_eq!(guessed(&["20", "2", "<ff00"]), read("bytes", "0xff00"));
    assert_eq!(guessed(&["20", "2", "7", "8"]), read("uint256[]", "[7, 8]"));
    let (one, other) = ("1".repeat(40), "2".repeat(40));
    assert_eq!(guessed(&["20", "2", &one, &other]), read("address[]", &format!("[0x{one}, 0x{other}]")));
    let hash = "a".repeat(64);
    assert_eq!(guessed(&["20", "2", &hash, &hash]), read("bytes32[]", &format!("[0x{hash}, 0x{hash}]")));
    // One number, no content, an item that is a text as well, other padding, a rest, an offset that skips a word.
    for odd in [
        &["5"][..],
        &["20", "0"],
        &["20", "1", "<61"],
        &["20", "5", "<68656c6c6f21"],
        &["20", "5", "<68656c6c6f", "0"],
        &["40", "0", "5", "<68656c6c6f"],
        &["20", "3", "7", "8"],
    ] {
        assert_eq!(guessed(odd), None, "{odd:?}");
    }
    let known = AbiRegistry::default().decode_call(None, &format!("0xa9059cbb{}", words(&["20", "2", "7", "8"])));
    assert!(known.name.is_some() && !known.is_guess, "a known function is not guessed");
}
