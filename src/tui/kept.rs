//! Networks that the user left, which stay for some minutes.

use std::time::Duration;

/// Networks kept, the one that was left last first. `T` is what each needs to continue.
#[derive(Debug)]
pub(super) struct KeptNetworks<T> {
    networks: Vec<KeptEntry<T>>,
    limits: KeptLimits,
}

/// How many networks are kept, and how long each.
#[derive(Clone, Copy, Debug)]
pub struct KeptLimits {
    pub count: usize,
    pub time: Duration,
}

#[derive(Debug)]
pub(super) struct KeptEntry<T> {
    /// Text with which the user chose the network.
    pub(super) name: String,
    pub(super) network: T,
    /// End of its time, on the clock of [`super::Clock::elapsed`].
    pub(super) until: Duration,
}

impl<T> KeptNetworks<T> {
    pub(super) fn new(limits: KeptLimits) -> Self {
        Self { networks: Vec::new(), limits }
    }

    pub(super) fn all(&self) -> &[KeptEntry<T>] {
        &self.networks
    }

    /// Keeps a network from this moment on. It may be one too many until [`Self::take_surplus`].
    pub(super) fn keep(&mut self, name: String, network: T, now: Duration) {
        self.networks.insert(0, KeptEntry { name, network, until: now + self.limits.time });
    }

    /// Takes the first network that fits, if its time is not over.
    pub(super) fn take(&mut self, now: Duration, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let place = self.networks.iter().position(|kept| kept.until > now && is_it(&kept.network))?;
        Some(self.networks.remove(place).network)
    }

    /// Takes the networks whose time is over, and the oldest of too many.
    pub(super) fn take_surplus(&mut self, now: Duration) -> Vec<T> {
        let mut surplus = self.networks.split_off(self.limits.count.min(self.networks.len()));
        surplus.extend(self.networks.extract_if(.., |kept| kept.until <= now));
        surplus.into_iter().map(|kept| kept.network).collect()
    }

    /// Returns the time until the next network goes; `None` without networks.
    pub(super) fn next_end(&self, now: Duration) -> Option<Duration> {
        self.networks.iter().map(|kept| kept.until.saturating_sub(now)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn the_oldest_of_too_many_goes_and_each_after_its_time() {
        let mut kept = KeptNetworks::new(KeptLimits { count: 2, time: 5 * MINUTE });
        let start = 100 * MINUTE;
        assert_eq!(kept.next_end(start), None);
        for (minutes, name) in [(0, "a"), (1, "b"), (2, "c")] {
            kept.keep(name.to_owned(), name, start + MINUTE * minutes);
        }
        assert_eq!(kept.take_surplus(start + 2 * MINUTE), ["a"], "kept for the longest");
        assert_eq!(kept.next_end(start + 2 * MINUTE), Some(4 * MINUTE));
        assert_eq!(kept.take(start + 2 * MINUTE, |name| *name == "a"), None);
        assert_eq!(kept.take(start + 6 * MINUTE, |name| *name == "b"), None, "its time is over");
        assert_eq!(kept.take_surplus(start + 6 * MINUTE), ["b"]);
        assert_eq!(kept.take(start + 6 * MINUTE, |name| *name == "c"), Some("c"));
        assert_eq!(kept.next_end(start + 6 * MINUTE), None);
    }

    #[test]
    fn a_network_that_is_shown_again_makes_room_first() {
        let mut kept = KeptNetworks::new(KeptLimits { count: 2, time: 5 * MINUTE });
        for name in ["a", "b", "c"] {
            kept.keep(name.to_owned(), name, MINUTE);
        }
        assert_eq!(kept.take(MINUTE, |name| *name == "a"), Some("a"));
        assert!(kept.take_surplus(MINUTE).is_empty());
        assert_eq!(kept.all().iter().map(|kept| kept.name.as_str()).collect::<Vec<_>>(), ["c", "b"]);
    }
}
