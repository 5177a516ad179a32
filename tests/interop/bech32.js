// The bytes of a bech32 address as hex, without checking its sum: only for comparing.
const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

export function bech32Words(address) {
  const words = [...address.slice(address.lastIndexOf("1") + 1, -6)].map((letter) => ALPHABET.indexOf(letter));
  const bits = words.map((word) => word.toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.map((byte) => parseInt(byte, 2).toString(16).padStart(2, "0")).join("");
}
