// ethers on the embedded EVM rollup and on the router's EVM chain: what it reads is what the indexer and the bank say, and
// what it signs is carried out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Contract, JsonRpcProvider, Wallet, parseEther } from "ethers";

import { serve } from "./rollup.js";

const ERC20 = [
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function transfer(address, uint256) returns (bool)",
  "function approve(address, uint256) returns (bool)",
  "event Transfer(address indexed, address indexed, uint256)",
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
});

test("payments and tokens are signed, sent and waited for", async () => {
  const live = await serve("evm", "1s");
  // Without the cache, in which ethers keeps the first one's number for 250 ms.
  const network = new JsonRpcProvider(`${live.url}/node/json-rpc`, undefined, { pollingInterval: 200, cacheTimeout: -1 });
  try {
    const wallet = new Wallet(`0x${"2a".repeat(32)}`, network);
    const other = new Wallet(`0x${"2b".repeat(32)}`).address;
    const { given } = await live.post("/demo/v1/fund", { address: wallet.address });
    const bridged = given.find(({ denom, chain_id: chain }) => chain.startsWith("rollscope") && denom.startsWith("l2/")).denom;
    while ((await network.getBalance(wallet.address)) === 0n) await new Promise((done) => setTimeout(done, 200));

    const before = await network.getBalance(other);
    const payment = await (await wallet.sendTransaction({ to: other, value: parseEther("0.25") })).wait();
    assert.equal(payment.status, 1);
    assert.equal(await network.getBalance(other), before + parseEther("0.25"));
    const stored = await network.getTransaction(payment.hash);
    assert.deepEqual([stored.from, stored.to, stored.value], [wallet.address, other, parseEther("0.25")]);

    const { address } = await live.get(`/node/rest/minievm/evm/v1/contracts/by_denom?denom=${encodeURIComponent(bridged)}`);
    const token = new Contract(address, ERC20, wallet);
    const held = await token.balanceOf(wallet.address);
    const sent = await (await token.transfer(other, 1_234n)).wait();
    assert.equal(sent.status, 1);
    assert.ok(sent.logs.some((log) => token.interface.parseLog(log)?.name === "Transfer"));
    assert.equal(await token.balanceOf(wallet.address), held - 1_234n);
    assert.equal(await token.balanceOf(other), 1_234n);
    await (await token.approve(other, 77n)).wait();
    assert.equal(await token.allowance(wallet.address, other), 77n);
    assert.equal(await network.getTransactionCount(wallet.address), 3);

    // Two at once: the second one's number counts the first.
    const both = [await wallet.sendTransaction({ to: other, value: 1n }), await wallet.sendTransaction({ to: other, value: 2n })];
    for (const one of both) assert.equal((await one.wait()).status, 1);

    await assert.rejects(token.transfer(other, held * 2n), /transfer amount exceeds balance/);
    await assert.rejects(wallet.sendTransaction({ to: other, value: parseEther("1000000") }), { code: "INSUFFICIENT_FUNDS" });
    await assert.rejects(wallet.sendTransaction({ to: other, value: 1n, nonce: 0 }), { code: "NONCE_EXPIRED" });
    const failed = await token.transfer(other, held * 2n, { gasLimit: 200_000n });
    await assert.rejects(failed.wait(), { code: "CALL_EXCEPTION" });
  } finally {
    network.destroy();
    live.stop();
  }
});

test("the EVM chain of the router takes payments and approvals", async () => {
  const live = await serve("evm", "1s");
  const network = new JsonRpcProvider(`${live.url}/node/31337/json-rpc`, undefined, { pollingInterval: 400 });
  try {
    const wallet = new Wallet(`0x${"2a".repeat(32)}`, network);
    const other = new Wallet(`0x${"2b".repeat(32)}`).address;
    await live.post("/demo/v1/fund", { address: wallet.address });
    assert.equal((await network.getNetwork()).chainId, 31337n);
    const usdc = new Contract("0x7700000000000000000000000000000000000201", ERC20, wallet);
    assert.deepEqual([await usdc.symbol(), await usdc.decimals()], ["USDC", 6n]);
    const held = await usdc.balanceOf(wallet.address);
    assert.ok(held > 0n);
    const paid = await (await wallet.sendTransaction({ to: other, value: 5n })).wait();
    assert.equal(paid.status, 1);
    assert.equal(await network.getBalance(other), 5n);
    await (await usdc.transfer(other, 1_000_000n)).wait();
    assert.equal(await usdc.balanceOf(wallet.address), held - 1_000_000n);
    await assert.rejects(usdc.transfer(other, held), /transfer amount exceeds balance/);
  } finally {
    network.destroy();
    live.stop();
  }
});
