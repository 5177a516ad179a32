use std::{
    fmt,
    io::Cursor,
    mem,
    sync::{Mutex, PoisonError},
};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe,
};

use super::IndexError;

/// Size of the dictionary in bytes. A larger dictionary gains little on bodies of a few kilobytes, and every compressor
/// and decompressor holds a copy.
const DICTIONARY_BYTES: usize = 96 * 1024;

/// Maximum bytes of a sample, so that no sample fills the dictionary alone.
const SAMPLE_BYTES: usize = 8 * 1024;

/// Compression level: with a dictionary, higher levels gain only a tenth.
const LEVEL: i32 = 1;

/// Maximum bytes of a body; a larger stated length means corruption.
const BODY_CAP: u64 = 64 << 20;

/// Maximum decompressors that wait for the next reader.
const IDLE_DECOMPRESSORS: usize = 8;

/// Compressor of transaction bodies, with a dictionary from the first bodies: bodies resemble each other more than they
/// repeat themselves.
pub(super) struct Codec {
    dictionary: Vec<u8>,
    compressor: Mutex<Compressor<'static>>,
    /// Idle ones: readers at one time do not wait for each other.
    decompressors: Mutex<Vec<Decompressor<'static>>>,
}

impl fmt::Debug for Codec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Codec").field("dictionary", &self.dictionary.len()).finish_non_exhaustive()
    }
}

impl Codec {
    pub(super) fn new(dictionary: Vec<u8>) -> Result<Self, IndexError> {
        let compressor = Compressor::with_dictionary(LEVEL, &dictionary).map_err(|_| IndexError::Body)?;
        Ok(Self { dictionary, compressor: Mutex::new(compressor), decompressors: Mutex::default() })
    }

    /// Trains a codec on samples. Order them so that the most frequent kind comes last, where references are cheapest.
    pub(super) fn train<'a>(samples: impl DoubleEndedIterator<Item = &'a [u8]>) -> Result<Self, IndexError> {
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
        Self::new(parts.concat())
    }

    /// Returns the dictionary, without which the bodies are unreadable.
    pub(super) fn dictionary(&self) -> &[u8] {
        &self.dictionary
    }

    /// Compresses a body; the result contains the body's length.
    pub(super) fn compress(&self, body: &[u8]) -> Result<Vec<u8>, IndexError> {
        let mut compressor = self.compressor.lock().unwrap_or_else(PoisonError::into_inner);
        compressor.compress(body).map_err(|_| IndexError::Body)
    }

    /// Decompresses a body and appends it to `out`, which is unchanged after a failure.
    pub(super) fn expand(&self, compressed: &[u8], out: &mut Vec<u8>) -> Result<(), IndexError> {
        let size = expanded_size(compressed)?;
        let idle = self.decompressors.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut decompressor = match idle {
            Some(decompressor) => decompressor,
            None => Decompressor::with_dictionary(&self.dictionary).map_err(|_| IndexError::Body)?,
        };
        let start = out.len();
        out.reserve(size);
        let mut rest = Cursor::new(mem::take(out));
        rest.set_position(start as u64);
        let written = decompressor.decompress_to_buffer(compressed, &mut rest);
        *out = rest.into_inner();
        let mut idle = self.decompressors.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_DECOMPRESSORS {
            idle.push(decompressor);
        }
        if !written.is_ok_and(|written| written == size) {
            out.truncate(start);
            return Err(IndexError::Body);
        }
        Ok(())
    }
}

/// Returns the bytes of a body that are stated in its compressed form.
pub(super) fn expanded_size(compressed: &[u8]) -> Result<usize, IndexError> {
    let size = zstd_safe::get_frame_content_size(compressed).ok().flatten().filter(|size| *size <= BODY_CAP);
    size.and_then(|size| usize::try_from(size).ok()).ok_or(IndexError::Body)
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
            let codec = codec.unwrap();
            let mut out = b"before".to_vec();
            for body in &bodies {
                codec.expand(&codec.compress(body).unwrap(), &mut out).unwrap();
            }
            assert_eq!(out, [b"before".to_vec(), bodies.concat()].concat());
        }
    }

    #[test]
    fn broken_bodies_are_refused() {
        let codec = Codec::new(Vec::new()).unwrap();
        let whole = codec.compress(b"a body of some length, long enough to be cut").unwrap();
        for broken in [&whole[..whole.len() / 2], b"", b"no such thing"] {
            assert!(codec.expand(broken, &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn the_dictionary_is_bounded() {
        let big = vec![7_u8; 100_000];
        let codec = Codec::train(std::iter::repeat_n(big.as_slice(), 30)).unwrap();
        assert_eq!(codec.dictionary().len(), DICTIONARY_BYTES);
    }
}
