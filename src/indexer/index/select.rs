use std::fmt::Write as _;

use crate::indexer::index::dialect::{Connection, OptionalRow as _};

use super::{
    Bounds, IndexError,
    codec::{self, Codec},
    integer,
    members::AccountRules,
    nft::{self, NftKey},
    packets::{self, PacketHash},
    page::{self, KeyRange, Neighbours, PageRange},
    query, undecoded,
};
use crate::domain::{Address, Height, MsgType};

/// Maximum rows to count; for more rows the total is -1, as on the real server when counting times out.
const COUNTED_ROWS: i64 = 2_000_000;

/// Bytes that a response adds to the bodies of a page.
const ENVELOPE: usize = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TxSelection {
    #[default]
    Chain,
    Account(Address, AccountRules),
    /// Transactions whose first signer is this account.
    Signer(Address),
    Height(Height),
    Nft(NftKey),
    Packet(PacketHash),
}

/// Page of transactions as JSON.
#[derive(Clone, Debug)]
pub struct FoundTxs {
    /// JSON objects in list order, joined by commas, in a buffer with room for what a response adds.
    pub json: Vec<u8>,
    pub rows: usize,
    pub neighbours: Neighbours,
    /// Number of matches; `None` if not requested, -1 if there are too many to count.
    pub total: Option<i64>,
    /// Range of stored blocks at the time of the read.
    pub bounds: Option<Bounds>,
    /// Lowest block read while older blocks are missing; else `None`.
    pub oldest: Option<Height>,
    /// Whether the index has no results of some of the blocks that the list is of.
    pub is_partial: bool,
    /// Offset of sequence numbers; see [`super::Index::offset`].
    pub offset: Option<u64>,
}

#[derive(Clone, Debug)]
enum TxSequences {
    Nothing,
    Run { first: i64, last: i64 },
    Edge { driver: TxEdge, filters: Vec<TxEdge>, total: Option<i64>, within: (i64, i64) },
}

/// Property that puts a transaction into a list; the tables store it as an edge.
#[derive(Clone, Debug)]
enum TxEdge {
    Account(i64, AccountRules),
    Signer(i64),
    Messages(Vec<i64>),
    Nft(i64),
    Packet(i64),
}

/// Reads a page. `message_types` keeps transactions with a message of one of the types; empty keeps all.
pub(super) fn txs(
    connection: &Connection,
    codec: &Codec,
    scope: TxSelection,
    message_types: &[MsgType],
    range: &PageRange,
    count: bool,
) -> Result<FoundTxs, IndexError> {
    let bounds = query::bounds(connection)?;
    let source = resolve(connection, bounds, scope, message_types)?;
    let (keys, neighbours) = page::find(range, |take| source.take(connection, take))?;
    let total = if count { Some(source.count(connection)?) } else { None };
    let json = join_bodies(connection, codec, &keys)?;
    let is_partial = match scope {
        TxSelection::Height(height) => undecoded::is_bare(connection, height)?,
        _ => undecoded::has_bare(connection)?,
    };
    Ok(FoundTxs { json, rows: keys.len(), neighbours, total, bounds, oldest: None, is_partial, offset: None })
}

/// Returns the bodies of these transactions, joined by commas.
fn join_bodies(connection: &Connection, codec: &Codec, keys: &[i64]) -> Result<Vec<u8>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT sequence, body FROM tx WHERE sequence = ?1")?;
    let bodies: Vec<Vec<u8>> = statement.query_keys(keys, |row| Ok(row.get(1)?))?;
    // All sizes first, so that the page is allocated once.
    let mut size = ENVELOPE;
    for body in &bodies {
        size += codec::expanded_size(body)? + 1;
    }
    let mut json = Vec::with_capacity(size);
    for (place, body) in bodies.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        codec.expand(body, &mut json)?;
    }
    Ok(json)
}

/// Returns the requested message types that occur in the index.
pub(super) fn known(connection: &Connection, message_types: &[MsgType]) -> Result<Vec<MsgType>, IndexError> {
    let mut known = Vec::new();
    for name in message_types {
        if message_type(connection, name)?.is_some() {
            known.push(name.clone());
        }
    }
    Ok(known)
}

