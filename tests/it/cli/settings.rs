//! Settings as the program sees them: files, environment, and what it says of bad ones.

use rollscope::{columns::List, config::DEFAULT_CONFIG};
use strum::IntoEnumIterator as _;

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
        "warning: ~/config/rollscope/config.toml line 2, timeuot: unknown setting; did you mean timeout?\n"
    );
}

#[test]
fn config_prints_what_is_in_force_as_a_file_that_means_the_same() {
    let home = Home::with_config("timeout = \"1m\"\ntheme = \"mono\"\nindexer = \"http://127.0.0.1:9/\"\n");
    let printed = home.run("config").good();
    assert_eq!(
        printed,
        "# ~/config/rollscope/config.toml\nindexer = \"http://127.0.0.1:9\"\ntimeout = \"1m\"\ntheme = \"mono\"\n\
         ascii = false\nfetch_metadata = false\n[transfers]\nbell = true\ntitle = true\n"
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
    let default = home.run("config --default").good();
    assert!(default.starts_with(DEFAULT_CONFIG) && default.contains("\n#[columns]\n"), "{default}");
    let path = home.run("config --path").good();
    assert_eq!(path.trim_end(), home.path().join("config/rollscope/config.toml").display().to_string());
    assert!(home.run("config").good().starts_with("# ~/config/rollscope/config.toml does not exist\n"));
}

/// What `config --default` says of columns, with every line of it on.
fn default_columns() -> String {
    let default = Home::empty().run("config --default").good();
    let columns = default.strip_prefix(DEFAULT_CONFIG).expect("the file comes first").lines();
    let on = columns.filter_map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')));
    on.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_default_columns_are_told_and_are_the_default_when_they_are_on() {
    let columns = default_columns();
    let lists: Vec<&str> = columns.lines().skip(1).filter_map(|line| line.split(" = ").next()).collect();
    assert_eq!(lists, List::iter().map(<&'static str>::from).collect::<Vec<_>>());
    let printed = Home::with_config(&columns).run("config").good();
    assert!(!printed.contains("columns"), "{printed}");
}

#[test]
fn every_column_of_a_list_can_be_chosen() {
    let default = Home::empty().run("config --default").good();
    let mut config = "[columns]\n".to_owned();
    let mut lines = default.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((list, ids)) = line.strip_prefix('#').and_then(|line| line.split_once(" = [")) else { continue };
        let Some(others) = lines.peek().and_then(|line| line.strip_prefix("# … and ")) else { continue };
        let others: Vec<String> = others.split(", ").map(|id| format!("\"{id}\"")).collect();
        config.extend([list, " = [", ids.trim_end_matches(']'), ", ", &others.join(", "), "]\n"]);
    }
    assert!(config.contains("\"gas_wanted\"") && config.lines().count() > 6, "{config}");
    assert!(Home::with_config(&config).run("config").good().ends_with(&config), "{config}");
}

#[test]
fn columns_that_there_are_not_are_named_with_those_that_there_are() {
    let config = "theme = \"mono\"\n[columns]\nblocks = [\n  \"height\",\n  \"gas_usd\",\n]\nholders = [\"rank\", \"rank\"]\n\
                  nfts = []\nblokcs = [\"height\"]\ncollections = \"name\"\ntxs = [\"txhash\", \"height\"]\n";
    let ran = Home::with_config(config).run("config");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.ends_with("[columns]\ntxs = [\"txhash\", \"height\"]\n"), "the others keep their columns: {ran:?}");
    let warnings: Vec<&str> = ran.err.lines().collect();
    let find = |key: &str| {
        let found: Vec<_> = warnings.iter().filter(|line| line.contains(key)).collect();
        assert_eq!(found.len(), 1, "{warnings:?}");
        found[0].split_once("config.toml ").expect("the file is named").1
    };
    let ids = List::Blocks.columns().iter().map(|column| column.id).collect::<Vec<_>>().join(", ");
    assert_eq!(
        find("columns.blocks"),
        format!("line 5, columns.blocks: unknown column “gas_usd”; did you mean gas_used? Known names: {ids}")
    );
    assert_eq!(find("columns.holders"), "line 7, columns.holders: duplicate column “rank”");
    assert!(
        find("columns.nfts")
            .starts_with("line 8, columns.nfts: the list needs a column; known columns: token_id, owner")
    );
    assert!(
        find("columns.blokcs").starts_with("line 9, columns.blokcs: unknown list; did you mean blocks? Known names:")
    );
    assert!(find("columns.collections").contains("line 10, columns.collections: expected column names in brackets"));
    assert_eq!(warnings.len(), 5, "{warnings:?}");
}

#[test]
fn nothing_is_left_behind_by_a_command() {
    let chain = Chain::start(30);
    let home = Home::empty();
    home.run(&format!("status --indexer {}", chain.url())).good();
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

/// A pipe never starts, and the zero device never ends: neither is read.
#[test]
fn settings_that_are_no_regular_file_are_refused_at_once() {
    let home = Home::empty();
    let pipe = home.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let zero = home.path().join("zero");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    let large = home.path().join("large");
    std::fs::File::create(&large).unwrap().set_len((4 << 20) + 1).unwrap();
    for (file, why) in [(&pipe, "not a regular file"), (&zero, "not a regular file"), (&large, "larger than 4 MiB")] {
        let sentence = home.run(&format!("config --config {}", file.display())).bad(2);
        assert!(sentence.contains(why), "{sentence}");
    }
}

/// As behind `2>> log` on a full disk.
#[test]
#[cfg(target_os = "linux")]
fn standard_error_that_cannot_be_written_does_not_change_how_a_command_ends() {
    for (arguments, status) in [("blocks --nonsense", 2), ("status --indexer http://127.0.0.1:1 --timeout 1s", 1)] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let home = Home::empty();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rollscope"));
        command.env_clear().env("HOME", home.path()).args(arguments.split(' ')).stderr(full);
        let ended = command.output().unwrap();
        assert_eq!(ended.status.code(), Some(status), "{arguments}");
    }
}
