//! Driver programs for exported texts: they take one step of the problem or print the tables.

use super::problem::{H, T, start};

/// Properties of a method that a driver depends on.
pub(crate) struct Shape {
    /// Stem of exported names: `rk4`.
    pub(crate) name: String,
    /// Number of partitions.
    pub(crate) count: usize,
    pub(crate) has_error: bool,
}

impl Shape {
    /// Joins one text per partition, counted from 1.
    fn each(&self, separator: &str, text: impl Fn(usize) -> String) -> String {
        (1..=self.count).map(text).collect::<Vec<_>>().join(separator)
    }

    /// Lists `ynew1, …` and, if there is an error estimate, `err1, …`.
    fn results(&self, prefix: &str) -> String {
        let solution = self.each(", ", |r| format!("{prefix}ynew{r}"));
        let error = self.each(", ", |r| format!("{prefix}err{r}"));
        if self.has_error { format!("{solution}, {error}") } else { solution }
    }

    /// Returns the names of results for a loop over them.
    fn result_names(&self) -> Vec<String> {
        self.results("").split(", ").map(str::to_owned).collect()
    }
}

pub(crate) fn python(shape: &Shape) -> String {
    let count = shape.count;
    format!(
        "import numpy as np
from method import step
counts = [0] * {count}
def right_hand_side(r):
    def f(t, *y):
        counts[r - 1] += 1
        s = 0.0
        for q in y:
            s = s + q[0] * q[1]
        x = y[r - 1]
        return np.array([t * x[1] - s * x[0] + r, r * x[0] * s - t])
    return f
f = [right_hand_side(r + 1) for r in range({count})]
y = [np.array([0.5 + 0.25 * r, 1.0 - 0.125 * r]) for r in range(1, {count} + 1)]
out = step(*f, {T}, *y, {H})
for vector in out if isinstance(out, tuple) else (out,):
    print(*map(repr, map(float, vector)))
print(*counts)
"
    )
}

/// Writes a driver for y' = Σ f_r(t, y) with stages by fixed-point iteration; `implicit` counts partitions from 0.
pub(crate) fn python_additive(shape: &Shape, implicit: usize) -> String {
    let count = shape.count;
    format!(
        "import numpy as np
from method import step
def right_hand_side(r):
    def f(t, y):
        s = y[0] * y[1]
        return np.array([t * y[1] - s * y[0] + r, r * y[0] * s - t])
    return f
f = [right_hand_side(r + 1) for r in range({count})]
def solve(t, u, q):
    y = u
    for _ in range(100):
        y = u + q * f[{implicit}](t, y)
    return y
out = step(*f, solve, {T}, np.array([0.75, 0.875]), {H})
for vector in out if isinstance(out, tuple) else (out,):
    print(*map(repr, map(float, vector)))
"
    )
}

pub(crate) fn c(shape: &Shape) -> String {
    let mut text = format!("#include \"method.c\"\n#include <stdio.h>\nstatic int counts[{}];\n", shape.count);
    let states = shape.each(", ", |q| format!("const double *y{q}"));
    let s = shape.each(" + ", |q| format!("y{q}[0] * y{q}[1]"));
    for r in 1..=shape.count {
        text += &format!(
            "static void f{r}(double t, {states}, double *dydt, void *data)\n{{\n    double s = {s};\n    \
             dydt[0] = t * y{r}[1] - s * y{r}[0] + {r};\n    dydt[1] = {r} * y{r}[0] * s - t;\n    \
             ((int *)data)[{}]++;\n}}\n",
            r - 1
        );
    }
    let sizes = shape.each(", ", |_| "2".to_owned());
    text += &format!("int main(void)\n{{\n    double work[{}_WORK({sizes})];\n", shape.name.to_uppercase());
    for r in 1..=shape.count {
        let [x, y] = start(r);
        text += &format!("    double y{r}[2] = {{{x:?}, {y:?}}};\n");
    }
    // The result may overwrite the state, so this must work.
    let results = shape.results("").replace("ynew", "y");
    if shape.has_error {
        text += &shape.each("", |r| format!("    double err{r}[2];\n"));
    }
    let (functions, states) = (shape.each(", ", |r| format!("f{r}")), shape.each(", ", |r| format!("y{r}")));
    text +=
        &format!("    {}_step({functions}, counts, {sizes}, {T:?}, {states}, {H:?}, {results}, work);\n", shape.name);
    for result in results.split(", ") {
        text += &format!("    printf(\"%.17g %.17g\\n\", {result}[0], {result}[1]);\n");
    }
    format!("{text}    for (int r = 0; r < {}; r++) printf(\"%d\\n\", counts[r]);\n}}\n", shape.count)
}

