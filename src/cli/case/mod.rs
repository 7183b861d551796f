//! A case: a folder with hooks, what happens to them and what is expected of them (`docs/testing.md`). `hookrt test` and the
//! crate's own suite run cases with the same code.

mod compare;
mod find;
mod format;
mod run;

pub use compare::{align, diff};
pub use find::find_cases;
pub use format::{Case, CaseOptions, Step};
pub use run::{CaseSettings, Outcome, Verdict, run_case};
