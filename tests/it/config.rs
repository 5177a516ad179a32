//! Settings: layers, bad files, networks.

use std::{fs, path::Path, time::Duration};

use rollscope::config::{
    ColorChoice, ColorDepth, DEFAULT_CONFIG, Environment, Flags, Network, NetworkChoice, Networks, Paths,
    PictureColors, Settings, SettingsError, ThemeChoice, ThemeName, parse_base_url, parse_duration, write_duration,
};
use rollscope::{
    app::glossary_of,
    domain::{Denom, Vm},
    story::AbiRegistry,
};
use tempfile::TempDir;

/// A configuration folder of a test's own.
struct Home(TempDir);

impl Home {
    fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    fn with(config: &str) -> Self {
        let home = Self::empty();
        fs::write(home.0.path().join("config.toml"), config).expect("a file can be written");
        home
    }

    fn paths(&self) -> Paths {
        Paths { config_dir: self.0.path().to_path_buf(), state_dir: self.0.path().join("state") }
    }

    fn load(&self, flags: Flags, environment: Environment) -> Result<Settings, SettingsError> {
        Settings::load(flags, environment, Some(self.paths()))
    }

    fn plain(&self) -> Settings {
        self.load(Flags::default(), Environment::default()).expect("files alone never make settings fail")
    }
}

fn network(settings: &Settings) -> &Network {
    match &settings.destination {
        Some(NetworkChoice::Network(network)) => network,
        other => panic!("a network is expected, not {other:?}"),
    }
}

#[test]
fn without_anything_the_defaults_hold() {
    let settings = Home::empty().plain();
    assert_eq!(settings.destination, None);
    assert_eq!(settings.timeout, Duration::from_secs(10));
    assert_eq!(settings.theme_choice, ThemeChoice::Auto);
    assert_eq!(settings.theme(), ThemeName::Ansi);
    assert!(settings.warnings.is_empty());
}

#[test]
fn the_default_file_states_exactly_the_defaults() {
    let (without, with) = (Home::empty().plain(), Home::with(DEFAULT_CONFIG).plain());
    assert_eq!(with.warnings, Vec::<String>::new());
    assert_eq!(with.destination, without.destination);
    assert_eq!(with.router, without.router);
    assert_eq!(with.timeout, without.timeout);
    assert_eq!(with.theme_choice, without.theme_choice);
    assert_eq!(with.networks().all(), without.networks().all());
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let home = Home::with("network = \"cabal\"\ntimeout = \"3s\"\nrouter = \"https://file.example\"\n");
    let environment = Environment {
        network: Some("civitia".into()),
        router: Some("https://environment.example/".into()),
        ..Environment::default()
    };
    let flags = Flags {
        network: Some("yominet".into()),
        router: Some("https://flag.example".into()),
        timeout: Some(Duration::from_secs(1)),
        ..Flags::default()
    };

    let file = home.plain();
    assert_eq!((network(&file).name.as_str(), file.timeout), ("cabal", Duration::from_secs(3)));
    assert_eq!(network(&file).router.as_deref(), Some("https://file.example"));

    let both = home.load(Flags::default(), environment.clone()).unwrap();
    assert_eq!((network(&both).name.as_str(), both.timeout), ("civitia", Duration::from_secs(3)));
    assert_eq!(network(&both).router.as_deref(), Some("https://environment.example"));

    let all = home.load(flags, environment).unwrap();
    assert_eq!((network(&all).name.as_str(), all.timeout), ("yominet", Duration::from_secs(1)));
    assert_eq!(network(&all).router.as_deref(), Some("https://flag.example"));
}

#[test]
fn an_address_chosen_above_replaces_a_name_chosen_below() {
    let home = Home::with("network = \"cabal\"");
    let flags = Flags { indexer: Some("http://127.0.0.1:1".into()), ..Flags::default() };
    let settings = home.load(flags, Environment::default()).unwrap();
    assert_eq!(network(&settings).indexer, "http://127.0.0.1:1");
    let (bare, named) = (network(&settings), Networks::built_in().find("cabal").unwrap());
    assert_eq!((bare.name.as_str(), bare.key(), bare.is_unnamed()), ("127.0.0.1:1", "http://127.0.0.1:1", true));
    assert_eq!((named.key(), named.is_unnamed()), ("cabal", false));
    assert_eq!(network(&settings).chain_id, None);

    let environment = Environment { indexer: Some("http://127.0.0.1:2/".into()), ..Environment::default() };
    let flags = Flags { network: Some("demo".into()), ..Flags::default() };
    assert_eq!(network(&home.load(Flags::default(), environment.clone()).unwrap()).indexer, "http://127.0.0.1:2");
    assert_eq!(home.load(flags, environment).unwrap().destination, Some(NetworkChoice::Embedded));
}

