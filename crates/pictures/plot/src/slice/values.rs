//! Slices that differ in one value, written as one text: `coupled:kappa=5,g=0.01,0.04`.

use std::fmt;

use crate::slice::Slice;
use crate::slice::error::SliceError;

/// Keys whose values are words.
const WORDS: [&str; 2] = ["sign", "phase"];

/// Keys, which are not values: a key alone lacks its value. (`z` may be either.)
const KEYS: [&str; 19] = [
    "kappa", "g", "alpha", "beta", "ss", "ff", "w", "sf", "fs", "sign", "slow", "fast", "gamma", "phase", "first",
    "second", "zeta", "wedge", "radius",
];

/// Keys of couplings: slices that differ only in one of them coincide without coupling.
const COUPLINGS: [&str; 3] = ["g", "w", "beta"];

/// Slices of one kind that differ in the value of one key, overlaid in a map.
///
/// ```
/// use hemiola_plot::Slice;
/// let slice: Slice = "coupled:kappa=5,g=0.01,0.04,0.09".parse()?;
/// let Slice::Values(values) = &slice else { panic!("three values") };
/// assert_eq!((values.key(), values.slices().len()), ("g", 3));
/// assert_eq!(values.slices()[1], "coupled:kappa=5,g=0.04".parse()?);
/// assert_eq!(slice.to_string(), "coupled:kappa=5,g=0.01,0.04,0.09");
/// # Ok::<(), hemiola_plot::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    key: String,
    /// Slices, at least two.
    slices: Vec<Slice>,
}

impl Values {
    /// Returns the key whose value varies.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the slice of each value.
    #[must_use]
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// Parses a slice with several values of one key, each with `read`; returns `None` if every key has one value.
    pub(crate) fn read(
        text: &str,
        read: impl Fn(&str) -> Result<Slice, SliceError>,
    ) -> Result<Option<Self>, SliceError> {
        let Some((name, rest)) = text.split_once(':') else { return Ok(None) };
        let pairs = pairs(rest);
        let mut listed = pairs.iter().enumerate().filter(|(_, pair)| pair.len() > 1);
        let (place, list) = match (listed.next(), listed.next()) {
            (None, _) => return Ok(None),
            (Some(list), None) => list,
            (Some((_, first)), Some((_, second))) => {
                let [first, second] = [first, second].map(|pair| key_of(pair[0]).to_owned());
                return Err(SliceError::TwoLists { first, second });
            }
        };
        let key = key_of(list[0]).to_owned();
        if let Some(word) = WORDS.into_iter().find(|word| *word == key) {
            return Err(SliceError::OneValue { key: word });
        }
        let mut slices: Vec<Slice> = Vec::new();
        for (k, value) in list.iter().enumerate() {
            let assigned = if k == 0 { (*value).to_owned() } else { format!("{key}={value}") };
            let texts = pairs.iter().enumerate().map(|(k, pair)| if k == place { assigned.as_str() } else { pair[0] });
            let slice = read(&format!("{name}:{}", texts.collect::<Vec<_>>().join(",")))?;
            if slices.contains(&slice) {
                return Err(SliceError::RepeatedValue { key, value: value_of(assigned.as_str()).to_owned() });
            }
            slices.push(slice);
        }
        Ok(Some(Self { key, slices }))
    }

    /// Returns the slices with the texts of their values, such as "g=0.04".
    pub(crate) fn named(&self) -> impl Iterator<Item = (&Slice, String)> {
        self.slices.iter().map(|slice| (slice, format!("{}={}", self.key, self.value(&slice.to_string()))))
    }

    /// Returns the common parts of the titles of all slices.
    pub(crate) fn common_title(&self) -> Vec<String> {
        let titles: Vec<Vec<String>> = self.slices.iter().map(Slice::title_parts).collect();
        let is_common = |part: &String| titles.iter().all(|title| title.contains(part));
        titles.iter().take(1).flatten().filter(|part| is_common(part)).cloned().collect()
    }

    /// Returns the remaining part of the title of one slice, such as "*g* = 0.04".
    pub(crate) fn label(&self, slice: &Slice) -> String {
        let common = self.common_title();
        let own = slice.title_parts().into_iter().filter(|part| !common.contains(part));
        own.collect::<Vec<_>>().join(", ")
    }

    /// Returns the first slice if all slices coincide without coupling.
    pub(crate) fn without_coupling(&self) -> Option<&Slice> {
        self.slices.first().filter(|_| COUPLINGS.contains(&self.key.as_str()))
    }

    /// Returns the value of the key in the text of a slice.
    fn value(&self, text: &str) -> String {
        let rest = text.split_once(':').map_or("", |(_, rest)| rest);
        let pair = rest.split(',').find(|pair| key_of(pair) == self.key);
        pair.map_or(String::new(), |pair| value_of(pair).to_owned())
    }
}

/// Splits into `key=value` with the following parts without a key, which are further values.
fn pairs(text: &str) -> Vec<Vec<&str>> {
    let mut pairs: Vec<Vec<&str>> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match pairs.last_mut() {
            Some(pair) if !part.contains('=') && !KEYS.contains(&part) && pair[0].contains('=') => pair.push(part),
            _ => pairs.push(vec![part]),
        }
    }
    pairs
}

fn key_of(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(key, _)| key).trim()
}

fn value_of(pair: &str) -> &str {
    pair.split_once('=').map_or("", |(_, value)| value).trim()
}

/// Formats the first slice with all values in place of its own.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.slices.iter().map(ToString::to_string).collect();
        let values: Vec<String> = texts.iter().map(|text| self.value(text)).collect();
        let first = texts.first().map_or("", String::as_str);
        let (name, rest) = first.split_once(':').unwrap_or((first, ""));
        let list = || format!("{}={}", self.key, values.join(","));
        let pairs: Vec<String> =
            rest.split(',').map(|pair| if key_of(pair) == self.key { list() } else { pair.to_owned() }).collect();
        write!(f, "{name}:{}", pairs.join(","))
    }
}
