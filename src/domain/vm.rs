use std::str::FromStr;

/// Which virtual machine a rollup runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Vm {
    /// MiniEVM.
    #[default]
    Evm,
    /// MiniMove, and the L1.
    Move,
    /// MiniWasm.
    Wasm,
}

impl FromStr for Vm {
    type Err = String;

    /// Reads `evm`, `minievm` and so on.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().trim_start_matches("mini") {
            "evm" => Ok(Self::Evm),
            "move" => Ok(Self::Move),
            "wasm" => Ok(Self::Wasm),
            _ => Err(format!("“{}” is no virtual machine: evm, move or wasm", super::text::clip(text, 20))),
        }
    }
}
