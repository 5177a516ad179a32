// Keplr and its kin: objects in the window that sign amino documents.

const NAMES = [
  ["Keplr", "keplr"],
  ["Initia Wallet", "initia"],
  ["Leap", "leap"],
];

export function keplrWallets() {
  const found = NAMES.filter(([, place]) => typeof window[place]?.signAmino === "function");
  return found.map(([name, place]) => ({
    name,
    accounts: (offer) => accounts(window[place], offer),
    sign: (offer, steps) => sign(window[place], offer, steps),
  }));
}

// The wallet's account on each chain that it has; its last error where it has none.
async function accounts(wallet, offer) {
  const byChain = {};
  let problem = null;
  for (const chain of offer.chains) {
    try {
      await enable(wallet, chain);
      byChain[chain.chain_id] = String((await wallet.getKey(chain.chain_id)).bech32Address);
    } catch (error) {
      problem = error;
    }
  }
  if (problem && Object.keys(byChain).length === 0) throw problem;
  return { ethereum: null, by_chain: byChain };
}

async function sign(wallet, offer, steps) {
  await enable(wallet, offer);
  const key = await wallet.getKey(offer.chain_id);
  if (key.bech32Address !== offer.signer) {
    throw Object.assign(new Error("other account"), {
      answer: { kind: "other_account", accounts: [String(key.bech32Address)] },
    });
  }
  await steps.connected(offer.signer);
  steps.doing("Sign the document in the wallet.");
  // What is signed is ours to the letter: a wallet that changes the fee signs something else, which rollscope sees.
  const options = { preferNoSetFee: true, preferNoSetMemo: true, disableBalanceCheck: true };
  const { signature } = await wallet.signAmino(offer.chain_id, offer.signer, JSON.parse(offer.text), options);
  return { kind: "amino_signature", signature: signature.signature, public_key: signature.pub_key.value };
}

async function enable(wallet, offer) {
  try {
    await wallet.enable(offer.chain_id);
  } catch (error) {
    if (!offer.suggestion || typeof wallet.experimentalSuggestChain !== "function") throw error;
    await wallet.experimentalSuggestChain(offer.suggestion);
    await wallet.enable(offer.chain_id);
  }
}
