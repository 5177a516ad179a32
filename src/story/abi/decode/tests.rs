use alloy_dyn_abi::DynSolType as Kind;
use alloy_primitives::{I256, U256};
use proptest::prelude::*;

use super::*;
use crate::story::abi::{parameter::parse_signature, weigh::Weight};

fn parameters(signature: &str) -> Vec<Parameter> {
    parse_signature(signature).unwrap().1
}

fn word(number: usize) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}

/// Encodes nested lists whose offsets all point at the next list; the last level holds `last` instead of offsets.
fn shared(levels: usize, count: usize, last: usize) -> Vec<u8> {
    let mut words = vec![word(32)];
    for level in 1..=levels {
        words.push(word(count));
        words.extend(vec![word(if level < levels { count * 32 } else { last }); count]);
    }
    words.concat()
}

/// Measures the values and bytes of a decoded result.
fn made(arguments: &[Argument]) -> Weight {
    let parts = arguments.iter().map(|argument| weight(&argument.value));
    parts.fold(Weight { cells: 0, bytes: 0 }, |sum, part| Weight {
        cells: sum.cells + part.cells,
        bytes: sum.bytes + part.bytes,
    })
}

fn weight(value: &AbiValue) -> Weight {
    let within = match value {
        AbiValue::List(items) => items.iter().map(weight).collect(),
        AbiValue::Tuple(fields) => vec![made(fields)],
        AbiValue::Text(text) => vec![Weight { cells: 0, bytes: text.len() }],
        _ => Vec::new(),
    };
    let cells = 1 + within.iter().map(|part| part.cells).sum::<usize>();
    Weight { cells, bytes: within.iter().map(|part| part.bytes).sum() }
}

#[test]
fn lists_that_share_one_place_are_refused_at_every_size() {
    let lists = parameters("f(uint256[][][])");
    for count in [60, 100, 1_000, 10_900] {
        let data = shared(3, count, 1);
        assert!(data.len() <= 1 << 20);
        assert_eq!(weigh(&lists, &data), None, "{count}");
        assert_eq!(decode(&lists, &data), None, "{count}");
    }
    // A little sharing is valid: some encoders store an empty value once.
    let few = shared(3, 4, 1);
    let read = decode(&lists, &few).unwrap();
    assert_eq!(made(&read).cells, 1 + 4 + 16 + 64);
    assert!(made(&read).cells <= weigh(&lists, &few).unwrap().cells);
}

#[test]
fn bytes_that_share_one_place_are_refused() {
    let texts = parameters("f(string[])");
    // Each string covers everything after the offsets.
    let mut data = shared(1, 1_000, 32_000);
    data.extend(word(3_200));
    data.extend(vec![b'a'; 3_200]);
    assert_eq!(weigh(&texts, &data), None);
    assert_eq!(decode(&texts, &data), None);
}

/// The library allocates every element of such an array before it finds the lists in it empty.
#[test]
fn empty_lists_of_large_arrays_are_refused() {
    let wide = parameters("f((uint256[4000][] a)[] b)");
    let mut data = shared(1, 32_000, 32_000 * 32);
    data.extend([word(32), word(0)].concat());
    assert!(data.len() <= 1 << 20);
    assert_eq!(weigh(&wide, &data), None);
    let many = parameters(&format!("f({})", vec!["uint256[8000][]"; 1_000].join(",")));
    let mut data = word(32_000).repeat(1_000);
    data.extend(word(0));
    assert_eq!(weigh(&many, &data), None);
    let mut one = shared(1, 1, 32);
    one.extend([word(32), word(0)].concat());
    assert!(decode(&wide, &one).is_some());
}

#[test]
fn an_honest_input_of_a_mebibyte_is_read() {
    let row = DynSolValue::Array(vec![DynSolValue::Uint(U256::from(7), 256); 30]);
    let lists = DynSolValue::Array(vec![DynSolValue::Array(vec![row; 30]); 33]);
    let data = DynSolValue::Tuple(vec![lists]).abi_encode_params();
    assert!(data.len() > 1_000_000);
    let lists = parameters("f(uint256[][][])");
    assert_eq!(made(&decode(&lists, &data).unwrap()).cells, 1 + 33 + 33 * 30 + 33 * 30 * 30);
    assert_eq!(decode(&lists, &data[..data.len() - 32]), None);
}

#[test]
fn what_should_be_text_and_is_none_stays_bytes() {
    let data = [word(32).to_vec(), word(2).to_vec(), vec![0xff, 0xfe], vec![0; 30]].concat();
    let read = decode(&parameters("f(string)"), &data).unwrap();
    assert_eq!(read[0].value, AbiValue::Bytes(vec![0xff, 0xfe]));
    assert_eq!(&*read[0].kind, "string");
}

/// Returns a parameter of this type, with unnamed tuple fields.
fn parameter(kind: &Kind) -> Parameter {
    let mut suffixes = String::new();
    let mut inner = kind;
    loop {
        match inner {
            Kind::Array(item) => {
                suffixes.insert_str(0, "[]");
                inner = item;
            }
            Kind::FixedArray(item, count) => {
                suffixes.insert_str(0, &format!("[{count}]"));
                inner = item;
            }
            Kind::Tuple(kinds) => {
                let fields = kinds.iter().map(parameter).collect();
                return Parameter::new("", &format!("tuple{suffixes}"), fields, false).unwrap();
            }
            kind => {
                let text = format!("{}{suffixes}", kind.sol_type_name());
                return Parameter::new("", &text, Vec::new(), false).unwrap();
            }
        }
    }
}

