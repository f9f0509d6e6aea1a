//! Options that describe a design.

mod made;
mod values;

use clap::Args;
use hemiola::design::{
    Coupling, DEFAULT_BAND, DescentSolver, FamilyFile, MriSpecification, Objective, Specification, Stability, Structure,
};
use hemiola::polynomial::Axis;

use self::made::Made;
use self::values::{NamedBound, Polynomial, WantedProfilePoint};
use crate::arguments::choice::choice;
use crate::arguments::number;
use crate::arguments::usage::OptionError;
use crate::commands::design::direct::SharedOptions;
use crate::commands::design::direct::implicit::ImplicitArgs;
use crate::commands::design::direct::mri::{self, FastEvaluations, MriArgs};
use crate::commands::design::error::DesignJobError;
use crate::commands::design::family::FamilyArgs;
use crate::failure::Failure;

/// Properties of the pair to design.
#[derive(Args)]
pub(crate) struct DesignArgs {
    #[command(flatten)]
    size: Size,

    #[command(flatten)]
    polynomials: Polynomials,

    #[command(flatten)]
    shape: Shape,

    #[command(flatten)]
    small: Small,

    #[command(flatten)]
    made: Made,
}

/// Evaluations, orders and starts.
#[derive(Args)]
struct Size {
    /// Number of slow evaluations per step
    #[arg(long, value_name = "S_S", required_unless_present_any = ["files", "levels", "fields", "stages"])]
    slow: Option<usize>,

    /// Number of fast evaluations per step, or `exact` for a multirate method of any ratio
    #[arg(long, value_name = "S_F|exact", required_unless_present_any = ["files", "levels", "fields", "stages"])]
    fast: Option<FastEvaluations>,

    /// Order of the pair
    ///
    /// The default is the highest order that the slow evaluations allow: 1, 2, 3, 4, 4, 5, 6, 6 for 1 to 8 evaluations.
    #[arg(long, value_name = "P")]
    order: Option<usize>,

    /// Stages at which the slow partition is evaluated, counted from 1
    ///
    /// By default, the search selects them.
    #[arg(long, value_name = "I,J,…", value_delimiter = ',', hide = true)]
    slow_stages: Option<Vec<usize>>,

    /// Order of embedded weights for step control
    #[arg(long, value_name = "Q")]
    embedded: Option<usize>,

    /// Order of the dense output
    #[arg(long, value_name = "Q", hide = true)]
    dense: Option<usize>,

    /// Seed of the random starts [default: 1]
    #[arg(long, value_name = "N", hide = true)]
    seed: Option<u64>,

    /// Number of random starts, each followed until it can be ranked [default: those of --effort 1]
    #[arg(long, value_name = "N", hide = true)]
    starts: Option<usize>,

    /// Effort of the search, from 1 to 1000 [default: 1]
    ///
    /// The search takes about LEVEL times as long, and at most 2.4 times that, and may find smaller errors. It includes the
    /// races of the powers of four below LEVEL. The same level gives the same pair.
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["starts", "levels"])]
    effort: Option<usize>,

    /// Solver of the descents [default: newton]
    #[arg(long, value_parser = choice::<DescentSolver>(), hide = true)]
    solver: Option<DescentSolver>,
}

/// Stability polynomials of both partitions.
#[derive(Args)]
#[command(next_help_heading = "Stability")]
struct Polynomials {
    /// Axis on which the stability limit of the fast partition is maximized [default: imaginary]
    #[arg(long, value_parser = choice::<Axis>(), conflicts_with = "fast_polynomial")]
    axis: Option<Axis>,

    /// Damping η of the fast partition's polynomial [default: 0]
    ///
    /// The polynomial satisfies |R| ≤ 1 − η, as in `hemiola polynomial`.
    #[arg(long, value_name = "E", value_parser = number::real, conflicts_with = "fast_polynomial")]
    damping: Option<f64>,

    /// Fraction of the limit at which full damping begins [default: 0.5]
    ///
    /// Applies to --damping on the imaginary axis. A larger fraction permits more damping.
    #[arg(long, value_name = "F", value_parser = number::real, conflicts_with = "fast_polynomial")]
    band: Option<f64>,

    /// Stability polynomial of the fast partition [default: the optimal one]
    ///
    /// Its coefficients 1,1,1/2,… or `free`.
    #[arg(long, value_name = "β,…|free", hide = true)]
    fast_polynomial: Option<Polynomial>,

