// CosmJS signs, sends and waits: on the embedded rollup, and on its L1.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { DirectSecp256k1Wallet } from "@cosmjs/proto-signing";
import { GasPrice, SigningStargateClient } from "@cosmjs/stargate";

import { serve } from "./rollup.js";

const L1 = "interwoven-1";

for (const vm of ["evm", "move", "wasm"]) {
  let rollup, wallet, address, prices;

  before(async () => {
    rollup = await serve(vm, "1s");
    wallet = await DirectSecp256k1Wallet.fromKey(new Uint8Array(32).fill(42), "init");
    address = (await wallet.getAccounts())[0].address;
    const { given } = await rollup.post("/demo/v1/fund", { address });
    assert.ok(given.some(({ chain_id: chain }) => chain === L1), "something on the L1");
    const { params } = await rollup.get("/node/rest/opinit/opchild/v1/params");
    prices = { rollup: params.min_gas_prices[0], l1: { denom: "uinit", amount: "0.015" } };
  });
  after(() => rollup?.stop());

  for (const [name, path] of [["rollup", "/node/rpc"], ["l1", `/node/${L1}/rpc`]]) {
    test(`${vm}: a send on the ${name} is signed, sent and found`, async () => {
      const { denom, amount } = prices[name];
      const gasPrice = GasPrice.fromString(`${amount}${denom}`);
      const client = await SigningStargateClient.connectWithSigner(`${rollup.url}${path}`, wallet, { gasPrice });
      // What the faucet gave is in a block soon.
      while (!(await client.getAccount(address))) await new Promise((done) => setTimeout(done, 300));
      const to = await other();
      const before = BigInt((await client.getBalance(to, denom)).amount);
      const found = await client.sendTokens(address, to, [{ denom, amount: "12" }], "auto", "from CosmJS");
      assert.equal(found.code, 0, found.rawLog);
      assert.equal(BigInt((await client.getBalance(to, denom)).amount), before + 12n);
      const stored = await client.getTx(found.transactionHash);
      assert.deepEqual([stored.height, stored.code], [found.height, 0]);
      assert.equal((await client.getAccount(address)).sequence, 1);
      await assert.rejects(
        client.sendTokens(address, to, [{ denom, amount: "12" }], { amount: [{ denom, amount: "1" }], gas: "300000" }),
        /insufficient fee/,
      );
      client.disconnect();
    });
  }
}

/** Somebody else. */
async function other() {
  const wallet = await DirectSecp256k1Wallet.fromKey(new Uint8Array(32).fill(43), "init");
  return (await wallet.getAccounts())[0].address;
}
