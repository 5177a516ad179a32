use alloy_dyn_abi::DynSolType;
use alloy_primitives::{I256, U256};

use super::parameter::{MOST_CELLS, Parameter, cells};

const WORD: usize = 32;

/// Maximum decoded values per word of input: one per nesting level of a word, and those for empty lists of a tuple.
const CELLS_PER_WORD: usize = 16;

/// Size of a decoded input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weight {
    /// Values, including those that the library allocates for list items before it reads them.
    pub(super) cells: usize,
    /// Bytes of strings and byte arrays.
    pub(super) bytes: usize,
}

/// Measures an input as the library would decode it, without allocating. `None` if the data does not fit the types, has
/// non-zero padding, or would decode to far more than its own size, which happens only if many offsets share one
/// target.
pub(super) fn weigh(parameters: &[Parameter], data: &[u8]) -> Option<Weight> {
    let most = Weight { cells: (data.len() / WORD) * CELLS_PER_WORD + MOST_CELLS, bytes: data.len() };
    let laid_out = parameters.iter().fold(0_usize, |sum, parameter| sum.saturating_add(cells(&parameter.kind)));
    let mut scale = Scale { data, left: Weight { cells: most.cells.checked_sub(laid_out)?, ..most } };
    scale.sequence(parameters.iter().map(|parameter| &parameter.kind), 0)?;
    Some(Weight { cells: most.cells - scale.left.cells, bytes: most.bytes - scale.left.bytes })
}

/// Whether a word holds a value of this one-word type with valid padding.
pub(super) fn fits(kind: &DynSolType, word: &[u8; WORD]) -> bool {
    let number = U256::from_be_bytes(*word);
    let ends_after = |size: usize| word.iter().skip(size).all(|&byte| byte == 0);
    match kind {
        DynSolType::Address => number.bit_len() <= 160,
        DynSolType::Bool => number.bit_len() <= 1,
        DynSolType::Uint(bits) => number.bit_len() <= *bits,
        DynSolType::Int(bits) => usize::try_from(I256::from_raw(number).bits()).is_ok_and(|taken| taken <= *bits),
        DynSolType::FixedBytes(size) => ends_after(*size),
        DynSolType::Function => ends_after(24),
        _ => false,
    }
}

struct Scale<'a> {
    data: &'a [u8],
    /// Remaining budget.
    left: Weight,
}

impl Scale<'_> {
    /// Walks consecutive values, with offsets relative to the first.
    fn sequence<'k>(&mut self, kinds: impl Iterator<Item = &'k DynSolType>, base: usize) -> Option<()> {
        let mut at = base;
        for kind in kinds {
            self.value(kind, base, at)?;
            at = at.checked_add(head(kind))?;
        }
        Some(())
    }

    fn value(&mut self, kind: &DynSolType, base: usize, at: usize) -> Option<()> {
        self.left.cells = self.left.cells.checked_sub(1)?;
        let start = if kind.is_dynamic() { base.checked_add(self.size(at)?)? } else { at };
        match kind {
            DynSolType::FixedArray(inner, count) => self.items(inner, *count, start),
            DynSolType::Tuple(kinds) => self.sequence(kinds.iter(), start),
            DynSolType::Array(inner) => {
                let count = self.size(start)?;
                self.left.cells = self.left.cells.checked_sub(count.checked_mul(cells(inner))?)?;
                self.items(inner, count, start.checked_add(WORD)?)
            }
            DynSolType::Bytes | DynSolType::String => {
                let length = self.size(start)?;
                self.left.bytes = self.left.bytes.checked_sub(length)?;
                let from = start.checked_add(WORD)?;
                self.data.get(from..from.checked_add(length)?).map(|_| ())
            }
            kind => fits(kind, &self.word(at)?).then_some(()),
        }
    }

    fn items(&mut self, inner: &DynSolType, count: usize, start: usize) -> Option<()> {
        let head = head(inner);
        if start.checked_add(head.checked_mul(count)?)? > self.data.len() {
            return None;
        }
        for place in 0..count {
            self.value(inner, start, start.checked_add(place.checked_mul(head)?)?)?;
        }
        Some(())
    }

    fn word(&self, at: usize) -> Option<[u8; WORD]> {
        self.data.get(at..at.checked_add(WORD)?)?.try_into().ok()
    }

    /// Reads an offset or a length.
    fn size(&self, at: usize) -> Option<usize> {
        usize::try_from(U256::from_be_bytes(self.word(at)?)).ok()
    }
}

/// Returns the bytes of a value in place; a dynamic value only has its offset in place.
fn head(kind: &DynSolType) -> usize {
    if kind.is_dynamic() { WORD } else { kind.minimum_words().saturating_mul(WORD) }
}
