//! JSON Schema of the events and of the protocol, generated from the types that read and write them. `docs/schema/` holds a copy that a test
//! keeps up to date.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::engine_messages as engine;
use super::handshake;
use super::message::{RpcError, params_error};
use super::methods::{commands, components, emits, lifecycle, loading, runners, state, status_line, tools};
use super::mirror::{Append, Snapshot};
use super::remote_host::{CallParams, CallResult};
use crate::events;
use crate::host::Registrations;

/// An empty object.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct Nothing {}

type Check = fn(&RawValue) -> Result<(), RpcError>;

/// A message that the host sends: its params and, for a request, its result.
struct FromHost {
    method: &'static str,
    check: Check,
    schema: fn(&mut SchemaGenerator) -> Value,
}

fn check<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Result<(), RpcError> {
    serde_json::from_str::<T>(params.get()).map(drop).map_err(|error| params_error::<T>(params.get(), &error))
}

macro_rules! from_host {
    ($($method:literal: $params:ty $(=> $result:ty)?),* $(,)?) => {
        const FROM_HOST: &[FromHost] = &[$(FromHost {
            method: $method,
            check: |params| check::<$params>(params),
            schema: |generator| {
                #[allow(unused_mut)]
                let mut message = json!({ "params": generator.subschema_for::<$params>() });
                $(message["result"] = json!(generator.subschema_for::<$result>());)?
                message
            },
        }),*];
    };
}

from_host! {
    "initialize": handshake::InitializeParams => handshake::InitializeResult,
    "shutdown": Nothing => Nothing,
    "runner.create": runners::CreateParams => Nothing,
    "runner.initialize": runners::InitializeParams => Nothing,
    "runner.dispose": runners::RunnerParams => Nothing,
    "hooks.load": loading::LoadParams => loading::LoadResult,
    "hooks.discover": loading::DiscoverParams => crate::loader::Listing,
    "hooks.discoverAndLoad": loading::DiscoverAndLoadParams => loading::LoadResult,
    "hooks.reload": runners::RunnerParams => loading::LoadResult,
    "hooks.emit": emits::EmitParams<'_> => emits::EmitResult,
    "tool.begin": tools::BeginParams<'_> => tools::BeginResult,
    "tool.result": tools::ResultParams<'_> => tools::Replacement,
    "commands.list": runners::RunnerParams => commands::Commands,
    "commands.run": commands::RunParams => Nothing,
    "renderers.render": components::RenderMessageParams => components::Lines,
    "component.render": components::RenderParams => components::Lines,
    "statusLine.render": status_line::RenderParams => status_line::Line,
    "lifecycle.dispatch": lifecycle::DispatchParams => lifecycle::DispatchResult,
    "component.input": components::InputParams,
    "component.invalidate": components::InvalidateParams,
    "statusLine.set": status_line::SetParams,
    "signal.abort": emits::OpenEmitParams,
    "emit.cancel": emits::OpenEmitParams,
    "mirror.snapshot": Snapshot,
    "mirror.append": Append,
    "mirror.set": state::SetParams,
    "host.register": loading::RegisterParams,
}

/// Reads the params of a host's message with the types that serve it. `None`: there is no such message.
pub fn check_params(method: &str, params: &RawValue) -> Option<Result<(), RpcError>> {
    FROM_HOST.iter().find(|message| message.method == method).map(|message| (message.check)(params))
}