#[test]
fn a_node_goes_with_an_indexer_or_a_network_of_its_source() {
    let text = |text: &str| Some(text.to_owned());
    let urls = |ports: &[u16]| ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect::<Vec<_>>();
    let home = Home::with(
        "indexer = \"http://127.0.0.1:1\"\nnode = \"http://127.0.0.1:2\"\njson_rpc = \"http://127.0.0.1:3\"",
    );
    let location = |settings: &Settings| network(settings).node.clone().expect("a node");
    let file = home.plain();
    assert_eq!(
        (network(&file).indexer.as_str(), location(&file).node.as_str()),
        ("http://127.0.0.1:1", "http://127.0.0.1:2")
    );
    assert_eq!(location(&file).json_rpc.as_deref(), Some("http://127.0.0.1:3"));

    let environment =
        Environment { network: text("cabal"), rest: text("http://127.0.0.1:4"), ..Environment::default() };
    let both = home.load(Flags::default(), environment.clone()).unwrap();
    let listed = Networks::built_in().find("cabal").unwrap().node.clone().expect("a node");
    assert_eq!(location(&both).node, listed.node, "what is not named stays");
    assert_eq!(location(&both).rest.as_deref(), Some("http://127.0.0.1:4"));

    let flags = Flags { network: text("cabal"), node: urls(&[5, 8]), ..Flags::default() };
    let all = home.load(flags, environment.clone()).unwrap();
    assert_eq!((location(&all).node.as_str(), location(&all).rest), ("http://127.0.0.1:5", None), "a node of its own");
    assert_eq!(location(&all).others, urls(&[8]));
    let several = Home::with("node = [\"http://127.0.0.1:1\", \"x\", \"http://127.0.0.1:2\"]").plain();
    let Some(NetworkChoice::Node(several_nodes)) = &several.destination else { panic!("{:?}", several.destination) };
    assert_eq!(
        several_nodes.node.clone().map(|node| (node.node, node.others)),
        Some((urls(&[1])[0].clone(), urls(&[2])))
    );
    assert!(several.warnings.len() == 1 && several.warnings[0].contains("line 1, node"), "{:?}", several.warnings);
    let flags = Flags { indexer: text("http://127.0.0.1:6"), rest: text("http://127.0.0.1:7"), ..Flags::default() };
    let rest = home.load(flags, environment.clone()).unwrap();
    assert_eq!(
        (network(&rest).indexer.as_str(), location(&rest).node.as_str()),
        ("http://127.0.0.1:6", "http://127.0.0.1:7")
    );
    // The node of another source may be of another chain.
    let flags = Flags { indexer: text("http://127.0.0.1:6"), ..Flags::default() };
    assert_eq!(network(&home.load(flags, environment).unwrap()).node, None);
}

#[test]
fn networks_are_found_by_name_and_by_chain_id() {
    let settings = Home::empty().plain();
    let by_name = settings.networks().find("cabal").unwrap();
    assert_eq!(settings.networks().find("cabal-1").unwrap(), by_name);
    assert_eq!(by_name.vm, Some(Vm::Evm));
    assert!(by_name.indexer.starts_with("https://") && !by_name.indexer.ends_with('/'));
    let page = by_name.explorer.tx.as_deref().unwrap();
    assert!(page.contains("cabal-1") && page.ends_with("{}"));
    let token = by_name.tokens.iter().find(|token| token.symbol == "INIT").unwrap();
    assert_eq!(token.decimals, 18);
    assert_eq!(settings.networks().find("initia").unwrap().vm, Some(Vm::Move), "the L1 runs Move");
    assert_eq!(settings.networks().find("inertia-testnet").unwrap().vm, Some(Vm::Wasm));
}

