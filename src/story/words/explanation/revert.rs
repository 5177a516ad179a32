//! Revert reasons from call frames, for records without a reason (`docs/apis/story.md` §5.2, §7.3).

use alloy_primitives::hex;

use super::{Predicate, evm::in_words, said};
use crate::{
    domain::Amount,
    story::{
        abi::{AbiValue, Argument},
        context::TxContext,
        names::glossary::{Glossary, RevertedTx},
    },
};

const PANICS: [(u64, &str); 10] = [
    (0x00, "generic panic"),
    (0x01, "assert(false)"),
    (0x11, "arithmetic underflow or overflow"),
    (0x12, "division or modulo by zero"),
    (0x21, "enum overflow"),
    (0x22, "invalid encoded storage byte array accessed"),
    (0x31, "out-of-bounds array access; popping on an empty array"),
    (0x32, "out-of-bounds access of an array or bytesN"),
    (0x41, "out of memory"),
    (0x51, "uninitialized function"),
];

/// Meanings of known errors by name; `{0}` stands for the first argument.
const MEANINGS: [(&str, &str); 34] = [
    ("ERC20InsufficientBalance", "{0} holds {1}, but needs {2}"),
    ("ERC20InsufficientAllowance", "{0} may spend {1}, but needs {2}"),
    ("ERC20InvalidSender", "{0} cannot send this token"),
    ("ERC20InvalidReceiver", "{0} cannot receive this token"),
    ("ERC20InvalidApprover", "{0} cannot approve a spender"),
    ("ERC20InvalidSpender", "{0} cannot be a spender"),
    ("ERC721NonexistentToken", "NFT {0} does not exist"),
    ("ERC721IncorrectOwner", "NFT {1} belongs to {2}, not to {0}"),
    ("ERC721InsufficientApproval", "{0} may not move NFT {1}"),
    ("ERC721InvalidOwner", "{0} cannot own NFTs"),
    ("ERC721InvalidReceiver", "{0} cannot receive NFTs"),
    ("ERC1155InsufficientBalance", "{0} holds {1} of token {3}, but needs {2}"),
    ("ERC1155MissingApprovalForAll", "{1} gave {0} no approval for its tokens"),
    ("OwnableUnauthorizedAccount", "{0} is not the contract's owner"),
    ("OwnableInvalidOwner", "{0} cannot own the contract"),
    ("AccessControlUnauthorizedAccount", "{0} lacks the role {1}"),
    ("EnforcedPause", "the contract is paused"),
    ("ExpectedPause", "the contract is not paused"),
    ("ReentrancyGuardReentrantCall", "the contract was reentered"),
    ("SafeERC20FailedOperation", "the token {0} refused the transfer"),
    ("AddressEmptyCode", "{0} is not a contract"),
    ("FailedInnerCall", "an inner call failed"),
    ("FailedCall", "an inner call failed"),
    ("InsufficientBalance", "the contract holds {0}, but needs {1}"),
    ("ERC2612ExpiredSignature", "the permit expired at {0}"),
    ("ERC2612InvalidSigner", "the permit's signer is {0}, not {1}"),
    ("InvalidInitialization", "the contract is already initialized"),
    ("NotInitializing", "only the contract's initialization may call this"),
    ("ERC4626ExceededMaxWithdraw", "{0} requested {1}, but at most {2} can be withdrawn"),
    ("ERC4626ExceededMaxRedeem", "{0} requested {1} shares, but at most {2} can be redeemed"),
    ("ERC4626ExceededMaxDeposit", "{0} would receive {1}, but at most {2} can be deposited"),
    ("ERC4626ExceededMaxMint", "{0} would receive {1} shares, but at most {2} can be minted"),
    ("AccessControlBadConfirmation", "only the holder of a role can renounce it"),
    ("AddressInsufficientBalance", "the balance of {0} is too low"),
];

/// Returns the predicate of a revert whose reason the record lacks, and whether the reason stays unknown. The chain
/// traces only the calls that an Ethereum wallet signed.
pub(super) fn looked_up(context: &TxContext<'_>) -> (Predicate, bool) {
    let verb = |words: &str| Predicate::Verb(words.to_owned());
    if !context.decoded.is_ethereum_signed {
        return (verb("reverted; the chain keeps no reason for this kind"), true);
    }
    match context.glossary.returned(RevertedTx { height: context.tx.height, hash: context.tx.txhash }) {
        Some(data) => match reason(data, context.glossary) {
            Some(reason) => (Predicate::Reverted(Some(reason)), false),
            None => (verb("reverted, and returned no reason"), false),
        },
        None => (verb("reverted; its reason is not looked up"), true),
    }
}

