//! Positions of values in the text of a JSON document.

/// Returns the line and the column, from 1, of the value at a path such as `partitions[0].c[2]`.
///
/// A missing value has the position of the innermost value on its path that exists. Returns `None` if the text is not
/// JSON.
pub(crate) fn position_of(text: &[u8], path: &str) -> Option<(usize, usize)> {
    let before = &text[..Scanner { text, at: 0 }.find(&steps(path))?];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    Some((line, 1 + String::from_utf8_lossy(&before[start..]).chars().count()))
}

enum PathSegment<'a> {
    Key(&'a str),
    Index(usize),
}

fn steps(path: &str) -> Vec<PathSegment<'_>> {
    let parts = path.split(['.', '[']).filter(|part| !part.is_empty());
    let step = |part| match str::strip_suffix(part, ']').and_then(|number| number.parse().ok()) {
        Some(index) => PathSegment::Index(index),
        None => PathSegment::Key(part),
    };
    parts.map(step).collect()
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// Returns the offset of the value at a path relative to the value that begins at `self.at`.
    fn find(&mut self, steps: &[PathSegment<'_>]) -> Option<usize> {
        self.blanks();
        let start = self.at;
        let inner = match (steps, self.peek()?) {
            ([PathSegment::Key(key), rest @ ..], b'{') => self.member(key, rest),
            ([PathSegment::Index(index), rest @ ..], b'[') => self.item(*index, rest),
            _ => None,
        };
        Some(inner.unwrap_or(start))
    }

    fn member(&mut self, key: &str, rest: &[PathSegment<'_>]) -> Option<usize> {
        self.at += 1;
        loop {
            self.blanks();
            if self.peek()? != b'"' {
                return None;
            }
            let start = self.at;
            self.value()?;
            let found = &self.text[start + 1..self.at - 1];
            self.blanks();
            self.expect(b':')?;
            if found == key.as_bytes() {
                return self.find(rest);
            }
            self.value()?;
            self.blanks();
            self.expect(b',')?;
        }
    }

    fn item(&mut self, index: usize, rest: &[PathSegment<'_>]) -> Option<usize> {
        self.at += 1;
        for _ in 0..index {
            self.value()?;
            self.blanks();
            self.expect(b',')?;
        }
        self.blanks();
        if self.peek()? == b']' { None } else { self.find(rest) }
    }

    /// Skips a value. Brackets are counted without recursion, so that any depth is accepted.
    fn value(&mut self) -> Option<()> {
        self.blanks();
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b',' | b':' => return None,
                _ => self.word(),
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }

    /// Skips a number or a word such as `true`.
    fn word(&mut self) {
        let is_end = |byte: u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(&byte);
        while self.peek().is_some_and(|byte| !is_end(byte)) {
            self.at += 1;
        }
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::position_of;

    const TEXT: &[u8] = br#"{
  "id": "a \"b\" {",
  "partitions": [
    {"name": "x", "a": [
      ["0", 1.5],
      ["1", "2"]
    ]},
    {"b":
      [true]}
  ],
  "claims": {}
}"#;

    #[test]
    fn values_are_found_with_their_lines() {
        for (path, line) in [
            ("", 1),
            ("id", 2),
            ("partitions", 3),
            ("partitions[0].a[1][1]", 6),
            ("partitions[1].b", 9),
            ("partitions[1].b[0]", 9),
            // A missing value is located at the innermost existing value on its path.
            ("claims.order", 11),
            ("partitions[2]", 3),
            ("source.title", 1),
            ("partitions[0].a[1][7]", 6),
        ] {
            assert_eq!(position_of(TEXT, path).map(|(line, _)| line), Some(line), "{path}");
        }
    }

    #[test]
    fn texts_that_are_no_json_have_no_end() {
        for text in ["", "   ", "{\"a\": ", "{\"a", "[[[[", "{\"b\" 1}", "]", "{,}", "\"\\"] {
            for path in ["", "a", "[3].a", "a.b[0]"] {
                let position = position_of(text.as_bytes(), path);
                assert!(position.is_none_or(|(line, _)| line == 1), "{text:?} {path}");
            }
        }
        let deep = "[".repeat(1_000_000);
        assert_eq!(position_of(deep.as_bytes(), "[1]"), Some((1, 1)));
    }
}
