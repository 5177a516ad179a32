//! Lease that makes one process the writer of a schema.
//!
//! A row names the holder and the end of the lease by the database's clock. The row alone protects nothing: each
//! election raises `epoch` in another row, which every write transaction reads `FOR SHARE` first and compares with its
//! own.

use std::{
    fs,
    ops::ControlFlow,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::{
    runtime::{Builder, Runtime},
    sync::{oneshot, watch},
    time::{sleep, timeout},
};
use tokio_postgres::{Client, error::SqlState};

use super::{PostgresError, PostgresUrl, quoted};

/// Duration of a lease after each renewal.
const TERM: Duration = Duration::from_secs(3);

/// Interval of renewals, and time limit of one.
const RENEWAL: Duration = Duration::from_secs(1);

/// Interval between looks at another holder's lease.
const LOOK: Duration = Duration::from_millis(250);

/// Time limit of an election, which waits for the end of the former holder's transactions.
const ELECTION: Duration = Duration::from_secs(5);

/// Shortest and longest pause before a new connection.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Time limit for giving the lease back.
const GOODBYE: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The caller did not want to wait for the holder.
    #[error("{0} follows this rollup into the database; stop it first")]
    Held(String),
    /// Another process was elected while this one could not renew its lease.
    #[error("another process ({0}) follows this rollup into the database; this one had lost its connection and ends")]
    Lost(String),
    /// The lease may be renewed or taken again.
    #[error("the lease for following this rollup into the database lapsed, since the database did not answer in time")]
    Lapsed,
    #[error(transparent)]
    Database(#[from] PostgresError),
    #[error("cannot start the renewal of the lease: {0}")]
    Start(#[from] std::io::Error),
}

#[derive(Clone, Debug)]
enum LeaseState {
    /// Held until then, by this process's clock, if no renewal follows.
    Held {
        epoch: i64,
        until: Instant,
    },
    Lost {
        by: String,
    },
}

/// Lease of a schema, renewed by a thread of its own until it is dropped.
///
/// Drop it after the last write: another process may be elected at once.
#[derive(Debug)]
pub struct Lease {
    holder: String,
    state: watch::Receiver<LeaseState>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Lease {
    /// Takes the lease of a schema; creates the schema and the tables of the lease if missing. Blocks, so call it on no
    /// thread of an asynchronous runtime.
    ///
    /// `wait` is called with the holder while another process holds the lease, several times each second.
    pub fn take(
        url: &PostgresUrl,
        schema: &str,
        mut wait: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Self, LeaseError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let holder = new_holder()?;
        let mut renewal = LeaseRenewal::new(url, schema, &holder);
        let state = runtime.block_on(renewal.elect(&mut wait))?;
        let (sender, state) = watch::channel(state);
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("lease".to_owned()).spawn(move || {
            keep(&runtime, renewal, &sender, stopped);
        })?;
        Ok(Self { holder, state, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the number of the election with which this process may write; `None` while it does not hold the lease.
    pub fn epoch(&self) -> Option<i64> {
        match *self.state.borrow() {
            LeaseState::Held { epoch, until } if Instant::now() < until => Some(epoch),
            _ => None,
        }
    }

    /// Fails once another process was elected; the lease never returns.
    pub fn check(&self) -> Result<(), LeaseError> {
        match &*self.state.borrow() {
            LeaseState::Held { .. } => Ok(()),
            LeaseState::Lost { by } => Err(LeaseError::Lost(by.clone())),
        }
    }

    /// Returns the name of this process in the lease, unique to it.
    pub fn holder(&self) -> &str {
        &self.holder
    }

    /// Returns the application name that all connections of the holder must have: the next holder ends them by it.
    pub fn application(&self) -> String {
        application_of(&self.holder)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic was reported when it happened.
            drop(thread.join());
        }
    }
}

fn application_of(holder: &str) -> String {
    format!("rollscope {holder}")
}

/// Returns a name of this process that no other has: HOST-PROCESS-RANDOM, short enough for an application name.
fn new_holder() -> Result<String, LeaseError> {
    let mut random = [0; 4];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let host = ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|file| fs::read_to_string(file).ok());
    let host = host.unwrap_or_else(|| "host".to_owned());
    let host: String =
        host.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-._".contains(*letter)).take(30).collect();
    Ok(format!("{host}-{}-{:08x}", std::process::id(), u32::from_be_bytes(random)))
}

/// Renews the lease until the end, and gives it back.
fn keep(
    runtime: &Runtime,
    mut renewal: LeaseRenewal,
    state: &watch::Sender<LeaseState>,
    stopped: oneshot::Receiver<()>,
) {
    runtime.block_on(async move {
        tokio::select! {
            () = renewal.renew_always(state) => {}
            _ = stopped => {
                // A lease that is not given back expires.
                let _ = timeout(GOODBYE, renewal.give_back()).await;
            }
        }
    });
}

/// The holder's, or the candidate's, side of a lease.
struct LeaseRenewal {
    url: PostgresUrl,
    schema: String,
    holder: String,
    /// `None` before the first connection, and after a lost one.
    client: Option<Client>,
    /// Epoch of the own election; `None` before.
    epoch: Option<i64>,
}

/// What a look at the lease found.
enum Found {
    Held { epoch: i64 },
    OfOther { holder: String },
}

impl LeaseRenewal {
    fn new(url: &PostgresUrl, schema: &str, holder: &str) -> Self {
        Self { url: url.for_writing(), schema: schema.to_owned(), holder: holder.to_owned(), client: None, epoch: None }
    }

    /// Waits until no other process holds the lease, and takes it. Only the first connection must succeed.
    async fn elect(&mut self, wait: &mut impl FnMut(&str) -> ControlFlow<()>) -> Result<LeaseState, LeaseError> {
        let mut pause = PAUSES.0;
        let mut last: Option<String> = None;
        loop {
            let start = Instant::now();
            match self.step().await {
                Ok(Found::Held { epoch }) if start.elapsed() < RENEWAL => {
                    return Ok(LeaseState::Held { epoch, until: start + TERM });
                }
                // The election took so long that the lease must be renewed at once.
                Ok(Found::Held { .. }) => {}
                Ok(Found::OfOther { holder }) => {
                    pause = PAUSES.0;
                    if wait(&holder).is_break() {
                        return Err(LeaseError::Held(holder));
                    }
                    last = Some(holder);
                    sleep(LOOK).await;
                }
                Err(error) => {
                    let is_passing =
                        error.is_connection_lost() || error.sql_state() == Some(&SqlState::LOCK_NOT_AVAILABLE);
                    let Some(holder) = last.as_deref().filter(|_| is_passing) else {
                        return Err(error.into());
                    };
                    tracing::warn!(%error, "cannot look at the lease");
                    if wait(holder).is_break() {
                        return Err(LeaseError::Held(holder.to_owned()));
                    }
                    sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
    }

    /// Renews the lease each second, over new connections after lost ones. Ends when another process was elected.
    async fn renew_always(&mut self, state: &watch::Sender<LeaseState>) {
        let mut pause = PAUSES.0;
        let mut next = Instant::now() + RENEWAL;
        loop {
            sleep(next.saturating_duration_since(Instant::now())).await;
            let start = Instant::now();
            match self.step().await {
                Ok(Found::Held { epoch }) => {
                    state.send_replace(LeaseState::Held { epoch, until: start + TERM });
                    (pause, next) = (PAUSES.0, start + RENEWAL);
                }
                Ok(Found::OfOther { holder: by }) => {
                    tracing::error!(holder = by, "another process was elected");
                    state.send_replace(LeaseState::Lost { by });
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot renew the lease");
                    next = Instant::now() + pause;
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
    }

    /// Renews or takes the lease, or finds its holder. After an error the next step has a new connection.
    async fn step(&mut self) -> Result<Found, PostgresError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => self.connect().await?,
        };
        if self.epoch.is_some() && self.within(RENEWAL, renew(&client, &self.holder)).await? {
            self.client = Some(client);
            return Ok(Found::Held { epoch: self.epoch.unwrap_or_default() });
        }
        let found = self.within(ELECTION, self.take_or_look(&client)).await?;
        if let Found::Held { epoch } = found {
            tracing::info!(epoch, holder = self.holder, "elected to follow");
            self.epoch = Some(epoch);
        }
        self.client = Some(client);
        Ok(found)
    }

    async fn within<T>(
        &self,
        limit: Duration,
        job: impl Future<Output = Result<T, PostgresError>>,
    ) -> Result<T, PostgresError> {
        let late = || PostgresError::Timeout { host: self.url.to_string(), limit };
        timeout(limit, job).await.unwrap_or_else(|_| Err(late()))
    }

    async fn connect(&self) -> Result<Client, PostgresError> {
        let connected = async {
            let client = self.url.connect(&application_of(&self.holder)).await?;
            // A renewal need not survive a crash, and a transaction that the network cut off must not keep its locks.
            let settings = format!(
                "SET search_path TO {}; SET synchronous_commit = off; SET lock_timeout = '4s';
                 SET idle_in_transaction_session_timeout = '2s'",
                quoted(&self.schema)
            );
            client.batch_execute(&settings).await?;
            Ok(client)
        };
        // A first connection may take the time that its URL allows.
        let client = if self.epoch.is_some() { self.within(RENEWAL, connected).await? } else { connected.await? };
        if self.epoch.is_none() {
            create_tables(&client, &self.schema).await?;
        }
        Ok(client)
    }

    /// Takes a lease that is free or expired, else returns its holder.
    async fn take_or_look(&self, client: &Client) -> Result<Found, PostgresError> {
        if let Some(found) = self.other_holder(client).await? {
            return Ok(found);
        }
        // Sessions that the network or the system stopped would keep their locks.
        let ended = client
            .execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                 AND application_name IN (SELECT 'rollscope ' || holder FROM lease WHERE expires <= clock_timestamp())",
                &[],
            )
            .await?;
        if ended > 0 {
            tracing::info!(ended, "ended the connections of the lease's last holder");
        }
        // One candidate at a time; the last holder's renewals wait too.
        client
            .batch_execute(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on;
                 LOCK TABLE lease IN SHARE ROW EXCLUSIVE MODE",
            )
            .await?;
        let found = match self.other_holder(client).await? {
            Some(found) => found,
            None => Found::Held { epoch: self.raise_epoch(client).await? },
        };
        client.batch_execute("COMMIT").await?;
        Ok(found)
    }

    /// Returns another process that holds the lease, or that was elected after this one.
    async fn other_holder(&self, client: &Client) -> Result<Option<Found>, PostgresError> {
        let row = client
            .query_one("SELECT holder, epoch, expires > clock_timestamp() FROM epoch LEFT JOIN lease ON true", &[])
            .await?;
        let holder: Option<String> = row.try_get(0)?;
        let (epoch, is_valid): (i64, Option<bool>) = (row.try_get(1)?, row.try_get(2)?);
        let was_other_elected = self.epoch.is_some_and(|own| own != epoch);
        let is_other = holder.as_ref().is_some_and(|holder| *holder != self.holder) && is_valid == Some(true);
        let holder = || holder.unwrap_or_else(|| "one that has ended since".to_owned());
        Ok((was_other_elected || is_other).then(|| Found::OfOther { holder: holder() }))
    }

    /// Elects this process; waits for write transactions of the last epoch.
    async fn raise_epoch(&self, client: &Client) -> Result<i64, PostgresError> {
        let raised = client.query_one("UPDATE epoch SET epoch = epoch + 1 RETURNING epoch", &[]).await?;
        client
            .execute(
                "INSERT INTO lease (holder, backend, expires)
                 VALUES ($1, pg_backend_pid(), clock_timestamp() + make_interval(secs => $2))
                 ON CONFLICT (one) DO UPDATE
                 SET holder = excluded.holder, backend = excluded.backend, expires = excluded.expires",
                &[&self.holder, &TERM.as_secs_f64()],
            )
            .await?;
        Ok(raised.try_get(0)?)
    }

    async fn give_back(&mut self) -> Result<(), PostgresError> {
        if let Some(client) = self.client.take() {
            client.execute("DELETE FROM lease WHERE holder = $1", &[&self.holder]).await?;
        }
        Ok(())
    }
}

/// Renews a lease that did not expire; returns whether it is held.
async fn renew(client: &Client, holder: &str) -> Result<bool, PostgresError> {
    let sql = "UPDATE lease SET backend = pg_backend_pid(), expires = clock_timestamp() + make_interval(secs => $2)
               WHERE holder = $1 AND expires > clock_timestamp()";
    Ok(client.execute(sql, &[&holder, &TERM.as_secs_f64()]).await? == 1)
}

async fn create_tables(client: &Client, schema: &str) -> Result<(), PostgresError> {
    // Where they exist, the right to create them is not needed.
    let exists =
        client.query_one("SELECT to_regclass($1) IS NOT NULL", &[&format!("{}.epoch", quoted(schema))]).await?;
    if exists.try_get(0)? {
        return Ok(());
    }
    // Two processes that create the same at once would fail with IF NOT EXISTS too.
    let sql = format!(
        "BEGIN;
         SELECT pg_advisory_xact_lock(hashtext('rollscope'));
         CREATE SCHEMA IF NOT EXISTS {schema};
         CREATE TABLE IF NOT EXISTS {schema}.lease (
             one boolean PRIMARY KEY DEFAULT true CHECK (one),
             holder text NOT NULL, backend integer NOT NULL, expires timestamptz NOT NULL
         );
         CREATE TABLE IF NOT EXISTS {schema}.epoch (
             one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch bigint NOT NULL
         );
         INSERT INTO {schema}.epoch (epoch) VALUES (0) ON CONFLICT DO NOTHING;
         COMMIT",
        schema = quoted(schema)
    );
    Ok(client.batch_execute(&sql).await?)
}
