//! Labels as LaTeX. Italics, scripts and symbols missing from text fonts become formulas.

use crate::text::{Label, Script, Span};

/// Characters that LaTeX sets in math mode. All others are unchanged: LaTeX reads UTF-8.
const MATHEMATICS: &[(char, &str)] = &[
    ('α', r"\alpha"),
    ('β', r"\beta"),
    ('γ', r"\gamma"),
    ('δ', r"\delta"),
    ('ε', r"\varepsilon"),
    ('ϵ', r"\epsilon"),
    ('ζ', r"\zeta"),
    ('η', r"\eta"),
    ('θ', r"\theta"),
    ('ϑ', r"\vartheta"),
    ('ι', r"\iota"),
    ('κ', r"\kappa"),
    ('λ', r"\lambda"),
    ('μ', r"\mu"),
    ('µ', r"\mu"),
    ('ν', r"\nu"),
    ('ξ', r"\xi"),
    ('π', r"\pi"),
    ('ρ', r"\rho"),
    ('σ', r"\sigma"),
    ('τ', r"\tau"),
    ('υ', r"\upsilon"),
    ('φ', r"\varphi"),
    ('ϕ', r"\phi"),
    ('χ', r"\chi"),
    ('ψ', r"\psi"),
    ('ω', r"\omega"),
    ('Γ', r"\Gamma"),
    ('Δ', r"\Delta"),
    ('Θ', r"\Theta"),
    ('Λ', r"\Lambda"),
    ('Ξ', r"\Xi"),
    ('Π', r"\Pi"),
    ('Σ', r"\Sigma"),
    ('Φ', r"\Phi"),
    ('Ψ', r"\Psi"),
    ('Ω', r"\Omega"),
    ('−', "-"),
    ('×', r"\times"),
    ('÷', r"\div"),
    ('±', r"\pm"),
    ('·', r"\cdot"),
    ('°', r"^\circ"),
    ('≤', r"\le"),
    ('≥', r"\ge"),
    ('≠', r"\ne"),
    ('≈', r"\approx"),
    ('≡', r"\equiv"),
    ('≪', r"\ll"),
    ('≫', r"\gg"),
    ('→', r"\to"),
    ('∞', r"\infty"),
    ('∈', r"\in"),
    ('√', r"\surd"),
    ('‖', r"\|"),
    ('∑', r"\sum"),
    ('∏', r"\prod"),
    ('∫', r"\int"),
    ('∂', r"\partial"),
    ('∇', r"\nabla"),
    ('ℝ', r"\mathbb{R}"),
    ('ℂ', r"\mathbb{C}"),
    ('′', r"'"),
    ('⁰', "^0"),
    ('¹', "^1"),
    ('²', "^2"),
    ('³', "^3"),
    ('⁴', "^4"),
    ('⁵', "^5"),
    ('⁶', "^6"),
    ('⁷', "^7"),
    ('⁸', "^8"),
    ('⁹', "^9"),
    ('⁻', "^-"),
    ('ᵢ', "_i"),
    ('ⱼ', "_j"),
    ('|', "|"),
    ('<', "<"),
    ('>', ">"),
];

/// Converts a label to LaTeX text.
pub(super) fn tex(label: &Label) -> String {
    let mut line = Line::default();
    for span in &label.spans {
        line.set(span);
    }
    line.close();
    line.text
}

/// LaTeX text under construction. Adjacent formulas are merged, so that scripts attach to their base.
#[derive(Default)]
struct Line {
    text: String,
    in_formula: bool,
}

impl Line {
    fn set(&mut self, span: &Span) {
        match (span.script, span.italic) {
            (Script::Normal, false) => span.text.chars().for_each(|c| self.letter(c)),
            (Script::Normal, true) => self.formula(&italic(&span.text)),
            (script, is_italic) => {
                let inside = if is_italic { italic(&span.text) } else { upright(&span.text) };
                let sign = if script == Script::Sub { '_' } else { '^' };
                self.formula(&format!("{sign}{{{inside}}}"));
            }
        }
    }

