//! A router that changes any field of its route, its messages and its names, and stays consistent with itself: what is
//! offered without a doubt says what leaves and what arrives.
//!
//! The oracle reads the signed message. Where bridges and channels lead, what they are called on both sides, and the
//! decimals of each denom are written here by hand; it uses nothing of the program.

use alloy_primitives::hex;
use rollscope::{
    app::Authority,
    config::{KnownTokens, Networks},
    domain::{Amount, ChainId, Denom, text::Foreign},
    signing::{AcceptedQuote, KnownContracts, OfferWords, ReadyTx, RouteDoubt, SendingAccess},
    story::{Names, OfferPlace, UnitSource, offer_words, settled_name},
    wire::router::{ChainInfo, MsgsResponse, Route},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sha3::Sha3_256;

use super::{
    guard::{DEPOSIT, Offer, PACKETS, SWAP, WITHDRAWAL, before_timeouts},
    registry,
};
use crate::harness::lies::{self, Lie, SEED};

const NATIVE: [&str; 4] = ["uinit", "uusdc", "utia", "uatom"];

/// All that a router says of one order, and the message that would be signed.
#[derive(Clone, Debug)]
struct Told {
    all: Value,
    addresses: Vec<String>,
}

impl Told {
    fn of(sample: &str) -> Self {
        let Offer { route, addresses, answer, .. } = Offer::of_sample(sample);
        let message = &answer["txs"][0]["cosmos_tx"]["msgs"][0];
        let mut inner: Value = serde_json::from_str(message["msg"].as_str().expect("text")).expect("JSON");
        if let Some(memo) = inner["memo"].as_str().and_then(|memo| serde_json::from_str::<Value>(memo).ok()) {
            inner["memo"] = memo;
        }
        let unit = |chain: &str, denom: &str, symbol: &str| json!({"chain": chain, "denom": denom, "symbol": symbol, "decimals": 6});
        let names = json!([
            unit("noble-1", "uusdc", "USDC"),
            unit("interwoven-1", "uinit", "INIT"),
            unit("celestia", "utia", "TIA")
        ]);
        let chains = json!({"civitia-1": "Civitia", "noble-1": "Noble", "echelon-1": "Echelon"});
        let server = |chain: &str| {
            let url = |kind: &str| format!("https://{kind}-{chain}.example");
            json!({"chain_id": chain, "chain_type": "cosmos", "bech32_prefix": "init", "pretty_name": "Initia",
                "rpc": url("rpc"), "rest": url("rest"), "fee_assets": [{"denom": "uinit", "gas_price": {"low": "9", "average": "9", "high": "9"}}]})
        };
        let servers = ["interwoven-1", "civitia-1", "echelon-1"].map(server);
        let all = json!({"route": route, "servers": servers, "kind": message["msg_type_url"], "message": inner, "names": names, "chains": chains,
            "chain": answer["txs"][0]["cosmos_tx"]["chain_id"], "min_amount_out": answer["min_amount_out"]});
        Self { all, addresses }
    }

    fn with(mut self, lie: &Lie) -> Self {
        lie.change(&mut self.all);
        self
    }

    /// The message as it would be signed.
    fn message(&self) -> Value {
        let mut message = self.all["message"].clone();
        if message["memo"].is_object() {
            message["memo"] = json!(message["memo"].to_string());
        }
        message
    }

    /// What is offered, if anything is.
    fn offered(&self, known: &KnownContracts) -> Option<(ReadyTx, OfferWords)> {
        let route: Route = serde_json::from_str(&self.all["route"].to_string()).ok()?;
        let chain = &self.all["chain"];
        let messages = json!([{"msg_type_url": self.all["kind"], "msg": self.message().to_string()}]);
        let tx = json!({"cosmos_tx": {"chain_id": chain, "path": [], "signer_address": "", "msgs": messages}});
        let answer = json!({"txs": [tx], "min_amount_out": self.all["min_amount_out"]});
        let answer: MsgsResponse = serde_json::from_str(&answer.to_string()).ok()?;
        let slippage = "0.5".parse().expect("half a percent");
        let (addresses, now) = (&self.addresses, before_timeouts());
        let quote = AcceptedQuote { route: &route, addresses, slippage, hook: None, known, now };
        let tx = quote.compare(&answer).ok()?.into_iter().next()?;
        let names = Listed { all: &self.all, known: KnownTokens::new(Networks::built_in(), None) };
        tx.check_decimals(known, |chain, denom| names.unit(chain, denom).map(|(_, decimals)| decimals)).ok()?;
        let words = offer_words(&tx, OfferPlace::ONLY, &names);
        Some((tx, words))
    }
}

/// Names of the registry, then the router's.
struct Listed<'a> {
    all: &'a Value,
    known: KnownTokens,
}