fn resolve(
    connection: &Connection,
    bounds: Option<Bounds>,
    scope: TxSelection,
    message_types: &[MsgType],
) -> Result<TxSequences, IndexError> {
    let Some(held) = bounds else { return Ok(TxSequences::Nothing) };
    let mut within = (integer(held.first_sequence), integer(held.next_sequence) - 1);
    let mut edges: Vec<(i64, TxEdge)> = Vec::new();
    match scope {
        TxSelection::Chain => {}
        TxSelection::Account(address, _) | TxSelection::Signer(address) => {
            let Some((id, txs, signed, real_txs)) = account(connection, &address)? else {
                return Ok(TxSequences::Nothing);
            };
            edges.push(match scope {
                TxSelection::Signer(_) => (signed, TxEdge::Signer(id)),
                TxSelection::Account(_, AccountRules::RealServer) => {
                    (real_txs, TxEdge::Account(id, AccountRules::RealServer))
                }
                _ => (txs, TxEdge::Account(id, AccountRules::Chain)),
            });
        }
        TxSelection::Height(height) => match run_of(connection, height)? {
            Some(run) => within = run,
            None => return Ok(TxSequences::Nothing),
        },
        TxSelection::Nft(key) => match nft::count_edges(connection, key)? {
            Some(txs) => edges.push((txs, TxEdge::Nft(key.0))),
            None => return Ok(TxSequences::Nothing),
        },
        TxSelection::Packet(key) => edges.push((packets::count(connection, key)?, TxEdge::Packet(key.0))),
    }
    let whole_chain = !matches!(scope, TxSelection::Height(_));
    if !message_types.is_empty() {
        let mut ids = Vec::new();
        let mut sum = 0;
        for name in message_types {
            if let Some((id, txs)) = message_type(connection, name)?
                && !ids.contains(&id)
            {
                ids.push(id);
                sum += txs;
            }
        }
        if ids.is_empty() {
            return Ok(TxSequences::Nothing);
        }
        edges.push((sum, TxEdge::Messages(ids)));
    }
    edges.sort_by_key(|(count, _)| *count);
    let mut edges = edges.into_iter();
    let Some((rows, driver)) = edges.next() else { return Ok(TxSequences::Run { first: within.0, last: within.1 }) };
    let filters: Vec<TxEdge> = edges.map(|(_, edge)| edge).collect();
    let counted = whole_chain && filters.is_empty() && driver.is_single();
    let total = match (counted, rows > COUNTED_ROWS && whole_chain) {
        (true, _) => Some(rows),
        (false, true) => Some(-1),
        (false, false) => None,
    };
    Ok(TxSequences::Edge { driver, filters, total, within })
}

impl TxEdge {
    /// Whether the edge yields each transaction at most once.
    fn is_single(&self) -> bool {
        match self {
            Self::Account(..) | Self::Signer(_) | Self::Nft(_) | Self::Packet(_) => true,
            Self::Messages(ids) => ids.len() == 1,
        }
    }

    fn table(&self) -> (&'static str, &'static str) {
        match self {
            Self::Account(..) => ("tx_account", "account"),
            Self::Signer(_) => ("tx", "signer"),
            Self::Messages(_) => ("tx_message", "message_type"),
            Self::Nft(_) => ("tx_nft", "nft"),
            Self::Packet(_) => ("tx_packet", "packet"),
        }
    }

    /// Returns the further condition on a row of the table with this alias.
    fn condition(&self, table: &str) -> String {
        match self {
            Self::Account(_, rules) => format!(" AND {table}.listing <> {}", rules.other() as i64),
            Self::Signer(_) | Self::Messages(_) | Self::Nft(_) | Self::Packet(_) => String::new(),
        }
    }

    fn ids(&self) -> &[i64] {
        match self {
            Self::Account(id, _) | Self::Signer(id) | Self::Nft(id) | Self::Packet(id) => std::slice::from_ref(id),
            Self::Messages(ids) => ids,
        }
    }
}

impl TxSequences {
    fn take(&self, connection: &Connection, mut take: KeyRange) -> Result<Vec<i64>, IndexError> {
        match self {
            Self::Nothing => Ok(Vec::new()),
            Self::Run { first, last } if undecoded::bare_txs(connection, *first, *last)? == 0 => {
                Ok(page::contiguous(*first, *last, take))
            }
            // Blocks without results have numbers, but no rows.
            Self::Run { first, last } => {
                let order = if take.descending { "DESC" } else { "ASC" };
                let sql = format!(
                    "SELECT sequence FROM tx WHERE sequence > ?1 AND sequence < ?2
                     ORDER BY sequence {order} LIMIT ?3 OFFSET ?4"
                );
                let (low, high) = (take.span.low.max(first - 1), take.span.high.min(last.saturating_add(1)));
                let mut statement = connection.prepare_cached(&sql)?;
                let keys = statement.query_map([low, high, take.limit, take.offset], |row| row.get(0))?;
                Ok(keys.collect::<Result<_, _>>()?)
            }
            Self::Edge { driver, filters, within, .. } => {
                take.span.low = take.span.low.max(within.0 - 1);
                take.span.high = take.span.high.min(within.1.saturating_add(1));
                let mut values = vec![take.span.low, take.span.high, take.limit, take.offset];
                let sql = keys_sql(driver, filters, take.descending, &mut values);
                let mut statement = connection.prepare_cached(&sql)?;
                let keys = statement.query_map(&values[..], |row| row.get(0))?;
                Ok(keys.collect::<Result<_, _>>()?)
            }
        }
    }