/// Returns the words for the data of a failed call; `None` if the data has no reason.
pub fn reason(data: &[u8], glossary: &Glossary) -> Option<String> {
    let (selector, words) = data.split_at_checked(4)?;
    match hex::encode(selector).as_str() {
        "08c379a0" => return Some(in_words(&text(words)?)),
        "4e487b71" => return panic(words),
        _ => {}
    }
    let reading = glossary.abi.decode_error(None, &hex::encode(data));
    let Some(name) = reading.name.as_deref() else {
        return Some(format!("the custom error {}, in no loaded ABI", hex::encode_prefixed(selector)));
    };
    let arguments = reading.arguments.as_deref().unwrap_or_default();
    let call = match &reading.arguments {
        Some(arguments) => {
            let values: Vec<_> = arguments.iter().map(|argument| said(&argument.value.write())).collect();
            format!("{}({})", said(name), values.join(", "))
        }
        None => format!("{} with undecodable data", said(name)),
    };
    let meaning =
        MEANINGS.iter().find(|(known, _)| *known == name).and_then(|(_, form)| filled(form, arguments, glossary));
    Some(match meaning {
        Some(meaning) => format!("{call} — usually: {meaning}"),
        None => call,
    })
}

/// Fills in the arguments; `None` if an argument is missing.
fn filled(form: &str, arguments: &[Argument], glossary: &Glossary) -> Option<String> {
    let mut text = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}')?;
        let argument = arguments.get(place.parse::<usize>().ok()?)?;
        text.push_str(before);
        match &argument.value {
            AbiValue::Address(address) => match glossary.label(*address) {
                Some(label) => text.push_str(label),
                None => text.push_str(&address.checksummed()),
            },
            value => text.push_str(&said(&value.write())),
        }
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// Returns the text of `Error(string)`.
fn text(words: &[u8]) -> Option<String> {
    let size = |at: usize| usize::try_from(word(words, at)?.get()).ok();
    let start = size(0)?;
    let length = size(start)?;
    let from = start.checked_add(32)?;
    let bytes = words.get(from..from.checked_add(length)?)?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// Returns the words for `Panic(uint256)`.
fn panic(words: &[u8]) -> Option<String> {
    let code = word(words, 0)?.get();
    let known = PANICS.iter().find(|(known, _)| code == alloy_primitives::U256::from(*known));
    Some(match known {
        Some((code, words)) => format!("Panic({code:#04x}), {words}"),
        None => format!("Panic({code:#x}), an unknown code"),
    })
}

/// Returns the compiler's panic whose words a node writes into the log. A contract may choose these words too.
pub(super) fn panic_in_words(reason: &str) -> Option<String> {
    let (code, _) = PANICS.iter().find(|(_, words)| *words == reason)?;
    Some(format!("the compiler's Panic({code:#04x})"))
}

fn word(words: &[u8], at: usize) -> Option<Amount> {
    let bytes: [u8; 32] = words.get(at..at.checked_add(32)?)?.try_into().ok()?;
    Some(Amount::new(alloy_primitives::U256::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::words::explanation::tests::explain_evm;

    fn told(data: &str) -> Option<String> {
        reason(&hex::decode(data.replace(' ', "")).unwrap(), &Glossary::default())
    }

    #[test]
    fn texts_and_panics_are_read() {
        let text = format!("08c379a0 {:064x} {:064x} {:0<64}", 32, 5, hex::encode("no way"));
        assert_eq!(told(&text).unwrap(), "“no wa”");
        assert_eq!(told(&format!("4e487b71 {:064x}", 0x12)).unwrap(), "Panic(0x12), division or modulo by zero");
        assert_eq!(told(&format!("4e487b71 {:064x}", 0x99)).unwrap(), "Panic(0x99), an unknown code");
    }

    #[test]
    fn data_that_say_nothing_have_no_reason() {
        for data in ["", "08c379", "4e487b71", &format!("08c379a0 {} {:064x}", "f".repeat(64), 1)] {
            assert_eq!(told(data), None, "{data}");
        }
    }

    #[test]
    fn whether_a_reason_is_missing_is_no_matter_of_words() {
        let imitating = explain_evm("revert: reverted; its reason is not looked up: Reverted");
        assert!(imitating.text.contains("its reason is not looked up") && !imitating.has_no_reason);
        assert!(explain_evm("Reverted").has_no_reason);
    }

    #[test]
    fn an_error_that_nobody_knows_is_its_selector() {
        assert_eq!(told("deadbeef 01").unwrap(), "the custom error 0xdeadbeef, in no loaded ABI");
    }

    #[test]
    fn known_errors_have_their_arguments_in_a_sentence() {
        let owner = format!("{:0>64}", "16a46fb89c712b2889b779d7558a139b2db3a0fb");
        let data = format!("e450d38c {owner} {:064x} {:064x}", 5, 12);
        let address = "0x16A46FB89C712B2889B779D7558A139B2DB3A0FB".to_lowercase();
        let said = told(&data).unwrap().to_lowercase();
        assert_eq!(
            said,
            format!("erc20insufficientbalance({address}, 5, 12) — usually: {address} holds 5, but needs 12")
        );
        assert_eq!(told("d93c0665").unwrap(), "EnforcedPause() — usually: the contract is paused");
    }
}