impl Listed<'_> {
    fn unit(&self, chain: &ChainId, denom: &Denom) -> Option<(String, u8)> {
        let is_it = |unit: &&Value| unit["chain"] == chain.as_str() && unit["denom"] == denom.as_str();
        let unit = self.all["names"].as_array()?.iter().find(is_it)?;
        let symbol = rollscope::story::routed_symbol(unit["symbol"].as_str()?)?;
        Some((symbol.to_owned(), u8::try_from(unit["decimals"].as_u64()?).ok()?))
    }
}

impl Names for Listed<'_> {
    fn chain(&self, chain: &ChainId) -> String {
        let listed = self.all["chains"][chain.as_str()].as_str();
        self.settled_chain(chain).unwrap_or_else(|| listed.unwrap_or(chain.as_str()).to_owned())
    }

    fn settled_chain(&self, chain: &ChainId) -> Option<String> {
        let settings = Networks::built_in().find(chain.as_str()).ok().map(|network| network.name.as_str());
        let listed = self.all["chains"][chain.as_str()].as_str().map(Foreign::new);
        settled_name(chain, settings, listed.as_ref())
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        let known = self.known.token(chain, denom).map(|token| (token.symbol.clone(), token.decimals));
        match known.or_else(|| self.unit(chain, denom)) {
            Some((symbol, decimals)) => format!("{} {symbol}", amount.display(decimals)),
            None => format!("{} smallest units of {denom}", amount.display(0)),
        }
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        let known = self.known.token(chain, denom).map(|token| token.symbol.clone());
        known.or_else(|| Some(self.unit(chain, denom)?.0)).unwrap_or_else(|| denom.short())
    }

    fn unit_source(&self, chain: &ChainId, denom: &Denom) -> UnitSource {
        UnitSource::of(self.known.token(chain, denom).is_some(), self.unit(chain, denom).is_some())
    }
}

fn bridged(bridge: u64, denom: &str) -> String {
    format!("l2/{}", hex::encode(Sha3_256::new().chain_update(bridge.to_be_bytes()).chain_update(denom).finalize()))
}

fn voucher(path: &str) -> String {
    if path.starts_with("transfer/") {
        format!("ibc/{}", hex::encode_upper(Sha256::digest(path)))
    } else {
        path.to_owned()
    }
}

/// Where a channel leads, and how it is called there, by hand; empty where that is not known here.
fn channel(chain: &str, name: &str) -> Option<(&'static str, &'static str)> {
    Some(match (chain, name) {
        ("echelon-1", "channel-0") => ("interwoven-1", "channel-35"),
        ("interwoven-1", "channel-35") => ("echelon-1", "channel-0"),
        ("civitia-1", "channel-0") => ("interwoven-1", "channel-27"),
        ("interwoven-1", "channel-27") => ("civitia-1", "channel-0"),
        ("interwoven-1", "channel-3") => ("noble-1", ""),
        ("interwoven-1", "channel-71") => ("osmosis-1", ""),
        _ => return None,
    })
}

