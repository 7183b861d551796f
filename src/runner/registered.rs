//! What the loaded hooks registered, known without a crossing.

use super::emit::{HookRunner, crosses};
use crate::engine::{LoadedHook, RegisteredCommand};
use crate::events::EventName;

impl HookRunner {
    /// The loaded hooks, in load order.
    pub fn hooks(&self) -> Vec<LoadedHook> {
        self.engine().shared().hooks().into_iter().map(|(_, hook)| hook).collect()
    }

    /// Paths of the loaded hooks as given, in load order.
    pub fn get_hook_paths(&self) -> Vec<String> {
        self.hooks().into_iter().map(|hook| hook.path).collect()
    }

    /// What reads like a slip in what the hooks registered: events that nothing is called but that are nearly the name of one.
    pub fn doubts(&self) -> Vec<String> {
        let of = |hook: LoadedHook| {
            let LoadedHook { path, handlers, .. } = hook;
            handlers.into_iter().filter_map(move |(event, _)| {
                let meant = EventName::meant(&event)?;
                Some(format!(
                    "{path}: handles {event:?}, an event that is not known; did it mean {:?}?",
                    meant.as_str()
                ))
            })
        };
        self.hooks().into_iter().flat_map(of).collect()
    }

    /// Whether any hook handles the event. Costs no crossing.
    pub fn has_handlers(&self, event: &str) -> bool {
        self.engine().shared().has_handlers(event)
    }

    /// Whether an emit of the event has to enter the isolate: the end of the session also ends what hooks without a handler have running.
    pub fn crosses(&self, event: &str) -> bool {
        crosses(&self.engine(), event)
    }

    /// Every registered command in load order; names may repeat (`hooks.md §8`).
    pub fn get_registered_commands(&self) -> Vec<RegisteredCommand> {
        let commands = |(index, hook): (usize, LoadedHook)| {
            hook.commands.into_iter().map(move |(name, description)| RegisteredCommand {
                name,
                description,
                hook_path: hook.path.clone(),
                hook: index,
            })
        };
        self.engine().shared().hooks().into_iter().flat_map(commands).collect()
    }

    /// Path of hook `hook` of the load list, as given.
    pub fn hook_path(&self, hook: usize) -> String {
        self.engine().shared().hook_path(i32::try_from(hook).unwrap_or(-1))
    }

    /// Whether hook `hook` of the load list lives in the host.
    pub fn is_host_hook(&self, hook: usize) -> bool {
        self.engine().shared().is_host_hook(hook)
    }

    /// Whether messages of this type are drawn by a hook that lives in the host.
    pub fn is_host_renderer(&self, custom_type: &str) -> bool {
        let first = self.hooks().into_iter().find(|hook| hook.renderers.iter().any(|known| known == custom_type));
        first.is_some_and(|hook| hook.in_host)
    }

    /// The command that runs under this name: the first one in load order.
    pub fn get_command(&self, name: &str) -> Option<RegisteredCommand> {
        self.get_registered_commands().into_iter().find(|command| command.name == name)
    }

    /// Path of the hook whose renderer draws messages of this type: the first one in load order.
    pub fn get_message_renderer(&self, custom_type: &str) -> Option<String> {
        self.hooks()
            .into_iter()
            .find(|hook| hook.renderers.iter().any(|known| known == custom_type))
            .map(|hook| hook.path)
    }
}
