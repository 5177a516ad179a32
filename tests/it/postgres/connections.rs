//! Connections: logins, TLS in each mode, and what is said when they fail.

use rollscope::indexer::index::{PostgresError, PostgresUrl};

use crate::harness::postgres::{PostgresServer, create_database, free_port};

/// Connects, and returns whether the connection is encrypted.
async fn connect(url: &str) -> Result<bool, PostgresError> {
    let client = url.parse::<PostgresUrl>()?.connect("rollscope test").await?;
    let row = client.query_one("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", &[]).await?;
    Ok(row.get(0))
}

#[tokio::test]
async fn a_connection_is_made_over_tcp_and_over_a_socket_and_says_what_it_is() {
    let (Some(server), Some(url)) = (PostgresServer::shared(), create_database()) else { return };
    let client = url.parse::<PostgresUrl>().expect("a URL").connect("rollscope test").await.expect("it connects");
    let row = client.query_one("SELECT current_setting('application_name')", &[]).await.expect("it answers");
    assert_eq!(row.get::<_, String>(0), "rollscope test");

    let socket = format!(
        "postgres:///postgres?host={}&port={}&user=postgres&sslmode=verify-full",
        server.folder().display(),
        server.port()
    );
    assert!(!connect(&socket).await.expect("a socket needs no certificates"));
    // The first host of which one answers.
    let two = format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/postgres", free_port(), server.port());
    connect(&two).await.expect("the second host answers");
    let reading = connect(&format!("{url}&target_session_attrs=read-only")).await.expect_err("a primary").to_string();
    assert!(reading.contains("database is not read only"), "{reading}");
}

#[tokio::test]
async fn an_error_says_what_failed_and_what_to_do() {
    let Some(server) = PostgresServer::shared() else { return };
    let at = |user: &str, database: &str| format!("postgres://{user}@127.0.0.1:{}/{database}", server.port());
    for (url, expected) in [
        (format!("postgres://127.0.0.1:{}/postgres", free_port()), "Connection refused"),
        (at("postgres", "nothing"), "create the database first"),
        (at("nobody_known", "postgres"), "check the user in the URL"),
        (at("locked", "postgres"), "set PGPASSWORD, or PGPASSFILE"),
    ] {
        let error = connect(&url).await.expect_err(&url);
        let text = error.to_string();
        assert!(text.starts_with("cannot connect to the database at 127.0.0.1:") && text.contains(expected), "{text}");
        assert_eq!(error.is_connection_lost(), expected == "Connection refused", "{text}");
    }
}

#[tokio::test]
async fn a_backend_that_ends_is_a_lost_connection() {
    let Some(url) = create_database() else { return };
    let url: PostgresUrl = url.parse().expect("a URL");
    let (client, other) =
        (url.connect("one").await.expect("it connects"), url.connect("two").await.expect("it connects"));
    let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.expect("it answers").get(0);
    let slept = client.query_one("SELECT pg_sleep(60)", &[]);
    let ended = async {
        other.query_one("SELECT pg_terminate_backend($1, 60000)", &[&pid]).await.expect("it may").get::<_, bool>(0)
    };
    let (slept, ended) = tokio::join!(slept, ended);
    let error = PostgresError::from(slept.expect_err("its backend ended"));
    assert!(ended && error.is_connection_lost(), "{error}");
    let error = PostgresError::from(client.query_one("SELECT 1", &[]).await.expect_err("it is closed"));
    assert!(error.is_connection_lost() && error.sql_state().is_none(), "{error}");
}

#[tokio::test]
async fn tls_has_the_modes_of_libpq() {
    let Some(server) = PostgresServer::shared().filter(|server| server.has_tls()) else { return };
    let file = |name: &str| server.folder().join(name).display().to_string();
    let at =
        |host: &str, parameters: &str| format!("postgres://postgres@{host}:{}/postgres?{parameters}", server.port());
    let by_authority = |mode: &str| format!("sslmode={mode}&sslrootcert={}", file("authority.crt"));
    let by_other = |mode: &str| format!("sslmode={mode}&sslrootcert={}", file("alone.crt"));
    assert!(!connect(&at("localhost", "sslmode=disable")).await.expect("it connects"));
    for parameters in ["sslmode=prefer", "sslmode=require", &by_authority("require"), &by_authority("verify-ca")] {
        // The certificate names only localhost.
        assert!(connect(&at("127.0.0.1", parameters)).await.expect(parameters), "{parameters}");
    }
    assert!(connect(&at("localhost", &by_authority("verify-full"))).await.expect("it is named"));
    for (host, parameters, expected) in [
        ("127.0.0.1", by_authority("verify-full"), "not valid for name"),
        ("localhost", by_other("verify-full"), "UnknownIssuer"),
        ("localhost", by_other("verify-ca"), "UnknownIssuer"),
        ("localhost", by_other("require"), "UnknownIssuer"),
        ("localhost", "sslmode=verify-full&sslrootcert=system".to_owned(), "UnknownIssuer"),
        ("localhost", format!("sslmode=verify-ca&sslrootcert={}", file("nothing.crt")), "nothing.crt"),
    ] {
        let error = connect(&at(host, &parameters)).await.expect_err(&parameters).to_string();
        assert!(error.contains(expected), "{parameters}: {error}");
    }
    // A self-signed certificate, as the documentation of PostgreSQL makes it. No other test uses TLS.
    for (setting, name) in [("ssl_cert_file", "alone.crt"), ("ssl_key_file", "alone.key")] {
        server.execute(&format!("ALTER SYSTEM SET {setting} = '{}'", file(name)));
    }
    server.run("pg_ctl", &["reload", "-D", "data"]);
    super::wait_for("the server's own certificate", async || {
        connect(&at("localhost", &by_other("verify-full"))).await.is_ok()
    })
    .await;
    assert!(connect(&at("127.0.0.1", &by_other("verify-ca"))).await.expect("it is trusted"));
    connect(&at("127.0.0.1", &by_other("verify-full"))).await.expect_err("it names another host");
    connect(&at("localhost", &by_authority("verify-ca"))).await.expect_err("it is of no authority");
}
