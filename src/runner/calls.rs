//! Calls into hooks that are no emits: commands, message renderers, components (`hooks.md §6-§8`).

use std::future::Future;

use serde_json::{Value, json};

use super::emit::{EmitError, HookRunner, parse, read_outcome};
use crate::engine::{EngineGone, EngineHandle, LoadedHook, ReplyTo};

impl HookRunner {
    /// Runs a slash command with its raw argument string.
    ///
    /// # Errors
    /// [`EmitError::Thrown`] when no hook has it or its handler throws.
    pub async fn run_command(&self, name: &str, args: &str) -> Result<(), EmitError> {
        self.call("command", json!({ "name": name, "args": args })).await.map(|_| ())
    }

    /// [`HookRunner::run_command`] under a number of the caller's, of hook `hook` in the load list or the first one that has it.
    ///
    /// # Errors
    /// See there.
    pub fn run_command_as(
        &self,
        id: u64,
        hook: Option<usize>,
        name: &str,
        args: &str,
    ) -> impl Future<Output = Result<(), EmitError>> + Send + use<> {
        let mut params = json!({ "name": name, "args": args });
        if let Some(hook) = hook {
            params["hook"] = hook.into();
        }
        let outcome = self.begin_call(id, "command", params);
        async move { outcome.await.map(|_| ()) }
    }

    /// Draws a custom message with the renderer of its type: one string a line, `None` for the host's default.
    pub async fn render_message(
        &self,
        custom_type: &str,
        message: &Value,
        expanded: bool,
        width: u32,
    ) -> Result<Option<Vec<String>>, EmitError> {
        if self.get_message_renderer(custom_type).is_none() {
            return Ok(None);
        }
        let params = json!({ "type": custom_type, "message": message, "expanded": expanded, "width": width });
        let lines = self.call("render", params).await?;
        serde_json::from_value(lines).map_err(|error| EmitError::Malformed(error.to_string()))
    }

    /// Draws an open component (`ctx.ui.custom`) at `width` columns.
    pub async fn render_component(&self, id: u64, width: u32, rows: u32) -> Result<Vec<String>, EmitError> {
        let lines = self.call("componentRender", json!({ "id": id, "width": width, "rows": rows })).await?;
        serde_json::from_value(lines).map_err(|error| EmitError::Malformed(error.to_string()))
    }

    /// Hands terminal input to an open component; it is on its way when this returns, so keys keep their order.
    pub fn input_component(&self, id: u64, data: &str) -> impl Future<Output = Result<(), EmitError>> + Send + use<> {
        let outcome = self.begin_call(self.next_emit_id(), "componentInput", json!({ "id": id, "data": data }));
        async move { outcome.await.map(|_| ()) }
    }

    /// Tells an open component that its surroundings changed.
    pub fn invalidate_component(&self, id: u64) -> impl Future<Output = Result<(), EmitError>> + Send + use<> {
        let outcome = self.begin_call(self.next_emit_id(), "componentInvalidate", json!({ "id": id }));
        async move { outcome.await.map(|_| ()) }
    }

    /// Takes an open component away: its hook's `ctx.ui.custom` gives `undefined`.
    pub async fn dispose_component(&self, id: u64) -> Result<(), EmitError> {
        self.call("componentDispose", json!({ "id": id })).await.map(|_| ())
    }

    async fn call(&self, kind: &'static str, params: Value) -> Result<Value, EmitError> {
        self.begin_call(self.next_emit_id(), kind, params).await
    }

    /// The call is on its way when this returns.
    fn begin_call(
        &self,
        id: u64,
        kind: &'static str,
        params: Value,
    ) -> impl Future<Output = Result<Value, EmitError>> + Send + use<> {
        let (reply, envelope) = ReplyTo::channel();
        let engine = self.engine();
        let isolate = isolate_of(&engine, kind, &params);
        engine.call(isolate, id, kind, params.to_string(), reply);
        let shared = engine.shared().clone();
        async move {
            let outcome = read_outcome(envelope.await.unwrap_or(Err(EngineGone)), &shared)?;
            outcome.result.as_deref().map_or(Ok(Value::Null), parse)
        }
    }
}

/// The isolate that a call is for: that of the hook it ends up with, the first one in load order that has the name, or that of a component.
fn isolate_of(engine: &EngineHandle, kind: &str, params: &Value) -> usize {
    let text = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| params.get(key).and_then(Value::as_u64);
    let first = |has: &dyn Fn(&LoadedHook) -> bool| {
        engine.shared().hooks().into_iter().find(|(_, hook)| has(hook)).map(|(index, _)| index)
    };
    let hook = match kind {
        "command" => number("hook")
            .and_then(|hook| usize::try_from(hook).ok())
            .or_else(|| first(&|hook| hook.commands.iter().any(|(name, _)| name == text("name")))),
        "render" => first(&|hook| hook.renderers.iter().any(|name| name == text("type"))),
        _ => return engine.isolate_of_id(number("id").unwrap_or_default()),
    };
    engine.isolate_of(hook)
}
