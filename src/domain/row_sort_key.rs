use std::cmp::Ordering;

use super::{Amount, Balance, Timestamp, natural};

/// Exact value by which a list sorts a row; never the digits of a shown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowSortKey {
    Number(Balance),
    Time(Timestamp),
    /// Denoms with their amounts. Amounts of different denoms do not compare, so that equal denoms stay together.
    Coins(Vec<(String, Amount)>),
    /// Text, in which runs of digits count by value.
    Text(String),
}

impl RowSortKey {
    pub fn number(number: u64) -> Self {
        Self::Number(Balance::from(Amount::from(u128::from(number))))
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Number(_) => 0,
            Self::Time(_) => 1,
            Self::Coins(_) => 2,
            Self::Text(_) => 3,
        }
    }
}

impl PartialOrd for RowSortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RowSortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.cmp(other),
            (Self::Time(one), Self::Time(other)) => one.cmp(other),
            (Self::Coins(one), Self::Coins(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => natural(one, other),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_sort_and_not_their_digits() {
        let coins = |denom: &str, amount: u128| RowSortKey::Coins(vec![(denom.to_owned(), Amount::from(amount))]);
        let debt = RowSortKey::Number(Balance::below_zero(Amount::from(1_000)));
        assert!(debt < RowSortKey::number(9) && RowSortKey::number(9) < RowSortKey::number(10));
        assert!(RowSortKey::Coins(Vec::new()) < coins("uinit", 9) && coins("uinit", 9) < coins("uinit", 10));
        assert!(coins("uinit", 10) < coins("uusdc", 1), "denoms stay together");
        assert!(RowSortKey::Text("#9".to_owned()) < RowSortKey::Text("#10".to_owned()));
        assert!(RowSortKey::number(u64::MAX) < RowSortKey::Text(String::new()), "words come after numbers");
    }
}
