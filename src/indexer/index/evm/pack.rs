use super::super::IndexError;

/// Compact binary writer: numbers of variable length, and EVM words without leading zeros.
#[derive(Debug, Default)]
pub(super) struct Packer(Vec<u8>);

impl Packer {
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes bytes whose length the reader knows.
    pub(super) fn fixed(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Writes a number as LEB128.
    pub(super) fn number(&mut self, mut number: u128) {
        while let Some(low) = u8::try_from(number & 0x7f).ok().filter(|_| number > 0x7f) {
            self.0.push(low | 0x80);
            number >>= 7;
        }
        self.0.push(u8::try_from(number).unwrap_or(0));
    }

    pub(super) fn length(&mut self, length: usize) {
        self.number(length as u128);
    }

    /// Writes a word without its leading zeros.
    pub(super) fn word(&mut self, word: &[u8]) {
        let zeros = word.iter().take_while(|byte| **byte == 0).count();
        let digits = word.get(zeros..).unwrap_or_default();
        self.byte(u8::try_from(digits.len()).unwrap_or(0));
        self.fixed(digits);
    }

    /// Writes call data or return data: a prefix of under 32 bytes, then 32-byte words.
    pub(super) fn data(&mut self, data: &[u8]) {
        self.length(data.len());
        let (start, words) = data.split_at(data.len() % 32);
        self.fixed(start);
        words.chunks(32).for_each(|word| self.word(word));
    }
}

/// Reader of the bytes that a [`Packer`] wrote.
#[derive(Debug)]
pub(super) struct Unpacker<'a>(&'a [u8]);

impl<'a> Unpacker<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], IndexError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(IndexError::Body)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, IndexError> {
        let (byte, rest) = self.0.split_first().ok_or(IndexError::Body)?;
        self.0 = rest;
        Ok(*byte)
    }

    /// Reads bytes of a known length.
    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], IndexError> {
        self.take(N)?.try_into().map_err(|_| IndexError::Body)
    }

    /// Reads a number of at most 128 bits.
    pub(super) fn wide(&mut self) -> Result<u128, IndexError> {
        let mut number = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(IndexError::Body)
    }

    /// Reads a number of at most 64 bits.
    pub(super) fn number(&mut self) -> Result<u64, IndexError> {
        u64::try_from(self.wide()?).map_err(|_| IndexError::Body)
    }

    /// Reads a length; fails if the remaining bytes could not hold it.
    pub(super) fn length(&mut self) -> Result<usize, IndexError> {
        let length = usize::try_from(self.number()?).map_err(|_| IndexError::Body)?;
        if length / 32 > self.0.len() { Err(IndexError::Body) } else { Ok(length) }
    }

    pub(super) fn word(&mut self) -> Result<[u8; 32], IndexError> {
        let count = usize::from(self.byte()?);
        let digits = self.take(count)?;
        let mut word = [0; 32];
        let start = word.len().checked_sub(count).ok_or(IndexError::Body)?;
        word.iter_mut().skip(start).zip(digits).for_each(|(to, from)| *to = *from);
        Ok(word)
    }

    pub(super) fn data(&mut self) -> Result<Vec<u8>, IndexError> {
        let length = self.length()?;
        let mut data = self.take(length % 32)?.to_vec();
        for _ in 0..length / 32 {
            data.extend_from_slice(&self.word()?);
        }
        Ok(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_back() {
        let numbers = [0, 1, 0x7f, 0x80, 300, u128::from(u64::MAX), u128::MAX];
        let mut word = [0; 32];
        word[30] = 7;
        let data = [[0xa9, 0x05, 0x9c, 0xbb].as_slice(), &word, &[0xff; 32], &[0; 32]].concat();
        let mut packer = Packer::default();
        packer.fixed(&[1, 2, 3]);
        for number in numbers {
            packer.number(number);
        }
        packer.word(&word);
        packer.data(&data);
        packer.data(&[]);
        let bytes = packer.finish();
        let mut unpacker = Unpacker::new(&bytes);
        assert_eq!(unpacker.fixed().unwrap(), [1, 2, 3]);
        for number in numbers {
            assert_eq!(unpacker.wide().unwrap(), number);
        }
        assert_eq!(unpacker.word().unwrap(), word);
        assert_eq!((unpacker.data().unwrap(), unpacker.data().unwrap()), (data, Vec::new()));
        assert!(unpacker.byte().is_err());
    }

    #[test]
    fn damaged_bytes_are_refused_without_asking_for_memory() {
        assert!(Unpacker::new(&[0xff; 30]).wide().is_err());
        assert!(Unpacker::new(&[33; 40]).word().is_err());
        let mut packer = Packer::default();
        packer.number(u128::from(u64::MAX));
        assert!(Unpacker::new(&packer.finish()).data().is_err());
    }
}
