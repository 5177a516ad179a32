use crate::{
    domain::{Coin, text::count_of},
    events::opinit::BridgeTransfer,
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        decode::signed::signed_messages,
        deposit_outcome::{DepositOutcome, DepositReading, DepositStage},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, clause_by, clause_with, or_field},
                nested::SentenceContext,
                verb,
            },
        },
    },
};

/// Message types commonly known as calls.
const CALLS: [&str; 4] = ["MsgCall", "MsgExecute", "MsgExecuteJSON", "MsgExecuteContract"];

/// Deposit by its event, else by its message.
struct Deposit {
    coin: Option<Coin>,
    from: String,
    to: String,
    sequence: String,
    l1_height: String,
}

impl Deposit {
    fn of(message: MessageRef<'_>, event: Option<BridgeTransfer<'_>>) -> Self {
        let text = |told: Option<&str>, field| or_field(told, message.text(field));
        let number = |told: Option<u64>, field| or_field(told, message.text(field));
        Self {
            coin: match event {
                Some(event) => event.coin(),
                None => message.coin("amount"),
            },
            from: text(event.and_then(|event| event.from), "from"),
            to: text(event.and_then(|event| event.to), "to"),
            sequence: number(event.and_then(|event| event.sequence), "sequence"),
            l1_height: number(event.and_then(|event| event.l1_height), "height"),
        }
    }

    /// Adds "{from} → {to} (deposit #{sequence}, L1 block {height})".
    fn way<'s, 'a>(&self, words: PhraseBuilder<'s, 'a>, places: &[usize]) -> PhraseBuilder<'s, 'a> {
        let words = words.party_elsewhere(&self.from).by(places.iter().copied()).text(" → ");
        let words = words.party(&self.to).by(places.iter().copied()).text(" (deposit #").plain(&self.sequence);
        words.text(", L1 block ").plain(&self.l1_height).text(")").by(places.iter().copied())
    }

    fn amount<'s, 'a>(&self, words: PhraseBuilder<'s, 'a>) -> PhraseBuilder<'s, 'a> {
        match &self.coin {
            Some(coin) => words.coin(coin),
            None => words.text("An unreadable amount"),
        }
    }
}

/// Describes "{C} arrived from L1: {from} → {to} (deposit #{n}, L1 block {h})" with its hook, or another outcome.
pub(super) fn finalize(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let sequence = message.text("sequence");
    let event = seen.views(BridgeTransfer::deposit).find(|(_, event)| {
        let number = event.sequence.map(|number| number.to_string());
        sequence.is_none() || number.as_deref() == sequence.as_deref()
    });
    let deposit = Deposit::of(message, event.map(|(_, event)| event));
    let read = event.and_then(|(place, _)| Some((place, DepositReading::of(&seen.events, place)?)));
    let Some((place, read)) = read.filter(|_| !context.is_failed()) else {
        let words =
            if context.is_failed() { "" } else { "; no event shows an effect, so it was probably delivered before" };
        let rest = delivery_words(context, &deposit).text(words);
        return clause_by(context, message, "sender", verb::RELAY_AND_DELIVER, rest.done(), Proof::Ran);
    };
    let places: Vec<usize> = std::iter::once(place).chain(read.credits.iter().copied()).collect();
    let subject = |end: &'static str| deposit.amount(context.words()).by(places.iter().copied()).text(end).done();
    let way = || deposit.way(context.words().text(": "), &[place]);
    let told =
        |verb, end: &'static str| clause_with(context, subject(" from L1"), verb, way().text(end).by([place]), &places);
    match read.outcome {
        DepositOutcome::Unseen => {
            // What is asked for is what the message says, whatever the event claims.
            let asked = Deposit::of(message, None);
            let rest = delivery_words(context, &asked).text("; the record has no event of a credit").by([place]);
            clause_by(context, message, "sender", verb::DELIVER, rest.done(), Proof::Absent)
        }
        DepositOutcome::Failed => told(verb::NOT_CREDIT, "; its event reports a failure"),
        DepositOutcome::SentBack { withdrawal } => {
            let event = seen.views(BridgeTransfer::withdrawal).find(|(found, _)| *found == withdrawal);
            let number = or_field(event.and_then(|(_, event)| event.sequence), None);
            let rest = way().text(", as withdrawal #").plain(&number);
            let rest = rest.by([withdrawal]).text(match read.stage {
                DepositStage::Credit => ", because the bridge could not credit it",
                DepositStage::Hook => ", because its hook failed",
                DepositStage::Unknown => ", because it failed",
            });
            clause_with(context, subject(" from L1"), verb::SEND_BACK, rest, &[place, withdrawal])
        }
        DepositOutcome::HookFailed => {
            let rest = deposit.way(context.words().text("from L1: "), &[place]);
            let rest = rest.text("; its hook failed").by([place]).text(". The tokens stayed with ");
            let rest = rest.party(&deposit.to).by(read.credits.iter().copied());
            clause_with(context, subject(""), verb::ARRIVE, rest, &places)
        }
        DepositOutcome::Credited => {
            let rest = deposit.way(context.words().text("from L1: "), &[place]);
            let data = message.text("data").filter(|data| !data.is_empty());
            let (after, within) =
                data.map_or((Vec::new(), Proof::Shown), |data| attached(context, message, &data, place));
            Clause { within, ..clause_with(context, subject(""), verb::ARRIVE, rest.then(after), &places) }
        }
    }
}

/// Describes "deposit #{n} from L1 ({C}, {from} → {to}, L1 block {h})".
fn delivery_words<'s, 'a>(context: &'s TxContext<'a>, deposit: &Deposit) -> PhraseBuilder<'s, 'a> {
    let words = context.words().text("deposit #").plain(&deposit.sequence).text(" from L1: ");
    let words = deposit.amount(words).text(", ").party_elsewhere(&deposit.from).text(" → ").party(&deposit.to);
    words.text(" (L1 block ").plain(&deposit.l1_height).text(")")
}

/// Describes "; then ran {n} hook calls: {effects}", with their weakest evidence.
fn attached(context: &SentenceContext<'_>, message: MessageRef<'_>, data: &str, place: usize) -> (Vec<Phrase>, Proof) {
    let Some(messages) = signed_messages(data, context.work) else {
        let words = context.words().text("; then ran an unreadable hook").by([place]);
        return (words.done(), Proof::Ran);
    };
    let are_calls = messages.iter().all(|(kind, _)| CALLS.contains(&kind.short()));
    let names = if are_calls { ["call", "calls"] } else { ["message", "messages"] };
    let count = count_of(messages.len(), names[0], names[1]);
    let mut words = context.words().text(format!("; then ran {}", count.replacen(' ', " hook ", 1))).by([place]);
    let mut within = Proof::Shown;
    for (number, (kind, fields)) in messages.iter().enumerate() {
        if !context.work.takes_nested(message.depth) {
            return (words.text(format!("; and {} more", messages.len() - number)).done(), within.min(Proof::Ran));
        }
        let told = context.clause(message.nested(kind, fields));
        within = within.min(told.weakest());
        words = words.text(if number == 0 { ": " } else { "; " }).then(told.verb_phrase());
    }
    (words.done(), within)
}
