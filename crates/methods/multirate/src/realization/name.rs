//! Names of realizations, as users write them.

use thiserror::Error;

/// A multirate method with its inner method and its substeps: `NAME`, `NAME:inner=METHOD`, `NAME:substeps=M` or
/// `NAME:inner=METHOD,substeps=M`.
///
/// ```
/// use hemiola_multirate::RealizationName;
/// let name = RealizationName::parse("merk43:inner=rk4,substeps=10")?;
/// assert_eq!((name.method, name.inner, name.substeps), ("merk43", Some("rk4"), Some(10)));
/// assert_eq!(RealizationName::parse("merk43")?.inner, None);
/// assert!(RealizationName::parse("merk43:inner=rk4,substeps=ten").is_err());
/// assert!(RealizationName::parse(":inner=rk4,substeps=2").is_err());
/// # Ok::<(), hemiola_multirate::RealizationNameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealizationName<'a> {
    /// The multirate method.
    pub method: &'a str,
    /// The inner method, if specified.
    pub inner: Option<&'a str>,
    /// The number of steps in each interval, if specified.
    pub substeps: Option<usize>,
}

/// Text that does not name a realization.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found {found:?}; expected NAME:inner=METHOD,substeps=M with a number of substeps M")]
pub struct RealizationNameError {
    /// The text.
    pub found: String,
}

impl<'a> RealizationName<'a> {
    /// Reads a name. A name without `:inner=` and `:substeps=` denotes the multirate method itself.
    ///
    /// # Errors
    /// Returns a [`RealizationNameError`] if the name of the method or the inner method is empty, or the number of
    /// substeps is invalid or given twice.
    pub fn parse(text: &'a str) -> Result<Self, RealizationNameError> {
        let malformed = || RealizationNameError { found: text.to_owned() };
        let number = |digits: &str| digits.parse::<usize>().map_err(|_| malformed());
        if let Some((method, options)) = text.split_once(":inner=") {
            let (inner, substeps) = match options.rsplit_once(",substeps=") {
                Some((inner, substeps)) => (inner, Some(number(substeps)?)),
                None => (options, None),
            };
            let is_named = !method.is_empty() && !inner.is_empty() && !inner.contains(",substeps=");
            return if !is_named { Err(malformed()) } else { Ok(Self { method, inner: Some(inner), substeps }) };
        }
        match text.split_once(":substeps=") {
            Some(("", _)) => Err(malformed()),
            Some((method, substeps)) => Ok(Self { method, inner: None, substeps: Some(number(substeps)?) }),
            None => Ok(Self { method: text, inner: None, substeps: None }),
        }
    }
}