/// What arrives by the signed message: chain, denom, and for whom; nothing where that is not known here.
fn end_of(chain: &str, message: &Value) -> Option<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(bridge) = message["bridge_id"].as_str() {
        let rollup = if bridge == "12" { "civitia-1" } else { return None };
        let denom = bridged(12, message["amount"]["denom"].as_str()?);
        return Some((rollup.to_owned(), denom, text(&message["to"])));
    }
    if message["amount"].is_object() {
        let denom = message["amount"]["denom"].as_str()?;
        let of = NATIVE.iter().find(|native| bridged(12, native) == denom)?;
        return Some(("interwoven-1".to_owned(), (*of).to_owned(), text(&message["to"])));
    }
    let mut path = {
        let denom = message["token"]["denom"].as_str()?;
        let prefixes = ["", "transfer/channel-3/", "transfer/channel-0/", "transfer/channel-0/transfer/channel-3/"];
        let all = prefixes.iter().flat_map(|prefix| NATIVE.iter().map(move |native| format!("{prefix}{native}")));
        all.into_iter().find(|path| voucher(path) == denom)?
    };
    let (mut at, mut over, mut to) = (chain.to_owned(), text(&message["source_channel"]), text(&message["receiver"]));
    let mut memo: Value = serde_json::from_str(message["memo"].as_str().unwrap_or_default()).unwrap_or_default();
    loop {
        let (next, back) = channel(&at, &over)?;
        path = match path.strip_prefix(&format!("transfer/{over}/")) {
            Some(rest) => rest.to_owned(),
            None if back.is_empty() => return None,
            None => format!("transfer/{back}/{path}"),
        };
        next.clone_into(&mut at);
        let Some(forward) = memo.get("forward").cloned() else { return Some((at, voucher(&path), to)) };
        (over, to) = (text(&forward["channel"]), text(&forward["receiver"]));
        memo = forward["next"].clone();
    }
}

/// Whether a text states this amount: exactly, or in whole units of six decimals by the true symbol.
fn states(text: &str, amount: u128, denom: &str) -> bool {
    let exact = format!("{} {denom}", Amount::new(alloy_primitives::U256::from(amount)).display(0));
    let init = [bridged(12, "uinit"), "uinit".to_owned()];
    let usdc = ["transfer/channel-3/uusdc", "transfer/channel-0/transfer/channel-3/uusdc"].map(voucher);
    let symbol = if init.iter().any(|one| one == denom) {
        "INIT"
    } else if usdc.iter().any(|one| one == denom) {
        "USDC"
    } else {
        "\0"
    };
    let whole = format!("{} {symbol}", Amount::new(alloy_primitives::U256::from(amount)).display(6));
    [exact, whole].iter().any(|shown| {
        text.match_indices(shown.as_str())
            .any(|(place, _)| !text[..place].ends_with(|it: char| it.is_ascii_digit() || it == ',' || it == '.'))
    })
}

/// Servers and price of the networks' list for a chain, by hand; nothing where the list does not know the chain.
fn listed(chain: &str) -> Option<[&'static str; 2]> {
    Some(match chain {
        "interwoven-1" => ["https://rest.initia.xyz", "https://rpc.initia.xyz"],
        "civitia-1" => [
            "https://rest-civitia-1.anvil.asia-southeast.initia.xyz",
            "https://rpc-civitia-1.anvil.asia-southeast.initia.xyz",
        ],
        "echelon-1" => [
            "https://rest-echelon-1.anvil.asia-southeast.initia.xyz",
            "https://rpc-echelon-1.anvil.asia-southeast.initia.xyz",
        ],
        _ => return None,
    })
}

/// Whether a transaction of this chain goes to the servers of the networks' list, whatever the router names.
fn is_sent_well(told: &Told, chain: &str) -> bool {
    let infos = told.all["servers"].as_array().into_iter().flatten();
    let infos: Vec<ChainInfo> = infos.filter_map(|info| serde_json::from_str(&info.to_string()).ok()).collect();
    let chain = ChainId::new(chain);
    let info = infos.iter().find(|info| info.chain_id == chain);
    let judge = Authority { networks: Networks::built_in(), own: None, is_simulated: false };
    let access = SendingAccess::new(info, judge.trust(&chain, info), Vec::new());
    match listed(chain.as_str()) {
        Some([rest, rpc]) => {
            access.is_rest_trusted() && access.rest == rest && access.trust.rpc.as_deref().is_none_or(|it| it == rpc)
        }
        None => !access.is_rest_trusted() && access.trust.rpc.is_none(),
    }
}

