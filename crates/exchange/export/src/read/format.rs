//! Import formats and their detection.

/// Format of a text with methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportFormat {
    /// Rows of comma-separated values: our own export or a table.
    Csv,
    /// Numbers separated by blanks: a Butcher tableau, or A, b and c.
    Text,
    /// Butcher tableaus in `array` or `tabular`.
    Latex,
    /// Python: lists and arrays named A, b, c.
    Numpy,
    /// Python: calls of `RungeKuttaMethod` and related constructors.
    NodePy,
    /// MATLAB or Octave: matrices named A, b, c.
    Matlab,
    /// Output files of RK-Opt, or its MATLAB code.
    RkOpt,
    /// Julia: arrays, `a21 = …`, and calls of tableau constructors.
    Julia,
    /// Arrays of C.
    C,
    /// Butcher and coupling tables of ARKODE.
    Sundials,
    /// Registrations of TSRK and TSARKIMEX.
    Petsc,
    /// JSON object with arrays, as in differential-equations-rs.
    Json,
}

impl ImportFormat {
    /// Returns the name of the format in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Text => "a table of text",
            Self::Latex => "LaTeX",
            Self::Numpy => "Python",
            Self::NodePy => "Python with NodePy",
            Self::Matlab => "MATLAB",
            Self::RkOpt => "RK-Opt",
            Self::Julia => "Julia",
            Self::C => "C",
            Self::Sundials => "SUNDIALS tables",
            Self::Petsc => "PETSc registrations",
            Self::Json => "a JSON table",
        }
    }

    /// Describes the expected contents of the format.
    pub(super) fn contents(self) -> &'static str {
        match self {
            Self::Csv | Self::Text => "a Butcher tableau, or rows under the labels A, b and c",
            Self::Latex => "a Butcher tableau between \\begin{array} and \\end{array}",
            Self::Numpy => "arrays A and b",
            Self::NodePy => "calls of RungeKuttaMethod(A, b)",
            Self::Matlab | Self::RkOpt => "matrices A and b",
            Self::Julia => "arrays A and b, numbers a21, b1, …, or calls of ExplicitRKTableau(A, c, b, order)",
            Self::C => "arrays A and b",
            Self::Sundials => {
                "entries ARK_BUTCHER_TABLE(NAME, { … }) or ARK_MRI_TABLE(NAME, { … }), or calls of \
                 ARKodeButcherTable_Create or MRIStepCoupling_Alloc"
            }
            Self::Petsc => "calls of TSRKRegister or TSARKIMEXRegister",
            Self::Json => "an object with the arrays A and b, or dc, W0 and W1, or alpha, beta, gamma and d",
        }
    }

    /// Guesses the format of a text: from words that only one package uses, then from the extension of the file, then
    /// from brackets.
    ///
    /// ```
    /// use hemiola_export::ImportFormat;
    /// assert_eq!(ImportFormat::guess("A = [0 0; 1/2 0];\nb = [0 1];", "midpoint.m"), ImportFormat::Matlab);
    /// assert_eq!(ImportFormat::guess("0 |\n1/2 | 1/2\n | 0 1", "-"), ImportFormat::Text);
    /// ```
    #[must_use]
    pub fn guess(text: &str, file: &str) -> Self {
        let has = |word: &str| text.contains(word);
        let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
        if has("TSRKRegister") || has("TSARKIMEXRegister") || has("TSDIRKRegister") {
            return Self::Petsc;
        }
        if has("ARKodeButcherTable") || has("ARK_BUTCHER_TABLE") || has("B->A[") || has("MRIStepCoupling") {
            return Self::Sundials;
        }
        if has("RungeKuttaMethod(") || has("RungeKuttaPair(") {
            return Self::NodePy;
        }
        if has("\\begin{array}") || has("\\begin{tabular}") {
            return Self::Latex;
        }
        let beginning = text.trim_start_matches('\u{feff}').trim_start();
        if beginning.starts_with("#stage") {
            return Self::RkOpt;
        }
        let is_object = beginning.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        let has_array = |name: &str| {
            let after = |rest: &str| Some(rest.trim_start().strip_prefix(':')?.trim_start().starts_with('['));
            text.split(name).skip(1).any(|rest| after(rest) == Some(true))
        };
        if is_object && !has("\"format\"") && ["\"A\"", "\"W0\"", "\"alpha\""].into_iter().any(has_array) {
            return Self::Json;
        }
        match ending.as_str() {
            "py" | "ipynb" => Self::Numpy,
            "jl" => Self::Julia,
            "m" => Self::Matlab,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "def" => Self::C,
            "csv" | "tsv" => Self::Csv,
            "json" => Self::Json,
            "tex" => Self::Latex,
            _ => Self::by_marks(text),
        }
    }

    /// Guesses the format from brackets and keywords.
    fn by_marks(text: &str) -> Self {
        let has = |word: &str| text.contains(word);
        let assigns = has("=");
        let rational = text.lines().any(|line| line.contains("//") && !line.trim_start().starts_with("//"));
        if has("np.") || has("numpy") || has("[[") || has("Fraction(") {
            Self::Numpy
        } else if has("convert(T") || has("@SMatrix") || has("RKTableau") || (assigns && has("[") && rational) {
            Self::Julia
        } else if (has("const ") || has("double ") || has("float ") || has("Real ")) && has("{") {
            Self::C
        } else if assigns && has("[") {
            if has("import ") || has("def ") || !(has(";") || has("%")) { Self::Numpy } else { Self::Matlab }
        } else if assigns && text.lines().any(|line| line.trim_start().starts_with("a21")) {
            Self::Julia
        } else if text.lines().any(|line| !line.trim_start().starts_with('#') && line.contains([',', ';'])) {
            Self::Csv
        } else {
            Self::Text
        }
    }
}
