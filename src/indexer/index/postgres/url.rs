//! Address of an index in PostgreSQL, and connections to it.

use std::{env, fmt, path::PathBuf, str::FromStr, time::Duration};

use tokio_postgres::{
    Client, Config, NoTls,
    config::{SslMode, TargetSessionAttrs},
    error::SqlState,
};

use super::{
    error::PostgresError,
    password::{self, Login},
    tls::{self, RootCertificates, TlsMode},
};

/// Parameters that a URL may have.
pub(super) const PARAMETERS: [&str; 8] =
    ["connect_timeout", "host", "port", "schema", "sslmode", "sslrootcert", "target_session_attrs", "user"];

/// Time within which a connection whose network was cut is given up.
const SILENCE: Duration = Duration::from_secs(3);

/// Maximum bytes of a name in PostgreSQL.
const LONGEST_NAME: usize = 63;

/// Default time limit of a connection, its TLS and its login.
const PATIENCE: Duration = Duration::from_secs(10);

const DEFAULT_PORT: u16 = 5432;

/// Address of a database of PostgreSQL: `postgres://[USER@]HOST[:PORT][,HOST[:PORT]]/DATABASE[?NAME=VALUE&…]`.
///
/// It never holds a password, so that it can be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    text: String,
    /// Hosts in the order in which they are tried; one that starts with `/` is the folder of a socket.
    hosts: Vec<(String, u16)>,
    /// `None` for PGUSER, or the system's user.
    user: Option<String>,
    database: String,
    schema: Option<String>,
    tls_mode: TlsMode,
    roots: Option<RootCertificates>,
    /// `None` without a limit.
    connect_timeout: Option<Duration>,
    session: TargetSessionAttrs,
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PostgresUrl {
    type Err = PostgresError;

    /// Parses a URL. No error shows its text, which may hold a password.
    fn from_str(text: &str) -> Result<Self, PostgresError> {
        let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
        let rest = rest.ok_or(PostgresError::Url("has another scheme"))?;
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = place.split_once('/').unwrap_or((place, ""));
        let (user, hosts) = authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
        if user.is_some_and(|user| user.contains(':')) {
            return Err(PostgresError::Password);
        }
        let mut url = Self {
            text: text.to_owned(),
            hosts: parse_hosts(hosts)?,
            user: user.filter(|user| !user.is_empty()).map(decode).transpose()?,
            database: decode(database)?,
            schema: None,
            tls_mode: TlsMode::Prefer,
            roots: None,
            connect_timeout: Some(PATIENCE),
            session: TargetSessionAttrs::Any,
        };
        let mut port = None;
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            url.set(name, decode(value)?, &mut port)?;
        }
        if let Some(port) = port {
            url.hosts.iter_mut().for_each(|(_, of_host)| *of_host = port);
        }
        url.checked()
    }
}

impl PostgresUrl {
    fn set(&mut self, name: &str, value: String, port: &mut Option<u16>) -> Result<(), PostgresError> {
        let wrong = |name, expected| PostgresError::Value { name, expected };
        match name {
            "connect_timeout" => {
                let seconds: u64 = value.parse().map_err(|_| wrong("connect_timeout", "seconds, or 0 for no limit"))?;
                self.connect_timeout = (seconds > 0).then(|| Duration::from_secs(seconds));
            }
            "host" => self.hosts = value.split(',').map(|host| (host.to_owned(), DEFAULT_PORT)).collect(),
            "port" => *port = Some(parse_port(&value)?),
            // PostgreSQL would cut a longer name, so that two would be one; other tables are in `public`.
            "schema" if value.len() > LONGEST_NAME || value == "public" || value.starts_with("pg_") => {
                return Err(wrong("schema", "a name of its own, with at most 63 bytes"));
            }
            "schema" => self.schema = Some(value).filter(|schema| !schema.is_empty()),
            "sslmode" => {
                let expected = "disable, prefer, require, verify-ca or verify-full";
                self.tls_mode = value.parse().map_err(|_| wrong("sslmode", expected))?;
            }
            "sslrootcert" if value == "system" => self.roots = Some(RootCertificates::System),
            "sslrootcert" => self.roots = Some(RootCertificates::File(PathBuf::from(value))),
            "target_session_attrs" => {
                self.session = match value.as_str() {
                    "any" => TargetSessionAttrs::Any,
                    "read-write" => TargetSessionAttrs::ReadWrite,
                    "read-only" => TargetSessionAttrs::ReadOnly,
                    _ => return Err(wrong("target_session_attrs", "any, read-write or read-only")),
                };
            }
            "user" => self.user = Some(value).filter(|user| !user.is_empty()),
            "password" => return Err(PostgresError::Password),
            _ => {
                // What is no name may be a part of a password.
                let is_name = name.chars().all(|character| character.is_ascii_lowercase() || character == '_');
                return Err(PostgresError::Parameter(if is_name { format!(" {name}") } else { String::new() }));
            }
        }
        Ok(())
    }

