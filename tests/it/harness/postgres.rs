//! Servers of PostgreSQL: each in a folder of its own, on a free port of 127.0.0.1, and gone with the tests' process.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    os::unix::{
        fs::{MetadataExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Condvar, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use tempfile::TempDir;

use super::Requirement;

/// Runs `$MAKE`, which makes the folder's database, starts its server, and stops it when standard input ends: with the
/// process of the tests, however that ends.
const SUPERVISOR: &str = r#"
trap '' INT TERM HUP
eval "$MAKE" || exit 1
pg_ctl start -w -t 60 -D data -l log >/dev/null </dev/null &&
    psql -h "$PWD" -p $PORT -U postgres -X -q -t -c "$FIRST" >first.log && echo ready
cat >/dev/null
pg_ctl stop -m immediate -D data >/dev/null 2>&1
cd / && rm -rf "$FOLDER"
"#;

/// The default collation is one in which a missing COLLATE "C" shows.
const NEW: &str = r#"
initdb -D data -U postgres -A trust -N -E UTF8 --locale=C --locale-provider=icu --icu-locale=en-US >log 2>&1 || exit 1
{ echo "host all locked 127.0.0.1/32 scram-sha-256"; cat data/pg_hba.conf; } >hba && mv hba data/pg_hba.conf
cat >>data/postgresql.conf <<END
listen_addresses = '127.0.0.1'
port = $PORT
unix_socket_directories = '$PWD'
max_connections = 200
shared_buffers = 64MB
fsync = off
full_page_writes = off
END
certificate() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "$@"; }
if command -v openssl >openssl.log; then
    {
        certificate -subj /CN=authority -keyout authority.key -out authority.crt
        certificate -subj /CN=server -keyout server.key -out server.crt -CA authority.crt -CAkey authority.key \
            -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE
        certificate -subj /CN=alone -keyout alone.key -out alone.crt -addext subjectAltName=DNS:localhost
    } >openssl.log 2>&1 &&
        printf "ssl = on\nssl_cert_file = '%s'\nssl_key_file = '%s'\n" "$PWD/server.crt" "$PWD/server.key" \
            >>data/postgresql.conf
fi
true
"#;

const REPLICA: &str = r"
pg_basebackup -h 127.0.0.1 -p $PRIMARY -U postgres -D data -R -X stream -c fast >log 2>&1 || exit 1
cat >>data/postgresql.conf <<END
port = $PORT
unix_socket_directories = '$PWD'
recovery_min_apply_delay = '$DELAY'
END
";

/// A server of PostgreSQL, which ends with this value, or with the process.
#[derive(Debug)]
pub(crate) struct PostgresServer {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    supervisor: Child,
    databases: AtomicUsize,
}

impl PostgresServer {
    /// Starts a server of the test's own; `None` skips the test.
    pub(crate) fn start() -> Option<Self> {
        Requirement::Postgres.or_skip(programs()).map(|programs| Self::start_from(&programs))
    }

    /// The server that all tests of this process share; `None` skips the test.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<PostgresServer> = OnceLock::new();
        let programs = Requirement::Postgres.or_skip(programs())?;
        Some(SHARED.get_or_init(|| Self::start_from(&programs)))
    }

    /// Starts a replica of this server that applies each change this many milliseconds later.
    pub(crate) fn replica(&self, delay: u64) -> Self {
        let envs = [("MAKE", REPLICA.to_owned()), ("FIRST", "SELECT 1".to_owned())];
        let of = [("PRIMARY", self.port.to_string()), ("DELAY", format!("{delay}ms"))];
        Self::start_with(&self.programs, &envs.into_iter().chain(of).collect::<Vec<_>>())
    }

    fn start_from(programs: &Path) -> Self {
        let first = "CREATE ROLE locked LOGIN PASSWORD 'hunter2'".to_owned();
        Self::start_with(programs, &[("MAKE", NEW.to_owned()), ("FIRST", first)])
    }

    fn start_with(programs: &Path, envs: &[(&str, String)]) -> Self {
        // Another process may take the port before the server does.
        (0..5).find_map(|_| Self::try_start(programs, envs)).expect("a server of PostgreSQL starts")
    }

    fn try_start(programs: &Path, envs: &[(&str, String)]) -> Option<Self> {
        let folder = TempDir::with_prefix("rollscope-postgres-").expect("a folder can be made").keep();
        if let Some((user, group)) = other_user() {
            chown(&folder, Some(user), Some(group)).expect("the superuser gives folders away");
        }
        let port = free_port();
        let mut command = as_server(programs, "sh", &folder);
        command.args(["-c", SUPERVISOR]).env("PORT", port.to_string()).env("FOLDER", &folder).process_group(0);
        command.envs(envs.iter().map(|(name, value)| (name, value)));
        let mut supervisor = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell starts");
        let mut line = String::new();
        let stdout = supervisor.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the supervisor speaks");
        let server = Self { programs: programs.to_owned(), folder, port, supervisor, databases: AtomicUsize::new(0) };
        if line.trim() == "ready" {
            return Some(server);
        }
        eprintln!("{}", fs::read_to_string(server.folder.join("log")).unwrap_or_default());
        None
    }

    /// Folder of the server's socket, log, and certificates: `authority.crt`, `alone.crt`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn has_tls(&self) -> bool {
        self.folder.join("alone.crt").exists()
    }

    /// Creates an empty database, and returns its URL. The user `locked` needs the password `hunter2`.
    pub(crate) fn create_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.run("createdb", &["-U", "postgres", &name]);
        format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", self.port)
    }

    /// Runs a statement as the superuser in the database `postgres`.
    pub(crate) fn execute(&self, sql: &str) -> String {
        self.run("psql", &["-U", "postgres", "-d", "postgres", "-X", "-q", "-t", "-A", "-c", sql])
    }

    /// Runs one of PostgreSQL's programs as the server's user, in the server's folder.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> String {
        self.try_run(program, arguments).unwrap_or_else(|errors| panic!("{program} {arguments:?}: {errors}"))
    }

    /// Runs a program as [`Self::run`] does; what it says if it fails.
    pub(crate) fn try_run(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let mut command = as_server(&self.programs, program, &self.folder);
        command.env("PGHOST", &self.folder).env("PGPORT", self.port.to_string()).args(arguments);
        let output = command.stdin(Stdio::null()).output().expect("a program of PostgreSQL starts");
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        drop(self.supervisor.stdin.take());
        let _ = self.supervisor.wait();
    }
}

