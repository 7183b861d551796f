//! The binary as people run it: exit codes, JSON, and inputs that must neither crash nor hang it.

mod discovery;
mod inputs;
mod permissions;
mod support;
mod trusted_imports;
mod verbs;
