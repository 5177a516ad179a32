//! Shortened addresses, long enough that no two addresses on a screen look alike.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Address, AddressForm};

/// Default number of characters at both ends, after `init1` or `0x`: 60 bits of an account, or 48.
const ENDS: usize = 6;
/// Number of leading bytes that are equal whenever two shortened addresses are equal.
const HEAD: usize = 3;

/// Accounts of a screen whose shortened address differs from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortForms {
    /// Number of characters at both ends, for addresses that would otherwise look like another address.
    ends: BTreeMap<Address, usize>,
    /// EVM contracts, which users know by their hex address.
    contracts: BTreeSet<Address>,
}

impl ShortForms {
    /// Computes the shortened addresses for a screen with these accounts.
    pub fn new(accounts: impl IntoIterator<Item = Address>) -> Self {
        let mut accounts: Vec<Address> = accounts.into_iter().collect();
        accounts.sort_unstable_by(|one, other| (head(one), one).cmp(&(head(other), other)));
        accounts.dedup();
        let alike = accounts.chunk_by(|one, other| head(one) == head(other)).filter(|alike| alike.len() > 1);
        let alike: Vec<Address> = alike.flatten().copied().collect();
        let mut ends = BTreeMap::new();
        for form in [AddressForm::Bech32, AddressForm::Hex] {
            let mut written: Vec<_> = alike.iter().map(|account| (*account, behind_prefix(*account, form))).collect();
            for shown in ENDS.. {
                written = with_equal_ends(written, shown);
                if written.is_empty() {
                    break;
                }
                for (account, _) in &written {
                    let needed = ends.entry(*account).or_insert(shown);
                    *needed = (shown + 1).max(*needed);
                }
            }
        }
        Self { ends, contracts: BTreeSet::new() }
    }
}

/// Format of the addresses on a screen. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressStyle {
    form: AddressForm,
    /// Whether contracts have the form of the other accounts.
    is_uniform: bool,
    /// Shortened addresses of the screen; `None` uses the default length for all addresses.
    short: Option<Arc<ShortForms>>,
}

impl AddressStyle {
    /// Format `init1…` with the default length.
    pub const USUAL: Self = Self { form: AddressForm::Bech32, is_uniform: false, short: None };

    #[must_use]
    pub fn with_short(&self, short: ShortForms) -> Self {
        let short = (short != ShortForms::default()).then(|| Arc::new(short));
        Self { form: self.form, is_uniform: self.is_uniform, short }
    }

    /// Returns the style with the other form.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { form: self.form.flipped(), is_uniform: self.is_uniform, short: self.short.clone() }
    }

    /// Returns the next of three styles: accounts in bech32 and contracts in hex, all in hex, all in bech32.
    #[must_use]
    pub fn next(&self) -> Self {
        let (form, is_uniform) = match (self.form, self.is_uniform) {
            (AddressForm::Bech32, false) => (AddressForm::Hex, true),
            (AddressForm::Hex, _) => (AddressForm::Bech32, true),
            (AddressForm::Bech32, true) => (AddressForm::Bech32, false),
        };
        Self { form, is_uniform, short: self.short.clone() }
    }

    /// Returns this style with these contracts, which show the other form unless all accounts show one.
    #[must_use]
    pub fn with_contracts(&self, contracts: BTreeSet<Address>) -> Self {
        let short = self.short.as_deref().cloned().unwrap_or_default();
        self.with_short(ShortForms { contracts, ..short })
    }

    /// Returns the address format of accounts that are not contracts.
    pub fn form(&self) -> AddressForm {
        self.form
    }

    pub fn write(&self, address: Address) -> String {
        self.form_of(address, false).write(address)
    }

    pub fn short(&self, address: Address) -> String {
        self.short_of(address, false)
    }

    /// Formats both ends of the address; `is_contract` selects the format of contracts.
    pub fn short_of(&self, address: Address, is_contract: bool) -> String {
        cut(self.form_of(address, is_contract), address, self.ends_of(address))
    }

    /// Formats both ends of an address of another chain, in bech32 whatever the screen's format.
    pub fn short_elsewhere(&self, address: Address) -> String {
        cut(AddressForm::Bech32, address, self.ends_of(address))
    }

    /// Formats as many characters of the address as fit into `room` columns, but at least both ends.
    pub fn within(&self, address: Address, room: usize) -> String {
        let form = self.form_of(address, false);
        let whole = form.write(address);
        if whole.len() <= room {
            return whole;
        }
        let ends = room.saturating_sub(1 + prefix_of(&whole)) / 2;
        cut_text(&whole, ends.max(self.ends_of(address)))
    }

    fn ends_of(&self, address: Address) -> usize {
        self.short.as_ref().and_then(|short| short.ends.get(&address)).copied().unwrap_or(ENDS)
    }

    fn form_of(&self, address: Address, is_contract: bool) -> AddressForm {
        let is_known = || self.short.as_ref().is_some_and(|short| short.contracts.contains(&address));
        if !self.is_uniform && (is_contract || is_known()) { self.form.flipped() } else { self.form }
    }
}

