//! Other names of methods: from solvers, textbooks and everyday use.
//!
//! The names of NodePy's `loadRKM` are among them. Four denote other methods in NodePy: `TR-BDF2` (its inner step ends
//! at 1/2), `Fehlberg45` (it advances with order 5, `fehlberg-5-4`), `SS3` (it advances with order 2) and `SSP53` (its
//! weights do not sum to one). `Vern6` takes the steps of OrdinaryDiffEq.jl with another estimate of their errors.

/// Aliases, written without separators, and their ids.
const ALIASES: &[(&str, &str)] = &[
    ("ark324l2sa", "kennedy-carpenter-ark-3-2-4"),
    ("ark436l2sa", "kennedy-carpenter-ark-4-3-6"),
    ("ark437l2sa", "kennedy-carpenter-ark-4-3-7"),
    ("ark437l2sa1", "kennedy-carpenter-ark-4-3-7"),
    ("ark548l2sa", "kennedy-carpenter-ark-5-4-8"),
    ("ark548l2sa2", "kennedy-carpenter-ark-5-4-8b"),
    ("ark548l2sab", "kennedy-carpenter-ark-5-4-8b"),
    ("backwardeuler", "implicit-euler"),
    ("be", "implicit-euler"),
    ("bogackishampine", "bogacki-shampine-3"),
    ("bosh3", "bogacki-shampine-3"),
    ("bs3", "bogacki-shampine-3"),
    ("bs32", "bogacki-shampine-3"),
    ("bs5", "bogacki-shampine-5"),
    ("burk65", "butcher-5"),
    ("carpenterkennedy2n54", "carpenter-kennedy-5-4"),
    ("cashkarp", "cash-karp-5"),
    ("cfrlddrk64", "calvo-franco-randez-6-4"),
    ("ck5", "cash-karp-5"),
    ("ckllsrk432", "kennedy-carpenter-lewis-3-2-4-2rc"),
    ("ckllsrk543c", "kennedy-carpenter-lewis-4-3-5-2rc"),
    ("ckllsrk543c3r", "kennedy-carpenter-lewis-4-3-5-3rc"),
    ("ckllsrk543m3r", "kennedy-carpenter-lewis-4-3-5-3rm"),
    ("ckllsrk543m4r", "kennedy-carpenter-lewis-4-3-5-4rm"),
    ("ckllsrk543n3r", "kennedy-carpenter-lewis-4-3-5-3rn"),
    ("ckllsrk543n4r", "kennedy-carpenter-lewis-4-3-5-4rn"),
    ("ckllsrk654m4r", "kennedy-carpenter-lewis-5-4-6-4rm"),
    ("ckllsrk754m5r", "kennedy-carpenter-lewis-5-4-7-5rm"),
    ("ckllsrk854c3r", "kennedy-carpenter-lewis-5-4-8-3rc"),
    ("ckllsrk854fm4r", "kennedy-carpenter-lewis-5-4-8-4rfm"),
    ("ckllsrk854m3r", "kennedy-carpenter-lewis-5-4-8-3rm"),
    ("ckllsrk854p3r", "kennedy-carpenter-lewis-5-4-8-3rp"),
    ("ckllsrk954c", "kennedy-carpenter-lewis-5-4-9-2rc"),
    ("ckllsrk954m", "kennedy-carpenter-lewis-5-4-9-2rm"),
    ("ckllsrk954s", "kennedy-carpenter-lewis-5-4-9-2rs"),
    ("classicalrk4", "rk4"),
    ("cmr6", "calvo-montijano-randez-6-5"),
    ("cranknicolson", "lobatto-iiia-2"),
    ("dglddrk73c", "toulorge-desmet-7-3"),
    ("dglddrk84c", "toulorge-desmet-8-4"),
    ("dglddrk84f", "toulorge-desmet-8-4-f"),
    ("dop853", "dormand-prince-8-5-3"),
    ("dopri5", "dormand-prince-5"),
    ("dp5", "dormand-prince-5"),
    ("dp8", "dormand-prince-8-5-3"),
    ("euler", "explicit-euler"),
    ("eulercromer", "symplectic-euler"),
    ("explicittrapezoid", "heun-2"),
    ("explicittrapezoidal", "heun-2"),
    ("fe", "explicit-euler"),
    ("forwardeuler", "explicit-euler"),
    ("gl2", "gauss-2"),
    ("gl3", "gauss-3"),
    ("heun", "heun-2"),
    ("heun22", "heun-2"),
    ("heun33", "heun-3"),
    ("heuneuler", "heun-euler-2-1"),
    ("hh5", "higham-hall-5"),
    ("hh5s", "higham-hall-5-s"),
    ("implicittrapezoid", "lobatto-iiia-2"),
    ("implicittrapezoidal", "lobatto-iiia-2"),
    ("kutta38", "three-eighths"),
    ("kvaerno3", "kvaerno-3-2-4"),
    ("kvaerno32", "kvaerno-3-2-4"),
    ("leapfrog", "leapfrog-2"),
    ("merson", "merson-4"),
    ("merson43", "merson-4"),
    ("mid22", "explicit-midpoint"),
    ("midpoint", "explicit-midpoint"),
    ("mte22", "ralston-2"),
    ("ndblsrk124", "niegemann-diehl-busch-12-4"),
    ("ndblsrk134", "niegemann-diehl-busch-13-4"),
    ("ndblsrk144", "niegemann-diehl-busch-14-4"),
    ("nssp32", "wang-spiteri-3-2"),
    ("nssp33", "wang-spiteri-3-3"),
    ("ode23", "bogacki-shampine-3"),
    ("ode45", "dormand-prince-5"),
    ("ork256", "bernardini-pirozzoli-5-2"),
    ("papakostas6", "tsitouras-famelis-6"),
    ("pd8", "dormand-prince-8"),
    ("radau", "radau-iia-3"),
    ("radau5", "radau-iia-3"),
    ("ralston", "ralston-2"),
    ("rdpk3sp35", "ranocha-dalcin-parsani-ketcheson-3-2-5"),
    ("rdpk3sp49", "ranocha-dalcin-parsani-ketcheson-4-3-9"),
    ("rdpk3sp510", "ranocha-dalcin-parsani-ketcheson-5-4-10"),
    ("rdpk3spfsal35", "ranocha-dalcin-parsani-ketcheson-3-2-5-fsal"),
    ("rdpk3spfsal49", "ranocha-dalcin-parsani-ketcheson-4-3-9-fsal"),
    ("rdpk3spfsal510", "ranocha-dalcin-parsani-ketcheson-5-4-10-fsal"),
    ("rk23", "bogacki-shampine-3"),
    ("rk44", "rk4"),
    ("rk45", "dormand-prince-5"),
    ("rk46nl", "berland-bogey-bailly-6-4"),
    ("rk4classic", "rk4"),
    ("rkck", "cash-karp-5"),
    ("rkf45", "fehlberg-4-5"),
    ("rkf78", "fehlberg-8-7"),
    ("rungekutta4", "rk4"),
    ("ruth", "ruth-3"),
    ("sdirk23", "crouzeix-3"),
    ("sdirk34", "norsett-4"),
    ("sdirk4", "hairer-wanner-sdirk-4"),
    ("sdirk54", "hairer-wanner-sdirk-4"),
    ("semiimpliciteuler", "symplectic-euler"),
    ("shlddrk64", "stanescu-habashi-6-4"),
    ("shuosher", "ssp-rk-3-3"),
    ("ss3", "sharp-smart-3"),
    ("ssp104", "ssp-rk-10-4"),
    ("ssp22", "ssp-rk-2-2"),
    ("ssp22star", "ssp-rk-2-2-star"),
    ("ssp33", "ssp-rk-3-3"),
    ("ssp43", "ssp-rk-4-3"),
    ("ssp53", "ssp-rk-5-3"),
    ("ssp54", "ssp-rk-5-4"),
    ("ssp63", "ssp-rk-6-3"),
    ("ssp75", "ruuth-spiteri-7-5"),
    ("ssp85", "ruuth-spiteri-8-5"),
    ("ssp95", "ruuth-spiteri-9-5"),
    ("söderlind43", "soderlind-4-3"),
    ("trapezoid", "lobatto-iiia-2"),
    ("trapezoidal", "lobatto-iiia-2"),
    ("tsit5", "tsitouras-5"),
    ("tslddrk74", "tselios-simos-7-4"),
    ("verlet", "stormer-verlet"),
    ("vern6", "verner-efficient-6"),
    ("vern7", "verner-7-6"),
    ("vern9", "verner-efficient-9"),
    ("vernerefficient7", "verner-7-6"),
    ("zonneveld43", "zonneveld-4"),
];

