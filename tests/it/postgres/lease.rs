//! The lease that makes one process the writer: followers as processes of their own are killed, stopped and cut off,
//! and their database restarts.
//!
//! Each follower writes numbered rows as the store writes blocks: in transactions that begin with the epoch. What it
//! says it wrote must be there, and no row may be of an epoch below that of the row before.

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    ops::ControlFlow,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use rollscope::indexer::index::{Lease, LeaseError, PostgresError, PostgresUrl};
use tokio_postgres::{Client, error::SqlState};

use crate::harness::{
    postgres::{CutProxy, PostgresServer, create_database},
    rounds,
};

const SCHEMA: &str = "rs_lease";

/// Names the database to the process of a follower.
const DATABASE: &str = "ROLLSCOPE_TEST_DATABASE";

/// Time in which another process must be elected.
const TAKEOVER: Duration = Duration::from_secs(5);

fn block_on<T>(job: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(job)
}

fn take(url: &str) -> Result<Lease, LeaseError> {
    Lease::take(&url.parse().expect("a URL"), SCHEMA, |_| ControlFlow::Break(()))
}

async fn connect(url: &str, application: &str) -> Client {
    url.parse::<PostgresUrl>().expect("a URL").connect(application).await.expect("it connects")
}

/// Holder, epoch, and whether the holder did not renew the lease in time; `None` where nobody holds it.
async fn lease_holder(client: &Client) -> Option<(String, i64, bool)> {
    let sql = format!(
        "SELECT holder, epoch, expires <= clock_timestamp() FROM {SCHEMA}.epoch LEFT JOIN {SCHEMA}.lease ON true"
    );
    let row = client.query_one(&sql, &[]).await.expect("a row");
    let holder: Option<String> = row.get(0);
    holder.map(|holder| (holder, row.get(1), row.get(2)))
}

#[test]
fn one_candidate_at_a_time_holds_the_lease_and_gives_it_back() {
    let Some(url) = create_database() else { return };
    let first = take(&url).expect("it is free");
    assert_eq!(first.epoch(), Some(1));
    let refused = take(&url).expect_err("it is held").to_string();
    assert!(refused.starts_with(first.holder()), "{refused}");
    block_on(async {
        let client = connect(&url, "reader").await;
        assert_eq!(lease_holder(&client).await, Some((first.holder().to_owned(), 1, false)));
        let named =
            client.query("SELECT FROM pg_stat_activity WHERE application_name = $1", &[&first.application()]).await;
        assert_eq!(named.expect("it answers").len(), 1, "the connection of the lease is found by its name");
    });
    let (sender, waited) = mpsc::channel();
    let candidate = thread::spawn({
        let url = url.clone();
        move || {
            let told = |holder: &str| {
                sender.send(holder.to_owned()).expect("the test listens");
                ControlFlow::Continue(())
            };
            Lease::take(&url.parse().expect("a URL"), SCHEMA, told)
        }
    });
    assert_eq!(waited.recv().expect("it waits"), first.holder());
    drop(first);
    let given = Instant::now();
    let second = candidate.join().expect("no panic").expect("it is elected");
    assert_eq!(second.epoch(), Some(2));
    assert!(given.elapsed() < Duration::from_secs(2), "what is given back need not expire: {:?}", given.elapsed());
    drop(second);
    let holder = block_on(async { lease_holder(&connect(&url, "reader").await).await });
    assert_eq!(holder, None);
}

#[test]
fn a_lease_that_expired_is_taken_again_and_ends_the_transactions_of_its_epoch() {
    let Some(url) = create_database() else { return };
    let lease = take(&url).expect("it is free");
    block_on(async {
        let (writer, other) = (connect(&url, &lease.application()).await, connect(&url, "other").await);
        let begin = format!("BEGIN; SELECT FROM {SCHEMA}.epoch WHERE epoch = 1 FOR SHARE");
        writer.batch_execute(&begin).await.expect("it writes with the epoch");
        let expire = format!("UPDATE {SCHEMA}.lease SET expires = clock_timestamp()");
        other.batch_execute(&expire).await.expect("it may");
        super::wait_for("the next epoch", async || lease.epoch() == Some(2)).await;
        let error = PostgresError::from(writer.batch_execute("COMMIT").await.expect_err("it was ended"));
        assert!(error.is_connection_lost(), "{error}");
        // What another process elected meanwhile is final.
        let elect = format!(
            "BEGIN; UPDATE {SCHEMA}.epoch SET epoch = 3;
             UPDATE {SCHEMA}.lease SET holder = 'another'; COMMIT"
        );
        other.batch_execute(&elect).await.expect("it may");
        super::wait_for("the end of the lease", async || lease.check().is_err()).await;
        let taken = lease.check().expect_err("it is another's").to_string();
        assert!(taken.contains("another process (another)"), "{taken}");
        assert_eq!(lease.epoch(), None);
    });
}