/// What the words say that is not so.
fn falsehoods(told: &Told, tx: &ReadyTx, words: &OfferWords) -> Vec<String> {
    let line = |name: &str| words.lines.iter().find(|line| line.name == name).map_or("", |line| line.text.as_str());
    let mut found = Vec::new();
    let mut hold = |is_so: bool, what: &str| {
        if !is_so {
            found.push(what.to_owned());
        }
    };
    let message = told.message();
    let chain = told.all["chain"].as_str().unwrap_or_default();
    let is_open = tx.doubts.iter().any(RouteDoubt::is_about_arrival);
    hold(is_open == line("Arrives").starts_with("unknown; "), "an arrival that is open, and not called unknown");
    hold(line("From").contains(chain), "the chain");
    hold(is_sent_well(told, chain), "the servers");
    if let Some(args) = message["args"].as_array() {
        // A swap: what its pool sells, only a node knows.
        use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
        let amount = args.get(2).and_then(|arg| BASE64.decode(arg.as_str()?).ok());
        let amount = amount.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
        hold(states(line("Sends"), amount.unwrap_or_default().into(), "uinit"), "the amount that is sold");
        hold(is_open, "a pool that nobody asked about");
        return found;
    }
    let coin = if message["token"].is_object() { &message["token"] } else { &message["amount"] };
    let amount: u128 = coin["amount"].as_str().and_then(|amount| amount.parse().ok()).unwrap_or_default();
    let denom = coin["denom"].as_str().unwrap_or_default();
    hold(states(line("Sends"), amount, denom), "the amount that leaves");
    let has_doubt = tx.doubts.iter().any(|doubt| matches!(doubt, RouteDoubt::Connection(_)));
    match end_of(chain, &message) {
        Some((end, arrives, receiver)) => {
            hold(has_doubt || line("To").contains(&end), "the destination");
            hold(is_open || states(line("Arrives"), amount, &arrives), "what arrives");
            let shown = line("Receives");
            hold(shown == "you" || shown.contains(&receiver), "the recipient");
        }
        // Without a doubt, all is known here too.
        None => hold(is_open || has_doubt, "an end that nothing proves"),
    }
    found
}

/// Plays lies together; tells what was offered, and whether falsely.
fn play(told: Told, lies: &[&Lie], known: &KnownContracts) -> Option<Vec<String>> {
    let told = lies.iter().fold(told, |told, lie| told.with(lie));
    let (tx, words) = told.offered(known)?;
    let found = falsehoods(&told, &tx, &words);
    Some(found.into_iter().map(|what| format!("{what}: {lies:?}\n{words:?}\n{:?}", tx.doubts)).collect())
}

#[test]
fn whatever_a_consistent_router_changes_nothing_false_is_offered() {
    let known = registry();
    let (mut plays, mut offers, mut found) = (0, 0, Vec::new());
    let mut count = |played: Option<Vec<String>>| {
        plays += 1;
        offers += usize::from(played.is_some());
        found.extend(played.unwrap_or_default());
    };
    let samples = [DEPOSIT, WITHDRAWAL, PACKETS, SWAP];
    for sample in samples {
        let told = Told::of(sample);
        let honest = play(told.clone(), &[], &known).expect("the honest order is offered");
        assert_eq!(honest, Vec::<String>::new());
        lies::play(&Lie::all(&told.all), samples.len(), |lies| count(play(told.clone(), lies, &known)));
    }
    println!("seed {SEED}: {plays} changed answers, {offers} offered, {} told falsely", found.len());
    assert!(found.is_empty(), "seed {SEED}: {} of {plays}\n{}", found.len(), found.join("\n"));
    assert!(offers > plays / 20 && offers < plays, "{offers} of {plays} offered");
}
