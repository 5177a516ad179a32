// Ethereum wallets: found by their announcements (EIP-6963), asked by EIP-1193.

const RECEIPT_PAUSE = 2_000;
const UNKNOWN_CHAIN = 4902;

const announced = new Map();

// An answer in the place of a signature.
class Instead extends Error {
  constructor(answer) {
    super(answer.kind);
    this.answer = answer;
  }
}

export function watchEthereumWallets(changed) {
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = event.detail ?? {};
    if (typeof info?.uuid !== "string" || typeof provider?.request !== "function") return;
    announced.set(info.uuid, { name: String(info.name), provider });
    changed();
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
}

// All that announced themselves; where none did, the one that older wallets leave in the window.
export function ethereumWallets() {
  const found = [...announced.values()];
  const older = window.ethereum;
  if (found.length === 0 && typeof older?.request === "function") found.push({ name: "the browser's wallet", provider: older });
  return found.map(({ name, provider }) => ({
    name,
    accounts: () => accounts(provider),
    sign: (offer, steps) => sign(provider, offer, steps),
  }));
}

async function accounts(provider) {
  const shown = await provider.request({ method: "eth_requestAccounts" });
  return { ethereum: Array.isArray(shown) && shown.length > 0 ? String(shown[0]) : null, by_chain: {} };
}

async function sign(provider, offer, steps) {
  const ask = (method, params) => provider.request(params === undefined ? { method } : { method, params });
  const account = await connect(ask, offer.kind === "document" ? offer.ethereum_signer : offer.from);
  await steps.connected(account);
  if (offer.kind === "document") {
    steps.doing("Sign the document in the wallet.");
    return { kind: "personal_signature", signature: await ask("personal_sign", [hexadecimal(offer.text), account]) };
  }
  await onChain(ask, offer.chain);
  for (const approval of offer.approvals) await approve(ask, offer, approval, steps);
  await onChain(ask, offer.chain);
  steps.doing("Confirm the transaction in the wallet.");
  const { from, to, value, data } = offer;
  return { kind: "hash", hash: await ask("eth_sendTransaction", [{ from, to, value, data }]) };
}

async function connect(ask, wanted) {
  const accounts = await ask("eth_requestAccounts");
  const found = Array.isArray(accounts) ? accounts.map(String) : [];
  const account = found.find((it) => it.toLowerCase() === wanted.toLowerCase());
  if (account === undefined) throw new Instead({ kind: "other_account", accounts: found });
  return account;
}

async function onChain(ask, chain) {
  const isThere = async () => BigInt(await ask("eth_chainId")) === BigInt(chain.chainId);
  if (await isThere()) return;
  try {
    await ask("wallet_switchEthereumChain", [{ chainId: chain.chainId }]);
  } catch (error) {
    const code = error?.data?.originalError?.code ?? error?.code;
    if (code !== UNKNOWN_CHAIN || chain.rpcUrls.length === 0) throw error;
    await ask("wallet_addEthereumChain", [chain]);
    if (!(await isThere())) await ask("wallet_switchEthereumChain", [{ chainId: chain.chainId }]);
  }
  if (!(await isThere())) throw new Instead({ kind: "other_chain", found: String(await ask("eth_chainId")) });
}

// Exactly the amount, and only where less is allowed by now. Tokens such as USDT change an allowance only from or to 0.
async function approve(ask, offer, approval, steps) {
  const { token, amount, allowance_data, approve_data, reset_data } = approval;
  const allowed = BigInt(await ask("eth_call", [{ to: token, data: allowance_data }, "latest"]));
  if (allowed >= BigInt(amount)) return;
  const call = (data) => ({ from: offer.from, to: token, value: "0x0", data });
  if (allowed > 0n && (await reverts(ask, call(approve_data)))) {
    steps.doing(`The token refuses a new allowance before the old one (${allowed}) is 0: confirm that in the wallet first.`);
    await mined(ask, call(reset_data), "reset", steps);
  }
  steps.doing("Confirm the approval in the wallet; the transaction follows.");
  await mined(ask, call(approve_data), "approval", steps);
}

async function reverts(ask, call) {
  return ask("eth_call", [call, "latest"]).then(() => false, () => true);
}

// Sends a call and waits for its receipt.
async function mined(ask, call, what, steps) {
  const hash = await ask("eth_sendTransaction", [call]);
  await steps.sent(what, hash);
  steps.doing(`Waiting for a block with the ${what}.`);
  for (;;) {
    const receipt = await ask("eth_getTransactionReceipt", [hash]);
    if (receipt) {
      if (BigInt(receipt.status) === 1n) return;
      throw new Instead({ kind: "failed", reason: `the ${what} ${hash} failed on its chain` });
    }
    await new Promise((resume) => setTimeout(resume, RECEIPT_PAUSE));
  }
}

function hexadecimal(text) {
  return "0x" + Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