    fn checked(self) -> Result<Self, PostgresError> {
        if self.database.is_empty() {
            return Err(PostgresError::Url("names no database"));
        }
        if self.hosts.iter().any(|(host, _)| host.is_empty()) {
            return Err(PostgresError::Url("names no host"));
        }
        if self.roots == Some(RootCertificates::System) && self.tls_mode < TlsMode::VerifyFull {
            // Any site has a certificate of one of the system's authorities.
            return Err(PostgresError::Value { name: "sslmode", expected: "verify-full with sslrootcert=system" });
        }
        Ok(self)
    }

    /// Returns the schema that the URL names.
    pub fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Returns the URL for a writer, which a replica does not fit.
    #[must_use]
    pub fn for_writing(&self) -> Self {
        Self { session: TargetSessionAttrs::ReadWrite, ..self.clone() }
    }

    /// Returns the schema that the URL names, else that of the only rollup in the database.
    pub async fn find_schema(&self) -> Result<String, PostgresError> {
        if let Some(schema) = self.schema() {
            return Ok(schema.to_owned());
        }
        let client = self.connect("rollscope reader").await?;
        // A schema that was put aside has a date after a point.
        let sql =
            r"SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'rs\_%' AND nspname NOT LIKE '%.%' ORDER BY 1";
        let mut names =
            client.query(sql, &[]).await?.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>()?;
        match names.len() {
            1 => Ok(names.swap_remove(0)),
            0 => Err(PostgresError::NoSchema),
            _ => Err(PostgresError::Schemas(names)),
        }
    }

    /// Connects to the first host that answers and fits. The connection lives on the current runtime of tokio, until
    /// the client is dropped.
    pub async fn connect(&self, application: &str) -> Result<Client, PostgresError> {
        let mut failed = None;
        for (host, port) in &self.hosts {
            match self.connect_to(host, *port, application).await {
                Ok(client) => return Ok(client),
                Err(error) => failed = Some(error),
            }
        }
        Err(failed.unwrap_or(PostgresError::Url("names no host")))
    }

    async fn connect_to(&self, host: &str, port: u16, application: &str) -> Result<Client, PostgresError> {
        let config = self.config(host, port, application)?;
        // A socket needs no TLS.
        let mode = if host.starts_with('/') { TlsMode::Disable } else { self.tls_mode };
        let failed = |cause| PostgresError::Connect { host: format!("{host}:{port}"), cause };
        let connection = async {
            match connect_once(&config, mode, self.roots.as_ref()).await? {
                // As libpq, which tries without TLS what failed with it.
                Err(error) if mode == TlsMode::Prefer && is_tls_refused(&error) => {
                    connect_once(&config, TlsMode::Disable, None).await?.map_err(failed)
                }
                connected => connected.map_err(failed),
            }
        };
        match self.connect_timeout {
            None => connection.await,
            Some(limit) => tokio::time::timeout(limit, connection)
                .await
                .unwrap_or_else(|_| Err(PostgresError::Timeout { host: format!("{host}:{port}"), limit })),
        }
    }

    fn config(&self, host: &str, port: u16, application: &str) -> Result<Config, PostgresError> {
        let user = match &self.user {
            Some(user) => user.clone(),
            None => env::var("PGUSER")
                .ok()
                .filter(|user| !user.is_empty())
                .or_else(password::system_user)
                .ok_or(PostgresError::NoUser)?,
        };
        let login = Login { host, port, database: &self.database, user: &user };
        let mut config = Config::new();
        if let Some(password) = password::find(login, |name| env::var_os(name))? {
            config.password(password);
        }
        config
            .host(host)
            .port(port)
            .user(user)
            .dbname(&self.database)
            .application_name(application)
            .target_session_attrs(self.session)
            .tcp_user_timeout(SILENCE)
            .keepalives_idle(SILENCE / 3)
            .keepalives_interval(SILENCE / 3)
            .keepalives_retries(2);
        Ok(config)
    }
}

/// Connects in one mode, and lets the connection run.
async fn connect_once(
    config: &Config,
    mode: TlsMode,
    roots: Option<&RootCertificates>,
) -> Result<Result<Client, tokio_postgres::Error>, PostgresError> {
    let mut config = config.clone();
    if mode == TlsMode::Disable {
        config.ssl_mode(SslMode::Disable);
        return Ok(config.connect(NoTls).await.map(|(client, connection)| drive(client, connection)));
    }
    config.ssl_mode(if mode == TlsMode::Prefer { SslMode::Prefer } else { SslMode::Require });
    let connector = tls::connector(mode, roots)?;
    Ok(config.connect(connector).await.map(|(client, connection)| drive(client, connection)))
}

fn drive<C>(client: Client, connection: C) -> Client
where
    C: Future<Output = Result<(), tokio_postgres::Error>> + Send + 'static,
{
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            // The client's next request fails with it.
            tracing::debug!(%error, "a connection to the database ended");
        }
    });
    client
}

fn is_tls_refused(error: &tokio_postgres::Error) -> bool {
    error.to_string() == "error performing TLS handshake"
        || error.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION)
}