/// The URL of a new, empty database on the server that all tests of this process share; `None` skips the test.
pub(crate) fn create_database() -> Option<String> {
    PostgresServer::shared().map(PostgresServer::create_database)
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

/// The folder of PostgreSQL's programs: that of the search path, or the newest where Debian puts them.
fn programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let version = |folder: &Path| {
        let name = folder.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.and_then(|name| name.parse::<u32>().ok()).unwrap_or(0)
    };
    let listed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = listed.map(|entry| entry.path().join("bin")).collect();
    debian.sort_by_key(|folder| std::cmp::Reverse(version(folder)));
    env::split_paths(&path)
        .chain(debian)
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// The user and group that run servers for the superuser, as whom they refuse to run.
fn other_user() -> Option<(u32, u32)> {
    if fs::metadata("/proc/self").map_or(1, |found| found.uid()) != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("the system lists its users");
    let of = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2).map_while(|field| field.parse().ok());
        Some((numbers.next()?, numbers.next()?))
    };
    of("postgres").or_else(|| of("nobody"))
}

fn as_server(programs: &Path, program: &str, folder: &Path) -> Command {
    let own = programs.join(program);
    let mut command = Command::new(if own.exists() { own } else { PathBuf::from(program) });
    let path = env::join_paths(
        [programs.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    command.current_dir(folder).env("PATH", path.expect("a search path")).env("LC_ALL", "C");
    if let Some((user, group)) = other_user() {
        command.uid(user).gid(group);
    }
    command
}

/// A network before a server, which can be cut: then connections stay, and nothing arrives until it is whole again.
#[derive(Debug)]
pub(crate) struct CutProxy {
    port: u16,
    is_cut: Arc<(Mutex<bool>, Condvar)>,
}

impl CutProxy {
    /// Starts a network that lasts as long as the process.
    pub(crate) fn start(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let is_cut = Arc::new((Mutex::new(false), Condvar::new()));
        let of_thread = Arc::clone(&is_cut);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(behind) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else { continue };
                let ends = [(&client, &behind), (&behind, &client)];
                for (from, to) in
                    ends.map(|(from, to)| (from.try_clone().expect("a copy"), to.try_clone().expect("a copy")))
                {
                    let is_cut = Arc::clone(&of_thread);
                    thread::spawn(move || hand_on(from, to, &is_cut));
                }
            }
        });
        Self { port, is_cut }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn cut(&self, is_cut: bool) {
        *self.is_cut.0.lock().expect("no thread panics") = is_cut;
        self.is_cut.1.notify_all();
    }
}

/// Copies until an end closes; what is read during a cut arrives after it.
fn hand_on(mut from: TcpStream, mut to: TcpStream, is_cut: &(Mutex<bool>, Condvar)) {
    let mut bytes = [0; 8192];
    loop {
        let read = from.read(&mut bytes).unwrap_or(0);
        drop(is_cut.1.wait_while(is_cut.0.lock().expect("no thread panics"), |is_cut| *is_cut));
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            drop(to.shutdown(std::net::Shutdown::Both));
            return;
        }
    }
}