#[test]
fn a_user_without_rights_is_told_which() {
    let (Some(server), Some(url)) = (PostgresServer::shared(), create_database()) else { return };
    server.execute("CREATE ROLE limited LOGIN");
    let refused = take(&url.replace("postgres@", "limited@")).expect_err("it may not create").to_string();
    assert!(refused.contains("permission denied") && refused.contains("grant the user this right"), "{refused}");
    let LeaseError::Database(error) = take(&url.replace("postgres@", "limited@")).expect_err("it may not") else {
        panic!("the database refuses")
    };
    assert_eq!(error.sql_state(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
}

/// A follower in a process of its own.
struct Follower {
    child: Child,
    /// The follower ends with it.
    _stdin: ChildStdin,
    lines: Receiver<String>,
    /// Numbers of the rows that it says it wrote.
    written: Vec<i64>,
}

impl Follower {
    fn start(url: &str) -> Self {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command.args(["--exact", "postgres::lease::a_follower_of_these_tests", "--ignored", "--nocapture"]);
        let mut child = command
            .env(DATABASE, url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this program starts");
        let (stdin, stdout) = (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        Self { child, _stdin: stdin, lines, written: Vec::new() }
    }

    /// Waits until the follower says a line that begins with this; returns the rest.
    fn wait_for(&mut self, start: &str, limit: Duration) -> String {
        let until = Instant::now() + limit;
        loop {
            let line = match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => panic!("{start:?} was not said within {limit:?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the follower ended without {start:?}"),
            };
            self.note(&line);
            if let Some(rest) = line.strip_prefix(start) {
                return rest.to_owned();
            }
        }
    }

    fn note(&mut self, line: &str) {
        self.written.extend(line.strip_prefix("wrote ").map(|number| number.parse::<i64>().expect("a number")));
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill starts").success());
    }

    /// Ends the follower; returns the numbers of all rows that it said it wrote.
    fn end(mut self) -> Vec<i64> {
        self.child.kill().ok();
        self.child.wait().expect("it ends");
        while let Ok(line) = self.lines.recv() {
            self.note(&line);
        }
        std::mem::take(&mut self.written)
    }
}

/// The process of a [`Follower`].
#[test]
#[ignore = "a process of other tests"]
fn a_follower_of_these_tests() {
    let Ok(url) = env::var(DATABASE) else { return };
    thread::spawn(|| {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        std::process::exit(0);
    });
    let say = |line: String| {
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "\n{line}").and_then(|()| stdout.flush()).expect("the test reads");
    };
    let url: PostgresUrl = url.parse().expect("a URL");
    let lease = Lease::take(&url, SCHEMA, |_| ControlFlow::Continue(())).expect("it is elected at last");
    let mut elected = 0;
    block_on(async {
        let mut client = None;
        while lease.check().is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let Some(epoch) = lease.epoch() else { continue };
            if epoch != elected {
                say(format!("elected {epoch}"));
                elected = epoch;
            }
            let written = tokio::time::timeout(Duration::from_secs(1), write(client.take(), &url, &lease, epoch)).await;
            if let Ok(Ok((number, reused))) = written {
                client = Some(reused);
                say(format!("wrote {number}"));
            }
        }
    });
    say("taken".to_owned());
}

/// Writes the next row, as the store writes: the epoch first.
async fn write(
    client: Option<Client>,
    url: &PostgresUrl,
    lease: &Lease,
    epoch: i64,
) -> Result<(i64, Client), PostgresError> {
    let client = match client {
        Some(client) => client,
        None => url.connect(&lease.application()).await?,
    };
    client.batch_execute("SET idle_in_transaction_session_timeout = '2s'; BEGIN").await?;
    let own = format!("SELECT epoch FROM {SCHEMA}.epoch FOR SHARE");
    if client.query_one(&own, &[]).await?.get::<_, i64>(0) != epoch {
        return Err(client.query_one("SELECT 1 / 0", &[]).await.expect_err("another epoch fails").into());
    }
    let insert = "INSERT INTO written SELECT coalesce(max(number), 0) + 1, $1, $2 FROM written RETURNING number";
    let number = client.query_one(insert, &[&epoch, &lease.holder()]).await?.get(0);
    client.batch_execute("COMMIT").await?;
    Ok((number, client))
}

/// Lets followers follow each other; `fail` makes the first fail, and returns whether it is to be told so afterwards.
fn elect_again_and_again(
    url: &str,
    through: &str,
    mut fail: impl FnMut(&mut Follower),
    mut heal: impl FnMut(&mut Follower),
) {
    block_on(async {
        let create = "CREATE TABLE written (number bigint PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL)";
        connect(url, "test").await.batch_execute(create).await.expect("it may");
    });
    let mut said = Vec::new();
    for round in 1..=rounds().max(2) {
        let mut follower = Follower::start(through);
        let mut epoch: u64 = follower.wait_for("elected ", TAKEOVER).parse().expect("an epoch");
        follower.wait_for("wrote ", TAKEOVER);
        let mut candidate = Follower::start(url);
        follower.wait_for("wrote ", TAKEOVER);
        fail(&mut follower);
        let failed = Instant::now();
        let elected: u64 = candidate.wait_for("elected ", TAKEOVER).parse().expect("an epoch");
        let takeover = failed.elapsed();
        assert!(elected > epoch, "round {round}: {elected} follows {epoch}");
        candidate.wait_for("wrote ", TAKEOVER);
        heal(&mut follower);
        candidate.wait_for("wrote ", TAKEOVER);
        epoch = elected;
        println!("round {round}: epoch {epoch} after {takeover:?}");
        said.extend(follower.end());
        said.extend(candidate.end());
    }
    check_rows(url, &said);
}

/// Checks that the rows are whole, of rising epochs, of one holder each, and hold all that was said.
fn check_rows(url: &str, said: &[i64]) {
    let rows = block_on(async {
        let client = connect(url, "test").await;
        client.query("SELECT number, epoch, holder FROM written ORDER BY number", &[]).await.expect("it answers")
    });
    let rows: Vec<(i64, i64, String)> = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
    for (row, before) in rows.iter().skip(1).zip(&rows) {
        assert_eq!(row.0, before.0 + 1, "no row is lost");
        assert!(row.1 > before.1 || row.1 == before.1 && row.2 == before.2, "{before:?}, then {row:?}");
    }
    assert!(!said.is_empty() && rows.len() >= said.len(), "{} rows of {}", rows.len(), said.len());
    let last = rows.last().map_or(0, |row| row.0);
    let mut unique = said.to_owned();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), said.len(), "no row was written twice");
    assert!(unique.last().is_some_and(|number| *number <= last), "what was said is there");
}

