use std::{fmt, sync::Arc};

/// How deep types may nest; real ones stay under five.
const MOST_DEPTH: usize = 12;

/// A type of the EVM's ABI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Address,
    Bool,
    /// Its bits.
    Uint(u16),
    /// Its bits.
    Int(u16),
    /// `bytes1` to `bytes32`, and `function`, which is `bytes24`.
    Word(u8),
    Bytes,
    Text,
    /// `T[]`.
    List(Box<Kind>),
    /// `T[n]`; never empty.
    Array(Box<Kind>, usize),
    /// Never empty.
    Tuple(Vec<Parameter>),
}

/// A parameter of a function, event or error, or a field of a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Empty where the source gives none.
    pub(super) name: Arc<str>,
    pub(super) kind: Kind,
    /// The type as signatures write it.
    pub(super) label: Arc<str>,
    /// Whether an event has it among its topics.
    pub(super) is_indexed: bool,
}

impl Parameter {
    pub(super) fn new(name: &str, kind: Kind, is_indexed: bool) -> Self {
        Self { name: name.into(), label: kind.to_string().into(), kind, is_indexed }
    }
}

impl Kind {
    /// Reads a type such as `uint256[2][]`; `fields` are what `tuple` stands for.
    pub(super) fn parse(text: &str, fields: Option<Vec<Parameter>>) -> Option<Self> {
        let (base, suffixes) = text.split_at(text.find('[').unwrap_or(text.len()));
        let kind = match (base, fields) {
            ("tuple", Some(fields)) if !fields.is_empty() => Self::Tuple(fields),
            (base, _) => Self::elementary(base)?,
        };
        kind.in_arrays(suffixes)
    }

    fn elementary(text: &str) -> Option<Self> {
        let bits = |digits: &str| {
            let bits: u16 = if digits.is_empty() { 256 } else { digits.parse().ok()? };
            (bits.is_multiple_of(8) && (8..=256).contains(&bits)).then_some(bits)
        };
        Some(match text {
            "address" => Self::Address,
            "bool" => Self::Bool,
            "bytes" => Self::Bytes,
            "string" => Self::Text,
            "function" => Self::Word(24),
            _ => match (text.strip_prefix("uint"), text.strip_prefix("int"), text.strip_prefix("bytes")) {
                (Some(digits), _, _) => Self::Uint(bits(digits)?),
                (_, Some(digits), _) => Self::Int(bits(digits)?),
                (_, _, Some(digits)) => Self::Word(digits.parse().ok().filter(|size| (1..=32).contains(size))?),
                _ => return None,
            },
        })
    }

    /// Wraps a type in what follows it: `[2][]`.
    fn in_arrays(mut self, mut suffixes: &str) -> Option<Self> {
        for _ in 0..MOST_DEPTH {
            if suffixes.is_empty() {
                return Some(self);
            }
            let (count, rest) = suffixes.strip_prefix('[')?.split_once(']')?;
            self = if count.is_empty() {
                Self::List(Box::new(self))
            } else {
                Self::Array(Box::new(self), count.parse().ok().filter(|&count| count > 0)?)
            };
            suffixes = rest;
        }
        None
    }

    /// Whether its value lies elsewhere, with an offset in its place.
    pub(super) fn is_dynamic(&self) -> bool {
        match self {
            Self::Bytes | Self::Text | Self::List(_) => true,
            Self::Array(inner, _) => inner.is_dynamic(),
            Self::Tuple(fields) => fields.iter().any(|field| field.kind.is_dynamic()),
            _ => false,
        }
    }

    /// Bytes that it takes in its place.
    pub(super) fn head(&self) -> usize {
        match self {
            Self::Array(inner, count) if !inner.is_dynamic() => inner.head().saturating_mul(*count),
            Self::Tuple(fields) if !self.is_dynamic() => {
                fields.iter().fold(0, |sum, field| sum.saturating_add(field.kind.head()))
            }
            _ => 32,
        }
    }

    /// Whether its nesting can be followed safely.
    fn is_shallow(&self, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match self {
            Self::List(inner) | Self::Array(inner, _) => inner.is_shallow(left),
            Self::Tuple(fields) => fields.iter().all(|field| field.kind.is_shallow(left)),
            _ => true,
        }
    }
}

