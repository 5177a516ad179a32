use super::*;
use crate::app::chain::rhythm::TipPace;

/// Index that the test polls every second, on a chain with one block per second.
struct Watched {
    rhythm: ChainRhythm,
    progress: HeightProgress,
    now: Timestamp,
    /// Newest height of the chain.
    tip: u64,
}

impl Watched {
    /// Creates an index that is this many blocks behind.
    fn behind(blocks: u64) -> Self {
        let mut rhythm = ChainRhythm::default();
        rhythm.tell(1.0);
        let now = Timestamp::EPOCH;
        let mut progress = HeightProgress::new(now);
        let tip = 1_000_000;
        progress.take(Some(tip - blocks), now, &rhythm);
        Self { rhythm, progress, now, tip }
    }

    /// Lets time pass, while the index adds this many blocks per second.
    fn pass(&mut self, seconds: u64, blocks: u64) -> &mut Self {
        for _ in 0..seconds {
            self.now = self.now.after(Duration::from_secs(1));
            self.tip += 1;
            let reached = (self.progress.value.unwrap_or(0) + blocks).min(self.tip);
            self.progress.take(Some(reached), self.now, &self.rhythm);
        }
        self
    }

    fn health(&self) -> PartHealth {
        let tip = ChainTip { height: self.tip, is_estimate: true };
        self.progress.health(Some(tip), &self.rhythm, false).expect("it has a height")
    }

    fn trend(&self) -> GapTrend {
        self.health().trend
    }
}

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

#[test]
fn nothing_is_measured_before_the_window_is_long_enough() {
    let mut watched = Watched::behind(100);
    watched.pass(14, 3);
    assert_eq!(watched.trend(), GapTrend::Measuring);
    watched.pass(1, 3);
    assert!(matches!(watched.trend(), GapTrend::Shrinking { .. }), "{:?}", watched.trend());
}

#[test]
fn an_index_that_follows_is_level_at_the_tip() {
    let mut watched = Watched::behind(0);
    watched.pass(30, 1);
    let PartHealth { behind, trend, .. } = watched.health();
    assert_eq!(behind.expect("a tip").to_string(), "at the tip");
    let GapTrend::Level(pace) = trend else { panic!("{trend:?}") };
    assert_eq!((pace.speed.to_string(), pace.over), ("1.0 block/s".to_owned(), seconds(30)));
}

#[test]
fn one_that_stays_behind_does_not_arrive() {
    let mut watched = Watched::behind(100);
    watched.pass(40, 1);
    assert!(matches!(watched.trend(), GapTrend::Level(_)), "{:?}", watched.trend());
    assert_eq!(watched.health().behind.unwrap().to_string(), "≈ 100 blocks behind");
}

#[test]
fn the_arrival_is_by_the_difference_of_the_speeds() {
    let mut watched = Watched::behind(300);
    watched.pass(30, 3);
    // 240 blocks remain, at two blocks per second.
    let GapTrend::Shrinking { pace, arrival } = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!((arrival, pace.speed.to_string()), (seconds(120), "3.0 blocks/s".to_owned()));
}

#[test]
fn a_slow_index_falls_behind_and_never_arrives() {
    let mut watched = Watched::behind(50);
    for _ in 0..15 {
        watched.pass(1, 0).pass(1, 1);
    }
    let GapTrend::Growing { by, .. } = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!(by.to_string(), "0.5 blocks/s");
}

#[test]
fn an_index_that_stopped_a_moment_ago_has_no_arrival_though_its_mean_is_good() {
    let mut watched = Watched::behind(200);
    watched.pass(20, 3).pass(9, 0);
    // The window's mean speed still exceeds the chain's.
    assert!(!matches!(watched.trend(), GapTrend::Shrinking { .. } | GapTrend::Stalled { .. }), "{:?}", watched.trend());
}

#[test]
fn a_stalled_index_says_for_how_long_and_how_fast_it_falls_behind() {
    let mut watched = Watched::behind(0);
    watched.pass(30, 1).pass(44, 0);
    let GapTrend::Stalled { since, is_least, by } = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!((since, is_least, by.unwrap().to_string()), (seconds(44), false, "1.0 block/s".to_owned()));
    assert_eq!(watched.health().behind.unwrap().to_string(), "≈ 44 blocks behind");
    watched.pass(1, 1);
    assert!(!matches!(watched.trend(), GapTrend::Stalled { .. }), "it moves again");
}

#[test]
fn beside_a_node_whose_height_stays_nothing_falls_behind() {
    let mut watched = Watched::behind(50);
    watched.rhythm.follow_tip(TipPace::OfNode(Some(Duration::MAX)));
    watched.pass(44, 0);
    assert!(matches!(watched.trend(), GapTrend::Stalled { by: None, .. }), "{:?}", watched.trend());
    watched.rhythm.follow_tip(TipPace::OfNode(Some(seconds(2))));
    let GapTrend::Stalled { by: Some(by), .. } = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!(by.to_string(), "0.5 blocks/s", "the node's pace counts, not the block time of a second");
}

