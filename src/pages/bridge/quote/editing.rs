//! Editing of the form's fields.

use super::{
    FormField, QuoteSide,
    form::{EnteredAmount, RouteEnd, read_amount},
};
use crate::{
    app::{
        Context,
        page::{PageCx, PageEffect},
        prompt::{Entry, EntryPurpose, Pick, PickChoice, PickPurpose, Prompt},
    },
    domain::{ChainId, Denom},
    story::Names,
};

impl QuoteSide {
    /// Opens the input for the cursor's field.
    pub(super) fn edit_field(&self, cx: &mut PageCx<'_>) {
        let (from, to) = (&self.form.source, &self.form.destination);
        match self.field {
            FormField::SourceChain => pick_chain(PickPurpose::SourceChain, from.chain.as_ref(), cx),
            FormField::DestinationChain => pick_chain(PickPurpose::DestinationChain, to.chain.as_ref(), cx),
            FormField::SourceAsset => self.pick_asset(PickPurpose::SourceAsset, from, cx),
            FormField::DestinationAsset => self.pick_asset(PickPurpose::DestinationAsset, to, cx),
            FormField::Amount => self.edit_amount(cx),
        }
    }

    fn edit_amount(&self, cx: &mut PageCx<'_>) {
        let Some((chain, denom)) = self.form.source.pair() else {
            return cx.refuse("choose the asset first: its decimals scale the amount");
        };
        let text = self.form.amount.map(EnteredAmount::text).unwrap_or_default();
        let prompt = match cx.context.directory.decimals(chain, denom) {
            Some(decimals) => {
                format!("Amount in {} (up to {decimals} places)", cx.context.directory.denom(chain, denom))
            }
            None => format!("Amount in the smallest unit of {}", denom.short()),
        };
        cx.ask(Prompt::Entry(Entry::new(EntryPurpose::Amount, prompt, &text)));
    }

    pub(crate) fn enter_amount(&mut self, text: &str, cx: &Context) -> Result<(), String> {
        let pair = self.form.source.pair();
        let decimals = pair.and_then(|(chain, denom)| cx.directory.decimals(chain, denom));
        let amount = if text.is_empty() { None } else { Some(read_amount(text, decimals)?) };
        self.is_touched = true;
        self.form.amount = amount;
        Ok(())
    }

    /// Takes a chain or an asset that the user chose.
    pub(crate) fn take_choice(&mut self, purpose: PickPurpose, value: &str, cx: &mut PageCx<'_>) {
        match purpose {
            PickPurpose::SourceChain | PickPurpose::DestinationChain => {
                self.take_chain(purpose == PickPurpose::SourceChain, ChainId::new(value), cx);
            }
            PickPurpose::SourceAsset | PickPurpose::DestinationAsset => {
                self.take_asset(purpose == PickPurpose::SourceAsset, Denom::new(value), cx.context);
            }
            PickPurpose::Network | PickPurpose::OfferedNetwork | PickPurpose::Fault => {}
        }
    }

    /// Changes the chain of one end and selects the asset with the current symbol. Without such an asset, opens the
    /// asset picker.
    fn take_chain(&mut self, is_source: bool, chain: ChainId, cx: &mut PageCx<'_>) {
        cx.emit(PageEffect::WantAssets(chain.clone()));
        let end = if is_source { &self.form.source } else { &self.form.destination };
        if end.chain.as_ref() == Some(&chain) {
            return;
        }
        let like = end.pair().and_then(|(before, denom)| cx.context.directory.counterpart(before, denom, &chain));
        let lacks_asset = like.is_none();
        self.change_ends(cx.context, |from, to| {
            let end = if is_source { from } else { to };
            (end.chain, end.denom) = (Some(chain), like);
        });
        if lacks_asset {
            self.field = if is_source { FormField::SourceAsset } else { FormField::DestinationAsset };
            self.edit_field(cx);
        }
    }

    fn take_asset(&mut self, is_source: bool, denom: Denom, cx: &Context) {
        self.change_ends(cx, |from, to| {
            let end = if is_source { from } else { to };
            end.denom = Some(denom);
        });
    }

    pub(crate) fn swap_ends(&mut self, cx: &Context) {
        self.change_ends(cx, std::mem::swap);
    }

    /// Changes the ends. The amount keeps its value in display units, if both decimals are known and the conversion is
    /// exact.
    fn change_ends(&mut self, cx: &Context, change: impl FnOnce(&mut RouteEnd, &mut RouteEnd)) {
        let form = &mut self.form;
        let source = form.source.clone();
        change(&mut form.source, &mut form.destination);
        if form.source != source {
            let decimals = form.source.pair().map(|(chain, denom)| cx.directory.decimals(chain, denom));
            form.amount = match (form.amount, decimals) {
                (Some(entered), Some(decimals)) => entered.carried_to(decimals),
                // Until the user chooses an asset, the amount keeps its number.
                (entered, None) => entered,
                (None, Some(_)) => None,
            };
        }
        self.is_touched = true;
    }

    fn pick_asset(&self, purpose: PickPurpose, end: &RouteEnd, cx: &mut PageCx<'_>) {
        let Some(chain) = &end.chain else {
            return cx.refuse("choose the chain first");
        };
        let is_destination = purpose == PickPurpose::DestinationAsset;
        let what = if is_destination { "Asset to receive on" } else { "Asset to send from" };
        let title = format!("{what} {}", Names::chain(&cx.context.directory, chain));
        let choices = cx.context.directory.asset_choices(chain, &self.answers.of(chain, is_destination));
        open_pick(purpose, title, choices, end.denom.as_ref().map_or("", Denom::as_str), cx);
    }
}

fn pick_chain(purpose: PickPurpose, present: Option<&ChainId>, cx: &mut PageCx<'_>) {
    let title = if purpose == PickPurpose::SourceChain { "Source chain" } else { "Destination chain" };
    let choices = cx.context.directory.chain_choices(cx.context.own_chain().as_ref());
    open_pick(purpose, title.to_owned(), choices, present.map_or("", ChainId::as_str), cx);
}

fn open_pick(purpose: PickPurpose, title: String, choices: Vec<PickChoice>, present: &str, cx: &mut PageCx<'_>) {
    cx.ask(Prompt::Pick(Pick::new(purpose, title, choices, present)));
}