    /// Appends a character of ordinary text.
    fn letter(&mut self, c: char) {
        match mathematics(c) {
            Some(command) => self.formula(&command),
            None => {
                self.close();
                self.text.push_str(&escaped(c));
            }
        }
    }

    fn formula(&mut self, inside: &str) {
        if !self.in_formula {
            self.text.push('$');
            self.in_formula = true;
        }
        self.text.push_str(inside);
    }

    /// Closes the current formula.
    fn close(&mut self) {
        if self.in_formula {
            self.text.push('$');
            self.in_formula = false;
        }
    }
}

/// Converts italic text in a formula. A word is set as a unit, not as a product of letters.
fn italic(text: &str) -> String {
    let inside: String = text.chars().map(|c| mathematics(c).unwrap_or_else(|| escaped(c))).collect();
    let is_word = text.len() > 2 && text.chars().all(|c| c.is_ascii_alphabetic());
    if is_word { format!("\\mathit{{{inside}}}") } else { inside }
}

/// Converts upright text in a formula: digits and symbols unchanged, words as text.
fn upright(text: &str) -> String {
    if text.chars().any(|c| c.is_alphabetic() && mathematics(c).is_none()) {
        let mut line = Line::default();
        text.chars().for_each(|c| line.letter(c));
        line.close();
        return format!("\\text{{{}}}", line.text);
    }
    text.chars().map(|c| mathematics(c).unwrap_or_else(|| escaped(c))).collect()
}

/// Returns the LaTeX command of a character in math mode, if there is one. A trailing space ends the command.
fn mathematics(c: char) -> Option<String> {
    let &(_, command) = MATHEMATICS.iter().find(|(known, _)| *known == c)?;
    let is_word = command.starts_with('\\') && command.ends_with(|end: char| end.is_ascii_alphabetic());
    Some(if is_word { format!("{command} ") } else { command.to_owned() })
}

fn escaped(c: char) -> String {
    match c {
        '\\' => r"\textbackslash{}".to_owned(),
        '~' => r"\textasciitilde{}".to_owned(),
        '^' => r"\textasciicircum{}".to_owned(),
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
        '…' => r"\dots{}".to_owned(),
        _ if c.is_control() => " ".to_owned(),
        _ => c.to_string(),
    }
}

/// Converts a text for use in a comment.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Font;

    fn written(text: &str) -> String {
        tex(&Label::new(text, &Font::Sans))
    }

    #[test]
    fn italics_and_scripts_are_formulas() {
        assert_eq!(written("Re(*hλ*)"), r"Re($h\lambda $)");
        assert_eq!(written("|*R*_{slow}(*z*)| = 10^{−2}"), r"$|R_{\text{slow}}$($z$)$|$ = 10$^{-2}$");
        assert_eq!(written("*z_{s}*"), r"$z_{s}$");
    }

    #[test]
    fn what_latex_reads_otherwise_is_escaped() {
        assert_eq!(written("50 % of a_b & {c}"), r"50 \% of a\_b \& \{c\}");
        assert_eq!(written(r"a\\b #1 $x$ ~"), r"a\textbackslash{}b \#1 \$x\$ \textasciitilde{}");
    }

    #[test]
    fn braces_and_formulas_are_balanced_whatever_the_text() {
        let pieces = ["*", "_{", "^{", "}", "x", "λ", "\\", "$", "%"];
        for code in 0..9_usize.pow(5) {
            let text: String = (0..5).map(|k| pieces[code / 9_usize.pow(k) % 9]).collect();
            let tex = written(&text).replace(r"\textbackslash{}", "").replace(r"\{", "").replace(r"\}", "");
            let formulas = tex.replace(r"\$", "").matches('$').count();
            assert!(
                formulas.is_multiple_of(2) && tex.matches('{').count() == tex.matches('}').count(),
                "{text}: {tex}"
            );
        }
    }
}
