//! Statements that were once made without evidence, each with the case in which it must be made.

use rollscope::{config::Network, tui::SessionEnd};
use rstest::rstest;

use super::{Observatory, Told, line, refuse, seconds};

#[test]
fn a_slow_index_falls_behind_and_is_given_no_arrival() {
    let sky = Observatory::new(Told::at(1_000));
    let explorer = sky.start();
    for _ in 0..20 {
        sky.pass(&explorer, 1, 0);
        sky.pass(&explorer, 1, 1);
    }
    explorer.wait_for("falling behind 0.5 blocks/s").wait_for("≈ 18 blocks behind");
    refuse(&explorer, &["there in", "stalled"]);
}

#[test]
fn what_was_never_seen_to_move_has_stalled_at_least_so_long() {
    let sky = Observatory::new(Told::at(1_000));
    let explorer = sky.builder().at(super::second(1_600)).start();
    explorer.settle().wait_for("○ no block for 10 min");
    sky.pass(&explorer, 12, 0);
    explorer.wait_for("stalled for at least 12 s");
    sky.pass(&explorer, 1, 1);
    explorer.wait_for("● live");
}

#[test]
fn an_index_of_a_chain_with_few_blocks_is_not_late_before_its_usual_time() {
    // By the server a block a minute; half a minute without one is no news.
    let told = Told { average: 60.0, oldest: 996, internal_behind: None, rich_list_behind: None, ..Told::at(1_000) };
    let sky = Observatory::new(told);
    let explorer = sky.start();
    for _ in 0..6 {
        explorer.advance(seconds(6));
    }
    explorer.wait_for("● live");
    explorer.wait_for(", next block in ≈ 24 s").wait_for(" 36 s, next in ≈ 24 s");
    refuse(&explorer, &["stalled", "no block for", " behind"]);
}

/// D3: a height that lists pass over.
#[test]
fn missing_heights_are_counted_and_the_index_is_not_complete() {
    let sky = Observatory::new(Told { gap_every: 7, ..Told::at(60) });
    let explorer = sky.start();
    explorer.wait_for("1 to 60, but 8 missing of 60 seen");
    refuse(&explorer, &["complete", "no gap"]);
    explorer.press("2").wait_for("56 and 7 more missing");
}

#[test]
fn a_gap_between_two_pages_is_noticed() {
    let sky = Observatory::new(Told { gap_every: 400, ..Told::at(500) });
    let explorer = sky.start();
    explorer.wait_for("no gap in 100 seen");
    explorer.press("2 G").wait_for("400 missing").press("1").wait_for("but 1 missing of 201 seen");
    refuse(&explorer, &["no gap", "complete"]);
}

#[test]
fn a_doubled_height_is_noticed() {
    let sky = Observatory::new(Told { doubled: 55, ..Told::at(60) });
    let explorer = sky.start();
    explorer.wait_for("but 1 duplicate of 60 seen");
    explorer.press("2").wait_for("1 duplicate");
    refuse(&explorer, &["complete", "missing"]);
}

#[rstest]
#[case::all_seen(Told::at(60), "1 to 60, complete: all blocks seen", &["no gap"])]
#[case::a_part_seen(Told::at(5_000), "1 to 5,000, no gap in 100 seen", &["complete"])]
#[case::begun_later(Told { oldest: 3_001, ..Told::at(5_000) }, "3,001 to 5,000, no older blocks; no gap", &["complete"])]
fn complete_is_said_of_what_was_seen_alone(#[case] told: Told, #[case] said: &str, #[case] lies: &[&str]) {
    let sky = Observatory::new(told);
    let explorer = sky.start();
    sky.pass(&explorer, 3, 0);
    assert!(line(&explorer, "holds").contains(said), "{}", explorer.screen());
    refuse(&explorer, lies);
}

