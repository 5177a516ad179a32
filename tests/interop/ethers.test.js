// ethers on the embedded EVM rollup: what it reads is what the indexer and the bank say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Contract, JsonRpcProvider, Wallet } from "ethers";

import { serve } from "./rollup.js";

const ERC20 = [
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address, uint256) returns (bool)",
  "function mystery() view returns (uint256)",
];

let rollup, provider, receipt, denoms;

before(async () => {
  rollup = await serve("evm");
  provider = new JsonRpcProvider(`${rollup.url}/node/json-rpc`);
  receipt = (await rollup.get("/indexer/tx/v1/evm-txs?pagination.limit=1")).txs[0];
  denoms = (await rollup.get("/node/rest/cosmos/bank/v1beta1/supply")).supply;
});
after(() => {
  provider?.destroy();
  rollup?.stop();
});

test("network, height and block", async () => {
  const height = (await rollup.get("/status")).height;
  assert.ok((await provider.getNetwork()).chainId > 0n);
  assert.equal(await provider.getBlockNumber(), height);
  assert.equal((await provider.getBlock(height)).number, height);
});

test("a receipt", async () => {
  const found = await provider.getTransactionReceipt(receipt.transactionHash);
  assert.deepEqual(
    [found.hash, found.from.toLowerCase(), found.status, found.gasUsed, found.logs.length],
    [receipt.transactionHash, receipt.from, Number(receipt.status), BigInt(receipt.gasUsed), receipt.logs.length],
  );
  assert.equal(await provider.getTransactionReceipt(`0x${"00".repeat(32)}`), null);
});

test("ERC-20 tokens and balances", async () => {
  let compared = 0;
  for (const { denom, amount } of denoms) {
    const { address } = await rollup.get(
      `/node/rest/minievm/evm/v1/contracts/by_denom?denom=${encodeURIComponent(denom)}`,
    );
    const token = new Contract(address, ERC20, provider);
    assert.equal(await token.totalSupply(), BigInt(amount));
    assert.ok((await token.symbol()).length > 0 && (await token.name()).length > 0);
    assert.ok((await token.decimals()) <= 18n);
    const { holders } = await rollup.get(`/indexer/richlist/v1/${encodeURIComponent(denom)}?pagination.limit=2`);
    for (const { account } of holders) {
      const bech32 = await addressOf(account);
      if (!bech32) continue;
      const { balance } = await rollup.get(
        `/node/rest/cosmos/bank/v1beta1/balances/${bech32}/by_denom?denom=${encodeURIComponent(denom)}`,
      );
      assert.equal(await token.balanceOf(account), BigInt(balance.amount), `${account} of ${denom}`);
      compared += 1;
    }
  }
  assert.ok(compared > 0, "some balances were compared");
});

/** The same account as Cosmos writes it; undefined for one that has no account of its own. */
async function addressOf(account) {
  const { accounts } = await rollup.get("/node/rest/cosmos/auth/v1beta1/accounts?pagination.limit=1000");
  const { bech32Words } = await import("./bech32.js");
  const wanted = account.slice(2).toLowerCase();
  return accounts.map((one) => one.address ?? one.base_account?.address).find((one) => bech32Words(one) === wanted);
}

test("the fee token's balance is what its contract says", async () => {
  const fee = (await rollup.get("/indexer/block/v1/blocks?pagination.limit=60")).blocks
    .flatMap((block) => block.total_fee)[0].denom;
  const { address } = await rollup.get(`/node/rest/minievm/evm/v1/contracts/by_denom?denom=${encodeURIComponent(fee)}`);
  const token = new Contract(address, ERC20, provider);
  const { holders } = await rollup.get(`/indexer/richlist/v1/${encodeURIComponent(fee)}?pagination.limit=3`);
  assert.equal(holders.length, 3);
  for (const { account } of holders) {
    const balance = await provider.getBalance(account);
    assert.ok(balance > 0n);
    assert.equal(balance, await token.balanceOf(account));
  }
});

test("what the simulation does not know is refused", async () => {
  const { address } = await rollup.get(
    `/node/rest/minievm/evm/v1/contracts/by_denom?denom=${encodeURIComponent(denoms[0].denom)}`,
  );
  await assert.rejects(new Contract(address, ERC20, provider).mystery(), (error) => {
    assert.match(error.info.error.message, /does not run contracts/);
    return true;
  });
  const wallet = Wallet.createRandom();
  const signed = await wallet.signTransaction({
    chainId: (await provider.getNetwork()).chainId, nonce: 0, to: wallet.address, value: 1n, gasLimit: 21000n,
    maxFeePerGas: 1n, maxPriorityFeePerGas: 0n, type: 2,
  });
  await assert.rejects(provider.broadcastTransaction(signed), /takes no signed transactions/);
});
