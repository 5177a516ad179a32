//! Settings as the program sees them: files, environment, and what it says of bad ones.

use rollscope::config::DEFAULT_CONFIG;

use super::{chain::Chain, program::Home};

#[test]
fn the_environment_chooses_where_no_flag_does() {
    let chain = Chain::start(30);
    let home = Home::with_config("network = \"cabal\"");
    let ask = |variable: &str, value: &str, arguments: &str| {
        let output = home.command(arguments).env(variable, value).output().expect("the program can be started");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, out) = ask("ROLLSCOPE_INDEXER", chain.url(), "status");
    assert!(status == Some(0) && out.contains("test-1"), "{out}");
    let (_, out) = ask("ROLLSCOPE_NETWORK", "yominet-1", "config");
    assert!(out.contains("network = \"yominet\"\n"), "{out}");
    let (_, out) = ask("ROLLSCOPE_NETWORK", "yominet", "config -n demo");
    assert!(out.contains("network = \"demo\"\n"), "{out}");
    assert_eq!(ask("ROLLSCOPE_CONFIG", "/nowhere/a.toml", "status").0, Some(2));
}

#[test]
fn a_bad_file_is_said_and_the_command_runs() {
    let chain = Chain::start(30);
    let home = Home::with_config("# mine\ntimeuot = \"3s\"\n");
    let ran = home.run(&format!("status --indexer {}", chain.url()));
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("test-1"));
    assert_eq!(
        ran.err,
        "warning: ~/config/rollscope/config.toml line 2, timeuot: no such setting; did you mean timeout?\n"
    );
}

#[test]
fn config_prints_what_is_in_force_as_a_file_that_means_the_same() {
    let home = Home::with_config("timeout = \"1m\"\ntheme = \"mono\"\nindexer = \"http://127.0.0.1:9/\"\n");
    let printed = home.run("config").good();
    assert_eq!(
        printed,
        "# ~/config/rollscope/config.toml\nindexer = \"http://127.0.0.1:9\"\ntimeout = \"1m\"\ntheme = \"mono\"\n"
    );
    assert_eq!(Home::with_config(&printed).run("config").good(), printed);
    let flags = home.run("config -n cabal --timeout 2s").good();
    assert!(
        flags.contains("network = \"cabal\"\nrouter = \"https://") && flags.contains("timeout = \"2s\""),
        "{flags}"
    );
}

#[test]
fn a_gateway_of_a_network_goes_before_the_common_one() {
    let home = Home::with_config(
        "ipfs_gateway = \"https://common.example/ipfs/\"\n[[networks]]\nname = \"mine\"\n\
         indexer = \"http://127.0.0.1:9\"\nipfs_gateway = \"http://127.0.0.1:8081/ipfs\"\n",
    );
    for (network, expected) in [("mine", "http://127.0.0.1:8081/ipfs"), ("cabal", "https://common.example/ipfs")] {
        let printed = home.run(&format!("config -n {network}")).good();
        assert!(printed.contains(&format!("ipfs_gateway = \"{expected}\"\n")), "{printed}");
    }
}

#[test]
fn config_tells_the_default_file_and_its_place() {
    let home = Home::empty();
    assert_eq!(home.run("config --default").good(), DEFAULT_CONFIG);
    let path = home.run("config --path").good();
    assert_eq!(path.trim_end(), home.path().join("config/rollscope/config.toml").display().to_string());
    assert!(home.run("config").good().starts_with("# ~/config/rollscope/config.toml is not there\n"));
}

#[test]
fn nothing_is_left_behind_by_a_command() {
    let chain = Chain::start(30);
    let home = Home::empty();
    home.run(&format!("status --indexer {}", chain.url())).good();
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}
