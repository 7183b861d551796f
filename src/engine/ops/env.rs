//! `process.env` of one isolate. It begins as the environment of the process with what the host adds; what hooks write stays here and in
//! the programs they start: the process and its other isolates read theirs from other threads meanwhile.

use std::collections::{BTreeMap, HashMap};

use deno_core::{OpState, op2};
use deno_error::JsErrorBox;
use deno_permissions::{PermissionState, PermissionsContainer};

/// The variables as hooks see them, once they have looked.
pub struct Environment {
    added: Vec<(String, String)>,
    variables: Option<BTreeMap<String, String>>,
}

impl From<Vec<(String, String)>> for Environment {
    /// The process's own and those added.
    fn from(added: Vec<(String, String)>) -> Environment {
        Environment { added, variables: None }
    }
}

impl Environment {
    fn variables(&mut self) -> &mut BTreeMap<String, String> {
        let added = &mut self.added;
        self.variables.get_or_insert_with(|| {
            let mut variables: BTreeMap<String, String> = of_process().collect();
            variables.extend(std::mem::take(added));
            variables
        })
    }

    /// The value of a variable.
    pub fn get(&mut self, name: &str) -> Option<String> {
        self.variables().get(name).cloned()
    }

    /// What a program of the hooks finds other than in the process; `None` is a variable that is not there.
    pub fn changes(&mut self) -> Vec<(String, Option<String>)> {
        let mut before: HashMap<String, String> = of_process().collect();
        let mut changes = Vec::new();
        for (name, value) in self.variables() {
            if before.remove(name).as_ref() != Some(value) {
                changes.push((name.clone(), Some(value.clone())));
            }
        }
        changes.extend(before.into_keys().map(|name| (name, None)));
        changes
    }
}

/// The variables that are text and that hooks could set themselves.
fn of_process() -> impl Iterator<Item = (String, String)> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).filter(|(name, _)| is_name(name))
}

/// Whether a variable may be called so.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// Variables that say how to print and which mode to run in: packages look at them, and they are no secrets.
const HARMLESS: [&str; 6] = ["FORCE_COLOR", "NO_COLOR", "NODE_DEBUG", "NODE_ENV", "NODE_OPTIONS", "NODE_V8_COVERAGE"];

/// The environment, for one who may touch the variable.
fn checked<'a>(state: &'a mut OpState, name: &str) -> Result<&'a mut BTreeMap<String, String>, JsErrorBox> {
    if !is_name(name) {
        return Err(JsErrorBox::type_error(format!("{name:?} cannot be the name of an environment variable")));
    }
    state.borrow::<PermissionsContainer>().check_env(name).map_err(JsErrorBox::from_err)?;
    Ok(state.borrow_mut::<Environment>().variables())
}

/// Every variable that may be seen; where none may, that is an error.
#[op2]
#[serde]
pub fn op_environment(state: &mut OpState) -> Result<HashMap<String, String>, JsErrorBox> {
    let permissions = state.borrow::<PermissionsContainer>().clone();
    let mut seen: HashMap<String, String> = state.borrow_mut::<Environment>().variables().clone().into_iter().collect();
    if let Err(denied) = permissions.check_env_all() {
        seen.retain(|name, _| permissions.query_env(Some(name)) == PermissionState::Granted);
        if seen.is_empty() {
            return Err(JsErrorBox::from_err(denied));
        }
    }
    Ok(seen)
}

#[op2]
#[string]
pub fn op_environment_get(state: &mut OpState, #[string] name: &str) -> Result<Option<String>, JsErrorBox> {
    if HARMLESS.contains(&name) {
        return Ok(state.borrow_mut::<Environment>().get(name));
    }
    Ok(checked(state, name)?.get(name).cloned())
}

/// What Node's own modules look up for themselves.
#[op2]
#[string]
pub fn op_environment_of_node(state: &mut OpState, #[string] name: &str) -> Option<String> {
    state.borrow_mut::<Environment>().get(name)
}

#[op2(fast)]
pub fn op_environment_set(state: &mut OpState, #[string] name: &str, #[string] value: &str) -> Result<(), JsErrorBox> {
    if value.contains('\0') {
        return Err(JsErrorBox::type_error(format!("the value of {name:?} holds a NUL character")));
    }
    checked(state, name)?.insert(name.to_owned(), value.to_owned());
    Ok(())
}

#[op2(fast)]
pub fn op_environment_delete(state: &mut OpState, #[string] name: &str) -> Result<(), JsErrorBox> {
    checked(state, name)?.remove(name);
    Ok(())
}
