use super::{Place, Record};
use crate::{
    cli::table::{Align, Cell, Column},
    domain::{Amount, Balance, text::group},
    wire::Holder,
};

const RANKED: &[Column] = &[("Rank", Align::Right), ("Amount", Align::Right), ("Account", Align::Left)];
const SHARED: &[Column] =
    &[("Rank", Align::Right), ("Amount", Align::Right), ("Share of these", Align::Right), ("Account", Align::Left)];

impl Record for Holder {
    const COLUMNS: &'static [Column] = &[("Amount", Align::Right), ("Account", Align::Left)];
    const CSV: &'static [&'static str] = &["account", "amount"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::new(self.amount.display(0)), Cell::new(&self.account)]
    }

    /// With ranks where they are known. A share is that of the rows that are printed, as its heading says, and only a
    /// person at a terminal sees it: the API knows no supply.
    fn columns(place: Place) -> &'static [Column] {
        match place.first {
            Some(_) if has_shares(place) => SHARED,
            Some(_) => RANKED,
            None => Self::COLUMNS,
        }
    }

    fn rows(items: &[&Self], place: Place) -> Vec<Vec<Cell>> {
        let sum = items.iter().filter_map(|holder| holder.amount.amount()).try_fold(Amount::ZERO, Amount::checked_add);
        let row = |(holder, position): (&&Self, u64)| {
            let mut cells = Vec::with_capacity(4);
            cells.extend(place.first.map(|first| Cell::new(group(first + position))));
            cells.push(Cell::new(holder.amount.display(0)));
            if place.first.is_some() && has_shares(place) {
                cells.push(Cell::new(share(holder.amount, sum).unwrap_or_default()));
            }
            cells.push(Cell::new(&holder.account));
            cells
        };
        items.iter().zip(1..).map(row).collect()
    }

    fn csv(&self) -> Vec<String> {
        vec![self.account.clone(), self.amount.to_string()]
    }

    fn details(&self) -> Vec<(&'static str, Cell)> {
        Self::COLUMNS.iter().map(|(name, _)| *name).zip(self.cells()).collect()
    }
}

fn has_shares(place: Place) -> bool {
    place.is_whole && place.is_terminal
}

/// `12.34 %`, by integer arithmetic and rounded down; nothing of nothing, and of less.
fn share(balance: Balance, sum: Option<Amount>) -> Option<String> {
    let (amount, sum) = (balance.amount()?.get(), sum?.get());
    let hundredths = amount.checked_mul(10_000_u64.try_into().ok()?)?.checked_div(sum)?;
    let hundredths = u64::try_from(hundredths).ok()?;
    Some(format!("{}.{:02} %", hundredths / 100, hundredths % 100))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::table::Layout;

    fn table(amounts: &[&str], place: Place) -> Vec<String> {
        let holders: Vec<Holder> = amounts
            .iter()
            .map(|amount| Holder { account: "init1x".to_owned(), amount: amount.parse().unwrap() })
            .collect();
        let rows = Holder::rows(&holders.iter().collect::<Vec<_>>(), place);
        let layout = Layout::fit(Holder::columns(place), &rows, None, false);
        std::iter::once(layout.heading()).chain(rows.iter().map(|row| layout.line(row))).collect()
    }

    #[test]
    fn ranks_and_shares_are_shown_where_they_are_true() {
        let amounts = ["2000", "1000", "0", "-5"];
        let place = Place { first: Some(0), is_whole: true, is_terminal: true };
        assert_eq!(
            table(&amounts, place),
            [
                "Rank  Amount  Share of these  Account",
                "   1   2,000         66.66 %  init1x",
                "   2   1,000         33.33 %  init1x",
                "   3       0          0.00 %  init1x",
                "   4      -5                  init1x",
            ]
        );
        let piped = Place { first: Some(20), is_terminal: false, ..place };
        assert_eq!(table(&amounts[..1], piped), ["Rank  Amount  Account", "  21   2,000  init1x"]);
        let upside_down = Place { first: None, ..place };
        assert_eq!(table(&amounts[..1], upside_down), ["Amount  Account", " 2,000  init1x"]);
    }

    #[test]
    fn sums_that_do_not_fit_give_no_share_rather_than_a_wrong_one() {
        let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        let place = Place { first: Some(0), is_whole: true, is_terminal: true };
        assert!(table(&[most, "1"], place).iter().all(|line| !line.contains('%')));
        assert!(table(&["0"], place).iter().all(|line| !line.contains('%')));
    }
}