/// S19: exact, or about, never both.
#[test]
fn a_list_whose_end_was_seen_has_an_exact_total() {
    let sky = Observatory::new(Told::at(8));
    let explorer = sky.start();
    explorer.press("2").wait_for("1 of 8").wait_for("— the end —");
    refuse(&explorer, &["≈"]);
    let sky = Observatory::new(Told::at(500));
    let explorer = sky.start();
    explorer.press("2").wait_for("1 of ≈ 500");
    // And in the filling index an end is none.
    let sky = Observatory::new(Told { oldest: 453, ..Told::at(500) });
    let explorer = sky.start();
    explorer.press("2 G").wait_for("— end for now —").wait_for("48 of 48+");
    // Older blocks add nothing to a block.
    explorer.press("enter").wait_for("1 of 1 ").wait_for("— the end —").press("esc").wait_for("48 of 48+");
    // Nor to balances, which are the state of the chain.
    explorer.press("5 f").type_text("ugas").press("enter").wait_for("Rich list · ugas").wait_for("— the end —");
    refuse(&explorer, &["end for now"]);
    explorer.press("2");
    sky.told().oldest = 1;
    sky.pass(&explorer, 2, 0);
    explorer.wait_for("of ≈ 500").press("G").wait_gone("the end");
}

/// S5: an index without blocks answers.
#[test]
fn an_index_without_blocks_is_not_offline() {
    let sky = Observatory::new(Told { status_fails: true, is_empty: true, ..Told::at(60) });
    let explorer = sky.start();
    explorer.wait_for("The indexer answers but has no block yet.").wait_for("○ no block yet");
    refuse(&explorer, &["No connection", "offline"]);
    sky.told().is_empty = false;
    sky.told().status_fails = false;
    explorer.advance(seconds(2)).wait_for("● live").wait_for("height 60").wait_gone("has no block yet");
}

#[test]
fn a_server_that_fails_on_everything_is_not_said_to_be_empty() {
    let sky = Observatory::new(Told { status_fails: true, lists_fail: true, ..Told::at(60) });
    let explorer = sky.start();
    explorer.wait_for("No status").wait_for("failed (500)").wait_for("○ failing");
    refuse(&explorer, &["answers but has no block", "No connection", "offline"]);
}

/// Row 2: the server's average and what blocks show.
#[test]
fn a_block_time_that_the_blocks_deny_is_flagged() {
    let sky = Observatory::new(Told { average: 3.0, ..Told::at(500) });
    let explorer = sky.start();
    explorer.wait_for("block 3.00 s, seen 1.00 s").wait_for("the server reports 3.00 s; 100 blocks show 1.00 s");
    let honest = Observatory::new(Told { average: 1.1, ..Told::at(500) }).start();
    refuse(&honest, &[", seen", "the server reports"]);
}

/// D6: nothing is shown of another chain than the network names.
#[test]
fn another_chain_than_the_network_names_is_refused_and_ends_with_a_failure() {
    let sky = Observatory::new(Told::at(60));
    let network = |chain_id: &str| Network {
        name: "mine".to_owned(),
        chain_id: Some(chain_id.to_owned()),
        indexer: sky.server.url().to_owned(),
        ..Network::default()
    };
    let explorer = sky.builder().network(network("other-9")).server(sky.server.url()).start();
    explorer.settle().wait_for("Wrong chain").wait_for("✗ wrong chain");
    explorer.wait_for("network “mine” is other-9").wait_for("serves health-1");
    refuse(&explorer, &["● live", "height 60", "Newest blocks"]);
    explorer.press("2 3").wait_for("Wrong chain");
    explorer.keys("q");
    let end = explorer.end();
    assert!(matches!(&end, Ok(SessionEnd::Refused(reason)) if reason.contains("serves health-1")), "{end:?}");

    let named = sky.builder().network(network("health-1")).server(sky.server.url()).start();
    named.settle().wait_for("● live").wait_for("Newest blocks");
    named.quit();
}

#[test]
fn a_refused_server_that_becomes_the_named_chain_is_explored() {
    let sky = Observatory::new(Told { chain: "elsewhere-1", ..Told::at(60) });
    let network = Network { chain_id: Some("health-1".to_owned()), ..Network::default() };
    let explorer = sky.builder().network(network).server(sky.server.url()).start();
    explorer.settle().wait_for("Wrong chain");
    *sky.told() = Told { salt: 9, ..Told::at(70) };
    explorer.advance(seconds(7)).wait_for("● live").wait_for("height 70").wait_for("Newest blocks");
}

