use crate::story::proof::Proof;
use crate::{
    domain::{Coin, Denom, text::count_of},
    story::{
        DecodedEvent, Phrase,
        context::{Clause, MessageRef, PhraseBuilder, TxContext},
        sentence::{
            clause,
            clauses::{MessageEvents, clause_by},
            verb, verb_phrase,
        },
        signed::signed_messages,
    },
};

/// The kinds of messages that people call calls.
const CALLS: [&str; 4] = ["MsgCall", "MsgExecute", "MsgExecuteJSON", "MsgExecuteContract"];

/// A deposit as its event tells it, and where there is none as its message does.
struct Deposit {
    coin: Option<Coin>,
    from: String,
    to: String,
    sequence: String,
    l1_height: String,
}

impl Deposit {
    fn of(message: MessageRef<'_>, event: Option<&DecodedEvent>) -> Self {
        let field = |key: &str, name: &str| {
            let value = event.and_then(|event| event.value(key)).map(ToOwned::to_owned);
            value.or_else(|| message.text(name).map(std::borrow::Cow::into_owned)).unwrap_or_default()
        };
        let coin = event.and_then(|event| {
            Some(Coin { denom: Denom::new(event.value("denom")?), amount: event.value("amount")?.parse().ok()? })
        });
        Self {
            coin: coin.or_else(|| message.coin("amount")),
            from: field("sender", "from"),
            to: field("recipient", "to"),
            sequence: field("l1_sequence", "sequence"),
            l1_height: field("finalize_height", "height"),
        }
    }

    /// "{from} → {to} (deposit #{sequence}, L1 block {height})".
    fn way<'s, 'a>(&self, words: PhraseBuilder<'s, 'a>, places: &[usize]) -> PhraseBuilder<'s, 'a> {
        let numbers = format!(" (deposit #{}, L1 block {})", self.sequence, self.l1_height);
        let words = words.party(&self.from).by(places.iter().copied()).text(" → ");
        words.party(&self.to).by(places.iter().copied()).text(numbers).by(places.iter().copied())
    }
}

/// "{C} arrived from L1: {from} → {to} (deposit #{n}, L1 block {h})", and what came with it.
pub(super) fn finalize(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let sequence = message.text("sequence");
    let event = seen.that("finalize_token_deposit", |event| {
        sequence.is_none() || event.value("l1_sequence") == sequence.as_deref()
    });
    let deposit = Deposit::of(message, event.map(|(_, event)| event));
    let amount = |words: PhraseBuilder<'_, '_>| match &deposit.coin {
        Some(coin) => words.coin(coin).done(),
        None => words.text("Tokens").done(),
    };
    let Some((place, event)) = event else {
        let rest = context.words().text(format!("deposit #{} from L1: ", deposit.sequence));
        let rest = rest.then(amount(context.words())).text(", ").party(&deposit.from).text(" → ").party(&deposit.to);
        if context.is_failed() {
            let rest = rest.text(format!(" (L1 block {})", deposit.l1_height));
            return clause_by(context, message, "sender", verb::DELIVER, rest.done(), Proof::Unjudged);
        }
        let rest = rest.text(", which had been delivered already; nothing happened");
        return clause_by(context, message, "sender", verb::REPEAT, rest.done(), Proof::Unjudged);
    };
    let mut subject = amount(context.words());
    if let (Some(phrase), Some(coin)) = (subject.first_mut(), &deposit.coin) {
        phrase.events = vec![place];
        phrase.events.extend(seen.received(&deposit.to, coin).into_iter().take(1));
    }
    let rest = deposit.way(context.words().text("from L1: "), &[place]);
    Clause::new(
        subject,
        verb::ARRIVE,
        outcome(context, message, (place, event), &deposit, &seen, rest).done(),
        Proof::Unjudged,
    )
}

/// What became of the deposit, and of what was attached to it.
fn outcome<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    (place, event): (usize, &DecodedEvent),
    deposit: &Deposit,
    seen: &MessageEvents<'_>,
    rest: PhraseBuilder<'s, 'a>,
) -> PhraseBuilder<'s, 'a> {
    let reason = event.value("reason").unwrap_or_default();
    let is_failed = event.value("success") == Some("false") || !reason.is_empty();
    if !is_failed {
        return match message.text("data").filter(|data| !data.is_empty()) {
            Some(data) => rest.then(attached(context, message, &data)),
            None => rest,
        };
    }
    if let Some(reason) = reason.strip_prefix("deposit failed; ") {
        let rest = rest.text(format!(", but could not be credited ({})", reason.trim_end())).by([place]);
        let refund = seen.that("initiate_token_withdrawal", |event| {
            event.value("to") == Some(deposit.from.as_str()) && event.value("from") == Some(deposit.to.as_str())
        });
        return match refund {
            Some((place, refund)) => {
                let number = refund.value("l2_sequence").unwrap_or_default();
                rest.text(format!(" and was sent back as withdrawal #{number}")).by([place])
            }
            None => rest,
        };
    }
    let reason = reason.strip_prefix("hook failed; ").unwrap_or(reason);
    let reason = if reason.is_empty() { "no reason was given" } else { reason.trim_end() };
    rest.text(format!("; the attached action failed: {reason}"))
        .by([place])
        .text(". The tokens stayed with ")
        .party(&deposit.to)
}

/// "; then ran {n} attached calls: {what they did}".
fn attached(context: &TxContext<'_>, message: MessageRef<'_>, data: &str) -> Vec<Phrase> {
    let Some(messages) = signed_messages(data, context.work) else {
        return context.words().text("; then ran an attached action that cannot be read").done();
    };
    let are_calls = messages.iter().all(|(kind, _)| CALLS.contains(&kind.short()));
    let names = if are_calls { ["call", "calls"] } else { ["message", "messages"] };
    let count = count_of(messages.len(), names[0], names[1]);
    let mut words = context.words().text(format!("; then ran {}", count.replacen(' ', " attached ", 1)));
    for (number, (kind, fields)) in messages.iter().enumerate() {
        if !context.work.takes_nested(message.depth) {
            return words.text(format!("; and {} more", messages.len() - number)).done();
        }
        let child = MessageRef { depth: message.depth + 1, kind, fields, ..message };
        words = words.text(if number == 0 { ": " } else { "; " }).then(verb_phrase(clause(context, child)));
    }
    words.done()
}
