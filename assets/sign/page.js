// Shows what rollscope offers, hands it to the wallet that the person chooses, and posts what the wallet answers.
// Whatever it posts is checked by rollscope; whatever it shows came from there.
import { ethereumWallets, watchEthereumWallets } from "./ethereum.js";
import { keplrWallets } from "./keplr.js";

// After this long without an answer the terminal is taken for gone.
const SILENCE = 10_000;
const PAUSE = 500;
const CONFLICT = 409;

const meta = document.querySelector('meta[name="rollscope-page"]');
const token = meta.content;
meta.remove();
const at = (id) => document.getElementById(id);

let open = null; // the request that is shown
let busy = false;
let over = false;

function post(path, body, options = {}) {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-rollscope-page": token },
    body: JSON.stringify(body),
    ...options,
  });
}

const tell = (event) => post("/sign/event", event).catch(() => {});

function say(id, words) {
  at(id).textContent = words;
  at(id).hidden = words === "";
}

function outcome(words, kind) {
  say("outcome", words);
  at("outcome").className = kind;
}

function finish(words, kind) {
  over = true;
  open = null;
  at("offer").hidden = true;
  at("line").textContent = "ended";
  at("cancels").hidden = true;
  outcome(words, kind);
}

// Text in which characters that may imitate letters are marked.
function fill(element, runs) {
  const parts = runs.map(([text, isMarked]) => {
    if (!isMarked) return text;
    const mark = document.createElement("mark");
    mark.textContent = text;
    return mark;
  });
  element.replaceChildren(...parts);
}

function line({ name, kind, runs }) {
  const term = document.createElement("dt");
  const text = document.createElement("dd");
  term.textContent = name;
  text.className = kind;
  fill(text, runs);
  return [term, text];
}

// What goes to the wallet, for who wants to compare it.
function exact(offer) {
  if (offer.kind === "document") return offer.text;
  if (offer.kind === "accounts") return offer.chains.map((chain) => chain.chain_id).join("\n");
  const { chain, from, to, value, data, approvals } = offer;
  const calls = approvals.map((it) => ({ approve: it.amount, to: it.token, data: it.approve_data }));
  return JSON.stringify([...calls, { chainId: chain.chainId, from, to, value, data }], null, 2);
}

function wallets(offer) {
  if (offer.kind === "ethereum") return ethereumWallets();
  const takesEthereum = offer.kind === "accounts" || offer.ethereum_signer;
  return [...(takesEthereum ? ethereumWallets() : []), ...keplrWallets()];
}

function showWallets() {
  if (!open) return;
  const found = wallets(open.offer);
  const buttons = found.map((wallet) => {
    const button = document.createElement("button");
    button.type = "button";
    button.disabled = busy;
    const isSigning = open.offer.kind !== "accounts";
    button.textContent = isSigning ? `Sign with ${wallet.name}: ${open.words.act}` : `Connect ${wallet.name}`;
    button.dataset.wallet = wallet.name;
    button.addEventListener("click", () => sign(wallet));
    return button;
  });
  at("wallets").replaceChildren(...buttons);
  if (found.length === 0) say("doing", "No wallet found in this browser. Unlock or install one; it appears here.");
  else if (!busy) say("doing", "");
}

function showOffer(stage) {
  open = stage;
  at("offer").hidden = false;
  at("line").textContent = "connected to the terminal";
  const { title, note, letters, lines } = stage.words;
  fill(at("title"), title);
  say("note", note ?? "");
  say("letters", letters ? `Marked letters: ${letters}.` : "");
  say("exact", exact(stage.offer));
  say("left", `Expires in ${Math.ceil(stage.seconds_left / 60)} min.`);
  at("words").replaceChildren(...lines.flatMap(line));
  showWallets();
}

function show(stage) {
  if (stage.kind === "ended") return finish(stage.words, stage.is_good ? "good" : "bad");
  outcome("", "");
  if (stage.kind === "offer") return showOffer(stage);
  open = null;
  at("offer").hidden = true;
  at("line").textContent = "connected to the terminal";
  outcome(stage.words, "quiet");
}

async function sign(wallet) {
  if (busy || !open) return;
  const { id, offer } = open;
  busy = true;
  showWallets();
  const steps = {
    doing: (words) => say("doing", words),
    connected: (account) => tell({ kind: "connected", wallet: wallet.name, account }),
    sent: (kind, hash) => tell({ kind, hash }),
  };
  let answer;
  try {
    say("doing", `Waiting for ${wallet.name}: confirm in its window.`);
    const shown = offer.kind === "accounts" && (await wallet.accounts(offer));
    answer = shown ? { kind: "accounts", wallet: wallet.name, ...shown } : await wallet.sign(offer, steps);
  } catch (error) {
    answer = error?.answer ?? failure(error);
  }
  busy = false;
  say("doing", "");
  await deliver(id, answer);
  // The next request may have come while the wallet was busy.
  if (open && open.id !== id) showOffer({ ...open });
  showWallets();
}

// 4001 is the one code that every wallet has for the person's own no.
function failure(error) {
  const reason = String(error?.message ?? error);
  return error?.code === 4001 ? { kind: "refused", reason } : { kind: "failed", reason };
}

async function deliver(id, answer) {
  const reply = await post("/sign/answer", { id, answer }).catch(() => null);
  // Conflict: the request had ended, and rollscope keeps the hash all the same.
  const isHeard = reply?.ok || reply?.status === CONFLICT;
  if (answer.kind === "hash" && !isHeard) {
    finish(`rollscope does not hear this page. The wallet sent ${answer.hash}: save this hash.`, "bad");
  }
}

async function listen() {
  let seen = 0;
  let heard = Date.now();
  while (!over) {
    try {
      const reply = await post("/sign/next", { seen }, { signal: AbortSignal.timeout(SILENCE) });
      if (!reply.ok) return finish("rollscope no longer serves this page. Continue where it is open, or start again in the terminal.", "bad");
      const state = await reply.json();
      heard = Date.now();
      if (state.version !== seen) {
        seen = state.version;
        show(state.stage);
      }
    } catch {
      at("line").textContent = "the terminal does not answer";
      if (Date.now() - heard >= SILENCE) return finish("rollscope has ended. This page signs nothing more.", "bad");
      await new Promise((resume) => setTimeout(resume, PAUSE));
    }
  }
}

window.addEventListener("pagehide", () => {
  if (!over) post("/sign/event", { kind: "closed" }, { keepalive: true }).catch(() => {});
});
watchEthereumWallets(showWallets);
listen();
