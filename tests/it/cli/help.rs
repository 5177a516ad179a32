//! What the program says of itself.

use rollscope::cli::ExitStatus;
use strum::IntoEnumIterator as _;

use super::program::run;

#[test]
fn help_of_every_command_is_as_it_was() {
    insta::assert_snapshot!("rollscope", run("--help").good());
    for command in [
        "demo",
        "local",
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
        "sql",
        "export",
        "networks",
        "doctor",
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

#[test]
fn packages_start_it_with_options_that_it_has() {
    let unit = include_str!("../../../assets/packaging/rollscope.service");
    let image = include_str!("../../../assets/packaging/Containerfile");
    let help = run("serve --help").good();
    let started = unit.lines().find(|line| line.starts_with("ExecStart=")).expect("the unit starts something");
    let command = image.lines().find(|line| line.starts_with("CMD ")).expect("the image runs something");
    for line in [started, command] {
        let words: Vec<&str> = line.split([' ', '"', ',']).filter(|word| word.starts_with("--")).collect();
        assert!(words.contains(&"--data"), "{line}");
        for word in words {
            assert!(help.contains(&format!("{word} <")), "{word} of {line}");
        }
    }
}
