//! Route table of a listener: path, description and handler of each route.
//!
//! Like the real server, the listener ignores the case of paths and a trailing slash, and does not decode parameters.

use std::{fmt, sync::Arc};

use axum::http::Method;

use super::{
    cache::{CacheRule, ResponseCache},
    guard,
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, QueryString},
    schema::SchemaName,
};

/// Maximum bytes of a request body.
const BODY_BYTES: usize = 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterType {
    Text,
    /// Text that matches a regular expression.
    Pattern(&'static str),
    /// Integer with a minimum and an optional maximum.
    Integer(i64, Option<i64>),
    Boolean,
    Texts,
    Word(&'static [&'static str]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryParameter {
    pub(super) name: &'static str,
    pub(super) form: ParameterType,
    pub(super) description: &'static str,
    /// Default value as JSON.
    pub(super) default: Option<&'static str>,
    pub(super) is_required: bool,
}

impl QueryParameter {
    pub(crate) const fn new(name: &'static str, form: ParameterType, description: &'static str) -> Self {
        Self { name, form, description, default: None, is_required: false }
    }

    /// Sets the default, as JSON.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(crate) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Returns an error for an invalid number or boolean.
    fn check(&self, query: &QueryString) -> Result<(), HttpRefusal> {
        let (kind, is_one): (_, fn(&str) -> bool) = match self.form {
            ParameterType::Integer(..) => ("valid integer", |value| value.parse::<i64>().is_ok()),
            ParameterType::Boolean => ("boolean", |value| truth(value).is_some()),
            ParameterType::Text | ParameterType::Pattern(_) | ParameterType::Texts | ParameterType::Word(_) => {
                return Ok(());
            }
        };
        let wrong = query.all(self.name).find(|value| !is_one(value));
        wrong.map_or(Ok(()), |value| {
            let name = self.name;
            Err(HttpRefusal::Bad(format!("[INVALID_VALUE] invalid value for {name}: {value} (must be a {kind})")))
        })
    }
}

/// Parses a boolean in the formats that Go accepts.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteMethod {
    /// `GET`, and also `HEAD`.
    Get,
    Post,
    Put,
}

impl RouteMethod {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
        }
    }

    /// Returns the allowed methods, for the `Allow` header.
    fn allowed(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
        }
    }

    fn allows(self, method: &Method) -> bool {
        match self {
            Self::Get => matches!(*method, Method::GET | Method::HEAD),
            Self::Post => *method == Method::POST,
            Self::Put => *method == Method::PUT,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteAccess {
    /// Any client may call the route, which neither signs nor changes data.
    Open,
    /// Any local client may call the route, including web pages of other sites: the route signs nothing, and only
    /// records the request.
    Shared,
    /// Local clients may call the route, except for web pages of other sites (see [`guard::check`]).
    Guarded,
}

/// Handler of a route, which gets the API's state and the request.
type Handler<S> = fn(&S, &HttpRequest<'_>) -> Result<Reply, HttpRefusal>;

/// Route of an API over `S`.
pub(crate) struct RouteEntry<S: 'static> {
    description: RouteDescription,
    handler: Handler<S>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RouteDescription {
    pub(super) verb: RouteMethod,
    access: RouteAccess,
    /// Path; segments in braces are parameters.
    pub(crate) path: &'static str,
    pub(super) id: &'static str,
    /// Summary of the response, as one sentence.
    pub(super) summary: &'static str,
    pub(super) query: &'static [&'static [QueryParameter]],
    pub(super) body: Option<SchemaName>,
    pub(super) answer: SchemaName,
    /// Error statuses of the route, in addition to those that all routes have.
    pub(super) refusals: &'static [u16],
    /// Schema of the route's errors; `None` for a bare sentence.
    pub(super) refusal: Option<SchemaName>,
    /// Duration in seconds for which the real server caches a response.
    pub(super) kept_for: Option<u16>,
    /// Seconds for which a reader may reuse a response without asking; 0: it asks each time.
    pub(super) max_age: u16,
}

impl<S> RouteEntry<S> {
    const fn new(
        verb: RouteMethod,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        answer: SchemaName,
        handler: Handler<S>,
    ) -> Self {
        let access = if matches!(verb, RouteMethod::Get) { RouteAccess::Open } else { RouteAccess::Guarded };
        let description = RouteDescription {
            verb,
            access,
            path,
            id,
            summary,
            query: &[],
            body: None,
            answer,
            refusals: &[],
            refusal: None,
            kept_for: None,
            max_age: 0,
        };
        Self { description, handler }
    }

    pub(crate) const fn get(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        answer: SchemaName,
        handler: Handler<S>,
    ) -> Self {
        Self::new(RouteMethod::Get, path, id, summary, answer, handler)
    }

    /// Creates a `POST` that may sign or change data.
    pub(crate) const fn post(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        answer: SchemaName,
        handler: Handler<S>,
    ) -> Self {
        Self::new(RouteMethod::Post, path, id, summary, answer, handler)
    }

    /// Creates a `PUT` that changes data.
    pub(crate) const fn put(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        answer: SchemaName,
        handler: Handler<S>,
    ) -> Self {
        Self::new(RouteMethod::Put, path, id, summary, answer, handler)
    }

    /// Allows requests from other machines: the route only reads data.
    pub(crate) const fn asking_only(self) -> Self {
        Self { description: RouteDescription { access: RouteAccess::Open, ..self.description }, ..self }
    }

    /// Allows requests from every web page on this machine: the route signs nothing and only records the request.
    pub(crate) const fn shared(self) -> Self {
        Self { description: RouteDescription { access: RouteAccess::Shared, ..self.description }, ..self }
    }

    pub(crate) const fn with_query(self, query: &'static [&'static [QueryParameter]]) -> Self {
        Self { description: RouteDescription { query, ..self.description }, ..self }
    }

    pub(crate) const fn with_body(self, body: SchemaName) -> Self {
        Self { description: RouteDescription { body: Some(body), ..self.description }, ..self }
    }

    /// Adds errors with these statuses, whose bodies are sentences.
    pub(crate) const fn refusing(self, refusals: &'static [u16]) -> Self {
        Self { description: RouteDescription { refusals, ..self.description }, ..self }
    }

    /// Adds errors with these statuses, whose bodies have the given schema.
    pub(crate) const fn refusing_as(self, refusals: &'static [u16], form: SchemaName) -> Self {
        Self { description: RouteDescription { refusals, refusal: Some(form), ..self.description }, ..self }
    }

    /// Sets the seconds for which the real server caches a response.
    pub(crate) const fn kept_for(self, seconds: u16) -> Self {
        Self { description: RouteDescription { kept_for: Some(seconds), ..self.description }, ..self }
    }

    /// Sets the seconds for which a reader may reuse a response without asking.
    pub(crate) const fn with_max_age(self, seconds: u16) -> Self {
        Self { description: RouteDescription { max_age: seconds, ..self.description }, ..self }
    }

    /// Whether the route handles this path.
    pub(crate) fn fits(&self, path: &str) -> bool {
        parts_of(path).is_some_and(|parts| self.description.read(&parts).is_some())
    }
}

impl RouteDescription {
    pub(crate) fn method(&self) -> &'static str {
        self.verb.name()
    }

    /// Whether the route restricts its callers.
    pub(crate) fn is_guarded(&self) -> bool {
        self.access != RouteAccess::Open
    }

    /// Whether web pages of other sites may call the route.
    pub(crate) fn is_shared(&self) -> bool {
        self.access != RouteAccess::Guarded
    }

    fn admit(&self, request: &axum::extract::Request) -> Result<(), HttpRefusal> {
        match self.access {
            RouteAccess::Open => Ok(()),
            RouteAccess::Shared => guard::check_host(request.uri(), request.headers()),
            RouteAccess::Guarded => guard::check(request.uri(), request.headers()),
        }
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = &'static QueryParameter> + use<> {
        self.query.iter().copied().flatten()
    }

    /// Returns the segments of the path.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').skip(1)
    }

    /// Returns the values of the path's parameters; `None` for another path. A parameter is never empty and contains no
    /// slash.
    fn read<'a>(&self, parts: &[&'a str]) -> Option<Vec<&'a str>> {
        let mut values: Vec<&'a str> = Vec::new();
        let mut given = parts.iter();
        for expected in self.parts() {
            let part = given.next()?;
            if parameter_name(expected).is_none() {
                if !part.eq_ignore_ascii_case(expected) {
                    return None;
                }
            } else if part.is_empty() {
                return None;
            } else {
                values.push(part);
            }
        }
        if given.next().is_some() { None } else { Some(values) }
    }
}