/// Formats both ends of an address with the default length: `init1k4l2zz…9qe0ab`, `0x12ab34…cdef56`.
pub(super) fn usual(form: AddressForm, address: Address) -> String {
    cut(form, address, ENDS)
}

fn cut(form: AddressForm, address: Address, ends: usize) -> String {
    cut_text(&form.write(address), ends)
}

/// Shortens an address to `ends` characters on both sides after its prefix; a slightly longer address stays whole.
fn cut_text(text: &str, ends: usize) -> String {
    let first = text.get(..prefix_of(text) + ends);
    match (first, text.len().checked_sub(ends).and_then(|end| text.get(end..))) {
        (Some(first), Some(last)) if first.len() + last.len() + 1 < text.len() => format!("{first}…{last}"),
        _ => text.to_owned(),
    }
}

fn prefix_of(text: &str) -> usize {
    if text.starts_with("0x") { 2 } else { 5 }
}

/// Shortens an address given as text, from an event or contract. Other text stays unchanged.
pub fn short_address(text: &str) -> String {
    let is_address = text.is_ascii() && (text.starts_with("0x") || text.starts_with("init1"));
    if is_address { cut_text(text, ENDS) } else { text.to_owned() }
}

/// Formats an account without prefix and without checksum case.
fn behind_prefix(account: Address, form: AddressForm) -> String {
    let text = match form {
        AddressForm::Bech32 => account.bech32(),
        AddressForm::Hex => account.hex(),
    };
    text.get(prefix_of(&text)..).unwrap_or_default().to_owned()
}

/// Returns the accounts that have `count` characters at both ends in common with another one.
fn with_equal_ends(mut written: Vec<(Address, String)>, count: usize) -> Vec<(Address, String)> {
    fn ends(text: &str, count: usize) -> (&str, &str) {
        (text.get(..count).unwrap_or_default(), text.get(text.len() - count..).unwrap_or_default())
    }
    written.retain(|(_, text)| text.len() >= count);
    written.sort_unstable_by(|(_, one), (_, other)| ends(one, count).cmp(&ends(other, count)));
    let groups = written.chunk_by(|(_, one), (_, other)| ends(one, count) == ends(other, count));
    groups.filter(|group| group.len() > 1).flatten().cloned().collect()
}

