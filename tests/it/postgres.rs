//! PostgreSQL as the store. All tests that need its server are below this module or in one of its name, so that
//! `cargo test --features postgres postgres` runs them.

#[cfg(feature = "postgres")]
mod connections;
#[cfg(feature = "postgres")]
mod copy;
#[cfg(feature = "postgres")]
mod lease;
#[cfg(feature = "postgres")]
mod readers;
#[cfg(feature = "postgres")]
mod replica;
#[cfg(feature = "postgres")]
mod suites;
#[cfg(feature = "postgres")]
mod views;

/// Where PostgreSQL is required, its tests must not be left out of the build.
#[cfg(not(feature = "postgres"))]
#[test]
fn what_is_required_is_compiled_in() {
    crate::harness::Requirement::Postgres.or_less(None::<()>);
}

/// Waits for a condition that is asked of the database.
#[cfg(feature = "postgres")]
async fn wait_for(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "{what} never came");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
