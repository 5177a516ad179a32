//! How the end of a watched transfer is told: on every screen, by the bell, in the terminal's title.

use super::{board::sign, watched::Milestone};
use crate::{
    app::{App, HostEffect},
    domain::text::clip,
};

/// Columns of a title at the most.
const TITLE: usize = 80;

impl App {
    /// A transfer ended, or needs somebody: this is told wherever one is.
    pub(super) fn announce(&mut self, number: u32) {
        let Some(transfer) = self.transfers.all.iter().find(|transfer| transfer.number == number) else { return };
        if !transfer.is_cared_for {
            return;
        }
        let name = match transfer.record.label.as_str() {
            "" => transfer.record.id.hash.short(),
            label => clip(label, 24),
        };
        let (mark, _) = sign(transfer, &transfer.standing);
        let headline = transfer.standing.headline.to_string();
        let is_problem = transfer.standing.phase.is_failure() || transfer.milestone() != Some(Milestone::Ended);
        let is_here = self.shown_transfer() == Some(&transfer.record.id);
        if self.transfers.announcements.bell {
            self.effects.host.push(HostEffect::Bell);
        }
        if self.transfers.announcements.title {
            self.transfers.has_title = true;
            self.effects.host.push(HostEffect::Title(clip(&format!("{mark} {headline}"), TITLE)));
        }
        if !is_here {
            let text = format!("{name}: {headline}");
            if is_problem { self.complain(text) } else { self.done(text) }
        }
    }

    /// Somebody is here: the title is what it was.
    pub(in crate::app) fn take_title_back(&mut self) {
        if std::mem::take(&mut self.transfers.has_title) {
            self.effects.host.push(HostEffect::Title(String::new()));
        }
    }
}
