//! The one table: rows of hookrt and its peers, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::claims::Claim;
use crate::peers::Peer;

/// What a row measures.
#[derive(Clone, Copy)]
pub struct Spec {
    pub id: &'static str,
    pub what: &'static str,
    pub unit: &'static str,
    /// A rate: more is better.
    pub more: bool,
}

const fn cost(id: &'static str, what: &'static str, unit: &'static str) -> Spec {
    Spec { id, what, unit, more: false }
}

const fn rate(id: &'static str, what: &'static str, unit: &'static str) -> Spec {
    Spec { id, what, unit, more: true }
}

/// The rows in the order they are shown.
pub const SPECS: [Spec; 29] = [
    cost("cold", "cold start to first verdict, no cache", "ms"),
    cost("cold_cpu", "  its CPU time", "ms"),
    cost("cold_cached", "cold start to first verdict, cached", "ms"),
    cost("cold_cached_cpu", "  its CPU time", "ms"),
    cost("memory", "resident memory after the first verdict", "MB"),
    cost("tool_call_p50", "warm tool_call, no-op handler, p50", "µs"),
    cost("tool_call_p99", "warm tool_call, no-op handler, p99", "µs"),
    rate("throughput_1", "emits/s, 1 at a time", "1/s"),
    rate("throughput_8", "emits/s, 8 at a time", "1/s"),
    rate("throughput_64", "emits/s, 64 at a time", "1/s"),
    cost("serve_p50", "tool_call over a pipe, p50", "µs"),
    cost("echo_p50", "  the same line to a bare JSON echo in Rust, p50", "µs"),
    cost("serve_p99", "tool_call over a pipe, p99", "µs"),
    cost("serve_context_1MB", "context 1 MB over a pipe", "ms"),
    cost("context_100KB", "context 100 KB, JSON text in and out", "ms"),
    cost("context_1MB", "context 1 MB, JSON text in and out", "ms"),
    cost("context_10MB", "context 10 MB, JSON text in and out", "ms"),
    cost("parse_100KB", "  JSON.parse + JSON.stringify alone, 100 KB", "ms"),
    cost("parse_1MB", "  JSON.parse + JSON.stringify alone, 1 MB", "ms"),
    cost("parse_10MB", "  JSON.parse + JSON.stringify alone, 10 MB", "ms"),
    cost("fifty_by_ten", "50 hooks x 10 handlers, one emit", "µs"),
    cost("handlers_100", "100 handlers, one emit", "µs"),
    cost("handlers_1000", "1 000 handlers, one emit", "µs"),
    cost("load_1000", "1 000 hooks load, no cache", "ms"),
    cost("load_1000_cached", "1 000 hooks load, cached", "ms"),
    cost("unhandled", "event without handlers", "ns"),
    rate("transpile", "TypeScript to JavaScript", "MB/s"),
    cost("exec_true", "pi.exec(\"true\")", "ms"),
    cost("start", "isolate start and load of one cached hook, in process", "ms"),
];

/// Name of hookrt's own column.
const OURS: &str = "hookrt";

pub struct Table {
    columns: Vec<String>,
    versions: Map<String, Value>,
    values: Map<String, Value>,
}

impl Table {
    pub fn new(peers: &[Peer]) -> Table {
        let versions = peers.iter().map(|peer| (peer.name.to_owned(), peer.version.clone().into())).collect();
        let columns = std::iter::once(OURS.to_owned()).chain(peers.iter().map(|peer| peer.name.to_owned())).collect();
        Table { columns, versions, values: Map::new() }
    }

    /// Notes a measurement of hookrt.
    pub fn set(&mut self, row: &str, value: f64) {
        self.set_for(OURS, row, value);
    }

    /// Notes a measurement of `peer`, `None` being hookrt.
    pub fn set_of(&mut self, peer: Option<&Peer>, row: &str, value: f64) {
        self.set_for(peer.map_or(OURS, |peer| peer.name), row, value);
    }

    fn set_for(&mut self, column: &str, row: &str, value: f64) {
        debug_assert!(SPECS.iter().any(|spec| spec.id == row), "no row {row}");
        let values = self.values.entry(row).or_insert_with(|| json!({}));
        values[column] = value.into();
    }

    /// A measurement, if it was made.
    pub fn get(&self, column: &str, row: &str) -> Option<f64> {
        self.values.get(row)?.get(column)?.as_f64()
    }

    /// hookrt's own measurement.
    pub fn ours(&self, row: &str) -> Option<f64> {
        self.get(OURS, row)
    }

    /// hookrt's cost in units of the column's.
    fn ratio(&self, column: &str, spec: Spec) -> Option<f64> {
        let (ours, theirs) = (self.ours(spec.id)?, self.get(column, spec.id)?);
        Some(if spec.more { theirs / ours } else { ours / theirs })
    }

    fn shown(&self) -> impl Iterator<Item = Spec> {
        SPECS.into_iter().filter(|spec| self.values.contains_key(spec.id))
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = write!(out, "{:<54}", format!("{} {}, {}", hookrt::ENGINE, hookrt::engine_version(), profile()));
        for column in &self.columns {
            let version = self.versions.get(column).and_then(Value::as_str).unwrap_or(env!("CARGO_PKG_VERSION"));
            let _ = write!(out, " {:>21}", format!("{column} {version}"));
        }
        out.push('\n');
        for spec in self.shown() {
            let _ = write!(out, "{:<54}", format!("{} [{}]", spec.what, spec.unit));
            for column in &self.columns {
                let value = self.get(column, spec.id).map_or("-".to_owned(), number);
                let ratio = match self.ratio(column, spec) {
                    Some(ratio) if column != OURS => format!(" ({}x)", number(ratio)),
                    _ => String::new(),
                };
                let _ = write!(out, " {:>21}", format!("{value}{ratio}"));
            }
            out.push('\n');
        }
        out
    }

    pub fn json(&self, claims: &[Claim]) -> Value {
        let row = |spec: Spec| {
            let values = self.values.get(spec.id).cloned().unwrap_or_default();
            let ratios: Map<String, Value> = (self.columns.iter().skip(1))
                .filter_map(|column| Some((column.clone(), self.ratio(column, spec)?.into())))
                .collect();
            json!({ "id": spec.id, "what": spec.what.trim(), "unit": spec.unit, "moreIsBetter": spec.more, "values": values, "ratio": ratios })
        };
        json!({
            "engine": hookrt::ENGINE, "engineVersion": hookrt::engine_version(), "profile": profile(),
            "cpus": std::thread::available_parallelism().map_or(0, usize::from), "loadAverage": load_average(),
            "peers": self.versions, "rows": self.shown().map(row).collect::<Vec<_>>(), "mustHold": claims,
        })
    }
}

/// Name of the profile it was built with, as the directory below `target` has it: only `release` gives numbers to quote.
fn profile() -> String {
    let executable = std::env::current_exe().unwrap_or_default();
    let name = executable.parent().and_then(|deps| deps.parent()?.file_name());
    name.map_or_else(|| "unknown build".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// How busy the machine was with other things.
fn load_average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Three digits that mean something.
pub fn number(value: f64) -> String {
    match value.abs() {
        a if a >= 100.0 => format!("{value:.0}"),
        a if a >= 10.0 => format!("{value:.1}"),
        a if a >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