    fn count(&self, connection: &Connection) -> Result<i64, IndexError> {
        match self {
            Self::Nothing => Ok(0),
            Self::Run { first, last } => Ok(last - first + 1 - undecoded::bare_txs(connection, *first, *last)?),
            Self::Edge { total: Some(total), .. } => Ok(*total),
            Self::Edge { driver, filters, within, .. } => {
                let mut values = vec![within.0 - 1, within.1.saturating_add(1)];
                let rows = rows_sql(driver, driver.ids(), filters, &mut values);
                let sql = format!("SELECT COUNT(DISTINCT sequence) FROM ({rows}) AS listed");
                Ok(connection.prepare_cached(&sql)?.query_row(&values[..], |row| row.get(0))?)
            }
        }
    }
}

/// Builds the query for sequence numbers in list order. Merges several message types: each contributes its first rows
/// by its own index.
fn keys_sql(driver: &TxEdge, filters: &[TxEdge], descending: bool, values: &mut Vec<i64>) -> String {
    let order = if descending { "DESC" } else { "ASC" };
    if driver.is_single() {
        let rows = rows_sql(driver, driver.ids(), filters, values);
        return format!("{rows} ORDER BY sequence {order} LIMIT ?3 OFFSET ?4");
    }
    let parts: Vec<String> = driver
        .ids()
        .iter()
        .map(|id| {
            let rows = rows_sql(driver, std::slice::from_ref(id), filters, values);
            format!("SELECT * FROM ({rows} ORDER BY sequence {order} LIMIT ?3 + ?4) AS part{id}")
        })
        .collect();
    format!("{} ORDER BY sequence {order} LIMIT ?3 OFFSET ?4", parts.join(" UNION "))
}

/// Builds the query for an edge's sequence numbers between `?1` and `?2` that pass the filters, unordered.
fn rows_sql(driver: &TxEdge, ids: &[i64], filters: &[TxEdge], values: &mut Vec<i64>) -> String {
    let (table, column) = driver.table();
    let mut sql = format!("SELECT sequence FROM {table} AS driver WHERE {column}{}", one_of(ids, values));
    let _ = write!(sql, "{} AND sequence > ?1 AND sequence < ?2", driver.condition("driver"));
    for filter in filters {
        let (table, column) = filter.table();
        let _ = write!(
            sql,
            " AND EXISTS (SELECT 1 FROM {table} AS other WHERE other.{column}{} AND other.sequence = driver.sequence{})",
            one_of(filter.ids(), values),
            filter.condition("other"),
        );
    }
    sql
}

/// Builds a comparison with bound numbers.
fn one_of(ids: &[i64], values: &mut Vec<i64>) -> String {
    let places: Vec<String> = ids
        .iter()
        .map(|id| {
            values.push(*id);
            format!("?{}", values.len())
        })
        .collect();
    if places.len() == 1 { format!(" = {}", places.concat()) } else { format!(" IN ({})", places.join(", ")) }
}

fn account(connection: &Connection, address: &Address) -> Result<Option<(i64, i64, i64, i64)>, IndexError> {
    connection
        .prepare_cached("SELECT id, txs, signed, real_txs FROM account WHERE address = ?1")?
        .query_row([address.bytes()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()
}

fn message_type(connection: &Connection, name: &MsgType) -> Result<Option<(i64, i64)>, IndexError> {
    connection
        .prepare_cached("SELECT id, txs FROM message_type WHERE name = ?1")?
        .query_row([name.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Returns the first and last sequence number of a block; `None` without transactions.
fn run_of(connection: &Connection, height: Height) -> Result<Option<(i64, i64)>, IndexError> {
    connection
        .prepare_cached("SELECT first_sequence, first_sequence + tx_count - 1 FROM block WHERE height = ?1")?
        .query_row([integer(height.get())], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}
