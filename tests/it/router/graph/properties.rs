//! What holds for any pair and amount.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

static WORLDS: LazyLock<[RouterWorld; 3]> = LazyLock::new(|| VMS.map(|vm| RouterWorld::new(vm, 3, 500)));

fn places(world: &RouterWorld) -> Vec<(ChainId, Denom)> {
    let map = world.assets(&[]).chain_to_assets_map;
    map.into_values().flat_map(|list| list.assets).map(|asset| (asset.chain_id, asset.denom)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn routes_are_sound_or_refused_in_a_sentence(
        vm in 0usize..3,
        ends in any::<[prop::sample::Index; 2]>(),
        amount in prop_oneof![1u128..1_000_000_000_000, 1u128..10u128.pow(24), any::<u128>()],
        switches in any::<[Option<bool>; 4]>(),
    ) {
        let world = &WORLDS[vm];
        let places = places(world);
        let (from, to) = (ends[0].get(&places), ends[1].get(&places));
        let [allow_unsafe, go_fast, is_op_withdraw, allow_multi_tx] = switches;
        let request = RouteRequest {
            amount_in: Amount::from(amount),
            source_asset_chain_id: from.0.clone(),
            source_asset_denom: from.1.clone(),
            dest_asset_chain_id: to.0.clone(),
            dest_asset_denom: to.1.clone(),
            allow_unsafe,
            go_fast,
            is_op_withdraw,
            allow_multi_tx,
        };
        match world.route(&request, now()) {
            Ok(route) => {
                assert_sound(world, &route);
                prop_assert_eq!(route.check_answer(&request), Ok(()));
                prop_assert_eq!(route.check_addresses(), Ok(()));
                prop_assert!(allow_multi_tx == Some(true) || route.txs_required == Some(1));
                prop_assert!(allow_unsafe != Some(false) || route.warning.is_none());
                let withdraws = route.extra_warnings.iter().any(|text| text.as_received().starts_with("Optimistic"));
                prop_assert!(is_op_withdraw != Some(true) || withdraws);
            }
            Err(error) => {
                prop_assert!([400, 404].contains(&error.status));
                prop_assert!(error.message.len() > 20, "{}", error.message);
            }
        }
    }
}
