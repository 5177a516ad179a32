//! What arrives follows from what is signed: a router that says otherwise, in all its answers alike, is refused, and
//! what only it tells is unknown and asked for.

use alloy_primitives::hex;
use rollscope::{
    domain::{Amount, ChainId, Denom, SignerMove},
    signing::{
        AcceptedQuote, FundsEffect, KnownContracts, ReadyTx, RouteDoubt, SigningRefusal, SimulatedRun, TxSimulation,
    },
    story::{OfferPlace, SimulatedEffect, SimulatedVerdict, offer_words},
    wire::router::{MsgsResponse, Route},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sha3::Sha3_256;

use super::{
    guard::{PlainNames, before_timeouts},
    registry,
};

const ME: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const THERE: &str = "celestia1x8ad0zyw52mvndh7hlnafrg0gt284ga7fm0k7q";
const AMOUNT: u64 = 1_000_000;

fn bridged(bridge: u64, denom: &str) -> String {
    format!("l2/{}", hex::encode(Sha3_256::new().chain_update(bridge.to_be_bytes()).chain_update(denom).finalize()))
}

fn voucher(path: &str) -> String {
    format!("ibc/{}", hex::encode_upper(Sha256::digest(path)))
}

/// One step of a route, with the message that performs it.
struct Step {
    from: &'static str,
    to: &'static str,
    operation: Value,
    message: (&'static str, Value),
    ends: [String; 2],
    out: u64,
}

impl Step {
    fn deposit(denom: &str, out: &str) -> Self {
        let message = json!({"sender": ME, "bridge_id": "12", "to": ME, "data": "",
            "amount": {"denom": denom, "amount": AMOUNT.to_string()}});
        Self {
            from: "interwoven-1",
            to: "civitia-1",
            operation: json!({"op_init_transfer": {"op_init_bridge_id": "12"}}),
            message: ("/opinit.ophost.v1.MsgInitiateTokenDeposit", message),
            ends: [denom, out].map(str::to_owned),
            out: AMOUNT,
        }
    }

    fn withdrawal(denom: &str, out: &str) -> Self {
        let message = json!({"sender": ME, "to": ME, "amount": {"denom": denom, "amount": AMOUNT.to_string()}});
        let message = ("/opinit.opchild.v1.MsgInitiateTokenWithdrawal", message);
        Self { from: "civitia-1", to: "interwoven-1", message, ..Self::deposit(denom, out) }
    }

    fn packet(to: &'static str, channel: &str, denom: &str, out: &str, memo: &str) -> Self {
        let ends = before_timeouts().after(std::time::Duration::from_secs(300)).as_nanos().to_string();
        let receiver = if to == "celestia" { THERE } else { ME };
        let message = json!({"source_port": "transfer", "source_channel": channel, "sender": ME, "receiver": receiver,
            "token": {"denom": denom, "amount": AMOUNT.to_string()}, "timeout_height": {},
            "timeout_timestamp": ends.parse::<u64>().unwrap_or_default(), "memo": memo});
        Self {
            from: "interwoven-1",
            to,
            operation: json!({"transfer": {"channel": channel, "port": "transfer"}}),
            message: ("/ibc.applications.transfer.v1.MsgTransfer", message),
            ends: [denom, out].map(str::to_owned),
            out: AMOUNT,
        }
    }

    /// A swap on the L1's exchange, by base64 of its BCS arguments.
    fn swap(pool: [u8; 32], quoted_pool: [u8; 32], out: &str) -> Self {
        use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
        let sold: [u8; 32] = Sha3_256::new()
            .chain_update([0; 31])
            .chain_update([1])
            .chain_update("uinit")
            .chain_update([0xfe])
            .finalize()
            .into();
        let least = [&[1][..], &995_000_u64.to_le_bytes()].concat();
        let args = [pool.to_vec(), sold.to_vec(), AMOUNT.to_le_bytes().to_vec(), least];
        let args: Vec<String> = args.iter().map(|bytes| BASE64.encode(bytes)).collect();
        let message = json!({"sender": ME, "module_address": "0x1", "module_name": "dex",
            "function_name": "swap_script", "type_args": [], "args": args});
        let pool = format!("move/{}", hex::encode(quoted_pool));
        let venue = json!({"swap_operations": [{"pool": pool, "denom_in": "uinit", "denom_out": out}]});
        Self {
            from: "interwoven-1",
            to: "interwoven-1",
            operation: json!({"swap": {"swap_in": venue, "chain_id": "interwoven-1"}}),
            message: ("/initia.move.v1.MsgExecute", message),
            ends: ["uinit", out].map(str::to_owned),
            out: AMOUNT,
        }
    }

    /// Compares the messages with the route, which leaves its step's amount out on wish.
    fn compare_with(&self, known: &KnownContracts, total: u64, states_amount: bool) -> Result<ReadyTx, SigningRefusal> {
        let mut operation = self.operation.clone();
        for inner in operation.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
            for (name, value) in [
                ("from_chain_id", self.from),
                ("to_chain_id", self.to),
                ("denom_in", &self.ends[0]),
                ("denom_out", &self.ends[1]),
            ] {
                inner[name] = json!(value);
            }
        }
        (operation["tx_index"], operation["amount_in"]) = (json!(0), json!(AMOUNT.to_string()));
        if states_amount {
            operation["amount_out"] = json!(self.out.to_string());
        }
        let chains = if self.from == self.to { json!([self.from]) } else { json!([self.from, self.to]) };
        let route: Route = serde_json::from_value(json!({
            "amount_in": AMOUNT.to_string(), "amount_out": total.to_string(), "source_asset_chain_id": self.from,
            "source_asset_denom": self.ends[0], "dest_asset_chain_id": self.to, "dest_asset_denom": self.ends[1],
            "operations": [operation], "required_chain_addresses": chains, "chain_ids": chains,
            // What a route says of itself counts for nothing.
            "does_swap": self.operation.get("swap").is_none(),
        }))
        .expect("a route");
        let (kind, message) = &self.message;
        let messages = json!([{"msg_type_url": kind, "msg": message.to_string()}]);
        let tx = json!({"cosmos_tx": {"chain_id": self.from, "path": [], "signer_address": ME, "msgs": messages}});
        let answer: MsgsResponse = serde_json::from_str(&json!({"txs": [tx]}).to_string()).expect("messages");
        let end = if self.to == "celestia" { THERE } else { ME };
        let addresses = if self.from == self.to { vec![ME.to_owned()] } else { vec![ME.to_owned(), end.to_owned()] };
        let slippage = "0.5".parse().expect("half a percent");
        let quote =
            AcceptedQuote { route: &route, addresses: &addresses, slippage, hook: None, known, now: before_timeouts() };
        quote.compare(&answer).map(|ready| ready.into_iter().next().expect("one transaction"))
    }

    fn compare(&self) -> Result<ReadyTx, SigningRefusal> {
        self.compare_with(&known(), AMOUNT, true)
    }
}

/// The registry, and a channel to Celestia.
fn known() -> KnownContracts {
    registry().with_channel(ChainId::new("interwoven-1"), "channel-10", ChainId::new("celestia"))
}

fn arrives(tx: &ReadyTx) -> String {
    let words = offer_words(tx, OfferPlace::ONLY, &PlainNames);
    words.lines.into_iter().find(|line| line.name == "Arrives").map(|line| line.text).unwrap_or_default()
}

/// The known coin in the third column arrives; a denom that contradicts the signed bytes is refused; others are open.
#[test]
fn the_denom_that_arrives_is_derived_from_what_is_signed() {
    let init = bridged(12, "uinit");
    let tia = voucher("transfer/channel-10/utia");
    let usdc = voucher("transfer/channel-3/uusdc");
    let back = voucher("transfer/channel-27/l2/abcd");
    for (step, expected) in [
        (Step::deposit("uinit", &init), Ok(false)),
        (Step::deposit(&usdc, &bridged(12, &usdc)), Ok(false)),
        (Step::deposit("uinit", &bridged(12, &usdc)), Err(init.as_str())),
        (Step::deposit("uinit", &bridged(13, "uinit")), Err(init.as_str())),
        (Step::deposit("uinit", "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96"), Err(init.as_str())),
        (Step::withdrawal(&init, "uinit"), Ok(false)),
        (Step::withdrawal(&init, "uusdc"), Err("another denom than uusdc")),
        (Step::withdrawal("umin", "uinit"), Ok(true)),
        (Step::packet("celestia", "channel-10", &tia, "utia", ""), Ok(false)),
        (Step::packet("celestia", "channel-10", "uinit", "utia", ""), Err("a voucher of uinit")),
        (Step::packet("celestia", "channel-10", &tia, "uatom", ""), Err("utia")),
        // The name of the channel on Celestia is not known, on Echelon it is.
        (Step::packet("celestia", "channel-10", "uinit", &voucher("transfer/channel-1/uinit"), ""), Ok(true)),
        (Step::packet("echelon-1", "channel-35", "uinit", &voucher("transfer/channel-0/uinit"), ""), Ok(false)),
        (Step::packet("echelon-1", "channel-35", "uinit", &usdc, ""), Err("ibc/")),
        (Step::packet("civitia-1", "channel-27", &back, "l2/abcd", ""), Ok(false)),
    ] {
        let what = format!("{:?} to {}", step.ends, step.to);
        match (step.compare(), expected) {
            (Ok(tx), Ok(is_open)) => {
                let found = tx.doubts.iter().any(RouteDoubt::is_about_arrival);
                assert_eq!((found, arrives(&tx).starts_with("unknown; ")), (is_open, is_open), "{what}: {tx:?}");
                assert!(arrives(&tx).ends_with(&step.ends[1]) && arrives(&tx).contains("1000000"), "{}", arrives(&tx));
            }
            (Err(SigningRefusal::Yield { derived, quoted, .. }), Err(words)) => {
                assert!(derived.contains(words) && quoted.as_str() == step.ends[1], "{what}: {derived}");
            }
            (found, expected) => panic!("{what}: {found:?}, not {expected:?}"),
        }
    }
}

#[test]
fn a_bridge_yields_what_it_takes_whatever_amount_the_route_leaves_out() {
    for (step, factor) in [
        (Step::deposit("uinit", &bridged(12, "uinit")), 999),
        (Step::withdrawal(&bridged(12, "uinit"), "uinit"), 2),
        (Step::packet("celestia", "channel-10", &voucher("transfer/channel-10/utia"), "utia", ""), 7),
    ] {
        let refusal = step.compare_with(&known(), factor * AMOUNT, false).unwrap_err();
        let (derived, quoted) = (Amount::from(u128::from(AMOUNT)), Amount::from(u128::from(factor * AMOUNT)));
        assert_eq!(refusal, SigningRefusal::YieldAmount { derived, quoted });
        let honest = step.compare_with(&known(), AMOUNT, false).unwrap();
        assert_eq!(honest.least, Some(derived), "no slippage where nothing is swapped");
    }
}

#[test]
fn a_pool_is_the_routes_and_what_it_sells_is_told_by_a_node_that_no_router_named() {
    let (pool, other, usdc) = ([0x29; 32], [0x66; 32], voucher("transfer/channel-3/uusdc"));
    let refusal = Step::swap(other, pool, &usdc).compare().unwrap_err();
    let words = refusal.to_string();
    assert!(words.contains("2929") && words.contains("6666"), "{words}");
    let simulated = |denom: &str, amount: u64, is_of_router| {
        let mut tx = Step::swap(pool, pool, &usdc).compare().unwrap();
        let moves = vec![SignerMove { denom: Denom::new(denom), delta: Amount::from(u128::from(amount)).into() }];
        let verdict = SimulatedVerdict::Succeeds;
        let effect = SimulatedEffect {
            verdict,
            moves: Some(moves),
            differences: Vec::new(),
            balances: Vec::new(),
            shortfall: None,
        };
        let run = SimulatedRun::Untold(String::new());
        let simulation = TxSimulation { host: "mine".to_owned(), is_of_router, run, held: None };
        effect.settle(&mut tx, &simulation).map(|()| tx)
    };
    let open = simulated(&usdc, 999_000, true).unwrap();
    assert!(matches!(open.doubts[..], [RouteDoubt::Pool { .. }]), "the router's own node proves nothing: {open:?}");
    assert!(arrives(&open).starts_with("unknown; the router says at least 995000 ibc/"), "{}", arrives(&open));
    assert_eq!(arrives(&simulated(&usdc, 999_000, false).unwrap()), format!("at least 995000 {usdc}"));
    assert!(!simulated(&usdc, 994_999, false).unwrap().doubts.is_empty(), "less than the minimum settles nothing");
    let refusal = simulated("move/67", 999_000, false).unwrap_err();
    assert!(matches!(&refusal, SigningRefusal::Yield { derived, .. } if derived == "move/67"), "{refusal}");
}

#[test]
fn a_memo_that_nobody_asked_for_is_a_question_with_its_length() {
    let tia = voucher("transfer/channel-10/utia");
    let packet = |memo: &str| Step::packet("celestia", "channel-10", &tia, "utia", memo).compare();
    for (memo, told) in
        [("104211", "a memo of 6 characters, “104211”"), (&*"pay ".repeat(400), "a memo of 1,600 characters")]
    {
        let tx = packet(memo).unwrap();
        let [doubt @ RouteDoubt::Memo(_)] = &tx.doubts[..] else { panic!("{tx:?}") };
        assert!(doubt.to_string().contains(told) && doubt.option() == "--accept", "{doubt}");
        assert_ne!(doubt.key(), RouteDoubt::Memo(memo.replace('4', "5").replace('p', "q")).key(), "a yes to this text");
    }
    assert_eq!(packet("").unwrap().doubts, []);
    for memo in ["pay\u{1b}[2Jok", "\u{feff}{\"forward\":{}}", "a\u{202e}b", "a\nb", &"x".repeat(40_000)] {
        let refusal = packet(memo).unwrap_err();
        assert!(!refusal.is_unknown() && refusal.to_string().contains("the memo has "), "{memo:.20}: {refusal}");
    }
}

#[test]
fn a_packet_needs_half_a_minute() {
    let tia = voucher("transfer/channel-10/utia");
    for (seconds, is_fit) in [(3, false), (29, false), (31, true), (80_000, true), (90_000, false)] {
        let mut step = Step::packet("celestia", "channel-10", &tia, "utia", "");
        let end = before_timeouts().after(std::time::Duration::from_secs(seconds)).as_nanos();
        step.message.1["timeout_timestamp"] = json!(u64::try_from(end).unwrap());
        let found = step.compare();
        assert_eq!(found.is_ok(), is_fit, "{seconds} s: {found:?}");
        assert!(is_fit || matches!(found, Err(SigningRefusal::Wait { .. })));
    }
}

#[test]
fn a_message_fee_is_a_line_of_its_own_and_a_large_one_a_question() {
    let chain = ChainId::new("1");
    let mut tx = Step::deposit("uinit", &bridged(12, "uinit")).compare().unwrap();
    let refund = "0x4444444444444444444444444444444444444444".parse().unwrap();
    let fee = "10000000000000000000".parse().unwrap();
    let amount = Amount::from(u128::from(AMOUNT));
    tx.effects =
        vec![FundsEffect::Message { endpoint: 30_326, recipient: [0; 32], amount, least: amount, fee, refund }];
    let words = offer_words(&tx, OfferPlace::ONLY, &PlainNames);
    let line = words.lines.iter().find(|line| line.name == "Sends also").expect("a line");
    assert!(line.text.starts_with("10 of the chain's own coin (exactly 10,000,000,000,000,000,000 wei)"), "{line:?}");
    let doubt = RouteDoubt::Value { chain, amount: fee };
    assert_eq!(doubt.to_string(), "the call also sends 10 of the own coin of 1 for a message");
}
