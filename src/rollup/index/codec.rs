use lz4_flex::block;

use super::IndexError;

/// LZ4's table has 4,096 places: a longer dictionary would only overwrite its own start.
const DICTIONARY_BYTES: usize = 12 * 1024;

/// A single sample may not fill the dictionary alone.
const SAMPLE_BYTES: usize = 4 * 1024;

/// Compresses transaction bodies against a dictionary made of the first ones seen: they repeat each other, not themselves.
#[derive(Debug)]
pub(super) struct Codec {
    dictionary: Vec<u8>,
}

impl Codec {
    /// A codec with a dictionary kept from before.
    pub(super) fn new(dictionary: Vec<u8>) -> Self {
        Self { dictionary }
    }

    /// A codec for bodies like these; put the likeliest last, LZ4 reaches those best.
    pub(super) fn train<'a>(samples: impl DoubleEndedIterator<Item = &'a [u8]>) -> Self {
        let mut parts: Vec<&[u8]> = Vec::new();
        let mut left = DICTIONARY_BYTES;
        for sample in samples.rev() {
            let part = sample.get(..sample.len().min(SAMPLE_BYTES).min(left)).unwrap_or_default();
            left -= part.len();
            parts.push(part);
            if left == 0 {
                break;
            }
        }
        parts.reverse();
        Self { dictionary: parts.concat() }
    }

    /// What must be kept to read the bodies again.
    pub(super) fn dictionary(&self) -> &[u8] {
        &self.dictionary
    }

    /// The body, compressed, with its length before it.
    pub(super) fn compress(&self, body: &[u8]) -> Vec<u8> {
        block::compress_prepend_size_with_dict(body, &self.dictionary)
    }

    /// Appends the body that was compressed.
    pub(super) fn expand(&self, compressed: &[u8], out: &mut Vec<u8>) -> Result<(), IndexError> {
        let (size, rest) = block::uncompressed_size(compressed).map_err(|_| IndexError::Body)?;
        let start = out.len();
        out.resize(start + size, 0);
        let target = out.get_mut(start..).ok_or(IndexError::Body)?;
        let written = block::decompress_into_with_dict(rest, target, &self.dictionary).map_err(|_| IndexError::Body)?;
        out.truncate(start + written);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_back_whole_with_and_without_a_dictionary() {
        let bodies: Vec<Vec<u8>> = (0..40)
            .map(|n| format!("{{\"n\":{n},\"text\":\"{}\"}}", "the same words ".repeat(n)).into_bytes())
            .collect();
        for codec in [Codec::new(Vec::new()), Codec::train(bodies.iter().map(Vec::as_slice))] {
            let mut out = b"before".to_vec();
            for body in &bodies {
                codec.expand(&codec.compress(body), &mut out).unwrap();
            }
            assert_eq!(out, [b"before".to_vec(), bodies.concat()].concat());
        }
    }

    #[test]
    fn the_dictionary_is_bounded() {
        let big = vec![7_u8; 100_000];
        let codec = Codec::train(std::iter::repeat_n(big.as_slice(), 10));
        assert_eq!(codec.dictionary().len(), DICTIONARY_BYTES);
    }
}
