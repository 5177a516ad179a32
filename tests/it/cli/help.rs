//! What the program says of itself.

use super::program::run;

#[test]
fn help_of_every_command_is_as_it_was() {
    insta::assert_snapshot!("rollscope", run("--help").good());
    for command in [
        "demo",
        "serve",
        "status",
        "avg-blocktime",
        "blocks",
        "txs",
        "evm-txs",
        "internal-txs",
        "collections",
        "nfts",
        "nft-txs",
        "holders",
        "route",
        "op-hook",
        "msgs",
        "demo-sign",
        "demo-send",
        "demo-claim",
        "claim",
        "demo-fund",
        "track",
        "transfer",
        "check",
        "networks",
        "config",
        "completions",
        "man",
    ] {
        insta::assert_snapshot!(command, run(&format!("{command} --help")).good());
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(run("--version").good(), format!("rollscope {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&format!("completions {shell}")).good();
        assert!(
            script.contains("avg-blocktime") && script.contains("nft-txs") && script.contains("rollscope"),
            "{shell}"
        );
    }
}

#[test]
fn the_manual_is_a_manual_page() {
    let page = run("man").good();
    assert!(page.contains(".TH rollscope 1") && page.contains("avg\\-blocktime"), "{page}");
}