    /// Stability polynomial of the slow partition [default: auto]
    ///
    /// Its coefficients 1,1,1/2,…, `free`, or `auto`: a limit of at least four fifths of the optimum on the axis of the
    /// fast partition, unless this costs more than a quarter of the error.
    #[arg(long, value_name = "β,…|free|auto", hide = true)]
    slow_polynomial: Option<Polynomial>,
}

/// Constraints on the coefficients beyond the order conditions.
#[derive(Args)]
#[command(next_help_heading = "Coefficients")]
struct Shape {
    /// Largest modulus of a coefficient [default: 1; 4 with --fast exact, 10 with --implicit]
    #[arg(long, value_name = "C", value_parser = number::not_negative, hide = true)]
    largest: Option<f64>,

    /// Require the same abscissae in both partitions at every stage
    #[arg(long, hide = true)]
    shared_abscissae: bool,

    /// Require the same weights in both partitions
    #[arg(long, hide = true)]
    shared_weights: bool,

    /// Allow embedded weights and dense output to use the first evaluations of the next step
    #[arg(long, hide = true)]
    first_same_as_last: bool,

    /// Require non-negative weights
    #[arg(long, hide = true)]
    non_negative_weights: bool,

    /// Require all abscissae to lie between 0 and 1
    #[arg(long, hide = true)]
    abscissae_in_step: bool,

    /// Require abscissae that do not decrease from stage to stage
    #[arg(long, hide = true)]
    increasing_abscissae: bool,

    /// Require fast stages to use only the previous and the first fast evaluation
    #[arg(long, hide = true)]
    fast_chain: bool,

    /// Set coefficients to zero at a cost of at most the fraction F of the objective
    ///
    /// F limits the relative growth of the objective in total.
    #[arg(long, value_name = "F", value_parser = number::not_negative, hide = true)]
    sparsity: Option<f64>,

    /// Value or range of a single coefficient (repeatable)
    ///
    /// For example fast.a[3][2]=1/3 or slow.b[1]=0..0.5, with indices from 1.
    #[arg(long = "bound", value_name = "NAME=VALUE|LO..HI", hide = true)]
    bounds: Vec<NamedBound>,
}

/// Terms of the objective.
#[derive(Args)]
#[command(next_help_heading = "Objective")]
struct Small {
    /// Weights of the slow, fast and coupling errors [default: 1,1,1]
    #[arg(long, value_name = "S,F,C", value_delimiter = ',', value_parser = number::not_negative, hide = true)]
    error_weights: Option<Vec<f64>>,

    /// Intended steps h|λ| of the slow and the fast partition [default: the limit h → 0]
    #[arg(long, alias = "step", value_name = "S,F", value_delimiter = ',', value_parser = number::positive, hide = true)]
    scaled_step: Option<Vec<f64>>,

    /// Weight of the size of the coefficients [default: 0]
    #[arg(long, value_name = "W", value_parser = number::not_negative, hide = true)]
    coefficient_weight: Option<f64>,

    /// Weight of the internal stability of the fast partition [default: chosen by the search]
    #[arg(long, value_name = "W", value_parser = number::not_negative, hide = true)]
    internal_weight: Option<f64>,

    /// Minimize the principal error norm alone
    ///
    /// By default, pairs on the imaginary axis with many fast evaluations (at least seven at orders 2 and 3, twelve at
    /// order 4) and as many slow ones as their order have the best coupled profile within 2 % of the smallest error, with
    /// an internal amplification of at most 30 and abscissae in the step, unless other options change the objective or the
    /// coefficients.
    #[arg(long)]
    smallest_error: bool,

    /// Wanted values of the practical coupled profile at coupling strengths γ
    ///
    /// See `hemiola stability --help` for the definition of the profile.
    #[arg(long, group = "of_profile", value_name = "γ=VALUE,…", value_delimiter = ',')]
    profile: Option<Vec<WantedProfilePoint>>,

    /// Damping ratio ζ of the profile [default: 0.05]
    #[arg(long, alias = "profile-damping", value_name = "ζ", value_parser = number::damping, requires = "of_profile", hide = true)]
    profile_damping_ratio: Option<f64>,

    /// Weight of the shortfall from the wanted profile [default: 1]
    #[arg(long, value_name = "W", value_parser = number::not_negative, requires = "of_profile", hide = true)]
    profile_weight: Option<f64>,
}

