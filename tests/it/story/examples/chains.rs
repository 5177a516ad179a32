//! What is known by name on the chains of the examples.

use rollscope::{
    domain::{ContractRole, Denom, Vm},
    story::Glossary,
};

/// INIT on yominet-1 as the bridge brings it, and as the wrapper makes it; ether there, native and over IBC.
pub(super) const INIT_6: &str = "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06";
pub(super) const INIT_18: &str = "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96";
pub(super) const ETH_18: &str = "evm/E1Ff7038eAAAF027031688E1535a055B2Bac2546";
pub(super) const ETH_6: &str = "ibc/39026A3BC5B3135CAC7FA5551C286A05E215FDA2C3C79195EB73F6699696F4FF";
pub(super) const ONYX: &str = "evm/4BaDFb501Ab304fF11217C44702bb9E9732E7CF4";
/// The fee token of embrmainnet-1, which no registry names.
pub(super) const NAMELESS: &str = "evm/4f7566f67941283a30cf65de7b9c6fdf2c04FCA1";
/// What converts between the two forms on yominet-1.
const WRAPPER: &str = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783";
/// Tokens of the L1.
pub(super) const MILK: &str = "ibc/39B55F22F15FB09189045A993817CDF0D388D3FF8773B2E22B6DE7B222636EEA";
pub(super) const USDC: &str = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
/// INIT on moo-1 over IBC, and by the bridge.
pub(super) const MOO_IBC: &str = "ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50";
pub(super) const MOO_L2: &str = "l2/fb936ffef4eb4019d82941992cc09ae2788ce7197fcb08cb00c4fe6f5e79184e";
/// Tokens of echelon-1.
pub(super) const IUSD: &str = "ibc/B82A5B2051D2296EE838D076218D4F852A629C69B99E7430C4D388F37DB16A3A";
pub(super) const ECHELON_INIT: &str = "l2/23c8396041db74441f4268d0c7e0533177dc3e028a47a8e584318f2d0c46fbe9";

/// A chain of the examples.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    Embr,
    Yominet,
    Interwoven,
    Moo,
    Echelon,
}

impl Chain {
    /// What the registry says of it.
    pub(super) fn glossary(self) -> Glossary {
        let mut glossary = Glossary::default();
        let (id, vm, bridge) = match self {
            Self::Embr => ("embrmainnet-1", Vm::Evm, None),
            Self::Yominet => ("yominet-1", Vm::Evm, Some(11)),
            Self::Interwoven => ("interwoven-1", Vm::Move, None),
            Self::Moo => ("moo-1", Vm::Wasm, Some(31)),
            Self::Echelon => ("echelon-1", Vm::Move, Some(16)),
        };
        (glossary.chain_id, glossary.vm, glossary.bridge_id) = (Some(id.to_owned()), Some(vm), bridge);
        for (denom, symbol, decimals) in self.tokens() {
            glossary.add_token(Denom::new(*denom), *symbol, *decimals);
        }
        for (port, channel, chain) in self.channels() {
            glossary.add_channel(*port, *channel, *chain);
        }
        if self == Self::Yominet {
            glossary.add_role(WRAPPER.parse().expect("well formed"), ContractRole::Wrapper);
        }
        glossary
    }

    fn tokens(self) -> &'static [(&'static str, &'static str, u8)] {
        match self {
            Self::Embr => &[],
            Self::Yominet => &[
                (INIT_6, "INIT", 6),
                (INIT_18, "INIT", 18),
                (ETH_18, "ETH", 18),
                (ETH_6, "ETH", 6),
                (ONYX, "ONYX", 18),
            ],
            Self::Interwoven => &[("uinit", "INIT", 6), (MILK, "milkINIT", 6), (USDC, "USDC", 6)],
            Self::Moo => &[(MOO_IBC, "INIT", 6), (MOO_L2, "INIT", 6)],
            Self::Echelon => &[(IUSD, "iUSD", 6), (ECHELON_INIT, "INIT", 6)],
        }
    }

    fn channels(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Self::Embr => &[("nft-transfer", "channel-1", "interwoven-1")],
            Self::Yominet | Self::Moo => &[("transfer", "channel-0", "interwoven-1")],
            Self::Interwoven => &[("transfer", "channel-29", "moo-1")],
            Self::Echelon => &[],
        }
    }
}