/// As signatures write it: `(address,uint256)[]`.
impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => formatter.write_str("address"),
            Self::Bool => formatter.write_str("bool"),
            Self::Uint(bits) => write!(formatter, "uint{bits}"),
            Self::Int(bits) => write!(formatter, "int{bits}"),
            Self::Word(24) => formatter.write_str("function"),
            Self::Word(size) => write!(formatter, "bytes{size}"),
            Self::Bytes => formatter.write_str("bytes"),
            Self::Text => formatter.write_str("string"),
            Self::List(inner) => write!(formatter, "{inner}[]"),
            Self::Array(inner, count) => write!(formatter, "{inner}[{count}]"),
            Self::Tuple(fields) => formatter.write_str(&in_brackets(fields)),
        }
    }
}

/// `(address,uint256)`.
pub(super) fn in_brackets(parameters: &[Parameter]) -> String {
    let kinds: Vec<&str> = parameters.iter().map(|parameter| &*parameter.label).collect();
    format!("({})", kinds.join(","))
}

/// Whether no parameter nests deeper than it can be followed.
pub(super) fn are_shallow(parameters: &[Parameter]) -> bool {
    parameters.iter().all(|parameter| parameter.kind.is_shallow(MOST_DEPTH))
}

/// Reads what people write: `swap((address pool,uint24 fee)[] path,uint256 amount)`, in events with `indexed`.
pub(super) fn parse_signature(text: &str) -> Option<(&str, Vec<Parameter>)> {
    let (name, rest) = text.split_at(text.find('(')?);
    let (parameters, rest) = parse_list(rest, MOST_DEPTH)?;
    (rest.is_empty() && !name.is_empty()).then_some((name, parameters))
}

/// A list in brackets, and what follows it.
fn parse_list(text: &str, left: usize) -> Option<(Vec<Parameter>, &str)> {
    let left = left.checked_sub(1)?;
    let mut rest = text.strip_prefix('(')?;
    if let Some(rest) = rest.strip_prefix(')') {
        return Some((Vec::new(), rest));
    }
    let mut parameters = Vec::new();
    loop {
        let (fields, after) = if rest.starts_with('(') {
            parse_list(rest, left).map(|(fields, after)| (Some(fields), after))?
        } else {
            (None, rest)
        };
        let (words, after) = after.split_at(after.find([',', ')'])?);
        let mut words = words.split_ascii_whitespace().peekable();
        let kind = match fields {
            // The brackets of a tuple stand for its name, only its array suffixes follow.
            Some(fields) => {
                let suffixes = words.next_if(|word| word.starts_with('[')).unwrap_or_default();
                Kind::parse(&format!("tuple{suffixes}"), Some(fields))?
            }
            None => Kind::parse(words.next()?, None)?,
        };
        let is_indexed = words.next_if_eq(&"indexed").is_some();
        parameters.push(Parameter::new(words.next().unwrap_or_default(), kind, is_indexed));
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
        assert_eq!(parse_signature("stop()").unwrap().1, Vec::new());
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in ["f(uint7)", "f(uint264)", "f(bytes33)", "f(bytes0)", "f(fixed128x18)", "f(address[0])", "f(x"] {
            assert_eq!(parse_signature(text), None, "{text}");
        }
        let deep = format!("f({}uint{})", "(".repeat(40), ")".repeat(40));
        assert_eq!(parse_signature(&deep), None);
        assert_eq!(parse_signature(&format!("f(uint{})", "[]".repeat(40))), None);
    }

    #[test]
    fn a_place_in_the_head_is_as_large_as_its_value() {
        let head = |text: &str| parse_signature(text).unwrap().1[0].kind.head();
        assert_eq!(head("f(uint8[3][2])"), 192);
        assert_eq!(head("f((address,bool) a)"), 64);
        assert_eq!(head("f((address,bytes) a)"), 32);
        assert_eq!(head("f(uint8[4294967295][4294967295][4294967295])"), usize::MAX);
    }
}