/// Builds a value of this type from a cyclic stream of bytes.
fn drawn(kind: &Kind, bytes: &mut impl Iterator<Item = u8>) -> DynSolValue {
    let mut number = || U256::from_be_bytes::<32>(std::array::from_fn(|_| bytes.next().unwrap()));
    match kind {
        Kind::Bool => DynSolValue::Bool(number().bit(0)),
        Kind::Uint(bits) => DynSolValue::Uint(number() >> (256 - bits), *bits),
        Kind::Int(bits) => DynSolValue::Int(I256::from_raw(number()).asr(256 - bits), *bits),
        Kind::FixedBytes(size) => {
            let word = number() << (256 - 8 * size);
            DynSolValue::FixedBytes(word.to_be_bytes().into(), *size)
        }
        Kind::Address => DynSolValue::Address(alloy_primitives::Address::from_word(number().into())),
        Kind::Bytes | Kind::String => {
            let length = usize::from(bytes.next().unwrap() % 70);
            let content: Vec<u8> = bytes.by_ref().take(length).collect();
            match kind {
                Kind::Bytes => DynSolValue::Bytes(content),
                _ => DynSolValue::String(String::from_utf8_lossy(&content).into_owned()),
            }
        }
        Kind::Array(inner) => {
            let count = bytes.next().unwrap() % 4;
            DynSolValue::Array((0..count).map(|_| drawn(inner, bytes)).collect())
        }
        Kind::FixedArray(inner, count) => DynSolValue::FixedArray((0..*count).map(|_| drawn(inner, bytes)).collect()),
        Kind::Tuple(kinds) => DynSolValue::Tuple(kinds.iter().map(|kind| drawn(kind, bytes)).collect()),
        Kind::Function => unreachable!("not among the types"),
    }
}

/// Whether the decoded value equals the encoded one.
fn is_same(read: &AbiValue, written: &DynSolValue) -> bool {
    match (read, written) {
        (AbiValue::Address(read), DynSolValue::Address(written)) => {
            Address::from_bytes(written.as_slice()) == Some(*read)
        }
        (AbiValue::Bool(read), DynSolValue::Bool(written)) => read == written,
        (AbiValue::Number(read), DynSolValue::Uint(written, _)) => *read == Amount::new(*written),
        (AbiValue::Signed(read), DynSolValue::Int(written, _)) => read == written,
        (AbiValue::Bytes(read), DynSolValue::Bytes(written)) => read == written,
        (AbiValue::Bytes(read), DynSolValue::FixedBytes(written, size)) => read[..] == written[..*size],
        (AbiValue::Text(read), DynSolValue::String(written)) => read == written,
        (AbiValue::List(read), DynSolValue::Array(written) | DynSolValue::FixedArray(written)) => {
            read.len() == written.len() && read.iter().zip(written).all(|(read, written)| is_same(read, written))
        }
        (AbiValue::Tuple(read), DynSolValue::Tuple(written)) => {
            let mut pairs = read.iter().zip(written);
            read.len() == written.len() && pairs.all(|(read, written)| is_same(&read.value, written))
        }
        _ => false,
    }
}

fn any_kind() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        Just(Kind::Address),
        Just(Kind::Bool),
        Just(Kind::Bytes),
        Just(Kind::String),
        (1..=32_usize).prop_map(|size| Kind::Uint(size * 8)),
        (1..=32_usize).prop_map(|size| Kind::Int(size * 8)),
        (1..=32_usize).prop_map(Kind::FixedBytes),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|kind| Kind::Array(Box::new(kind))),
            (inner.clone(), 1..4_usize).prop_map(|(kind, count)| Kind::FixedArray(Box::new(kind), count)),
            prop::collection::vec(inner, 1..4).prop_map(Kind::Tuple),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_is_read_and_what_was_cut_is_not(
        kinds in prop::collection::vec(any_kind(), 1..4),
        seed in prop::collection::vec(any::<u8>(), 1..300),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = seed.into_iter().cycle();
        let written: Vec<_> = kinds.iter().map(|kind| drawn(kind, &mut bytes)).collect();
        let data = DynSolValue::Tuple(written.clone()).abi_encode_params();
        let parameters: Vec<_> = kinds.iter().map(parameter).collect();
        for (parameter, kind) in parameters.iter().zip(&kinds) {
            prop_assert_eq!(&parameter.kind, kind);
        }
        let read = decode(&parameters, &data).unwrap();
        prop_assert!(read.iter().zip(&written).all(|(read, written)| is_same(&read.value, written)));
        prop_assert_eq!(decode(&parameters, &data[..32 * cut.index(data.len() / 32)]), None);
    }

    /// Small words fit as offsets and lengths more often than others.
    #[test]
    fn no_words_make_more_than_was_weighed(
        kinds in prop::collection::vec(any_kind(), 1..4),
        numbers in prop::collection::vec(prop_oneof![0..4_usize, (0..40_usize).prop_map(|place| place * 32)], 0..40),
    ) {
        let parameters: Vec<_> = kinds.iter().map(parameter).collect();
        let data: Vec<u8> = numbers.into_iter().flat_map(word).collect();
        if let Some(read) = decode(&parameters, &data) {
            let (made, weighed) = (made(&read), weigh(&parameters, &data).unwrap());
            prop_assert!(made.cells <= weighed.cells && made.bytes <= weighed.bytes);
        }
    }
}