pub(super) fn parameter_name(part: &str) -> Option<&str> {
    part.strip_prefix('{')?.strip_suffix('}')
}

/// Returns the segments of a path as received, without one trailing slash.
fn parts_of(path: &str) -> Option<Vec<&str>> {
    let path = path.strip_prefix('/')?;
    Some(path.strip_suffix('/').unwrap_or(path).split('/').collect())
}

type BoundHandler = Box<dyn Fn(&HttpRequest<'_>) -> Result<Reply, HttpRefusal> + Send + Sync>;

struct BoundRoute {
    description: RouteDescription,
    handler: BoundHandler,
    takes_any_method: bool,
}

#[derive(Default)]
pub(crate) struct Routes {
    bound: Vec<BoundRoute>,
    /// Cache of responses, as on the real server; `None` for no cache.
    cache: Option<ResponseCache>,
    /// Whether queries are parsed as leniently as on the real server.
    quirks: bool,
}

impl fmt::Debug for Routes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.descriptions()).finish()
    }
}

impl Routes {
    /// Adds routes over `state` after the existing routes.
    pub(crate) fn with<S: Send + Sync>(mut self, state: &Arc<S>, entries: &'static [RouteEntry<S>]) -> Self {
        for RouteEntry { description, handler } in entries {
            let state = Arc::clone(state);
            self.bound.push(BoundRoute {
                description: *description,
                handler: Box::new(move |request| handler(&state, request)),
                takes_any_method: false,
            });
        }
        self
    }