/// S27: a small screen has the index's health and the names of columns.
#[test]
fn a_small_screen_says_how_the_index_is() {
    let sky = Observatory::new(Told::at(1_000));
    let explorer = sky.builder().size(50, 14).start();
    explorer.settle();
    sky.pass(&explorer, 20, 1);
    assert_eq!(line(&explorer, "blocks"), "blocks     1,020  at the tip");
    explorer.wait_for("rich list  1,015  5 behind (usual)").wait_for("height");
    sky.pass(&explorer, 44, 0);
    explorer.wait_for("blocks     1,020  ≈ 42 behind, stalled for 44 s");
}

/// S23: the slowest endpoint at p95 in two keys.
#[test]
fn the_inspector_has_figures_by_endpoint() {
    let sky = Observatory::new(Told::at(60));
    let explorer = sky.start();
    explorer.press("f12").wait_for("p95").wait_for("slowest").press("tab").wait_for("Endpoints by p95");
    explorer.wait_for("/indexer/block/v1/blocks").wait_for("/status").wait_for("median");
    explorer.press("tab").wait_for("Endpoints by median").press("tab").wait_for("Endpoints by slowest");
    explorer.press("tab").wait_for("Endpoints by count").press("tab").wait_for("Enter open");
    refuse(&explorer, &[" 0 ms"]);
}

/// An index that does not answer may be at the tip: nothing is said of its distance or speed.
#[rstest]
#[case::while_it_was_level(0)]
#[case::after_it_had_stalled(30)]
fn a_server_that_fails_is_not_told_as_lag(#[case] stalled: u64) {
    let sky = Observatory::new(Told::at(1_000));
    let explorer = sky.start();
    sky.pass(&explorer, 30, 1);
    sky.pass(&explorer, stalled, 0);
    sky.told().status_fails = true;
    sky.told().lists_fail = true;
    for _ in 0..40 {
        explorer.advance(seconds(1));
    }
    explorer.wait_for("○ stale, retry").wait_for("no newer status: distance and speed unknown");
    assert_eq!(line(&explorer, "indexer"), "indexer    the indexer failed (500): Internal Server Error");
    assert!(line(&explorer, "since 12:").contains(", last status "), "{}", explorer.screen());
    refuse(
        &explorer,
        &["behind", "stalled", "blocks/s", "at the tip", "keeping up", "measuring", "estimated", "next block in"],
    );
    // Lists that were never opened show what the overview holds.
    for tab in ["3", "2"] {
        explorer.press(tab).wait_for("stale ").wait_for("(status) · 1 of ");
    }
    explorer.press("1");
    sky.told().status_fails = false;
    sky.told().lists_fail = false;
    sky.pass(&explorer, 20, 1);
    explorer.wait_for("● live");
    refuse(&explorer, &["no newer status", "last status"]);
    for tab in ["3", "2"] {
        explorer.press(tab);
        sky.pass(&explorer, 20, 1);
        explorer.wait_gone("stale ");
    }
}

#[test]
fn charts_go_on_while_the_list_beside_them_stands_still() {
    let sky = Observatory::new(Told::at(1_000));
    let explorer = sky.start();
    explorer.press("j j j");
    sky.pass(&explorer, 5, 1);
    explorer.press("3");
    sky.pass(&explorer, 120, 1);
    explorer.press("1");
    sky.pass(&explorer, 3, 1);
    explorer.wait_for("─1,128");
}

#[test]
fn a_gauge_and_its_strip_have_one_figure() {
    let sky = Observatory::new(Told { internal_behind: Some(2), rich_list_behind: Some(2), ..Told::at(1_000) });
    let explorer = sky.start();
    for _ in 0..30 {
        // The estimated tip goes on between two statuses, the figure with it.
        sky.pass(&explorer, 1, 0);
        let screen = explorer.screen();
        let lines: Vec<&str> = screen.lines().collect();
        for (gauge, strip) in lines.iter().zip(lines.iter().skip(1)) {
            let number =
                |text: &str, after: &str| text.split_once(after)?.1.trim().split(' ').next()?.parse::<u64>().ok();
            let figure = gauge.split(" behind").next().and_then(|text| text.rsplit(' ').next()?.parse::<u64>().ok());
            if let (Some(figure), Some(most)) = (figure, number(strip, "max ")) {
                assert!(figure <= most, "{figure} of at most {most}:\n{screen}");
            }
        }
    }
}
