//! What the program says of itself.

use rollscope::cli::ExitStatus;
use strum::IntoEnumIterator as _;

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
fn help_and_manual_name_every_exit_status() {
    let [help, manual] = ["--help", "man"].map(|arguments| run(arguments).good().replace('\\', ""));
    for status in ExitStatus::iter() {
        let line = format!("{:<4} {}", status as u8, status.meaning());
        // The manual wraps where it likes.
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&help).contains(&squeezed(&line)), "{line}\n{help}");
        assert!(squeezed(&manual).contains(&squeezed(&line)), "{line}\n{manual}");
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
