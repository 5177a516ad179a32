//! Password of a user of PostgreSQL: from PGPASSWORD, or from the password file, as libpq reads it.

use std::{
    env,
    ffi::OsString,
    fs, io,
    os::unix::{ffi::OsStringExt as _, fs::PermissionsExt as _},
    path::{Path, PathBuf},
};

use super::error::PostgresError;

/// What the lines of a password file select by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Login<'a> {
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
}

/// Returns the password of a login; `None` if neither the environment nor the password file has one.
pub(super) fn find(
    login: Login<'_>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Option<Vec<u8>>, PostgresError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(password) = set("PGPASSWORD") {
        return Ok(Some(password.into_vec()));
    }
    let (file, is_named) = match set("PGPASSFILE") {
        Some(file) => (PathBuf::from(file), true),
        None => match env::home_dir() {
            Some(home) => (home.join(".pgpass"), false),
            None => return Ok(None),
        },
    };
    match read(&file) {
        Err(PostgresError::File(_, error)) if error.kind() == io::ErrorKind::NotFound && !is_named => Ok(None),
        read => Ok(select(&read?, login).map(String::into_bytes)),
    }
}

fn read(file: &Path) -> Result<String, PostgresError> {
    let failed = |error| PostgresError::File(file.to_owned(), error);
    let found = fs::metadata(file).map_err(failed)?;
    if found.is_file() && found.permissions().mode() & 0o077 != 0 {
        return Err(PostgresError::ReadableByOthers(file.to_owned()));
    }
    fs::read_to_string(file).map_err(failed)
}

/// Returns the password of the first line that matches.
fn select(text: &str, login: Login<'_>) -> Option<String> {
    let port = login.port.to_string();
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let [host, named_port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
        let is_match = |field: &str, value: &str| field == "*" || field == value;
        // A socket's folder goes by the name localhost too.
        let is_host = is_match(&host, login.host) || login.host.starts_with('/') && host == "localhost";
        let is_ours = is_host
            && is_match(&named_port, &port)
            && is_match(&database, login.database)
            && is_match(&user, login.user);
        (is_ours && !password.is_empty()).then_some(password)
    })
}

/// Splits a line at its first four colons without a backslash before them.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ':' if fields.len() < 5 => fields.push(String::new()),
            _ => {
                let plain = if character == '\\' { characters.next().unwrap_or('\\') } else { character };
                fields.last_mut().into_iter().for_each(|field| field.push(plain));
            }
        }
    }
    fields
}

/// Returns the name under which the system knows the user of this process; `None` if unknown.
pub(super) fn system_user() -> Option<String> {
    let own = rustix::process::geteuid().as_raw().to_string();
    let listed = fs::read_to_string("/etc/passwd").ok().and_then(|text| {
        let user = text.lines().find(|line| line.split(':').nth(2) == Some(own.as_str()))?;
        user.split(':').next().map(str::to_owned)
    });
    listed.or_else(|| env::var("USER").ok()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGIN: Login<'_> = Login { host: "db.example", port: 5432, database: "rollups", user: "alice" };

    #[test]
    fn the_first_line_that_matches_has_the_password() {
        for (text, expected) in [
            ("db.example:5432:rollups:alice:secret", Some("secret")),
            ("*:*:*:*:any", Some("any")),
            (
                "# *:*:*:*:comment\n*:5433:*:*:port\n*:*:other:*:database\n*:*:*:bob:user\n*:*:*:alice:own\n*:*:*:*:last",
                Some("own"),
            ),
            (r"*:*:*:alice:co\:lon and back\\slash:rest", Some(r"co:lon and back\slash:rest")),
            (r"db.example:5432:roll\ups:alice:secret", Some("secret")),
            ("*:*:*:alice", None),
            ("localhost:*:*:*:secret", None),
            ("", None),
        ] {
            assert_eq!(select(text, LOGIN).as_deref(), expected, "{text}");
        }
        let socket = Login { host: "/run/postgresql", ..LOGIN };
        assert_eq!(select("localhost:*:*:*:secret", socket).as_deref(), Some("secret"));
        assert_eq!(select("/run/postgresql:*:*:*:secret", socket).as_deref(), Some("secret"));
    }

    #[test]
    fn the_environment_comes_first_and_a_file_that_others_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("passwords");
        let of = |name: &str| (name == "PGPASSFILE").then(|| file.clone().into_os_string());
        let missing = find(LOGIN, of).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read ") && missing.contains("passwords"), "{missing}");
        fs::write(&file, "*:*:*:*:of the file\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = find(LOGIN, of).unwrap_err().to_string();
        assert!(refused.contains("chmod 600") && !refused.contains("of the file"), "{refused}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(find(LOGIN, of).unwrap().as_deref(), Some(b"of the file".as_slice()));
        let both = |name: &str| if name == "PGPASSWORD" { Some("of the environment".into()) } else { of(name) };
        assert_eq!(find(LOGIN, both).unwrap().as_deref(), Some(b"of the environment".as_slice()));
    }
}
