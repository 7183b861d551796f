//! Source maps (version 3): written for debuggers, decoded to move positions in stack traces back
//! to the hook's own lines.

use serde::Deserialize;

/// A decoded map with one source.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    /// Sorted by generated position.
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    line: u32,
    column: u32,
    original_line: u32,
    original_column: u32,
}

impl SourceMap {
    /// Decodes the `mappings` field. A malformed tail is dropped: a wrong position in a stack trace
    /// is better than none.
    pub fn from_mappings(mappings: &str) -> Self {
        let mut segments = Vec::new();
        let (mut original_line, mut original_column) = (0i64, 0i64);
        for (line, groups) in mappings.split(';').enumerate() {
            let mut column = 0i64;
            for group in groups.split(',').filter(|group| !group.is_empty()) {
                let Some(fields) = decode_vlq(group) else {
                    return Self { segments };
                };
                column += fields.first().copied().unwrap_or(0);
                let (Some(line_delta), Some(column_delta)) = (fields.get(2), fields.get(3)) else {
                    continue;
                };
                original_line += line_delta;
                original_column += column_delta;
                let converted = (
                    u32::try_from(line),
                    u32::try_from(column),
                    u32::try_from(original_line),
                    u32::try_from(original_column),
                );
                if let (Ok(line), Ok(column), Ok(original_line), Ok(original_column)) = converted {
                    segments.push(Segment { line, column, original_line, original_column });
                }
            }
        }
        Self { segments }
    }

    /// Decodes a version 3 map; `None` for text that is none.
    pub fn from_json(map: &str) -> Option<Self> {
        Some(Self::from_mappings(&mappings_of_json(map.as_bytes()).ok()?))
    }

    /// Maps a position of the emitted code to the source. Lines and columns are 1-based, columns
    /// in UTF-16 units, as engines print them. `None` for code that no source line stands behind.
    pub fn lookup(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let (line, column) = (line.checked_sub(1)?, column.saturating_sub(1));
        let after = self.segments.partition_point(|segment| (segment.line, segment.column) <= (line, column));
        let on_line = |segment: &&Segment| segment.line == line;
        // Engines report columns inside generated text before the first segment, too.
        let segment = after
            .checked_sub(1)
            .and_then(|index| self.segments.get(index))
            .filter(on_line)
            .or_else(|| self.segments.get(after).filter(on_line))?;
        Some((segment.original_line + 1, segment.original_column + 1))
    }
}

/// Builds the JSON of a version 3 map from its `mappings`.
pub fn to_json(mappings: &str, source: &str, content: Option<&str>) -> String {
    let mut map = serde_json::json!({
        "version": 3,
        "sources": [source],
        "names": [],
        "mappings": mappings,
    });
    if let (Some(content), Some(object)) = (content, map.as_object_mut()) {
        object.insert("sourcesContent".to_string(), serde_json::json!([content]));
    }
    map.to_string()
}

/// Takes the `mappings` out of a map written by the compiler.
pub(super) fn mappings_of_json(json: &[u8]) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Raw {
        mappings: String,
    }
    serde_json::from_slice::<Raw>(json).map(|raw| raw.mappings).map_err(|error| error.to_string())
}

fn decode_vlq(group: &str) -> Option<Vec<i64>> {
    let mut fields = Vec::with_capacity(4);
    let (mut value, mut shift) = (0i64, 0u32);
    for byte in group.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        if shift > 40 {
            return None;
        }
        value |= i64::from(digit & 31) << shift;
        if digit & 32 != 0 {
            shift += 5;
            continue;
        }
        fields.push(if value & 1 == 1 { -(value >> 1) } else { value >> 1 });
        (value, shift) = (0, 0);
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::SourceMap;

    #[test]
    fn positions_map_back_and_unmapped_lines_do_not() {
        // Line 2: (0 → 0:0), (4 → 2:3); line 4 has nothing.
        let map = SourceMap::from_mappings(";AAAA,IAEG;;");
        assert_eq!(map.lookup(2, 1), Some((1, 1)));
        assert_eq!(map.lookup(2, 4), Some((1, 1)));
        assert_eq!(map.lookup(2, 5), Some((3, 4)));
        assert_eq!(map.lookup(2, 900), Some((3, 4)));
        assert_eq!(map.lookup(1, 1), None);
        assert_eq!(map.lookup(4, 1), None);
        assert_eq!(map.lookup(0, 0), None);
    }

    #[test]
    fn malformed_mappings_keep_their_good_head() {
        let map = SourceMap::from_mappings("AAAA;AACA;\u{1F600}");
        assert_eq!(map.lookup(2, 1), Some((2, 1)));
        assert_eq!(map.lookup(3, 1), None);
    }
}
