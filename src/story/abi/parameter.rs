use std::sync::Arc;

use alloy_dyn_abi::DynSolType;
use alloy_json_abi::Param;

/// Maximum nesting of types; real types stay under five.
const MOST_DEPTH: usize = 12;

/// Maximum cells of a type's fixed-size arrays: the library allocates them all before it reads, even for the shortest
/// input.
pub(super) const MOST_CELLS: usize = 1 << 13;

/// Parameter of a function, event or error, or field of a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Empty if the source has none.
    pub(super) name: Arc<str>,
    pub(super) kind: DynSolType,
    /// Type as in signatures.
    pub(super) label: Arc<str>,
    /// Fields of the tuple within the type; empty without a tuple.
    pub(super) fields: Vec<Parameter>,
    /// Whether the parameter is among an event's topics.
    pub(super) is_indexed: bool,
}

impl Parameter {
    /// Parses a type such as `uint256[2][]`, in which `tuple` stands for the fields; `None` for an unknown type, or one
    /// too large to decode safely.
    pub(super) fn new(name: &str, kind: &str, fields: Vec<Self>, is_indexed: bool) -> Option<Self> {
        let text = match kind.strip_prefix("tuple") {
            Some(suffixes) if !fields.is_empty() => format!("{}{suffixes}", in_brackets(&fields)),
            None if fields.is_empty() && !kind.contains('(') => kind.to_owned(),
            _ => return None,
        };
        // Checked in the text, because the library recurses into arrays without a limit.
        if kind.matches('[').count() > MOST_DEPTH {
            return None;
        }
        let kind = DynSolType::parse(&text).ok()?;
        let is_safe = kind.nesting_depth() <= MOST_DEPTH && cells(&kind) <= MOST_CELLS;
        // The library writes a one-field tuple as in Rust, `(T,)`, which has another hash.
        let label = kind.sol_type_name().replace(",)", ")").into();
        is_safe.then(|| Self { name: name.into(), kind, label, fields, is_indexed })
    }

    /// Converts an entry of a JSON ABI.
    pub(super) fn of_json(name: &str, kind: &str, components: &[Param], is_indexed: bool) -> Option<Self> {
        let fields = components.iter().map(|field| Self::of_json(&field.name, &field.ty, &field.components, false));
        Self::new(name, kind, fields.collect::<Option<_>>()?, is_indexed)
    }
}

/// Counts the values that the library allocates for a type before reading.
pub(super) fn cells(kind: &DynSolType) -> usize {
    match kind {
        DynSolType::Array(inner) => cells(inner).saturating_add(1),
        DynSolType::FixedArray(inner, count) => cells(inner).saturating_mul(*count).saturating_add(1),
        DynSolType::Tuple(kinds) => kinds.iter().fold(1, |sum, kind| sum.saturating_add(cells(kind))),
        _ => 1,
    }
}

/// Formats `(address,uint256)`.
pub(super) fn in_brackets(parameters: &[Parameter]) -> String {
    let kinds: Vec<&str> = parameters.iter().map(|parameter| &*parameter.label).collect();
    format!("({})", kinds.join(","))
}

/// Parses a signature as people write it: `swap((address pool,uint24 fee)[] path,uint256 amount)`, with `indexed` in
/// events. The library parses such texts without the names of tuple fields.
pub(super) fn parse_signature(text: &str) -> Option<(&str, Vec<Parameter>)> {
    let (name, rest) = text.split_at(text.find('(')?);
    let (parameters, rest) = parse_list(rest, MOST_DEPTH)?;
    (rest.is_empty() && !name.is_empty()).then_some((name, parameters))
}

/// Parses a list in parentheses; returns it with the remaining text.
fn parse_list(text: &str, left: usize) -> Option<(Vec<Parameter>, &str)> {
    let left = left.checked_sub(1)?;
    let mut rest = text.strip_prefix('(')?;
    if let Some(rest) = rest.strip_prefix(')') {
        return Some((Vec::new(), rest));
    }
    let mut parameters = Vec::new();
    loop {
        let (fields, after) = if rest.starts_with('(') { parse_list(rest, left)? } else { (Vec::new(), rest) };
        let (words, after) = after.split_at(after.find([',', ')'])?);
        let mut words = words.split_ascii_whitespace().peekable();
        // A tuple's parentheses replace its type name; only array suffixes follow.
        let kind = if fields.is_empty() {
            words.next()?.to_owned()
        } else {
            format!("tuple{}", words.next_if(|word| word.starts_with('[')).unwrap_or_default())
        };
        let is_indexed = words.next_if_eq(&"indexed").is_some();
        parameters.push(Parameter::new(words.next().unwrap_or_default(), &kind, fields, is_indexed)?);
        match after.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => return Some((parameters, after.strip_prefix(')')?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_with_names_tuples_and_arrays() {
        let (name, parameters) =
            parse_signature("run((address to,(uint,bytes32)[2] parts)[][3] calls,string indexed note, bool)").unwrap();
        assert_eq!(name, "run");
        assert_eq!(in_brackets(&parameters), "((address,(uint256,bytes32)[2])[][3],string,bool)");
        assert_eq!(&*parameters[1].name, "note");
        assert!(parameters[1].is_indexed && !parameters[0].is_indexed);
        assert_eq!(&*parameters[0].fields[1].name, "parts");
        assert_eq!(parse_signature("stop()").unwrap().1, Vec::new());
    }

    #[test]
    fn a_tuple_of_one_is_written_without_a_comma() {
        let (_, parameters) = parse_signature("f(((uint a) b)[] c)").unwrap();
        assert_eq!(&*parameters[0].label, "((uint256))[]");
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in ["f(uint7)", "f(uint264)", "f(bytes33)", "f(bytes0)", "f(fixed128x18)", "f(address[0])", "f(x"] {
            assert_eq!(parse_signature(text), None, "{text}");
        }
        for (kind, fields) in [("tuple", vec![]), ("()", vec![]), ("(bool)", vec![]), ("uint", vec!["bool"])] {
            let fields = fields.into_iter().map(|field| Parameter::new("", field, Vec::new(), false).unwrap());
            assert_eq!(Parameter::new("", kind, fields.collect(), false), None, "{kind}");
        }
        let deep = format!("f({}uint{})", "(".repeat(40), ")".repeat(40));
        assert_eq!(parse_signature(&deep), None);
        assert_eq!(parse_signature(&format!("f(uint{})", "[]".repeat(40))), None);
        assert_eq!(parse_signature(&format!("f(uint{})", "[]".repeat(1 << 20))), None);
    }

    #[test]
    fn a_type_with_more_places_than_can_be_laid_out_is_refused() {
        assert!(parse_signature("f(uint8[1000] a)").is_some());
        for text in ["f(uint8[4294967295])", "f(bytes[4294967295][4294967295][4294967295])", "f(uint8[100][100][])"] {
            assert_eq!(parse_signature(text), None, "{text}");
        }
    }
}
