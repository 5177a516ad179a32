//! Tables of a file for exports: the views of queries, range by range of blocks.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::{EffectsOfRecord, SQL_VIEWS, SqlError, SqlValue, SqlView, open_views, values};
use crate::{
    domain::{BlockHash, Height, Vm},
    indexer::index::{
        Bounds, IndexError, dialect::Connection as StoreConnection, integer, meta, query, undecoded, unsigned,
    },
};

/// Transactions whose rows all tables get before the next ones.
const TURN: i64 = 256;

/// File whose tables are exported; another process may write it meanwhile.
#[derive(Debug)]
pub struct StoreTables {
    connection: Connection,
    pub vm: Vm,
    /// Empty if the file does not have it.
    pub chain_id: String,
}

/// One state of the file.
#[derive(Debug)]
pub struct StoreSnapshot<'a>(Transaction<'a>);

/// Lowest and highest stored block of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeEnds {
    pub from: (Height, BlockHash),
    pub to: (Height, BlockHash),
}

impl StoreTables {
    pub fn open(path: &Path, effects: EffectsOfRecord) -> Result<Self, SqlError> {
        let (connection, vm) = open_views(path, effects, "")?;
        let chain_id =
            meta::load(&StoreConnection::Sqlite(&connection), "chain id")?.and_then(|id| String::from_utf8(id).ok());
        Ok(Self { connection, vm, chain_id: chain_id.unwrap_or_default() })
    }

    /// Returns the tables with rows of blocks: those that an export has.
    pub fn views() -> impl Iterator<Item = &'static SqlView> {
        SQL_VIEWS.iter().filter(|view| view.is_by_block())
    }

    pub fn snapshot(&self) -> Result<StoreSnapshot<'_>, SqlError> {
        Ok(StoreSnapshot(self.connection.unchecked_transaction()?))
    }
}

impl StoreSnapshot<'_> {
    pub fn bounds(&self) -> Result<Option<Bounds>, SqlError> {
        Ok(query::bounds(&StoreConnection::Sqlite(&self.0))?)
    }

    /// Returns how often blocks of a range were replaced since they were first written.
    pub fn revision(&self, from: u64, to: u64) -> Result<u64, SqlError> {
        Ok(undecoded::mended(&StoreConnection::Sqlite(&self.0), from, to)?)
    }

    /// Returns the ends of the stored blocks in a range; `None` without a block.
    pub fn ends(&self, from: u64, to: u64) -> Result<Option<RangeEnds>, SqlError> {
        let end = |order: &str| -> Result<Option<(Height, BlockHash)>, SqlError> {
            let sql = format!(
                "SELECT height, hash FROM block WHERE height BETWEEN ?1 AND ?2 ORDER BY height {order} LIMIT 1"
            );
            let found = self.0.prepare_cached(&sql)?.query_row(params![integer(from), integer(to)], |row| {
                Ok((row.get::<_, i64>(0)?, BlockHash::new(row.get(1)?)))
            });
            let Some((height, hash)) = found.optional()? else { return Ok(None) };
            Ok(Some((Height::new(unsigned(height)).ok_or(IndexError::Body)?, hash)))
        };
        Ok(end("ASC")?.zip(end("DESC")?).map(|(from, to)| RangeEnds { from, to }))
    }

    /// Passes the rows of the tables in a range of blocks to `take`, with the table's place in [`StoreTables::views`];
    /// each table's in the order of the chain. Tables take turns after some transactions, which are unpacked once.
    pub fn rows<E: From<SqlError>>(
        &self,
        range: (u64, u64),
        mut take: impl FnMut(usize, &[SqlValue]) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error: rusqlite::Error| E::from(error.into());
        for (from, to) in self.turns(range).map_err(failed)? {
            for (place, view) in StoreTables::views().enumerate() {
                // The plan of the views has the order of the chain, which a sorter would only repeat.
                let sql = format!("SELECT * FROM {} WHERE height BETWEEN ?1 AND ?2 ORDER BY height", view.name);
                let mut statement = self.0.prepare_cached(&sql).map_err(failed)?;
                let mut rows = statement.query([from, to]).map_err(failed)?;
                while let Some(row) = rows.next().map_err(failed)? {
                    take(place, &values(row, view.columns.len()).map_err(failed)?)?;
                }
            }
        }
        Ok(())
    }

    /// Splits a range of blocks into ranges with few transactions.
    fn turns(&self, (from, to): (u64, u64)) -> Result<Vec<(i64, i64)>, rusqlite::Error> {
        let mut turns = Vec::new();
        let (mut begin, mut txs) = (integer(from), 0);
        let sql = "SELECT height, tx_count FROM block WHERE height BETWEEN ?1 AND ?2 ORDER BY height";
        let mut blocks = self.0.prepare_cached(sql)?;
        let mut rows = blocks.query(params![begin, integer(to)])?;
        while let Some(row) = rows.next()? {
            txs += row.get::<_, i64>(1)?;
            if txs >= TURN {
                let height: i64 = row.get(0)?;
                turns.push((begin, height));
                (begin, txs) = (height + 1, 0);
            }
        }
        turns.push((begin, integer(to)));
        Ok(turns)
    }
}
