//! Suites of the index that run over both engines: what is true of a file is true of a server.

/// Runs tests of a module over the server, each under its own name.
macro_rules! over_the_server {
    ($suite:ident: $module:path { $($test:ident)* }) => {
        mod $suite {
            use $module as suite;

            use crate::harness::index::over_postgres;

            $(#[test] fn $test() { over_postgres(suite::$test); })*
        }
    };
}

over_the_server! {
    following: crate::following {
        the_newest_come_first_and_keys_hold_while_older_ones_arrive
        a_node_in_trouble_is_waited_for
        a_block_that_the_node_never_sends_is_reported_while_newer_ones_come
        large_blocks_come_in_short_runs
        runs_end_with_large_answers_and_lose_nothing
        a_pruned_node_and_a_wanted_height_end_history
        blocks_that_the_chain_took_back_are_undone_to_the_fork
        a_load_balancer_whose_nodes_differ_undoes_nothing
        a_file_keeps_its_chain_while_the_node_serves_another
        a_chain_that_restarted_is_begun_anew_and_the_old_file_kept_beside
        whom_a_block_touched_is_asked_again
    }
}

over_the_server! {
    kills: crate::following::kills {
        a_file_goes_on_where_it_was_whenever_it_was_left
        a_gap_to_the_tip_is_filled_upwards_and_nothing_is_asked_again
    }
}

over_the_server! {
    parity: crate::server::parity {
        an_evm_rollup_is_served_as_the_real_indexer_did
        a_wasm_rollup_is_served_as_the_real_indexer_did
        a_planted_lie_is_seen
    }
}

over_the_server! {
    played: crate::server::played {
        the_proposer_is_the_validator_with_its_consensus_key
        a_node_that_fails_every_third_request_once_is_waited_for
        blocks_that_were_rolled_back_are_undone_to_the_fork
        a_chain_that_began_again_is_begun_anew
        nodes_behind_a_load_balancer_undo_nothing
        an_empty_index_is_refused_with_the_nodes_problem_and_then_served
        what_a_file_holds_is_served_while_the_node_lacks_what_follows
        an_index_goes_on_above_blocks_that_its_node_has_pruned
        a_status_is_of_one_moment
    }
}