/// The schema files: name and content.
pub fn documents() -> Vec<(&'static str, Value)> {
    vec![("events.json", events_schema()), ("protocol.json", protocol_schema())]
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn finish(mut generator: SchemaGenerator, title: &str, mut document: Map<String, Value>) -> Value {
    let mut out = Map::new();
    out.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    out.insert("title".to_owned(), title.into());
    out.append(&mut document);
    let mut definitions = generator.take_definitions(true);
    definitions.sort_keys();
    out.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(out)
}

fn events_schema() -> Value {
    let mut generator = generator();
    let mut document = Map::new();
    let mut results = Map::new();
    macro_rules! results {
        ($($event:literal: $result:ty),* $(,)?) => {
            $(results.insert($event.to_owned(), json!(generator.subschema_for::<$result>()));)*
        };
    }
    results! {
        "tool_call": events::ToolCallResult,
        "tool_result": events::ToolResultPatch,
        "context": events::ContextResult,
        "before_agent_start": events::BeforeAgentStartResult,
        "session_before_switch": events::SessionBeforeSwitchResult,
        "session_before_branch": events::SessionBeforeBranchResult,
        "session_before_compact": events::SessionBeforeCompactResult,
        "session_before_tree": events::SessionBeforeTreeResult,
        "session.compacting": events::SessionCompactingResult,
    }
    let event = json!(generator.subschema_for::<events::Event>());
    document.insert("$ref".to_owned(), event["$ref"].clone());
    document.insert("results".to_owned(), Value::Object(results));
    finish(generator, "Events of hooks, and by event what a handler may return", document)
}

fn protocol_schema() -> Value {
    let mut generator = generator();
    let mut document = Map::new();
    let mut host = Map::new();
    for message in FROM_HOST {
        host.insert(message.method.to_owned(), (message.schema)(&mut generator));
    }
    let mut engine = Map::new();
    macro_rules! from_engine {
        ($($method:literal: $params:ty $(=> $result:ty)?),* $(,)?) => {
            $({
                #[allow(unused_mut)]
                let mut message = json!({ "params": generator.subschema_for::<$params>() });
                $(message["result"] = json!(generator.subschema_for::<$result>());)?
                engine.insert($method.to_owned(), message);
            })*
        };
    }
    from_engine! {
        "hooks.error": engine::ErrorParams<'_>,
        "hooks.warning": engine::WarningParams<'_>,
        "hooks.registered": engine::RegisteredParams<'_>,
        "hooks.reloaded": engine::ReloadedParams<'_>,
        "host.load": engine::HostLoadParams<'_> => Registrations,
        "host.invoke": engine::HostInvokeParams<'_> => engine::HostInvokeResult,
        "session.snapshot": CallParams<'_> => Snapshot,
        "*": CallParams<'_> => CallResult,
    }
    document.insert("fromHost".to_owned(), Value::Object(host));
    document.insert("fromEngine".to_owned(), Value::Object(engine));
    document.insert("error".to_owned(), json!(generator.subschema_for::<RpcError>()));
    finish(generator, "The hookrt serve protocol, version 1: params and results by method", document)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;
    use crate::serve::message::Message;

    /// `HOOKRT_UPDATE_SCHEMA=1 cargo test` writes the files anew.
    #[test]
    fn the_files_are_those_of_the_types() {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema"));
        for (name, schema) in documents() {
            let path = folder.join(name);
            let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
            if std::env::var_os("HOOKRT_UPDATE_SCHEMA").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &text).unwrap();
            }
            let known = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                known == text,
                "docs/schema/{name} is not what the types say: HOOKRT_UPDATE_SCHEMA=1 cargo test writes it"
            );
        }
    }

    #[test]
    fn the_examples_of_the_protocol_can_be_read() {
        let page = include_str!("../../docs/protocol.md");
        let mut checked = 0;
        for line in page.lines().filter_map(|line| line.strip_prefix("→ ")) {
            let (method, params) = match Message::decode(line.as_bytes()) {
                Ok(Message::Request(request)) => (request.method, request.params),
                Ok(Message::Notification(notification)) => (notification.method, notification.params),
                Ok(Message::Response(_)) => continue,
                Err(error) => panic!("{error:?}: {line}"),
            };
            let params = params.unwrap_or_else(|| RawValue::from_string("{}".to_owned()).unwrap());
            match check_params(&method, &params) {
                Some(outcome) => outcome.unwrap_or_else(|error| panic!("{error}: {line}")),
                None => panic!("the protocol shows {method}, which nothing serves"),
            }
            checked += 1;
        }
        assert!(checked > 25, "{checked} examples");
    }

    #[test]
    fn the_protocol_shows_an_example_of_every_message() {
        let page = include_str!("../../docs/protocol.md");
        let shown = |arrow: &str| -> BTreeSet<String> {
            let lines = page.lines().filter_map(|line| line.strip_prefix(arrow));
            let messages =
                lines.map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}")));
            messages.filter_map(|message| Some(message["method"].as_str()?.to_owned())).collect()
        };
        let host: BTreeSet<String> = FROM_HOST.iter().map(|message| message.method.to_owned()).collect();
        assert_eq!(host, shown("→ "));

        // The calls of hooks stand in tables: their names are in the first column, or in the paragraph of the blocking reads.
        let (_, calls) = page.split_once("## 11. ").unwrap();
        let (calls, _) = calls.split_once("\n## ").unwrap();
        let named = calls.lines().filter_map(|line| match line.strip_prefix("| ") {
            Some(row) => row.split(" | ").next(),
            None => line.starts_with(['`', '*']).then_some(line),
        });
        let names = named.flat_map(|text| text.split('`').skip(1).step_by(2));
        let methods: BTreeSet<&str> = names
            .filter_map(|name| name.split('(').next())
            .filter(|name| {
                name.split_once('.').is_some_and(|(area, method)| !method.starts_with('<') && AREAS.contains(&area))
            })
            .collect();
        assert!(methods.len() > 30, "{methods:?}");
        let shown = shown("← ");
        let missing: Vec<_> = methods.iter().filter(|method| !shown.contains(**method)).collect();
        assert!(missing.is_empty(), "no example of {missing:?}");
    }

    const AREAS: [&str; 7] = ["ai", "call", "ctx", "models", "pi", "session", "ui"];
}