#[test]
fn a_follower_that_is_killed_is_followed_by_another() {
    let Some(url) = create_database() else { return };
    elect_again_and_again(&url, &url, |follower| follower.child.kill().expect("it runs"), |_| {});
}

#[test]
fn a_follower_that_is_stopped_writes_nothing_when_it_goes_on() {
    let Some(url) = create_database() else { return };
    let pause = if rounds() > 1 { Duration::from_secs(20) } else { Duration::from_secs(1) };
    elect_again_and_again(
        &url,
        &url,
        |follower| follower.signal("-STOP"),
        |follower| {
            thread::sleep(pause);
            follower.signal("-CONT");
            follower.wait_for("taken", TAKEOVER);
        },
    );
}

#[test]
fn a_follower_that_the_network_cuts_off_writes_nothing_when_it_is_back() {
    let (Some(server), Some(url)) = (PostgresServer::shared(), create_database()) else { return };
    let proxy = CutProxy::start(server.port());
    let through = url.replace(&format!(":{}/", server.port()), &format!(":{}/", proxy.port()));
    elect_again_and_again(
        &url,
        &through,
        |_| proxy.cut(true),
        |follower| {
            proxy.cut(false);
            follower.wait_for("taken", TAKEOVER);
        },
    );
}

#[test]
fn after_a_restart_of_the_database_one_of_the_followers_goes_on() {
    let Some(server) = PostgresServer::start() else { return };
    let url = server.create_database();
    block_on(async {
        let create = "CREATE TABLE written (number bigint PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL)";
        connect(&url, "test").await.batch_execute(create).await.expect("it may");
    });
    let mut followers = [Follower::start(&url), Follower::start(&url)];
    for round in 1..=rounds().max(2) {
        let all = |followers: &mut [Follower; 2]| -> usize {
            for follower in followers.iter_mut() {
                while let Ok(line) = follower.lines.try_recv() {
                    follower.note(&line);
                }
            }
            followers.iter().map(|follower| follower.written.len()).sum()
        };
        let before = all(&mut followers);
        let since = Instant::now();
        while all(&mut followers) < before + 5 {
            assert!(since.elapsed() < 2 * TAKEOVER, "round {round}: nothing is written");
            thread::sleep(Duration::from_millis(20));
        }
        // An immediate stop ends all sessions as a crash does; every other restart takes longer than a lease.
        server.run("pg_ctl", &["stop", "-m", "immediate", "-D", "data"]);
        if round % 2 == 0 {
            thread::sleep(Duration::from_secs(4));
        }
        server.run("pg_ctl", &["start", "-w", "-D", "data", "-l", "log"]);
        let (before, answered) = (all(&mut followers), Instant::now());
        while all(&mut followers) == before {
            assert!(answered.elapsed() < TAKEOVER, "round {round}: nobody goes on");
            thread::sleep(Duration::from_millis(20));
        }
        println!("round {round}: a row {:?} after the restart", answered.elapsed());
    }
    let said: Vec<i64> = followers.into_iter().flat_map(Follower::end).collect();
    check_rows(&url, &said);
}