    /// Adds routes that return this error for any method.
    pub(super) fn without<S>(mut self, entries: &'static [RouteEntry<S>], refusal: fn() -> HttpRefusal) -> Self {
        self.bound.extend(entries.iter().map(|entry| BoundRoute {
            description: entry.description,
            handler: Box::new(move |_| Err(refusal())),
            takes_any_method: true,
        }));
        self
    }

    /// Sets whether to imitate the real server's lenient parsing of queries.
    pub(super) fn in_mode(self, quirks: bool) -> Self {
        Self { quirks, ..self }
    }

    /// Sets the cache, which keeps responses for each route's time.
    pub(crate) fn kept_in(mut self, cache: ResponseCache) -> Self {
        self.cache = Some(cache);
        self
    }

    pub(crate) fn descriptions(&self) -> impl Iterator<Item = RouteDescription> {
        self.bound.iter().filter(|route| !route.takes_any_method).map(|route| route.description)
    }

    /// Returns the first route for a path; `None` for an unknown path.
    fn find<'a>(&self, path: &'a str) -> Option<(&BoundRoute, Vec<&'a str>)> {
        let parts = parts_of(path)?;
        self.bound.iter().find_map(|route| Some((route, route.description.read(&parts)?)))
    }

    /// Returns the methods that web pages of other sites may use on a path; `None` for a closed or unknown path.
    pub(crate) fn shared_methods(&self, path: &str) -> Option<&'static str> {
        let (route, _) = self.find(path)?;
        route.description.is_shared().then(|| route.description.verb.allowed())
    }

    /// Returns the route's path from the table, or a common name for all unknown paths.
    pub(crate) fn name_of(&self, path: &str) -> &'static str {
        self.description_of(path).map_or("other", |description| description.path)
    }

    /// Returns the description of the route for a path; `None` for an unknown path.
    pub(super) fn description_of(&self, path: &str) -> Option<RouteDescription> {
        self.find(path).map(|(route, _)| route.description)
    }

    /// Handles a request; the handler runs on a blocking thread.
    pub(crate) async fn answer(self: &Arc<Self>, request: axum::extract::Request) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let query = request.uri().query().unwrap_or_default().to_owned();
        let route = self.find(&path).map(|(route, _)| route).filter(|route| route.answers(&method));
        if let Some(Err(refusal)) = route.map(|route| route.description.admit(&request)) {
            return refusal.into();
        }
        let kept_for = route.and_then(|route| route.description.kept_for);
        let cache = self.cache.as_ref().zip(kept_for);
        let rule = CacheRule::of(request.headers());
        let lookup = cache.filter(|_| rule != CacheRule::Bypass).map(|(cache, seconds)| {
            let key = format!("{method} {}", request.uri());
            (cache, cache.begin(key, seconds))
        });
        if let Some((cache, entry)) = &lookup
            && rule == CacheRule::Use
            && let Some(kept) = cache.find(entry)
        {
            return kept;
        }
        let body = if route.is_some_and(|route| route.description.verb != RouteMethod::Get) {
            axum::body::to_bytes(request.into_body(), BODY_BYTES).await.ok().map(Into::into)
        } else {
            Some(Vec::new())
        };
        let routes = Arc::clone(self);
        let answer = move || routes.read(&method, &path, &query, body);
        let answer = tokio::task::spawn_blocking(answer).await.unwrap_or(Err(HttpRefusal::Internal));
        match (answer, lookup) {
            (Ok(reply), Some((cache, entry))) => cache.keep(entry, reply),
            (answer, _) => answer.unwrap_or_else(|refusal| refusal.in_mode(self.quirks)),
        }
    }

    fn read(&self, method: &Method, path: &str, query: &str, body: Option<Vec<u8>>) -> Result<Reply, HttpRefusal> {
        let Some((route, parameters)) = self.find(path) else {
            return Err(HttpRefusal::NotFound(format!("Cannot {method} {}", super::reply::escape_html(path))));
        };
        if !route.answers(method) {
            return Err(HttpRefusal::Method(route.description.verb.allowed()));
        }
        let query = QueryString::parse(query);
        if !self.quirks {
            route.description.parameters().try_for_each(|parameter| parameter.check(&query))?;
        }
        (route.handler)(&HttpRequest { parameters, query, body })
    }
}