pub(crate) fn rust(shape: &Shape) -> String {
    let count = shape.count;
    let mut text = "mod method;\nfn main() {\n".to_owned();
    let slices = shape.each(", ", |q| format!("y{q}: &[f64]"));
    let s = shape.each(" + ", |q| format!("y{q}[0] * y{q}[1]"));
    for r in 1..=count {
        let [x, y] = start(r);
        text += &format!("    let start{r} = [{x:?}, {y:?}];\n    let mut count{r} = 0;\n");
        let unused = shape.each("", |q| format!("let _ = y{q}; "));
        text += &format!(
            "    let f{r} = |t: f64, {slices}, out: &mut [f64]| {{\n        {unused}\n        let s = {s};\n        \
             out[0] = t * y{r}[1] - s * y{r}[0] + {r}.0;\n        out[1] = {r}.0 * y{r}[0] * s - t;\n        \
             count{r} += 1;\n    }};\n"
        );
    }
    for result in shape.result_names() {
        text += &format!("    let mut {result} = [0.0; 2];\n");
    }
    let (functions, states) = (shape.each(", ", |r| format!("f{r}")), shape.each(", ", |r| format!("&start{r}")));
    text += "    let mut work = vec![0.0; 2 * method::WORK.iter().sum::<usize>()];\n";
    text += &format!("    method::step({functions}, {T:?}, {states}, {H:?}, {}, &mut work);\n", shape.results("&mut "));
    for result in shape.result_names() {
        text += &format!("    println!(\"{{:?}} {{:?}}\", {result}[0], {result}[1]);\n");
    }
    for r in 1..=count {
        text += &format!("    println!(\"{{count{r}}}\");\n");
    }
    text + "}\n"
}

pub(crate) fn fortran(shape: &Shape) -> String {
    let (count, name) = (shape.count, &shape.name);
    let mut text = format!(
        "program driver\n  use, intrinsic :: iso_fortran_env, only: wp => real64\n  use {name}_method\n  \
         implicit none\n  integer :: counts({count}) = 0\n"
    );
    for r in 1..=count {
        let [x, y] = start(r);
        text += &format!("  real(wp) :: y{r}(2) = [{x:?}_wp, {y:?}_wp]\n");
    }
    for result in shape.result_names() {
        text += &format!("  real(wp) :: {result}(2)\n");
    }
    let (functions, states) = (shape.each(", ", |r| format!("f{r}")), shape.each(", ", |r| format!("y{r}")));
    text += &format!("  call {name}_step({functions}, {T:?}_wp, {states}, {H:?}_wp, {})\n", shape.results(""));
    for result in shape.result_names() {
        text += &format!("  print '(2es25.16e3)', {result}\n");
    }
    text += "  print *, counts\ncontains\n";
    let s = shape.each(" + ", |q| format!("x{q}(1) * x{q}(2)"));
    let (arguments, arrays) = (shape.each(", ", |q| format!("x{q}")), shape.each(", ", |q| format!("x{q}(:)")));
    for r in 1..=count {
        text += &format!(
            "  subroutine f{r}(t, {arguments}, dydt)\n    real(wp), intent(in) :: t\n    real(wp), intent(in) :: {arrays}\n    \
             real(wp), intent(out) :: dydt(:)\n    real(wp) :: s\n    s = {s}\n    \
             dydt = [t * x{r}(2) - s * x{r}(1) + {r}, {r} * x{r}(1) * s - t]\n    \
             counts({r}) = counts({r}) + 1\n  end subroutine\n"
        );
    }
    text + "end program\n"
}

pub(crate) fn octave(shape: &Shape) -> String {
    let (count, name) = (shape.count, &shape.name);
    let arguments = shape.each(", ", |q| format!("y{q}"));
    let s = shape.each(" + ", |q| format!("y{q}(1) * y{q}(2)"));
    let mut text = format!("1;\nglobal counts = zeros(1, {count});\n");
    for r in 1..=count {
        text += &format!(
            "function dydt = f{r}(t, {arguments})\n  global counts;\n  counts({r}) += 1;\n  s = {s};\n  \
             dydt = [t * y{r}(2) - s * y{r}(1) + {r}; {r} * y{r}(1) * s - t];\nend\n"
        );
    }
    let handles = shape.each(", ", |r| format!("@f{r}"));
    let states = shape.each(", ", |r| format!("[{:?}; {:?}]", start(r)[0], start(r)[1]));
    let results = shape.results("");
    text += &format!("[{results}] = {name}_step({handles}, {T:?}, {states}, {H:?});\n");
    text + &format!("printf(\"%.17g\\n\", {results}, counts);\n")
}

pub(crate) fn julia(shape: &Shape) -> String {
    let (count, name) = (shape.count, &shape.name);
    let s = shape.each(" + ", |q| format!("y{q}[1] * y{q}[2]"));
    let arguments = shape.each(", ", |q| format!("y{q}"));
    let mut text = format!("include(\"method.jl\")\nconst counts = zeros(Int, {count})\n");
    for r in 1..=count {
        text += &format!(
            "function f{r}(t, {arguments})\n    counts[{r}] += 1\n    s = {s}\n    \
             [t * y{r}[2] - s * y{r}[1] + {r}, {r} * y{r}[1] * s - t]\nend\n"
        );
    }
    let functions = shape.each(", ", |r| format!("f{r}"));
    let states = shape.each(", ", |r| format!("[{:?}, {:?}]", start(r)[0], start(r)[1]));
    let results = shape.results("");
    text += &format!("{results} = {name}_step({functions}, {T:?}, {states}, {H:?})\n");
    text + &format!("foreach(v -> foreach(println, v), [{results}, counts])\n")
}
