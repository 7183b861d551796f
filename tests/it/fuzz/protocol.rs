//! Lines of the protocol: any bytes are messages or refusals that can be sent back, however they are cut.

use hookrt::serve::{Code, Line, LineReader, Message};
use proptest::prelude::*;
use tokio::io::AsyncWriteExt;

use super::mutate::mutated;
use super::{corpus, fuzz};

#[test]
fn any_line_is_a_message_or_a_refusal() {
    let bytes = prop_oneof![9 => mutated(corpus("protocol")), 1 => proptest::collection::vec(any::<u8>(), 0..200)];
    fuzz("tests/corpus/protocol.regressions", bytes, |bytes| {
        match Message::decode(&bytes) {
            Ok(message) => {
                let line = message.encode();
                prop_assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1, "one line");
                let again = Message::decode(line.trim_ascii_end()).expect("what was read can be read again");
                prop_assert_eq!(again.encode(), line);
            }
            Err(refusal) => {
                let error = refusal.outcome.clone().expect_err("a refusal");
                prop_assert!([Code::PARSE, Code::INVALID_REQUEST].contains(&Code(error.code)), "{error:?}");
                let line = Message::Response(*refusal).encode();
                prop_assert!(Message::decode(line.trim_ascii_end()).is_ok(), "{}", String::from_utf8_lossy(&line));
            }
        }
        Ok(())
    });
}

#[test]
fn lines_are_the_same_however_they_arrive() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let bytes = prop_oneof![
        mutated(corpus("protocol")),
        proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'x')], 0..60),
    ];
    let pieces = proptest::collection::vec(1..40_usize, 1..20);
    fuzz("tests/corpus/framing.regressions", (bytes, pieces, 1..80_usize), |(bytes, pieces, max)| {
        let expected: Vec<Result<Vec<u8>, ()>> = bytes
            .split(|byte| *byte == b'\n')
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .filter(|line| line.len() > max || !line.trim_ascii().is_empty())
            .map(|line| if line.len() > max { Err(()) } else { Ok(line.to_vec()) })
            .collect();
        let read = runtime.block_on(async {
            let (mut ours, theirs) = tokio::io::duplex(7);
            let write = async {
                let mut rest = bytes.as_slice();
                for piece in pieces.iter().cycle() {
                    let (now, later) = rest.split_at(rest.len().min(*piece));
                    ours.write_all(now).await.expect("somebody reads");
                    rest = later;
                    if rest.is_empty() {
                        break;
                    }
                }
                drop(ours);
            };
            let read = async {
                let mut reader = LineReader::with_max(theirs, max);
                let mut lines = Vec::new();
                while let Some(line) = reader.next().await.expect("a pipe in memory") {
                    lines.push(match line {
                        Line::Bytes(bytes) => Ok(bytes.to_vec()),
                        Line::TooLong { .. } => Err(()),
                    });
                }
                lines
            };
            tokio::join!(write, read).1
        });
        prop_assert_eq!(read, expected);
        Ok(())
    });
}
