//! What page and terminal say of a transaction before it is signed.

use rollscope::{
    domain::{Address, Amount, ChainId, Denom, ExactDecimal},
    signing::{
        ContractPart, ContractSource, ContractUse, FundsEffect, KnownContracts, OfferLineKind, OfferWords,
        QuotedDollars, ReadyTx, RouteDoubt,
    },
    story::{Names, OfferPlace, hook_offer_words, offer_words},
};

use super::guard::{DEPOSIT, Offer, PACKETS, PlainNames, SWAP, WITHDRAWAL};

fn ready(sample: &str) -> ReadyTx {
    let ready = Offer::of_sample(sample).compare().unwrap_or_else(|refusal| panic!("an honest sample: {refusal}"));
    ready.into_iter().next().unwrap_or_else(|| panic!("it has a transaction"))
}

fn words(tx: &ReadyTx) -> OfferWords {
    offer_words(tx, OfferPlace::ONLY, &PlainNames)
}

/// The texts of the lines with this name.
fn lines<'a>(words: &'a OfferWords, name: &str) -> Vec<&'a str> {
    words.lines.iter().filter(|line| line.name == name).map(|line| line.text.as_str()).collect()
}

#[test]
fn the_title_and_the_button_name_the_act_and_both_chains_have_their_id() {
    for (sample, verb) in [(DEPOSIT, "deposit"), (WITHDRAWAL, "withdraw"), (PACKETS, "send"), (SWAP, "swap")] {
        let tx = ready(sample);
        let words = words(&tx);
        let sent = lines(&words, "Sends")[0];
        assert_eq!(words.act, format!("{verb} {sent}"));
        let way = if tx.chain_id == tx.arrives_on { "on" } else { "to" };
        let title = format!("{verb} {sent} {way} {}", tx.arrives_on);
        assert!(words.title.eq_ignore_ascii_case(&title) && words.title.starts_with(char::is_uppercase), "{words:?}");
        assert_eq!(lines(&words, "From"), [tx.chain_id.as_str()]);
        assert_eq!(lines(&words, "To"), [tx.arrives_on.as_str()]);
        let amounts = words.lines.iter().filter(|line| line.kind == OfferLineKind::Amount).map(|line| line.name);
        // Only a node knows what a pool sells.
        let is_open = tx.doubts.iter().any(RouteDoubt::is_about_arrival);
        assert_eq!(amounts.collect::<Vec<_>>(), if is_open { vec!["Sends"] } else { vec!["Sends", "Arrives"] });
        assert_eq!((is_open, lines(&words, "Arrives")[0].starts_with("unknown; ")), (sample == SWAP, sample == SWAP));
        let warnings = words.lines.iter().filter(|line| line.kind == OfferLineKind::Warning && line.name != "Arrives");
        let warnings = warnings.map(|line| &line.text);
        let unproven = tx.doubts.iter().map(ToString::to_string);
        assert!(
            warnings.cloned().eq(unproven),
            "each connection that nothing proves is marked, and no more: {words:?}"
        );
        let over = lines(&words, "Over");
        assert_eq!(over.len(), tx.proven.len());
        assert!(over.iter().all(|line| line.ends_with(", known without the router")), "{over:?}");
        assert_eq!((words.letters(), lines(&words, "Step").len(), lines(&words, "Takes").len()), (None, 0, 0));
    }
    let now = "2026-01-31T14:18:40Z".parse().unwrap();
    let step = OfferPlace { place: 1, count: 3, seconds: Some(90), now };
    let tx = ready(DEPOSIT);
    let told = offer_words(&tx, step, &PlainNames);
    assert_eq!(lines(&told, "Step"), ["transaction 2 of 3"]);
    assert_eq!(
        lines(&told, "Takes"),
        ["about 1 min 30 s for the route, to about 2026-01-31 14:20:10 UTC, by the router's estimate"]
    );
    let worth = |tx: &ReadyTx| lines(&words(tx), "Worth").join("");
    let dollars = ExactDecimal::parse("1.234").unwrap();
    let priced = ReadyTx { dollars: Some(QuotedDollars { amount: Amount::from(1), dollars }), ..tx.clone() };
    assert_eq!(worth(&priced), "about $1.24, by the router's price");
    assert_eq!(worth(&ReadyTx { dollars: None, ..tx }), "", "no price, no value");
}

