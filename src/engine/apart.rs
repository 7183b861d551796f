//! The isolates of a generation beside the first: hooks live there whose permissions are others than those of the hooks before them. All
//! share one [`Shared`](super::shared::Shared), and are started, lost and replaced together.

use super::generation::spawn;
use super::request::GenerationOptions;
use super::waiting::Thread;

/// Their threads, from the second isolate on. Cheap enough to clone.
#[derive(Clone, Default)]
pub struct Apart(Vec<Thread>);

impl Apart {
    /// Starts every isolate of `options` but the first.
    pub fn start(options: &GenerationOptions) -> Result<Apart, String> {
        let numbers = 1..options.isolates.len();
        let threads = numbers.map(|number| spawn(options.clone(), number, Apart::default()));
        threads.collect::<Result<_, _>>().map(Apart)
    }

    /// The thread of isolate `number`; `None` for the first and unknown ones.
    pub fn thread(&self, number: usize) -> Option<&Thread> {
        self.0.get(number.checked_sub(1)?)
    }

    /// All of them.
    pub fn threads(&self) -> impl Iterator<Item = &Thread> {
        self.0.iter()
    }
}