/// Iterates over the aliases of a method of the embedded library, written without separators.
///
/// Method names are compared without case, hyphens, underscores, blanks, periods, commas and brackets.
///
/// ```
/// let names: Vec<&str> = hemiola_tableau::library::aliases("explicit-euler").collect();
/// assert_eq!(names, ["euler", "fe", "forwardeuler"]);
/// ```
pub fn aliases(id: &str) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(move |(_, of)| *of == id).map(|(alias, _)| *alias)
}

/// Returns the id for a name: an id with other separators, or an alias. Returns `None` if the name is ambiguous.
pub(super) fn id_of(name: &str, ids: &[&String]) -> Option<String> {
    let plain = without_separators(name);
    let mut alike = ids.iter().filter(|id| without_separators(id) == plain);
    if let Some(id) = alike.next() {
        return alike.next().is_none().then(|| (*id).clone());
    }
    let (_, id) = ALIASES.iter().find(|(alias, _)| *alias == plain)?;
    ids.iter().find(|there| there.as_str() == *id).map(|there| (*there).clone())
}

/// Iterates over the aliases with their ids, as candidates for misspelled names.
pub(super) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALIASES.iter().copied()
}

/// Converts a name to lower case without separators.
pub(super) fn without_separators(name: &str) -> String {
    let is_separator = |letter: &char| letter.is_whitespace() || "-_–.,()[]".contains(*letter);
    name.chars().filter(|letter| !is_separator(letter)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Library, ids, method};

    #[test]
    fn aliases_are_sorted_plain_and_of_methods_that_are_there() {
        assert!(ALIASES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (alias, id) in ALIASES {
            assert_eq!(*alias, without_separators(alias));
            assert!(ids().any(|there| there == *id), "{alias}: {id}");
            assert!(!ids().any(|there| without_separators(there) == *alias), "{alias} is an id");
        }
    }

    /// Guards against names that become ambiguous without their separators.
    #[test]
    fn ids_differ_in_more_than_their_separators() {
        let mut plain: Vec<String> = ids().map(without_separators).collect();
        plain.sort();
        assert!(plain.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn methods_are_found_as_people_call_them() {
        for (name, id) in [
            ("RK4", "rk4"),
            ("DOPRI5", "dormand-prince-5"),
            ("rk45", "dormand-prince-5"),
            ("backward-euler", "implicit-euler"),
            ("Backward Euler", "implicit-euler"),
            ("euler", "explicit-euler"),
            ("trapezoidal", "lobatto-iiia-2"),
            ("Crank–Nicolson", "lobatto-iiia-2"),
            ("crank_nicolson", "lobatto-iiia-2"),
            ("BS3", "bogacki-shampine-3"),
            ("bogacki-shampine", "bogacki-shampine-3"),
            ("SSPRK33", "ssp-rk-3-3"),
            ("SSPRK(5,4)", "ssp-rk-5-4"),
            ("radau", "radau-iia-3"),
            ("radau5", "radau-iia-3"),
            ("ARS(2,3,3)", "ars-2-3-3"),
            ("ARK4(3)6L[2]SA", "kennedy-carpenter-ark-4-3-6"),
            ("Tsit5", "tsitouras-5"),
            ("Vern7", "verner-7-6"),
            ("Vern9", "verner-efficient-9"),
            ("DOP853", "dormand-prince-8-5-3"),
        ] {
            assert_eq!(Library::default().load(name).expect(name).id(), id, "{name}");
        }
        // Part of a name is not a name.
        assert!(method("gauss").is_err() && method("").is_err() && method("--").is_err());
    }

    /// Checks the trapezoidal rules and the others by their coefficients.
    #[test]
    fn aliases_mean_what_they_say() {
        let tableau = |name: &str| method(name).unwrap().to_f64().partitions[0].clone();
        let trapezoidal = tableau("crank-nicolson");
        assert_eq!((trapezoidal.a[1].clone(), trapezoidal.b), (vec![0.5, 0.5], vec![0.5, 0.5]));
        assert_eq!((tableau("backward-euler").a, tableau("BE").a), (vec![vec![1.0]], vec![vec![1.0]]));
        assert_eq!(tableau("euler").a, [[0.0]]);
        assert_eq!((tableau("radau5").c.len(), tableau("radau5").c[2]), (3, 1.0));
        assert_eq!((tableau("rkf45").c.len(), method("rkf45").unwrap().claims().order), (6, Some(4)));
        assert_eq!(tableau("midpoint").b, [0.0, 1.0]);
        assert_eq!((tableau("ode45").c.len(), tableau("ode23").c.len()), (7, 4));
        // Verner's most efficient pair of orders 7(6); another table of this name in DiffEqDevTools.jl has c₃ = 1633/15000.
        assert_eq!((tableau("vern7").c[2], tableau("verner-efficient-7").c[2]), (49.0 / 450.0, 49.0 / 450.0));
        assert_eq!((tableau("dop853").c.len(), method("dop853").unwrap().claims().embedded_order), (12, Some(5)));
    }

    /// Checks NodePy's names by the stages and the order in their digits, and by weights where these do not suffice. The tests
    /// of the Python package compare all coefficients with NodePy's.
    #[test]
    fn names_of_nodepy_are_of_the_same_methods() {
        for (name, stages, order) in [
            ("FE", 1, 1),
            ("RK44", 4, 4),
            ("SSP22", 2, 2),
            ("MTE22", 2, 2),
            ("Mid22", 2, 2),
            ("SSP33", 3, 3),
            ("SSP43", 4, 3),
            ("Heun22", 2, 2),
            ("Heun33", 3, 3),
            ("SSP104", 10, 4),
            ("SSP54", 5, 4),
            ("Merson43", 5, 4),
            ("Zonneveld43", 5, 4),
            ("PD8", 13, 8),
            ("CK5", 6, 5),
            ("SDIRK23", 2, 3),
            ("SDIRK54", 5, 4),
            ("GL2", 2, 4),
            ("GL3", 3, 6),
            ("BuRK65", 6, 5),
            ("CMR6", 9, 6),
            ("Fehlberg43", 5, 4),
            ("HH5", 7, 5),
            ("HH5S", 7, 5),
            ("NSSP33", 3, 3),
            ("SDIRK34", 3, 4),
            ("Söderlind43", 5, 4),
            ("SSP53", 5, 3),
            ("SSP63", 6, 3),
            ("SSP95", 9, 5),
        ] {
            let found = method(name).expect(name);
            assert_eq!((found.stages(), found.claims().order), (stages, Some(order)), "{name}");
        }
        let tableau = |name: &str| method(name).unwrap().to_f64().partitions[0].clone();
        assert_eq!((tableau("MTE22").b, tableau("Mid22").b), (vec![0.25, 0.75], vec![0.0, 1.0]));
        assert_eq!((tableau("Heun22").b, tableau("Heun33").b), (vec![0.5, 0.5], vec![0.25, 0.0, 0.75]));
    }
}