#[test]
fn every_built_in_network_is_complete_and_named_once() {
    let settings = Home::empty().plain();
    let all = settings.networks().all();
    for network in all {
        assert!(network.chain_id.is_some() && network.vm.is_some() && network.router.is_some(), "{}", network.name);
        assert!(network.explorer.tx.is_some() && network.explorer.account.is_some(), "{}", network.name);
        assert!(!network.tokens.is_empty(), "{}", network.name);
        let same = all.iter().filter(|other| other.name == network.name || other.chain_id == network.chain_id).count();
        assert_eq!(same, 1, "{}", network.name);
    }
}

#[test]
fn an_unknown_network_suggests_the_nearest() {
    let load = |name: &str| {
        Home::empty()
            .load(Flags { network: Some(name.into()), ..Flags::default() }, Environment::default())
            .expect_err("no network has the name")
            .to_string()
    };
    assert_eq!(load("caball"), "unknown network “caball”; did you mean cabal?");
    assert_eq!(load("yominet-2"), "unknown network “yominet-2”; did you mean yominet-1?");
    assert_eq!(load("dmeo"), "unknown network “dmeo”; did you mean demo?");
    assert_eq!(load("bitcoin-main"), "unknown network “bitcoin-main”; `rollscope networks` lists all");
}

#[test]
fn networks_of_ones_own_overlay_the_built_in_ones() {
    let home = Home::with(
        r#"
network = "local"
[[networks]]
name = "local"
chain_id = "local-1"
vm = "minimove"
indexer = "http://127.0.0.1:8080/"
explorer.block = "https://explorer.example/{}"
tokens = [{ denom = "uinit", symbol = "INIT", decimals = 6 }]
l1 = "local-l1"
bridge_id = 3
channels = [{ port = "transfer", channel = "channel-7", chain = "local-l1" }]
accounts = [{ address = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783", name = "my shop" }]
[[networks]]
name = "cabal"
indexer = "https://mirror.example"
"#,
    );
    let settings = home.plain();
    assert_eq!(settings.warnings, Vec::<String>::new());
    let local = network(&settings);
    assert_eq!((local.indexer.as_str(), local.vm), ("http://127.0.0.1:8080", Some(Vm::Move)));
    assert_eq!(local.explorer.block.as_deref(), Some("https://explorer.example/{}"));
    assert_eq!(local.tokens.len(), 1);
    assert_eq!((local.l1.as_deref(), local.bridge_id, local.channels.len()), (Some("local-l1"), Some(3), 1));
    assert_eq!(local.accounts[0].name, "my shop");
    let cabal = settings.networks().find("cabal").unwrap();
    assert_eq!(cabal.indexer, "https://mirror.example");
    assert_eq!(cabal.chain_id.as_deref(), Some("cabal-1"), "what the entry does not state stays");
    assert_eq!((cabal.bridge_id, cabal.channels.len()), (Some(42), 2), "nor is what names its neighbours lost");
}

/// Each bad file, and how the warning about it ends after `config.toml `.
const BAD_FILES: &[(&str, &str)] = &[
    ("\nnetwrk = \"cabal\"", "line 2, netwrk: unknown setting; did you mean network?"),
    ("fetch_metadata = \"yes\"", "line 1, fetch_metadata: expected true or false, found a string"),
    ("timeout = 10", "line 1, timeout: expected text in quotes, found an integer"),
    ("\n\ntimeout = \"10\"", "line 3, timeout: “10” is not a duration: add the unit, such as 10s"),
    (
        "theme = \"../blue\"",
        "line 1, theme: unknown theme “../blue”: auto, ansi, dark, light, colour-blind, \
         mono or a file in the folder themes",
    ),
    ("indexer = \"localhost:1\"", "line 1, indexer: “localhost:1” is not a URL: write http:// or https:// before it"),
    ("network = \"caball\"", "line 1, network: unknown network “caball”; did you mean cabal?"),
    ("network = [1]", "line 1, network: expected text in quotes, found an array"),
    (
        "[[networks]]\nname = \"mine\"",
        "line 2, networks.indexer: a custom network needs the URL of an indexer or a node",
    ),
    ("[[networks]]\nvm = \"evm\"", "line 1, networks: the network needs a name; rollscope skips it"),
    (
        "[[networks]]\nname = \"cabal\"\nvm = \"evmm\"",
        "line 3, networks.vm: “evmm” is not a virtual machine: write evm, move or wasm",
    ),
    (
        "[[networks]]\nname = \"cabal\"\ntokens = [\n  { denom = \"a\", symbol = \"A\", decimals = 99 },\n]",
        "line 4, networks.tokens: expected { denom = \"…\", symbol = \"…\", decimals = 0 to 77 }; rollscope skips this token",
    ),
    (
        "[[networks]]\nname = \"cabal\"\nbridge_id = \"11\"",
        "line 3, networks.bridge_id: expected a whole number, such as 11",
    ),
    (
        "[[networks]]\nname = \"cabal\"\nchannels = [{ port = \"transfer\", channel = \"channel-0\" }]",
        "line 3, networks.channels: expected { port = \"transfer\", channel = \"channel-0\", chain = \"…\" }; rollscope \
         skips this channel",
    ),
    (
        "[[networks]]\nname = \"cabal\"\naccounts = [{ address = \"0xzz\", name = \"shop\" }]",
        "line 3, networks.accounts: expected { address = \"init1… or 0x…\", name = \"…\" }, for a contract also role = \
         \"wrapper\", \"safe\" or \"multicall\"; rollscope skips this account",
    ),
    ("[[networks]]\nname = \"cabal\"\naccounts = 7", "line 3, networks.accounts: expected a list, found an integer"),
];

#[test]
fn a_bad_file_warns_with_line_and_key_and_the_defaults_hold() {
    for (text, expected) in BAD_FILES {
        let settings = Home::with(text).plain();
        assert_eq!(settings.warnings.len(), 1, "{text}: {:?}", settings.warnings);
        let warning = &settings.warnings[0];
        assert!(warning.ends_with(&format!("config.toml {expected}")), "{warning}");
        assert_eq!(settings.destination, None, "{text}");
        assert_eq!(settings.timeout, Duration::from_secs(10), "{text}");
        assert_eq!(settings.theme(), ThemeName::Ansi, "{text}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_ignored_as_a_whole_and_said() {
    let settings = Home::with("theme = \"mono\"\ntimeout = = \"3s\"\n").plain();
    assert_eq!(settings.warnings.len(), 1);
    let warning = &settings.warnings[0];
    assert!(warning.contains("config.toml line 2, timeout: "), "{warning}");
    assert_eq!(settings.theme(), ThemeName::Ansi);
}

#[test]
fn one_bad_setting_does_not_take_the_others_with_it() {
    let settings = Home::with("timeout = true\ntheme = \"mono\"\nnetwork = \"cabal\"").plain();
    assert_eq!(settings.warnings.len(), 1);
    assert_eq!(settings.theme(), ThemeName::Mono);
    assert_eq!(network(&settings).name, "cabal");
}

#[test]
fn network_and_indexer_in_one_file_is_said() {
    let settings = Home::with("network = \"cabal\"\nindexer = \"http://127.0.0.1:1\"").plain();
    assert_eq!(network(&settings).indexer, "http://127.0.0.1:1");
    assert!(settings.warnings[0].contains("line 2, indexer: "), "{:?}", settings.warnings);
}

#[test]
fn a_file_that_was_named_must_be_readable() {
    let home = Home::empty();
    let missing = home.0.path().join("missing.toml");
    let flags = Flags { config: Some(missing.clone()), ..Flags::default() };
    let environment = Environment { config: Some(missing.display().to_string()), ..Environment::default() };
    for result in [home.load(flags, Environment::default()), home.load(Flags::default(), environment)] {
        let sentence = result.expect_err("the file is missing").to_string();
        assert!(sentence.contains("cannot read the settings file") && sentence.contains("--config"), "{sentence}");
    }
    fs::write(&missing, "theme = \"mono\"").unwrap();
    let flags = Flags { config: Some(missing), ..Flags::default() };
    assert_eq!(home.load(flags, Environment::default()).unwrap().theme(), ThemeName::Mono);
}

#[test]
fn a_theme_is_built_in_or_a_file_of_the_folder_and_colours_that_are_refused_win_over_both() {
    let light = |colors| {
        let environment = Environment { colors, ..Environment::default() };
        Home::with("theme = \"light\"").load(Flags::default(), environment).expect("nothing is wrong")
    };
    let settings = light(ColorDepth::Palette);
    assert_eq!((settings.theme(), settings.theme_file()), (ThemeName::Light, None));
    assert_eq!(light(ColorDepth::Sixteen).theme(), ThemeName::Ansi, "16 colours are no palette");
    let sea = "theme = \"sea\"";
    let file = Home::with(sea).plain().theme_file().expect("a file of the user's own");
    assert!(file.ends_with("themes/sea.toml"), "{}", file.display());
    let environment = Environment { no_color: true, ..Environment::default() };
    let colorless = Home::with(sea).load(Flags::default(), environment).expect("nothing is wrong");
    assert_eq!((colorless.theme(), colorless.theme_file()), (ThemeName::Mono, None));
}

#[test]
fn a_bad_variable_is_named() {
    let environment = Environment { indexer: Some("nonsense".into()), ..Environment::default() };
    let sentence = Home::empty().load(Flags::default(), environment).expect_err("no address").to_string();
    assert!(sentence.starts_with("ROLLSCOPE_INDEXER: “nonsense”"), "{sentence}");
}

#[test]
fn colours_follow_no_color_and_the_flag() {
    let load = |color, no_color, file: &str| {
        let flags = Flags { color, ..Flags::default() };
        Home::with(file).load(flags, Environment { no_color, ..Environment::default() }).expect("nothing is wrong")
    };
    let theme = |color, no_color, file| load(color, no_color, file).theme();
    assert_eq!(theme(ColorChoice::Auto, false, ""), ThemeName::Ansi);
    assert_eq!(theme(ColorChoice::Auto, true, ""), ThemeName::Mono);
    assert_eq!(theme(ColorChoice::Auto, true, "theme = \"ansi\""), ThemeName::Mono);
    assert_eq!(theme(ColorChoice::Never, false, ""), ThemeName::Mono);
    assert_eq!(theme(ColorChoice::Always, true, ""), ThemeName::Ansi);
    assert_eq!(theme(ColorChoice::Auto, false, "theme = \"mono\""), ThemeName::Mono);

    assert!(load(ColorChoice::Auto, false, "").is_colored(true));
    assert!(!load(ColorChoice::Auto, false, "").is_colored(false));
    assert!(!load(ColorChoice::Auto, true, "").is_colored(true));
    assert!(load(ColorChoice::Always, true, "").is_colored(false));
    assert!(!load(ColorChoice::Never, false, "").is_colored(true));
}

#[test]
fn spans_of_time_are_read_with_their_unit_and_written_back() {
    for (text, milliseconds) in [("500ms", 500), ("10s", 10_000), ("1m", 60_000), ("1m 30s", 90_000), ("0.5s", 500)] {
        let span = Duration::from_millis(milliseconds);
        assert_eq!(parse_duration(text), Ok(span), "{text}");
        assert_eq!(parse_duration(&write_duration(span)), Ok(span), "{text}");
    }
    for text in ["", "10", "ten", "-1s", "0s", "25h", "1y"] {
        let sentence = parse_duration(text).expect_err(text).to_string();
        assert!(sentence.contains("not a duration"), "{sentence}");
    }
}

#[test]
fn addresses_of_servers_are_checked_and_cleaned() {
    for (text, clean) in [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        (" https://indexer.example/ ", "https://indexer.example"),
        ("https://host.example/a/b//", "https://host.example/a/b"),
        ("http://[::1]:80", "http://[::1]:80"),
        ("HTTP://a/x/?k=$KEY#x-key=$OTHER", "http://a/x?k=$KEY#x-key=$OTHER"),
    ] {
        assert_eq!(parse_base_url(text).as_deref(), Ok(clean));
    }
    for text in
        ["", "localhost:80", "ftp://a.example", "http://", "http://:80", "http://a b", "http://a?x", "http://a\u{1b}"]
    {
        assert!(parse_base_url(text).is_err(), "{text}");
    }
}

#[test]
fn a_machine_without_a_home_folder_has_settings_all_the_same() {
    let settings = Settings::load(Flags::default(), Environment::default(), None).unwrap();
    assert_eq!((settings.config_file.as_deref(), settings.destination), (None::<&Path>, None));
}

#[test]
fn metadata_is_fetched_unasked_only_where_the_file_says_so() {
    for indexer in ["http://127.0.0.1:8080", "http://localhost/api", "http://[::1]:9", "https://indexer.example"] {
        let load = |file: &str| {
            let flags = Flags { indexer: Some(indexer.to_owned()), ..Flags::default() };
            let settings = Home::with(file).load(flags, Environment::default()).unwrap();
            (settings.fetch_metadata, network(&settings).fetches_metadata)
        };
        assert_eq!(load(""), (None, false), "{indexer}");
        assert_eq!(load("fetch_metadata = true"), (Some(true), true), "{indexer}");
        assert_eq!(load("fetch_metadata = false"), (Some(false), false), "{indexer}");
    }
}

#[test]
fn pictures_and_the_background_s_themes_take_as_many_colours_as_the_terminal_has() {
    let load = |file: &str, colors, no_color| {
        let environment = Environment { colors, no_color, ..Environment::default() };
        Home::with(file).load(Flags::default(), environment).unwrap()
    };
    let pictures = |colors, no_color| load("", colors, no_color).styles().picture_colors();
    assert_eq!(pictures(ColorDepth::True, false), PictureColors::True);
    assert_eq!(pictures(ColorDepth::Sixteen, false), PictureColors::Indexed);
    assert_eq!(pictures(ColorDepth::True, true), PictureColors::None);
    let asks = |file, colors, no_color| load(file, colors, no_color).styles_by_background().is_some();
    assert!(asks("", ColorDepth::Palette, false) && asks("theme = \"auto\"", ColorDepth::True, false));
    assert!(!asks("", ColorDepth::Sixteen, false), "16 colours stay the terminal's own");
    assert!(!asks("", ColorDepth::True, true), "NO_COLOR");
    assert!(!asks("theme = \"ansi\"", ColorDepth::True, false), "a chosen theme stays");
}

#[test]
fn a_network_tells_the_chains_and_accounts_next_to_it() {
    let settings = Home::empty().plain();
    let yominet = settings.networks().find("yominet").unwrap();
    assert_eq!((yominet.l1.as_deref(), yominet.bridge_id), (Some("interwoven-1"), Some(11)));
    assert!(yominet.channels.iter().any(|it| (it.port.as_str(), it.chain.as_str()) == ("transfer", "interwoven-1")));
    assert_eq!(yominet.accounts[0].name, "ERC20 wrapper");
    let glossary = glossary_of(yominet, AbiRegistry::default());
    assert_eq!(glossary.label(yominet.accounts[0].address).map(AsRef::as_ref), Some("ERC20 wrapper"));
    let wrapped = Denom::new("l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06");
    assert_eq!(glossary.token(&wrapped).map(|token| token.decimals), Some(6), "the bridged form of the wrapped token");
    let ether = Denom::new("move/edfcddacac79ab86737a1e9e65805066d8be286a37cb94f4884b892b0e39f954");
    assert_eq!(glossary.l1_token(&ether).map(|token| token.symbol.as_str()), Some("ETH"), "a token of its L1");
    let l1 = glossary_of(settings.networks().find("initia").unwrap(), AbiRegistry::default());
    assert_eq!(l1.chain_of_bridge(12).map(AsRef::as_ref), Some("civitia-1"));
    assert_eq!(l1.chain_of_bridge(1457), None, "bridges of the test network's L1 are others");
    let bridge = "init1cc52z3ylcts534nwf9vnk5f8fa47r0xeekwalrvrpgk464ud336srpv5mk".parse().unwrap();
    assert_eq!(l1.label(bridge).map(AsRef::as_ref), Some("bridge to civitia-1"));
    let escrow = "init1je5zsemauel5dqjwug9snfvkwr8hks9zrfgla2".parse().unwrap();
    assert_eq!(l1.label(escrow).map(AsRef::as_ref), Some("escrow of channel-29"));
    assert_eq!(l1.chain_behind("wasm.init1abc", "channel-29").map(AsRef::as_ref), Some("moo-1"));
}
