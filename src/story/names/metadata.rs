//! Metadata objects of denoms on Move chains (`docs/apis/story.md` §6).

use alloy_primitives::hex;

use super::move_address::{derived, padded};
use crate::domain::Denom;

/// Suffix in the hash of an object derived from a name.
const NAMED_OBJECT: u8 = 0xfe;

/// Returns the metadata object of a denom: `move/<hex>` contains it, any other denom is a coin of `0x1`.
pub(crate) fn metadata_of(denom: &Denom) -> [u8; 32] {
    if let Some(object) = denom.as_str().strip_prefix("move/").and_then(|digits| padded(&format!("0x{digits}"))) {
        return object;
    }
    let mut standard = [0; 32];
    standard[31] = 1;
    derived(&standard, denom.as_str().as_bytes(), NAMED_OBJECT)
}

pub(crate) fn unnamed(metadata: &[u8; 32]) -> Denom {
    Denom::new(format!("move/{}", hex::encode(metadata)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_of_the_native_token_is_known() {
        let expected = "0x8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9";
        assert_eq!(hex::encode_prefixed(metadata_of(&Denom::new("uinit"))), expected);
        let own = Denom::new("move/5ac318c3479d518f7b9baf80a9c9533475434b645316d266a12e66a349a9f2ae");
        assert_eq!(format!("move/{}", hex::encode(metadata_of(&own))), own.as_str());
    }
}
