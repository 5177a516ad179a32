//! Accounts that every chain has, and accounts derived from a channel or bridge (`docs/apis/story.md` §3, §4 and §6).

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use sha2::{Digest, Sha256};

use crate::domain::Address;

/// Modules with an account of their own, and their labels.
const MODULES: [(&str, &str); 12] = [
    ("fee_collector", "fee collector"),
    ("opchild", "opchild module"),
    ("ophost", "ophost module"),
    ("transfer", "transfer module"),
    ("gov", "gov module"),
    ("tokenfactory", "tokenfactory module"),
    ("move_staking", "staking module"),
    ("auction", "auction module"),
    ("feeibc", "relayer fee module"),
    ("interchainaccounts", "interchain accounts module"),
    ("minter", "minter module"),
    ("oracle", "oracle module"),
];

/// System accounts with fixed addresses: the last byte of each.
const SYSTEM: [(u8, &str); 5] =
    [(0, "0x0 (zero)"), (1, "0x1 (the chain)"), (0xf1, "ICosmos"), (0xf2, "ERC20Registry"), (0xf3, "JSONUtils")];

pub(crate) fn module_account(name: &str) -> Address {
    let [digest @ .., _, _, _, _, _, _, _, _, _, _, _, _]: [u8; 32] = Sha256::digest(name).into();
    Address::Short(digest)
}

/// Returns the labels of accounts that every chain has.
pub(super) fn labels() -> impl Iterator<Item = (Address, Arc<str>)> {
    let modules = MODULES.iter().map(|(name, label)| (module_account(name), Arc::from(*label)));
    let system = SYSTEM.iter().flat_map(|(last, label)| {
        let (mut short, mut long) = ([0; 20], [0; 32]);
        (short[19], long[31]) = (*last, *last);
        [(Address::Short(short), Arc::from(*label)), (Address::Long(long), Arc::from(*label))]
    });
    modules.chain(system)
}

/// Returns the escrow account of a channel; `None` for a port whose contract holds the tokens.
pub fn escrow_account(port: &str, channel: &str) -> Option<Address> {
    let version = match port {
        "transfer" => "ics20-1",
        "nft-transfer" => "ics721-1",
        _ => return None,
    };
    cut(&Sha256::digest(format!("{version}\0{port}/{channel}")))
}

/// Returns the custody account of a bridge on the L1.
pub(super) fn bridge(bridge_id: u64) -> Address {
    let kind = Sha256::digest("module");
    let name = Sha256::new().chain_update(kind).chain_update("ophost\0").chain_update(bridge_id.to_be_bytes());
    Address::Long(name.finalize().into())
}

/// Number of bridges and channels whose accounts have a label without any list: the accounts derive from the ids.
const MOST_IDS: u64 = 256;

/// Returns the label of an account that no list names: custody of a bridge, or escrow of a channel.
pub(super) fn derived(account: Address) -> Option<&'static Arc<str>> {
    static CUSTODY: LazyLock<HashMap<Address, Arc<str>>> =
        LazyLock::new(|| (1..=MOST_IDS).map(|id| (bridge(id), format!("custody of bridge #{id}").into())).collect());
    static ESCROW: LazyLock<HashMap<Address, Arc<str>>> = LazyLock::new(|| {
        let channels = (0..MOST_IDS).map(|id| format!("channel-{id}"));
        let escrows = channels.flat_map(|channel| {
            let label: Arc<str> = format!("escrow of {channel}").into();
            ["transfer", "nft-transfer"].map(|port| Some((escrow_account(port, &channel)?, Arc::clone(&label))))
        });
        escrows.flatten().collect()
    });
    match account {
        Address::Long(_) => CUSTODY.get(&account),
        Address::Short(_) => ESCROW.get(&account),
    }
}

/// Truncates a hash to an account's 20 bytes.
fn cut(hash: &[u8]) -> Option<Address> {
    Address::from_bytes(hash.get(..20)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_that_follow_from_names_are_those_of_real_chains() {
        let label = |text: &str| {
            let address: Address = text.parse().unwrap();
            labels().find(|(known, _)| *known == address).map(|(_, label)| label.to_string())
        };
        for (address, name) in [
            ("init17xpfvakm2amg962yls6f84z3kell8c5l70rnql", "fee collector"),
            ("init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne", "opchild module"),
            ("init1yl6hdjhmkf37639730gffanpzndzdpmhqfk6up", "transfer module"),
            ("init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3", "gov module"),
            ("init19ejy8n9qsectrf4semdp9cpknflld0j6nka7xr", "tokenfactory module"),
            ("init185vd23fjl3pw2ecfppfdkm4jr7jj372j5gx22f", "staking module"),
            ("init1j4yzhgjm00ch3h0p9kel7g8sp6g045qf44k4xg", "auction module"),
            ("init176rcyfn5k9d0wcxel3kmwvxh0hy3xcweh6rsdx", "relayer fee module"),
            ("init1vlthgax23ca9syk7xgaz347xmf4nuneff7ky8j", "interchain accounts module"),
            ("init1h6t805h2vjfzpa3m9n8kyadyng9xf604rgh8k6", "minter module"),
            ("init1jgp27m8fykex4e4jtt0l7ze8q528ux2ll8cyxt", "oracle module"),
            ("0xf1", "ICosmos"),
        ] {
            assert_eq!(label(address).as_deref(), Some(name), "{address}");
        }
        let pool = module_account("distribution").bech32();
        assert!(pool.starts_with("init1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8"), "the address of every chain: {pool}");
    }

    #[test]
    fn escrows_and_bridges_are_those_of_real_chains() {
        let text = |address: Address| address.bech32();
        assert_eq!(
            escrow_account("transfer", "channel-29").map(text).unwrap(),
            "init1je5zsemauel5dqjwug9snfvkwr8hks9zrfgla2"
        );
        let nft = escrow_account("nft-transfer", "channel-28").unwrap();
        assert_eq!(nft.hex(), "0x93ec9e2eabf1ce88173afd7a025fd08850e5bb28");
        assert_eq!(escrow_account("wasm.init1abc", "channel-1"), None);
        assert_eq!(text(bridge(11)), "init1zmnz4qk7v0xdpruy6fatyf3ph0dfm6v2n5xqnf3x6zfs3utxum5sjh4vpr");
        assert_eq!(text(bridge(12)), "init1cc52z3ylcts534nwf9vnk5f8fa47r0xeekwalrvrpgk464ud336srpv5mk");
        assert_eq!(derived(bridge(12)).map(AsRef::as_ref), Some("custody of bridge #12"));
        assert_eq!(derived(nft).map(AsRef::as_ref), Some("escrow of channel-28"));
        let far = escrow_account("transfer", &format!("channel-{MOST_IDS}")).unwrap();
        for unknown in [bridge(MOST_IDS + 1), far, Address::Short([7; 20])] {
            assert_eq!(derived(unknown), None);
        }
    }
}