fn head(address: &Address) -> &[u8] {
    address.bytes().get(..HEAD).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a 20-byte account with these first, middle and last bytes.
    fn account(first: u32, middle: u8, last: u32) -> Address {
        let mut bytes = [middle; 20];
        bytes[..4].copy_from_slice(&first.to_be_bytes());
        bytes[16..].copy_from_slice(&last.to_be_bytes());
        Address::Short(bytes)
    }

    fn style(accounts: &[Address], form: AddressForm) -> AddressStyle {
        let usual = AddressStyle::USUAL.with_short(ShortForms::new(accounts.iter().copied()));
        if form == AddressForm::Hex { usual.flipped() } else { usual }
    }

    #[test]
    fn six_characters_stand_at_both_ends_of_either_form() {
        let one: Address = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne".parse().unwrap();
        assert_eq!(style(&[one], AddressForm::Bech32).short(one), "init1gz9n8j…0aejne");
        assert_eq!(style(&[one], AddressForm::Hex).short(one), "0x408B33…0Aed4e");
        assert_eq!(style(&[one], AddressForm::Bech32).short_of(one, true), "0x408B33…0Aed4e");
        assert_eq!(short_address("0x408b33ca7c2a50077999d978dd790095a80aed4e"), "0x408b33…0aed4e");
        assert_eq!(short_address("0x1::coin"), "0x1::coin");
    }

    #[test]
    fn short_forms_grow_where_two_accounts_have_the_same_ends() {
        let (one, other) = (account(0xdead_beef, 1, 0x00c0_ffee), account(0xdead_beef, 2, 0x00c0_ffee));
        let far = account(0xdead_be00, 3, 0x00c0_ffee);
        for form in [AddressForm::Bech32, AddressForm::Hex] {
            let style = style(&[one, other, far, one], form);
            let written = [one, other, far].map(|address| style.short(address));
            assert!(written.iter().all(|text| text.contains('…')), "{written:?}");
            assert!(written[0] != written[1] && written[1] != written[2] && written[0] != written[2], "{written:?}");
            let usual = |address| usual(AddressForm::Hex, address).to_lowercase();
            assert_eq!(usual(one), usual(other), "which else look alike");
        }
    }

    /// Ends by their definition: one character more than any other account has in common at both ends, in any format.
    fn defined_ends(accounts: &[Address]) -> BTreeMap<Address, usize> {
        let in_common = |one: &str, other: &str| {
            let from_start = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            let from_end = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
            from_start.min(from_end)
        };
        let forms = [AddressForm::Bech32, AddressForm::Hex];
        let needed = |one: &Address| {
            let others = accounts.iter().filter(|other| *other != one);
            let pairs = others.flat_map(|other| forms.map(|form| [*one, *other].map(|it| behind_prefix(it, form))));
            pairs.map(|[one, other]| in_common(&one, &other) + 1).max().unwrap_or_default()
        };
        accounts.iter().map(|one| (*one, needed(one))).filter(|(_, needed)| *needed > ENDS).collect()
    }

    proptest! {
        #[test]
        fn ends_follow_their_definition(alike in prop::collection::vec((0..3_u8, 0..19_usize, 0..4_u8, 0..4_u8), 2..24)) {
            // Accounts of few different bytes, one of which differs in one place; some are 32 bytes long.
            let accounts: Vec<Address> = alike.into_iter().map(|(byte, place, change, kind)| {
                let mut bytes = [byte; 32];
                bytes[place] = change;
                if kind == 0 {
                    return Address::Long(bytes);
                }
                let mut short = [byte; 20];
                short[place] = change;
                Address::Short(short)
            }).collect();
            prop_assert_eq!(ShortForms::new(accounts.iter().copied()).ends, defined_ends(&accounts));
        }
    }

    #[test]
    fn accounts_that_look_like_no_other_stay_short() {
        let accounts: Vec<Address> = (0..200_u32).map(|number| account(number << 12, 7, number)).collect();
        assert_eq!(ShortForms::new(accounts), ShortForms::default());
    }

    #[test]
    fn what_ends_alike_to_the_middle_is_written_whole() {
        let (one, mut near) = (account(9, 4, 9), [0; 20]);
        near.copy_from_slice(one.bytes());
        near[10] = 5;
        let near = Address::Short(near);
        let style = style(&[one, near], AddressForm::Hex);
        assert_ne!(style.short(one), style.short(near));
    }

    #[test]
    fn a_contract_is_written_the_same_way_wherever_it_is_named() {
        let (contract, person) = (account(1, 2, 3), account(4, 5, 6));
        let style = AddressStyle::default().with_contracts(BTreeSet::from([contract]));
        assert_eq!(style.short(contract), style.short_of(contract, true));
        assert!(style.short(contract).starts_with("0x") && style.write(contract).starts_with("0x"));
        assert!(style.short(person).starts_with("init1"));
        assert!(style.flipped().short(contract).starts_with("init1"));
        let forms = |style: &AddressStyle| [contract, person].map(|account| style.short(account).starts_with("0x"));
        let (hex, bech32) = (style.next(), style.next().next());
        assert_eq!([forms(&hex), forms(&bech32)], [[true; 2], [false; 2]], "all alike");
        assert_eq!(bech32.next(), style);
    }
}
