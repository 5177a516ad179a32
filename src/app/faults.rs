//! Faults of the embedded rollup, which the user starts and ends.

use super::{
    App,
    directory::take_demo,
    modal::Modal,
    prompt::{Pick, PickChoice, PickPurpose, Prompt},
};
use crate::{
    domain::text,
    msg::{Slot, ask},
};

pub(super) const NOT_THE_DEMO: &str = "only the embedded rollup simulates faults";

/// Asks the rollup for its faults, and offers them.
pub(super) fn choose_fault(app: &mut App) {
    app.requests.fetch(Slot::DemoFaults, ask::demo_info(), |app, result| {
        let info = match &result {
            Ok(Some(info)) => info,
            Ok(None) => return app.toasts.refuse(NOT_THE_DEMO),
            Err(error) => return app.toasts.refuse(format!("cannot ask for the faults: {}", error.brief())),
        };
        let possible = info.possible_faults.iter().map(|possible| (&possible.fault, possible.effect.as_str()));
        let others = info.faults.iter().filter(|active| possible.clone().all(|(fault, _)| fault != *active));
        let choice = |(fault, effect): (&String, &str)| PickChoice {
            label: text::clean(fault).into_owned(),
            detail: text::clean(effect).into_owned(),
            value: fault.clone(),
        };
        let choices = others.map(|fault| (fault, "")).chain(possible.clone()).map(choice).collect();
        let mut pick = Pick::new(PickPurpose::Fault, "Fault of the embedded rollup", choices, "");
        let active = info.faults.clone();
        pick.picker = pick.picker.marking(|choice| active.contains(&choice.value));
        app.open_modal(Modal::Prompt(Prompt::Pick(pick)));
        take_demo(app, result);
    });
}

/// Starts a fault, or ends it if it is active.
pub(super) fn toggle_fault(app: &mut App, fault: &str) {
    let mut faults = app.context.directory.faults().to_vec();
    let before = faults.len();
    faults.retain(|active| active != fault);
    if faults.len() == before {
        faults.push(fault.to_owned());
    }
    app.requests.fetch(Slot::DemoFaults, ask::demo_faults(faults), |app, result| match result {
        Ok(faults) => {
            let told = if faults.is_empty() { "no fault is simulated".to_owned() } else { faults.join(", ") };
            app.toasts.done(format!("faults: {}", text::clean(&told)));
            app.requests.fetch(Slot::DemoInfo, ask::demo_info(), take_demo);
        }
        Err(error) => app.toasts.refuse(error.to_string()),
    });
}