impl BoundRoute {
    fn answers(&self, method: &Method) -> bool {
        self.takes_any_method || self.description.verb.allows(method)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::table::*, *};

    fn routes() -> Routes {
        let unbound = |entry: &RouteEntry<_>| BoundRoute {
            description: entry.description,
            handler: Box::new(|_| Err(HttpRefusal::Internal)),
            takes_any_method: false,
        };
        Routes { bound: ROUTES.iter().chain(EVM_ROUTES).map(unbound).collect(), cache: None, quirks: false }
    }

    #[test]
    fn paths_are_read_as_the_real_server_reads_them() {
        let routes = routes();
        for (path, expected) in [
            ("/status", Some(("/status", &[] as &[&str]))),
            ("/STATUS/", Some(("/status", &[]))),
            ("/status//", None),
            ("/", None),
            ("/indexer/block/v1/blocks", Some(("/indexer/block/v1/blocks", &[]))),
            ("/indexer/block/v1/blocks/", Some(("/indexer/block/v1/blocks", &[]))),
            ("/indexer/block/v1/blocks//", None),
            ("/INDEXER/Block/v1/blocks/5/", Some(("/indexer/block/v1/blocks/{height}", &["5"]))),
            ("/indexer/block/v1/blocks/5/6", None),
            ("/indexer/tx/v1/txs/by_account", Some(("/indexer/tx/v1/txs/{tx_hash}", &["by_account"]))),
            ("/indexer/tx/v1/txs/by_height/", Some(("/indexer/tx/v1/txs/{tx_hash}", &["by_height"]))),
            ("/indexer/tx/v1/txs/by_account/0x1", Some(("/indexer/tx/v1/txs/by_account/{account}", &["0x1"]))),
            ("/indexer/tx/v1/txs/BY_HEIGHT/7", Some(("/indexer/tx/v1/txs/by_height/{height}", &["7"]))),
            ("/indexer/tx/v1/txs/a%2Fb", Some(("/indexer/tx/v1/txs/{tx_hash}", &["a%2Fb"]))),
            ("/indexer/tx/v1", None),
            ("/indexer/tx/v1/evm-txs", Some(("/indexer/tx/v1/evm-txs", &[]))),
            ("/indexer/tx/v1/EVM-Txs/0xab", Some(("/indexer/tx/v1/evm-txs/{tx_hash}", &["0xab"]))),
            ("/indexer/tx/v1/evm-txs/by_account", Some(("/indexer/tx/v1/evm-txs/{tx_hash}", &["by_account"]))),
            ("/indexer/tx/v1/evm-txs/By_Account/0x1", Some(("/indexer/tx/v1/evm-txs/by_account/{account}", &["0x1"]))),
            ("/indexer/tx/v1/evm-internal-txs/0xab", Some(("/indexer/tx/v1/evm-internal-txs/{tx_hash}", &["0xab"]))),
            (
                "/indexer/tx/v1/evm-internal-txs/by_height/7",
                Some(("/indexer/tx/v1/evm-internal-txs/by_height/{height}", &["7"])),
            ),
            ("/indexer/tx/v1/evm-txs/by_name/x", None),
            (
                "/indexer/nft/v1/collections/by_name",
                Some(("/indexer/nft/v1/collections/{collection_addr}", &["by_name"])),
            ),
            ("/indexer/nft/v1/collections/By_Name/x", Some(("/indexer/nft/v1/collections/by_name/{name}", &["x"]))),
            ("/indexer/nft/v1/tokens", None),
            ("/indexer/nft/v1/txs/0x1", None),
            ("/indexer/nft/v1/txs/0x1/7", Some(("/indexer/nft/v1/txs/{collection_addr}/{token_id}", &["0x1", "7"]))),
            ("/indexer/richlist/v1/ibc%2FAB", Some(("/indexer/richlist/v1/{denom}", &["ibc%2FAB"]))),
            ("/indexer/richlist/v1/ibc/AB", None),
        ] {
            let found = routes.find(path).map(|(route, values)| (route.description.path, values));
            assert_eq!(found, expected.map(|(path, values)| (path, values.to_vec())), "{path}");
        }
    }

    #[test]
    fn no_route_hides_another() {
        let routes = routes();
        for description in routes.descriptions() {
            let path = description.path.replace(['{', '}'], "");
            assert_eq!(routes.find(&path).map(|(route, _)| route.description.path), Some(description.path), "{path}");
        }
    }
}
