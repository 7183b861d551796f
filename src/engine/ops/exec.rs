//! `pi.exec`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::{OpState, op2};
use deno_error::JsErrorBox;
use deno_permissions::{PathQueryDescriptor, PermissionsContainer, RunQueryDescriptor, which};
use sys_traits::impls::RealSys;

use super::super::port::{ExecOutput, ExecRequest, PortRc};
use super::env::Environment;

#[op2]
#[serde]
pub async fn op_exec(
    state: Rc<RefCell<OpState>>,
    #[smi] id: u32,
    #[string] command: String,
    #[serde] args: Vec<String>,
    #[string] cwd: String,
    #[number] timeout_ms: u64,
) -> Result<ExecOutput, JsErrorBox> {
    let (port, program, env) = {
        let mut state = state.borrow_mut();
        let env = state.borrow_mut::<Environment>().changes();
        let path = state.borrow_mut::<Environment>().get("PATH");
        let program = allowed_program(state.borrow_mut(), &command, &cwd, path, &env)?;
        (state.borrow::<PortRc>().clone(), program, env)
    };
    port.exec(ExecRequest { id, command, program, args, cwd, env, timeout_ms }).await.map_err(JsErrorBox::generic)
}

#[op2(fast)]
pub fn op_exec_kill(state: &mut OpState, #[smi] id: u32) {
    let port = state.borrow::<PortRc>().clone();
    port.exec_kill(id);
}

/// The file to run where not every program may run; `None` where all may, then the system finds it.
fn allowed_program(
    permissions: &mut PermissionsContainer,
    command: &str,
    cwd: &str,
    path: Option<String>,
    env: &[(String, Option<String>)],
) -> Result<Option<PathBuf>, JsErrorBox> {
    const API: &str = "pi.exec()";
    if permissions.query_run_all(API) {
        return Ok(None);
    }
    // These make an allowed program run anybody's code.
    let loads_code = |name: &str| ["LD_", "DYLD_"].iter().any(|start| name.to_ascii_uppercase().starts_with(start));
    if let Some((name, _)) = env.iter().find(|(name, value)| value.is_some() && loads_code(name)) {
        let message = format!(
            "Requires run access to every program to run one with {name} set, run again with the --allow-run flag"
        );
        return Err(JsErrorBox::new("NotCapable", message));
    }
    let found = find_program(command, Path::new(cwd), path.map(OsString::from));
    let query = match &found {
        Some(program) => RunQueryDescriptor::Path(
            PathQueryDescriptor::new_known_absolute(Cow::Borrowed(program)).with_requested(command.to_owned()),
        ),
        None => RunQueryDescriptor::Name(command.to_owned()),
    };
    permissions.check_run(&query, API).map_err(JsErrorBox::from_err)?;
    Ok(found)
}

/// As the system looks for a program that a process with this directory and `PATH` starts.
fn find_program(command: &str, cwd: &Path, path: Option<OsString>) -> Option<PathBuf> {
    let cwd = std::path::absolute(cwd).ok()?;
    if command.contains('/') {
        return Some(path_clean::clean(cwd.join(command)));
    }
    which::which_in(RealSys, command, path, cwd).ok()
}
