//! What must hold, against what was measured.

use std::fmt::Write as _;

use serde::Serialize;

use crate::payload::CONTEXTS;
use crate::table::{Table, number};

/// One claim. `value` is in the unit of the limit.
#[derive(Serialize)]
pub struct Claim {
    what: String,
    value: f64,
    limit: f64,
    holds: bool,
}

/// The claims whose rows were measured.
pub fn judge(table: &Table) -> Vec<Claim> {
    let v8 = hookrt::ENGINE == "v8";
    let mut claims = Vec::new();
    let mut at_most = |what: &str, value: Option<f64>, limit: f64| {
        if let Some(value) = value {
            claims.push(Claim { what: what.to_owned(), value, limit, holds: value <= limit });
        }
    };
    let against = |row: &str, peer: &str| Some(table.ours(row)? / table.get(peer, row)?);
    let between = |row: &str, other: &str| Some(table.ours(row)? / table.ours(other)?);
    if v8 {
        at_most("cold start, cached, of node+jiti's", against("cold_cached", "node+jiti"), 0.4);
        at_most("cold start, cached, of deno's", against("cold_cached", "deno"), 0.6);
        at_most("cold start, cached, of bun's", against("cold_cached", "bun"), 1.5);
        at_most("resident memory, of deno's", against("memory", "deno"), 0.8);
    } else {
        at_most("cold start, cached, of bun's", against("cold_cached", "bun"), 1.0);
        at_most("resident memory, of bun's", against("memory", "bun"), 1.0);
    }
    at_most("warm tool_call from Rust, p50, µs", table.ours("tool_call_p50"), 20.0);
    at_most("tool_call over a pipe, p50, µs", table.ours("serve_p50"), 150.0);
    at_most("tool_call over a pipe, p50, of a bare echo's", between("serve_p50", "echo_p50"), 2.0);
    at_most("tool_call over a pipe, p50, of bun's", against("serve_p50", "bun"), 0.8);
    if v8 {
        at_most("context 10 MB, of JSON.parse + JSON.stringify alone", between("context_10MB", "parse_10MB"), 1.5);
    }
    at_most("event without handlers, ns", table.ours("unhandled"), 200.0);
    at_most("1 000 handlers, of what 100 cost", between("handlers_1000", "handlers_100"), 12.0);
    if let (true, Some(time)) = (v8, table.ours("context_10MB")) {
        let megabytes = CONTEXTS[2].1 as f64 / 1e6;
        let (value, limit) = (megabytes / (time / 1e3), 150.0);
        claims.push(Claim { what: "context 10 MB, MB/s (at least)".to_owned(), value, limit, holds: value >= limit });
    }
    claims
}

pub fn text(claims: &[Claim]) -> String {
    let mut out = String::new();
    for claim in claims {
        let holds = if claim.holds { "holds" } else { "DOES NOT HOLD" };
        let _ =
            write!(out, "\n{:<54} {:>10} limit {:>6}  {holds}", claim.what, number(claim.value), number(claim.limit));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