impl DesignArgs {
    /// Returns the family that these and other options describe, if any.
    pub(crate) fn family(&self, family: &FamilyArgs) -> Result<Option<FamilyFile>, Failure> {
        family.file(self.size.order, self.size.seed, self.size.starts, &self.made.systems())
    }

    /// Returns the options that all kinds of designs share.
    pub(crate) fn shared(&self) -> SharedOptions<'_> {
        let &Size { slow, order, embedded, dense, seed, starts, .. } = &self.size;
        let fast = self.size.fast();
        let &Shape { shared_weights, shared_abscissae, largest, .. } = &self.shape;
        let slow_stages = self.size.slow_stages.as_deref();
        let internal_weight = self.small.internal_weight;
        SharedOptions {
            slow,
            fast,
            order,
            slow_stages,
            embedded,
            dense,
            internal_weight,
            seed,
            starts,
            largest,
            shared_weights,
            shared_abscissae,
        }
    }

    /// Returns the multirate design that these and other options describe, if any.
    pub(crate) fn mri(&self, mri: &MriArgs, implicit: &ImplicitArgs) -> Result<Option<MriSpecification>, Failure> {
        let &Size { slow, fast, order, embedded, seed, starts, effort, .. } = &self.size;
        let shared = mri::SharedOptions {
            slow,
            fast,
            order,
            embedded,
            seed,
            starts,
            effort,
            largest: self.shape.largest,
            of_pairs: self.of_pairs(),
        };
        mri.specification(&shared, implicit)
    }

    /// Returns whether the design is for a multirate method, whose fast part any method can solve.
    pub(crate) fn is_exact(&self) -> bool {
        self.size.fast == Some(FastEvaluations::Exact)
    }

    /// Returns the first given option that does not apply to multirate methods of any ratio.
    fn of_pairs(&self) -> Option<&'static str> {
        let Self { size, polynomials, shape, small, made } = self;
        let options = [
            ("--slow-stages", size.slow_stages.is_some()),
            ("--dense", size.dense.is_some()),
            ("--solver", size.solver.is_some()),
            ("--axis", polynomials.axis.is_some()),
            ("--damping", polynomials.damping.is_some()),
            ("--band", polynomials.band.is_some()),
            ("--fast-polynomial", polynomials.fast_polynomial.is_some()),
            ("--slow-polynomial", polynomials.slow_polynomial.is_some()),
            ("--shared-abscissae", shape.shared_abscissae),
            ("--shared-weights", shape.shared_weights),
            ("--first-same-as-last", shape.first_same_as_last),
            ("--non-negative-weights", shape.non_negative_weights),
            ("--abscissae-in-step", shape.abscissae_in_step),
            ("--increasing-abscissae", shape.increasing_abscissae),
            ("--fast-chain", shape.fast_chain),
            ("--sparsity", shape.sparsity.is_some()),
            ("--bound", !shape.bounds.is_empty()),
            ("--error-weights", small.error_weights.is_some()),
            ("--scaled-step", small.scaled_step.is_some()),
            ("--coefficient-weight", small.coefficient_weight.is_some()),
            ("--internal-weight", small.internal_weight.is_some()),
            ("--profile", small.profile.is_some()),
            ("--smallest-error", small.smallest_error),
            ("--for", !made.training.is_empty()),
            ("--for-jacobians", !made.for_jacobians.is_empty()),
            ("--error", made.error.is_some()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Returns the given number of starts.
    pub(crate) fn starts(&self) -> Option<usize> {
        self.size.starts
    }

    /// Returns the level of effort; `None` if the number of starts is given.
    pub(crate) fn effort(&self) -> Option<usize> {
        self.size.starts.is_none().then(|| self.size.effort.unwrap_or(1))
    }

    /// Returns the specification that the options describe; `prefers` says whether it has the default rule of preference
    /// where that applies. Fields of `--set` may complete it, so it is not validated.
    pub(crate) fn specification(&self, prefers: bool) -> Result<Specification, Failure> {
        let mut specification = self.size.specification()?;
        self.polynomials.choose(&mut specification.stability)?;
        specification.structure = self.shape.structure();
        specification.objective = self.small.objective()?;
        if !self.made.systems().is_empty() && self.made.error.is_none() {
            return Err(DesignJobError::NoError.into());
        }
        specification.made_for = self.made.made_for();
        if prefers && !self.small.smallest_error && self.size.starts.is_none() && self.size.solver.is_none() {
            specification = specification.with_default_preference();
            let largest = self.shape.largest.unwrap_or(specification.structure.largest_coefficient);
            specification.structure.largest_coefficient = largest;
        }
        if let Some(level) = self.effort() {
            specification = specification.with_effort(level);
        }
        Ok(specification)
    }
}

impl Size {
    /// Returns the number of fast evaluations of a pair.
    fn fast(&self) -> Option<usize> {
        match self.fast? {
            FastEvaluations::Count(count) => Some(count),
            FastEvaluations::Exact => None,
        }
    }

    fn specification(&self) -> Result<Specification, Failure> {
        let default = Specification::new(self.slow.unwrap_or_default(), self.fast().unwrap_or_default(), self.order)?;
        Ok(Specification {
            slow_stages: self.slow_stages(&default)?,
            embedded: self.embedded,
            dense: self.dense,
            seed: self.seed.unwrap_or(default.seed),
            starts: self.starts.unwrap_or(default.starts),
            solver: self.solver.unwrap_or_default(),
            ..default
        })
    }

    fn slow_stages(&self, specification: &Specification) -> Result<Option<Vec<usize>>, Failure> {
        let Some(stages) = &self.slow_stages else { return Ok(None) };
        let &Specification { slow, fast, .. } = specification;
        let fits = stages.iter().all(|stage| (1..=fast).contains(stage)) && stages.len() == slow;
        if !fits || stages.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(DesignJobError::SlowStages { found: stages.clone(), slow, fast }.into());
        }
        Ok(Some(stages.iter().map(|stage| stage - 1).collect()))
    }
}

