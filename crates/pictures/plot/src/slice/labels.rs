//! Axis labels and titles of slices, in the markup of figures.

use hemiola_stability::Growth;

use crate::slice::entries::{Coupling, Entries};
use crate::slice::text::{complex, real};
use crate::slice::{Phases, Sign, Slice};

impl Slice {
    /// Returns the labels of the axes, in the markup of figures.
    ///
    /// ```
    /// use hemiola_plot::Slice;
    /// assert_eq!(Slice::Partitions.axes(), ("Re(*z*)".to_owned(), "Im(*z*)".to_owned()));
    /// ```
    #[must_use]
    pub fn axes(&self) -> (String, String) {
        let (x, y) = match self {
            Self::Partitions | Self::Plane(_) | Self::Additive(_) => ("Re(*z*)", "Im(*z*)"),
            Self::Coupled { .. } | Self::Gil { .. } | Self::Robust { .. } => ("Re(*ξ*)", "Im(*ξ*)"),
            Self::Joint { .. } => ("Re(*z*_{E})", "Im(*z*_{E})"),
            Self::KappaGamma { .. } => ("*κ*", "*γ*"),
            Self::StepCoupling { .. } => ("*h*", "*g*"),
            Self::DampingFrequency { .. } => ("*ζ*", "*ω*"),
            Self::Parameters(_) => ("*x*", "*y*"),
            Self::Profile { .. } => ("*κ*/*κ*^{∗}", "*γ*"),
            Self::Imaginary => ("*y*", "error"),
            Self::Monotonicity => ("*r*_{1}", "*r*_{2}"),
            // All have the same kind.
            Self::Values(values) => return values.slices().first().map(Self::axes).unwrap_or_default(),
        };
        (x.to_owned(), y.to_owned())
    }

    /// Returns the fixed parameters of the slice, in the markup of figures; empty if there are none.
    ///
    /// ```
    /// use hemiola_plot::Slice;
    /// let slice: Slice = "kappa-gamma:z=-0.05+i,sign=-".parse()?;
    /// assert_eq!(slice.title(), "*z*_{ss} = −0.05 + i, *g* = −*γ*^{2}");
    /// # Ok::<(), hemiola_plot::SliceError>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> String {
        self.title_parts().join(", ")
    }

    /// Returns the parts of the title, one for each fixed parameter.
    pub(crate) fn title_parts(&self) -> Vec<String> {
        match self {
            Self::Partitions | Self::Imaginary | Self::Monotonicity => Vec::new(),
            Self::Coupled { kappa, coupling } | Self::DampingFrequency { kappa, coupling } => {
                equations(&[("*κ*", real(*kappa)), ("*g*", complex(*coupling))])
            }
            Self::Gil { alpha, beta } => equations(&[("*α*", real(*alpha)), ("*β*", real(*beta))]),
            Self::Plane(entries) | Self::Parameters(entries) => entries.title_parts(),
            Self::KappaGamma { slow, sign } => {
                vec![equation("*z*_{ss}", &complex(*slow)), coupling(*sign).to_owned()]
            }
            Self::StepCoupling { slow, fast } => equations(&[("*λ*_{s}", complex(*slow)), ("*λ*_{f}", complex(*fast))]),
            Self::Robust { kappa: (low, high), gamma, phases } => {
                let kappa = if low == high {
                    equation("*κ*", &real(*low))
                } else {
                    format!("{} ≤ *κ* ≤ {}", marked(&real(*low)), marked(&real(*high)))
                };
                let bound = format!("|*g*| ≤ {}^{{2}}", marked(&real(*gamma)));
                let of = (*phases == Phases::Real).then(|| "real *g*".to_owned());
                std::iter::once(kappa).chain(of).chain([bound]).collect()
            }
            Self::Additive(entries) => {
                equations(&[("*z*_{1}", entries.slow.to_string()), ("*z*_{2}", entries.fast.to_string())])
            }
            Self::Joint { wedge, radius } => {
                let wedge = format!("|arg(−*z*_{{I}})| ≤ {}°", marked(&real(*wedge)));
                let bound =
                    if radius.is_finite() { format!("≤ {}", marked(&real(*radius))) } else { "< ∞".to_owned() };
                vec![wedge, format!("|*z*_{{I}}| {bound}")]
            }
            Self::Profile { zeta, sign, growth } => {
                let bound = if *growth == Growth::Strict { "1" } else { "1 + 10^{−3}" };
                vec![equation("*ζ*", &real(*zeta)), coupling(*sign).to_owned(), format!("*ρ* ≤ {bound}")]
            }
            Self::Values(values) => values.common_title(),
        }
    }
}

impl Entries {
    fn title_parts(&self) -> Vec<String> {
        let mut parts = vec![("*z*_{ss}", self.slow.to_string()), ("*z*_{ff}", self.fast.to_string())];
        match &self.coupling {
            Coupling::Product(w) => parts.push(("*w*", w.to_string())),
            Coupling::Factors(sf, fs) => parts.extend([("*z*_{sf}", sf.to_string()), ("*z*_{fs}", fs.to_string())]),
            Coupling::Number(g) => parts.push(("*g*", g.to_string())),
            Coupling::One => {}
        }
        equations(&parts)
    }
}

fn coupling(sign: Sign) -> &'static str {
    match sign {
        Sign::Plus => "*g* = *γ*^{2}",
        Sign::Minus => "*g* = −*γ*^{2}",
    }
}

/// Formats `a = …` for each part.
fn equations(parts: &[(&str, String)]) -> Vec<String> {
    parts.iter().map(|(name, text)| equation(name, text)).collect()
}

fn equation(name: &str, text: &str) -> String {
    format!("{name} = {}", marked(text))
}

/// Formats an expression with italic variables, superscripts, true minus signs, and spaces around sums.
fn marked(text: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut marked = String::new();
    let mut raised = false;
    for (k, &letter) in letters.iter().enumerate() {
        let before = k.checked_sub(1).map(|k| letters[k]);
        if raised && !letter.is_ascii_digit() && before != Some('^') {
            marked.push('}');
            raised = false;
        }
        let is_exponent = matches!(before, Some('e' | 'E')) && k >= 2 && letters[k - 2].is_ascii_digit();
        let is_sign = raised || is_exponent || before.is_none_or(|before| "(+-*/^".contains(before));
        match letter {
            '-' if is_sign => marked.push('−'),
            '-' => marked += " − ",
            '+' if is_exponent => {}
            '+' if !is_sign => marked += " + ",
            '*' => marked += "\u{2009}·\u{2009}",
            '^' => {
                marked += "^{";
                raised = true;
            }
            'x' | 'y' | 'z' if !is_in_word(&letters, k) => marked += &format!("*{letter}*"),
            _ => marked.push(letter),
        }
    }
    if raised {
        marked.push('}');
    }
    marked
}

/// Returns whether the letter belongs to the function name `exp`.
fn is_in_word(letters: &[char], k: usize) -> bool {
    k > 0 && letters[k - 1..].starts_with(&['e', 'x', 'p'])
}