#[test]
fn what_was_never_seen_to_move_has_stood_still_at_least_so_long() {
    let mut watched = Watched::behind(10);
    watched.pass(12, 0);
    assert!(matches!(watched.trend(), GapTrend::Stalled { is_least: true, .. }), "{:?}", watched.trend());
}

#[test]
fn a_height_at_the_tip_does_not_stall() {
    let mut rhythm = ChainRhythm::default();
    rhythm.tell(1.0);
    let mut progress = HeightProgress::new(Timestamp::EPOCH);
    for second in 0..60 {
        progress.take(Some(7), Timestamp::EPOCH.after(seconds(second)), &rhythm);
    }
    let tip = ChainTip { height: 7, is_estimate: false };
    let health = progress.health(Some(tip), &rhythm, false).unwrap();
    assert!(!matches!(health.trend, GapTrend::Stalled { .. }), "{health:?}");
}

#[test]
fn the_fill_of_history_is_no_speed() {
    let mut watched = Watched::behind(5_000);
    watched.pass(3, 1_600).pass(20, 1);
    let GapTrend::Level(pace) = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert!(pace.speed > BlockRate(3_000), "three steps are no single jump: {pace:?}");
    watched.progress.begin_measuring();
    assert_eq!(watched.trend(), GapTrend::Measuring);
    watched.pass(15, 1);
    let GapTrend::Level(pace) = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!(pace.speed.to_string(), "1.0 block/s");
}

#[test]
fn a_height_that_is_put_in_place_in_one_step_is_no_speed() {
    let mut watched = Watched::behind(12_000);
    watched.pass(2, 0).pass(1, 12_000).pass(16, 1);
    let GapTrend::Level(pace) = watched.trend() else { panic!("{:?}", watched.trend()) };
    assert_eq!(pace.speed.to_string(), "1.0 block/s");
}

#[test]
fn while_older_blocks_come_in_no_speed_is_told_but_a_standstill_is() {
    let mut watched = Watched::behind(5);
    watched.pass(30, 1);
    let tip = Some(ChainTip { height: watched.tip, is_estimate: false });
    let trend = |watched: &Watched| watched.progress.health(tip, &watched.rhythm, true).unwrap().trend;
    assert_eq!(trend(&watched), GapTrend::Filling);
    watched.pass(11, 0);
    assert!(matches!(trend(&watched), GapTrend::Stalled { .. }));
}

#[test]
fn without_the_chains_tempo_nothing_is_said_of_the_gap() {
    let rhythm = ChainRhythm::default();
    let mut progress = HeightProgress::new(Timestamp::EPOCH);
    for second in 0..25 {
        progress.take(Some(10 + 2 * second), Timestamp::EPOCH.after(seconds(second)), &rhythm);
    }
    let health = progress.health(None, &rhythm, false).unwrap();
    assert_eq!(health.behind, None);
    assert!(matches!(health.trend, GapTrend::Moving(pace) if pace.speed == BlockRate(2000)), "{health:?}");
}

#[test]
fn a_height_that_went_back_begins_anew() {
    let mut watched = Watched::behind(0);
    watched.pass(30, 1);
    watched.progress.take(Some(3), watched.now, &watched.rhythm);
    assert_eq!(watched.trend(), GapTrend::Measuring);
}

#[test]
fn the_rich_lists_own_distance_is_said_and_more_is_a_lag() {
    let mut rhythm = ChainRhythm::default();
    rhythm.tell(1.0);
    let mut health = IndexHealth::new(Timestamp::EPOCH);
    let mut words = |rich_list| {
        let heights = IndexHeights { blocks: 100, internal_calls: Some(95), rich_list: Some(rich_list), node: None };
        health.take(heights, Timestamp::EPOCH, &rhythm);
        let tip = Some(ChainTip { height: 100, is_estimate: false });
        let brief = |part| health.health(part, tip, &rhythm, false).and_then(|of| of.behind).unwrap().brief();
        (brief(HealthPart::InternalCalls), brief(HealthPart::RichList))
    };
    assert_eq!(words(95), ("5 behind".to_owned(), "5 behind (usual)".to_owned()));
    assert_eq!(words(94).1, "6 behind");
    assert_eq!(words(100).1, "at the tip");
}

#[test]
fn rates_have_a_unit_in_the_right_number() {
    let said = |thousandths| BlockRate(thousandths).to_string();
    assert_eq!([said(1_000), said(999), said(800)], ["1.0 block/s", "1.0 block/s", "0.8 blocks/s"]);
    assert_eq!([said(20), said(0), said(1_234_500)], ["1.2 blocks/min", "0.0 blocks/s", "1,234.5 blocks/s"]);
}