fn parse_hosts(text: &str) -> Result<Vec<(String, u16)>, PostgresError> {
    text.split(',')
        .map(|host| {
            // An address of IPv6 stands in brackets because of its colons.
            let (name, rest) = match host.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
                Some((name, rest)) => (name, rest),
                None => host.split_at(host.find(':').unwrap_or(host.len())),
            };
            let port = match rest.strip_prefix(':') {
                Some("") | None if rest.is_empty() || rest == ":" => DEFAULT_PORT,
                Some(port) => parse_port(port)?,
                None => return Err(PostgresError::Url("has a wrong host")),
            };
            Ok((decode(name)?, port))
        })
        .collect()
}

fn parse_port(text: &str) -> Result<u16, PostgresError> {
    let port = text.parse().ok().filter(|port| *port > 0);
    port.ok_or(PostgresError::Url("has a port that is no number from 1 to 65535"))
}

/// Decodes `%` with two hexadecimal digits.
fn decode(text: &str) -> Result<String, PostgresError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, after)) = rest.split_once('%') {
        bytes.extend(plain.as_bytes());
        let digits = after.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| *byte != 0);
        bytes.push(value.ok_or(PostgresError::Url("has a % without two hexadecimal digits"))?);
        rest = after.get(2..).unwrap_or_default();
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8(bytes).map_err(|_| PostgresError::Url("is no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> PostgresUrl {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_url_names_hosts_a_user_and_a_database() {
        for (text, hosts, user, database) in [
            ("postgres://db/rollups", vec![("db", 5432)], None, "rollups"),
            ("postgresql://alice@db:6000/rollups", vec![("db", 6000)], Some("alice"), "rollups"),
            ("postgres://a%40b@10.0.0.1:/r%20s", vec![("10.0.0.1", 5432)], Some("a@b"), "r s"),
            ("postgres://[::1]:6000,db/r", vec![("::1", 6000), ("db", 5432)], None, "r"),
            ("postgres:///r?host=/run/postgresql&port=6000", vec![("/run/postgresql", 6000)], None, "r"),
            ("postgres://%2Frun%2Fpostgresql:6000/r?user=bob", vec![("/run/postgresql", 6000)], Some("bob"), "r"),
        ] {
            let url = parse(text);
            let hosts: Vec<_> = hosts.into_iter().map(|(host, port)| (host.to_owned(), port)).collect();
            assert_eq!(
                (url.hosts.clone(), url.user.as_deref(), url.database.as_str()),
                (hosts, user, database),
                "{text}"
            );
            assert_eq!((url.to_string(), format!("{url:?}")), (text.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn parameters_are_those_of_libpq() {
        let plain = parse("postgres://db/r");
        assert_eq!((plain.tls_mode, plain.connect_timeout, plain.schema()), (TlsMode::Prefer, Some(PATIENCE), None));
        let url =
            parse("postgres://db/r?sslmode=verify-full&sslrootcert=/etc/a%26b.crt&schema=rs_one&connect_timeout=0");
        assert_eq!((url.tls_mode, url.connect_timeout, url.schema()), (TlsMode::VerifyFull, None, Some("rs_one")));
        assert_eq!(url.roots, Some(RootCertificates::File(PathBuf::from("/etc/a&b.crt"))));
        let url = parse("postgres://db/r?sslmode=verify-full&sslrootcert=system&target_session_attrs=read-only");
        assert_eq!((url.roots, url.session), (Some(RootCertificates::System), TargetSessionAttrs::ReadOnly));
    }

    #[test]
    fn what_is_wrong_is_named_and_a_password_is_never_shown() {
        for (text, expected) in [
            ("postgres://alice:hunter2@db/r", "PGPASSFILE"),
            ("postgres://alice:hunter2@db:x/r?y", "PGPASSWORD"),
            ("postgres://alice:hunter2/3@db/r", "port"),
            ("postgres://alice:1?hunter2@db/r", "unknown parameter; known are connect_timeout, host"),
            ("postgres://db/r?password=hunter2", "PGPASSWORD"),
            ("postgres://db/r?passfile=hunter2", "unknown parameter passfile; known are connect_timeout, host"),
            ("postgres://db", "names no database"),
            ("postgres:///r", "names no host"),
            ("postgres://db:0/r", "port"),
            ("postgres://[::1]x/r", "wrong host"),
            ("postgres://db/%zz", "hexadecimal"),
            ("postgres://db/r?sslmode=allow", "disable, prefer, require, verify-ca or verify-full"),
            ("postgres://db/r?sslmode=require&sslrootcert=system", "verify-full"),
            ("postgres://db/r?target_session_attrs=standby", "read-only"),
            ("postgres://db/r?connect_timeout=soon", "seconds"),
            ("mysql://alice:hunter2@db/r", "another scheme"),
        ] {
            let error = text.parse::<PostgresUrl>().expect_err(text).to_string();
            assert!(error.contains(expected) && !error.contains("hunter2"), "{text}: {error}");
        }
    }
}