impl Polynomials {
    fn choose(&self, [slow, fast]: &mut [Stability; 2]) -> Result<(), OptionError> {
        let (axis, damping) = (self.axis.unwrap_or(Axis::Imaginary), self.damping.unwrap_or(0.0));
        if self.band.is_some() && !(axis == Axis::Imaginary && damping > 0.0) {
            let with = "--axis imaginary and --damping above 0";
            return Err(OptionError::Contradiction { option: "--band", with });
        }
        if self.axis.is_some() || self.damping.is_some() {
            *fast = Stability::Optimal { axis, damping, band: self.band.unwrap_or(DEFAULT_BAND) };
        }
        *slow = Stability::Auto;
        for (part, wish) in [(slow, &self.slow_polynomial), (fast, &self.fast_polynomial)] {
            if let Some(Polynomial(wish)) = wish {
                wish.clone_into(part);
            }
        }
        Ok(())
    }
}

impl Shape {
    fn structure(&self) -> Structure {
        let default = Structure::default();
        Structure {
            largest_coefficient: self.largest.unwrap_or(default.largest_coefficient),
            shared_abscissae: self.shared_abscissae,
            shared_weights: self.shared_weights,
            first_same_as_last: self.first_same_as_last,
            non_negative_weights: self.non_negative_weights,
            abscissae_in_step: self.abscissae_in_step,
            increasing_abscissae: self.increasing_abscissae,
            fast_chain: self.fast_chain,
            sparsity: self.sparsity.unwrap_or(default.sparsity),
            bounds: self.bounds.iter().map(|NamedBound(entry, bound)| (*entry, bound.clone())).collect(),
        }
    }
}

impl Small {
    fn objective(&self) -> Result<Objective, OptionError> {
        let coupling = self.profile.as_ref().map(|profile| Coupling {
            damping: self.profile_damping_ratio.unwrap_or(0.05),
            gammas: profile.iter().map(|wanted| wanted.gamma).collect(),
            profile: profile.iter().map(|wanted| wanted.profile).collect(),
            weight: self.profile_weight.unwrap_or(1.0),
        });
        let default = Objective::default();
        Ok(Objective {
            error: numbers("--error-weights", self.error_weights.as_deref())?.unwrap_or(default.error),
            step: numbers("--scaled-step", self.scaled_step.as_deref())?,
            coefficients: self.coefficient_weight.unwrap_or(default.coefficients),
            internal: self.internal_weight,
            coupling,
        })
    }
}

/// Checks that exactly N numbers are given.
fn numbers<const N: usize>(option: &'static str, values: Option<&[f64]>) -> Result<Option<[f64; N]>, OptionError> {
    let Some(values) = values else { return Ok(None) };
    let found = values.len();
    values.try_into().map(Some).map_err(|_| OptionError::WrongCount { option, expected: N, found })
}
