// CosmJS on the embedded rollup: what it reads is what the indexer says; what the simulation cannot do is refused.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { toBech32 } from "@cosmjs/encoding";
import { StargateClient } from "@cosmjs/stargate";

import { serve } from "./rollup.js";

for (const vm of ["evm", "move", "wasm"]) {
  let rollup, client, newest, tx;

  before(async () => {
    rollup = await serve(vm);
    client = await StargateClient.connect(`${rollup.url}/node/rpc`);
    newest = (await rollup.get("/status")).height;
    tx = (await rollup.get("/indexer/tx/v1/txs?pagination.limit=1")).txs[0];
  });
  after(() => {
    client?.disconnect();
    rollup?.stop();
  });

  test(`${vm}: chain and height`, async () => {
    assert.equal(await client.getChainId(), (await rollup.get("/status")).chain_id);
    assert.equal(await client.getHeight(), newest);
  });

  test(`${vm}: a block and its transactions`, async () => {
    const height = Number(tx.height);
    const block = await client.getBlock(height);
    const listed = (await rollup.get(`/indexer/tx/v1/txs/by_height/${height}`)).txs;
    assert.equal(block.id, (await rollup.get(`/indexer/block/v1/blocks/${height}`)).block.hash);
    assert.equal(block.txs.length, listed.length);
    const found = await client.searchTx(`tx.height=${height}`);
    assert.deepEqual(found.map((one) => one.hash).sort(), listed.map((one) => one.txhash).sort());
  });

  test(`${vm}: a transaction by its hash`, async () => {
    const found = await client.getTx(tx.txhash);
    assert.deepEqual(
      [found.hash, found.height, found.code, String(found.gasUsed), found.rawLog ?? ""],
      [tx.txhash, Number(tx.height), tx.code, tx.gas_used, tx.raw_log],
    );
    assert.deepEqual(found.events.map((event) => event.type), tx.events.map((event) => event.type));
    assert.equal(await client.getTx("00".repeat(32)), null);
  });

  test(`${vm}: accounts`, async () => {
    const { accounts } = await rollup.get("/node/rest/cosmos/auth/v1beta1/accounts?pagination.limit=1000");
    // Keys of Ethereum's kind are unknown to CosmJS: it can read the accounts of the other kind only.
    const isReadable = ({ pub_key: key }) => key?.["@type"] === "/cosmos.crypto.secp256k1.PubKey";
    const readable = accounts.filter((one) => one["@type"] === "/cosmos.auth.v1beta1.BaseAccount" && isReadable(one));
    assert.ok(readable.length > 0, "somebody has such a key");
    for (const { address, account_number: number, sequence, pub_key: key } of readable.slice(0, 5)) {
      const found = await client.getAccount(address);
      assert.deepEqual(
        [found.address, String(found.accountNumber), String(found.sequence), found.pubkey.value],
        [address, number, sequence, key.key],
      );
    }
    assert.equal(await client.getAccount(toBech32("init", new Uint8Array(20).fill(7))), null);
  });

  test(`${vm}: balances`, async () => {
    const { accounts } = await rollup.get("/node/rest/cosmos/auth/v1beta1/accounts?pagination.limit=1000");
    const people = accounts.filter((one) => one["@type"] === "/cosmos.auth.v1beta1.BaseAccount");
    let held = 0;
    for (const { address } of people) {
      const { balances } = await rollup.get(`/node/rest/cosmos/bank/v1beta1/balances/${address}`);
      if (balances.length === 0 || held > 20) continue;
      assert.deepEqual([...(await client.getAllBalances(address))], balances);
      for (const { denom, amount } of balances) {
        assert.deepEqual(await client.getBalance(address, denom), { denom, amount });
      }
      held += balances.length;
    }
    assert.ok(held > 0, "somebody has something");
  });

  test(`${vm}: what nobody executes is refused`, async () => {
    await assert.rejects(client.broadcastTxSync(new Uint8Array([1, 2, 3])), /tx parse error/);
  });
}
