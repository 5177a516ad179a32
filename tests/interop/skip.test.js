// Skip Go's client carries routes out over the embedded router and the embedded nodes, to their end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { makeSignBytes } from "@cosmjs/proto-signing";
import { executeRoute, route, setClientOptions } from "@skip-go/client";
import { SigningKey, computeAddress, getBytes, keccak256 } from "ethers";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

import { bech32Of } from "./bech32.js";
import { serve } from "./rollup.js";

const L1 = "interwoven-1";
const ETHEREUM = "31337";
const USDC = "0x7700000000000000000000000000000000000201";
const SECRET = `0x${"2a".repeat(32)}`;

let rollup, rollupId, bridged;
const key = new SigningKey(SECRET);
const own = computeAddress(SECRET);
const address = bech32Of("init", own);

before(async () => {
  rollup = await serve("evm", "1s");
  const { given } = await rollup.post("/demo/v1/fund", { address });
  const onRollup = given.filter(({ chain_id: chain }) => chain.startsWith("rollscope"));
  rollupId = onRollup[0].chain_id;
  bridged = onRollup.find(({ denom }) => denom.startsWith("l2/")).denom;
  const node = (chain) => `${rollup.url}/node${chain === rollupId ? "" : `/${chain}`}`;
  const endpoints = [L1, "noble-1", rollupId].map((chain) => [chain, { rpc: `${node(chain)}/rpc`, rest: `${node(chain)}/rest` }]);
  setClientOptions({ apiUrl: rollup.url, endpointOptions: { endpoints: Object.fromEntries(endpoints) } });
  // What the faucet gave is in a block soon.
  while ((await held()) === 0n) await new Promise((done) => setTimeout(done, 300));
});
after(() => rollup?.stop());

/** What the account has of the bridged token on the rollup. */
async function held(chain = rollupId, denom = bridged) {
  const node = chain === rollupId ? "/node/rest" : `/node/${chain}/rest`;
  const path = `${node}/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=${encodeURIComponent(denom)}`;
  return BigInt((await rollup.get(path)).balance.amount);
}

/** A wallet with an Ethereum key, as those of Initia's chains sign. */
const cosmosWallet = {
  getAccounts: async () => [{ address, algo: "ethsecp256k1", pubkey: getBytes(key.compressedPublicKey) }],
  signDirect: async (_, signed) => {
    const { r, s } = key.sign(keccak256(makeSignBytes(signed)));
    const signature = Buffer.concat([getBytes(r), getBytes(s)]).toString("base64");
    return { signed, signature: { pub_key: { type: "", value: "" }, signature } };
  },
};

/** Carries a route out; what was said of it on the way. */
async function carryOut(asked, addresses) {
  const found = await route({ allowUnsafe: true, ...asked });
  const seen = { broadcast: [], statuses: [] };
  const userAddresses = found.requiredChainAddresses.map((chainId) => ({ chainId, address: addresses(chainId) }));
  await executeRoute({
    route: found,
    userAddresses,
    getCosmosSigner: async () => cosmosWallet,
    getEvmSigner: async () =>
      createWalletClient({
        account: privateKeyToAccount(SECRET),
        chain: foundry,
        transport: http(`${rollup.url}/node/${ETHEREUM}/json-rpc`),
      }),
    onTransactionBroadcast: async (tx) => seen.broadcast.push(tx),
    onRouteStatusUpdated: (status) => seen.statuses.push(status.status),
  });
  return { found, ...seen };
}

test("executeRoute deposits from the L1 to the rollup", async () => {
  const [before, left] = [await held(), await held(L1, "uinit")];
  const asked = { sourceAssetChainId: L1, sourceAssetDenom: "uinit", destAssetChainId: rollupId, destAssetDenom: bridged, amountIn: "5000000" };
  const { broadcast, statuses } = await carryOut(asked, () => address);
  assert.equal(broadcast.length, 1);
  assert.match(broadcast[0].txHash, /^[0-9A-F]{64}$/);
  assert.equal(statuses.at(-1), "completed", statuses.join(" "));
  assert.equal(await held(), before + 5_000_000n);
  assert.ok((await held(L1, "uinit")) < left - 5_000_000n, "the fee was paid, too");
});

test("executeRoute burns on the EVM chain and arrives on the L1", async () => {
  const assets = (await rollup.get(`/v2/fungible/assets?chain_ids=${L1}`)).chain_to_assets_map[L1].assets;
  const usdc = assets.find(({ symbol }) => symbol === "USDC").denom;
  const before = await held(L1, usdc);
  const asked = { sourceAssetChainId: ETHEREUM, sourceAssetDenom: USDC, destAssetChainId: L1, destAssetDenom: usdc, amountIn: "2000000" };
  const prefixes = Object.fromEntries((await rollup.get("/v2/info/chains")).chains.map((chain) => [chain.chain_id, chain.bech32_prefix]));
  const { found, broadcast, statuses } = await carryOut(asked, (chain) => (chain === ETHEREUM ? own : bech32Of(prefixes[chain], own)));
  assert.equal(broadcast.length, 1);
  assert.match(broadcast[0].txHash, /^0x[0-9a-f]{64}$/);
  assert.equal(statuses.at(-1), "completed", statuses.join(" "));
  assert.equal(await held(L1, usdc), before + BigInt(found.amountOut));
});
