// Addresses in both forms.
import { fromBech32, fromHex, toBech32, toHex } from "@cosmjs/encoding";

/** The bytes of a bech32 address as hex. */
export function bech32Words(address) {
  return toHex(fromBech32(address, 120).data);
}

/** The same account as an Ethereum address, in the form of a Cosmos chain. */
export function bech32Of(prefix, hex) {
  return toBech32(prefix, fromHex(hex.slice(2)));
}
