//! Changing the form.

use super::{
    Entered, Field,
    form::{End, read_amount},
};
use crate::{
    app::{
        App,
        modal::{Choice, EntryPurpose, Modal, Pick, PickPurpose},
    },
    domain::{ChainId, Denom},
    story::transfer::Names,
};

impl App {
    /// Asks for what the field holds.
    pub(super) fn edit_field(&mut self, field: Field) {
        let Some(form) = self.quote().map(|quote| quote.form.clone()) else { return };
        let (from, to) = (form.source, form.destination);
        match field {
            Field::SourceChain => self.pick_chain(PickPurpose::SourceChain, from.chain.as_ref()),
            Field::DestinationChain => self.pick_chain(PickPurpose::DestinationChain, to.chain.as_ref()),
            Field::SourceAsset => self.pick_asset(PickPurpose::SourceAsset, from.chain, from.denom.as_ref()),
            Field::DestinationAsset => self.pick_asset(PickPurpose::DestinationAsset, to.chain, to.denom.as_ref()),
            Field::Amount => self.edit_amount(),
        }
    }

    fn pick_chain(&mut self, purpose: PickPurpose, present: Option<&ChainId>) {
        let title = if purpose == PickPurpose::SourceChain { "From which chain" } else { "To which chain" };
        let choices = self.directory.chain_choices(self.own_chain().as_ref());
        self.open_pick(purpose, title.to_owned(), choices, present.map_or("", ChainId::as_str));
    }

    fn pick_asset(&mut self, purpose: PickPurpose, chain: Option<ChainId>, present: Option<&Denom>) {
        let Some(chain) = chain else {
            return self.refuse("choose the chain first");
        };
        let what = if purpose == PickPurpose::SourceAsset { "What to send from" } else { "What to receive on" };
        let title = format!("{what} {}", Names::chain(&self.directory, &chain));
        let choices = self.directory.asset_choices(&chain);
        self.open_pick(purpose, title, choices, present.map_or("", Denom::as_str));
    }

    fn open_pick(&mut self, purpose: PickPurpose, title: String, choices: Vec<Choice>, present: &str) {
        self.open_modal(Modal::Pick(Pick::new(purpose, title, choices, present)));
    }

    fn edit_amount(&mut self) {
        let Some(form) = self.quote().map(|quote| &quote.form) else { return };
        let Some((chain, denom)) = form.source.pair() else {
            return self.refuse("choose what to send first: its decimals say what an amount means");
        };
        let text = form.amount.map(Entered::text).unwrap_or_default();
        let prompt = match self.directory.decimals(chain, denom) {
            Some(decimals) => format!("Amount in {} (up to {decimals} places)", self.directory.denom(chain, denom)),
            None => format!("Amount in the smallest unit of {}", denom.short()),
        };
        self.ask_for(EntryPurpose::Amount, prompt, &text);
    }

    /// An amount was typed.
    pub(in crate::app) fn enter_amount(&mut self, text: &str) -> Result<(), String> {
        let pair = self.quote().and_then(|quote| quote.form.source.pair());
        let decimals = pair.and_then(|(chain, denom)| self.directory.decimals(chain, denom));
        let amount = if text.is_empty() { None } else { Some(read_amount(text, decimals)?) };
        if let Some(quote) = self.quote_mut() {
            quote.is_touched = true;
            quote.form.amount = amount;
        }
        Ok(())
    }

    /// A chain or an asset was chosen.
    pub(in crate::app) fn take_choice(&mut self, purpose: PickPurpose, value: &str) {
        match purpose {
            PickPurpose::SourceChain | PickPurpose::DestinationChain => {
                self.take_chain(purpose == PickPurpose::SourceChain, ChainId::new(value));
            }
            PickPurpose::SourceAsset | PickPurpose::DestinationAsset => {
                self.take_asset(purpose == PickPurpose::SourceAsset, Denom::new(value));
            }
        }
        self.effects.redraw = true;
    }

    /// Another chain: the asset of the same symbol there takes the place of the one before, else it is asked for.
    fn take_chain(&mut self, is_source: bool, chain: ChainId) {
        self.directory.want(&chain);
        let Some(quote) = self.quote() else { return };
        let end = if is_source { &quote.form.source } else { &quote.form.destination };
        if end.chain.as_ref() == Some(&chain) {
            return;
        }
        let like = match end.pair() {
            Some((before, denom)) => self.directory.counterpart(before, denom, &chain),
            None => None,
        };
        let lacks_asset = like.is_none();
        self.change_ends(|from, to| {
            let end = if is_source { from } else { to };
            (end.chain, end.denom) = (Some(chain), like);
        });
        if let (Some(quote), true) = (self.quote_mut(), lacks_asset) {
            quote.field = if is_source { Field::SourceAsset } else { Field::DestinationAsset };
            let field = quote.field;
            self.edit_field(field);
        }
    }

    fn take_asset(&mut self, is_source: bool, denom: Denom) {
        self.change_ends(|from, to| {
            let end = if is_source { from } else { to };
            end.denom = Some(denom);
        });
    }

    /// Source and destination change places.
    pub(in crate::app) fn swap_ends(&mut self) {
        if !self.is_quote_shown() {
            return self.refuse("the ends of a way are changed where routes are asked for");
        }
        self.change_ends(std::mem::swap);
        self.effects.redraw = true;
    }

    /// Changes the ends. The amount stays as many display units where both assets' decimals are known and it stays exact.
    fn change_ends(&mut self, change: impl FnOnce(&mut End, &mut End)) {
        let Some(mut form) = self.quote().map(|quote| quote.form.clone()) else { return };
        let source = form.source.clone();
        change(&mut form.source, &mut form.destination);
        if form.source != source {
            let decimals = form.source.pair().map(|(chain, denom)| self.directory.decimals(chain, denom));
            form.amount = match (form.amount, decimals) {
                (Some(entered), Some(decimals)) => entered.carried_to(decimals),
                _ => None,
            };
        }
        if let Some(quote) = self.quote_mut() {
            quote.is_touched = true;
            quote.form = form;
        }
    }
}