#[test]
fn the_recipient_is_you_or_another_only_where_that_is_proven() {
    let tx = ready(DEPOSIT);
    let account: Address = tx.signer.parse().unwrap();
    let own = words(&tx);
    assert_eq!(lines(&own, "You"), [format!("{} = {}", account.bech32(), account.checksummed())]);
    assert!(lines(&own, "Does")[0].starts_with("You deposit "), "{own:?}");
    let to =
        |receiver: &str| lines(&words(&ReadyTx { receiver: receiver.to_owned(), ..tx.clone() }), "Receives").join("");
    assert_eq!([to(&account.bech32()), to(&account.checksummed())], ["you", "you"]);
    let other = Address::Short([7; 20]);
    assert_eq!(to(&other.bech32()), format!("{} = {}, not your account", other.bech32(), other.checksummed()));
    let celestia = "celestia1rfjz7r3u8t65teavh5utquj3kwvsj983pjdynp";
    assert_eq!(to(celestia), celestia, "another form of address tells no account");
}

/// Names that a router could choose.
struct HostileNames;

impl Names for HostileNames {
    fn chain(&self, _: &ChainId) -> String {
        "Іnitiа".to_owned()
    }

    fn amount(&self, _: &ChainId, _: &Denom, amount: Amount) -> String {
        format!("{amount} INIT")
    }

    fn denom(&self, _: &ChainId, _: &Denom) -> String {
        "INIT".to_owned()
    }
}

#[test]
fn letters_of_other_scripts_are_named() {
    let words = offer_words(&ready(DEPOSIT), OfferPlace::ONLY, &HostileNames);
    let letters = words.letters().unwrap_or_default();
    assert_eq!(letters, "outside a–z, may imitate another name: І (U+0406), а (U+0430)");
    let chain = ready(DEPOSIT).arrives_on;
    assert_eq!(lines(&words, "To"), [format!("Іnitiа ({chain})")], "the id stands beside the name");
}

#[test]
fn an_unlimited_allowance_is_a_warning_and_its_contract_is_named() {
    let (token, spender, me) = (Address::Short([5; 20]), Address::Short([6; 20]), Address::Short([7; 20]));
    let chain = ChainId::new("rollup-1");
    let allows = |amount| [FundsEffect::Allowance { token, spender, amount }];
    let known = KnownContracts::default().with(chain.clone(), spender, "the wrapper", ContractSource::Chain);
    let words = |amount, known: &KnownContracts| {
        let (part, shown) = (ContractPart::Spender, spender.checksummed());
        let verdict = known.verdict(&chain, spender, part);
        let met = [ContractUse { chain_id: chain.clone(), address: spender, shown, part, verdict }];
        hook_offer_words(&chain, &me.bech32(), &allows(amount), &met, &PlainNames)
    };
    let unlimited = words(FundsEffect::ANY, &known);
    let warned = |words: &OfferWords| -> Vec<String> {
        words.lines.iter().filter(|it| it.kind == OfferLineKind::Warning).map(|it| it.text.clone()).collect()
    };
    assert_eq!(lines(&unlimited, "Allows"), [format!("{} (the wrapper, per the chain)", spender.checksummed())]);
    assert_eq!(warned(&unlimited).len(), 1);
    assert!(warned(&unlimited)[0].contains("may take any amount of "), "{unlimited:?}");
    assert!(warned(&words(Amount::from(5), &known)).is_empty(), "an exact amount is no warning");
    let unknown = words(Amount::from(5), &KnownContracts::default());
    assert_eq!(warned(&unknown), [format!("{} (UNKNOWN)", spender.checksummed())]);
    assert!(unknown.note.is_some() && unlimited.note.is_none());
}

#[test]
fn a_conversion_of_everything_is_of_yours_and_for_yourself() {
    let (wrapper, me, other) = (Address::Short([6; 20]), Address::Short([7; 20]), Address::Short([8; 20]));
    let chain = ChainId::new("rollup-1");
    let told = |to| {
        let effects =
            [FundsEffect::Conversion { wrapper, to, denom: Denom::new("l2/aa"), amount: None, decimals: None }];
        let words = hook_offer_words(&chain, &me.bech32(), &effects, &[], &PlainNames);
        lines(&words, "Does").join("")
    };
    let start = format!("You convert all your l2/aa into its other form with {} for ", wrapper.checksummed());
    assert_eq!(told(me), format!("{start}yourself."));
    assert_eq!(told(other), format!("{start}{}.", other.checksummed()));
}
