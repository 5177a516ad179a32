use std::str::FromStr;

/// Virtual machine of a rollup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Vm {
    #[default]
    Evm,
    /// MiniMove, and the L1.
    Move,
    Wasm,
}

impl FromStr for Vm {
    type Err = String;

    /// Parses the name of a virtual machine, such as `evm` or `minievm`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().trim_start_matches("mini") {
            "evm" => Ok(Self::Evm),
            "move" => Ok(Self::Move),
            "wasm" => Ok(Self::Wasm),
            _ => Err(format!("“{}” is not a virtual machine: write evm, move or wasm", super::text::clip(text, 20))),
        }
    }
}
