//! `hemiola map`: stability regions and other functions of the complex plane, as figures and as numbers.

mod report;

use clap::Args;
use hemiola::figure::Figure;
use hemiola::plot::{
    MapError, MapQuantity, MonotonicityPair, Slice, SpectrumStep, StabilityMap, View, dispersion_figure,
    monotonicity_figure,
};
use hemiola::polynomial::Spectrum;
use hemiola::stability::StabilityError;
use hemiola::stability::monotonicity::MonotonicityRegion;
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, printable};
use miette::Diagnostic;
use thiserror::Error;

use self::report::{
    ExtentReport, FigureContent, Preset, RegionCurve, Report, SpectrumReport, WrittenFiles, WrittenRegions,
};
use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::{MethodUseError, OptionError};
use crate::arguments::{format, methods, number, source};
use crate::commands::polynomial;
use crate::failure::{CommandError, CommandOutcome, Failure, hinted};
use crate::output::data::{DataFormat, SampledMap};
#[cfg(feature = "plotters")]
use crate::output::preview::PreviewArgs;
use crate::output::progress::Monitor;
use crate::output::text::{Column, complex, counted, number as rounded, table};
use crate::output::writer::{Output, write_by};

/// Request for data of several slices, which have no common grid.
#[derive(Debug, Error, Diagnostic)]
#[error("--data requires a single slice; there are {slices}")]
#[diagnostic(help("each slice has its own grid: write one file for each slice"))]
struct SliceDataError {
    slices: usize,
}

hinted!(SliceDataError);

impl CommandError for MapError {}

/// Default frequency ratios and coupling of the preset.
const ALPHA: [f64; 3] = [1.0, 5.0, 10.0];
const BETA: [f64; 1] = [0.2];
/// Method of the preset, as in the paper.
const RK4: &str = "rk4";

impl Choices for MapQuantity {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Region, "region", "Stability region: |R| ≤ 1 or ρ(S) ≤ 1"),
        (Self::Modulus, "modulus", "|R| or ρ(S) in bands of color"),
        (Self::Eigenvalues, "eigenvalues", "Moduli of both eigenvalues of S in bands of color"),
        (Self::OrderStar, "order-star", "Order star: |R(z)| > |e^z| or ρ(S) > ρ(e^Z)"),
        (Self::Growth, "growth", "|R(z)/e^z| or ρ(S)/ρ(e^Z) in bands of color"),
        (
            Self::Error,
            "error",
            "Local error |R(z) − e^z| or, with z_sf = z_fs, ‖S − e^Z‖ (Frobenius) in bands of color",
        ),
        (Self::Internal, "internal", "Internal stability: |R_i| ≤ 1 for each stage of a method"),
        (Self::Embedded, "embedded", "Stability region of the embedded method beside that of the method"),
    ];
}

/// Draw stability regions of methods: single, coupled, robust, in any plane
#[derive(Args)]
#[command(after_help = "\
METHOD is a library id, a method file, or a scheme built on a method:
  singular-perturbation[:METHOD]       of Gil et al. (2013), with rk4 or METHOD on the slow manifold
  linearized:METHOD[,q=N][,decoupled]  N Newton iterations for the stages; `decoupled`: no coupling in the Jacobian
  MULTIRATE                            a multirate method with an exact fast part: M = ∞
If a slice needs two partitions, a method with one partition serves for both (except in a profile). Several METHODs \
are drawn on top of each other.

Slices in a complex plane (several --slice make several panels):
  partitions                       |R(z)| of each partition alone
  coupled:kappa=5,g=0.04           ρ(S) with z_ss = ξ, z_ff = κξ, w = z_sf z_fs = g z_ss z_ff
  gil:alpha=5,beta=0.2             coupled with the parameters of Gil et al.: κ = α, g = β²
  plane:ss=-0.1+0.5i,ff=z,w=0.2z   z_ss, z_ff affine in z and w quadratic, or sf=… and fs=… affine
  robust:kappa=0.5..3,gamma=0.2    largest ρ(S) over all |g| ≤ γ² and all κ in the interval [,phase=real]
  additive:first=z,second=-2       |R(z₁, z₂)| of an IMEX method on y' = λ₁y + λ₂y
  joint:wedge=90,radius=inf        largest |R(z_E, z_I)| over all z_I with |arg(−z_I)| ≤ 90° and |z_I| ≤ radius; of a \
multirate method |R(z_S, z_F)| over all z_F
Slices in a plane of real parameters:
  kappa-gamma:z=-0.05+i            z_ss = z, z_ff = κz, g = γ² [,sign=-]
  step-coupling:slow=-0.05+i,fast=-0.25+5i   z = hλ over h and g
  damping-frequency:kappa=5,g=0.04           z_ss = ω(−ζ + i√(1−ζ²)) over ζ and ω
  parameters:ss=-x+i y,ff=5i y,g=0.04        expressions in x and y, with w=…, g=… or sf=…,fs=…
  profile:zeta=0.05                the coupled profile t*/t₀ over κ/κ* and γ [,sign=-]
One key of a slice may have several values, such as g=0.01,0.04,0.09; their boundaries share a panel.
Curves:
  monotonicity                     regions of absolute monotonicity of all pairs of partitions: Euler steps of f_i \
up to h_i allow h ≤ min r_i h_i
  imaginary                        dispersion and dissipation of every partition along the imaginary axis

Examples:
  hemiola map shome-haug-jay-2-5 --output regions.svg
  hemiola map mprk-p3 --slice coupled:kappa=2,g=0.04 --output coupled.pdf --data coupled.npy
  hemiola map rk4 shome-haug-jay-2-5 mprk-p3 --slice coupled:kappa=5,g=0.01 --output three.svg
  hemiola map shome-haug-jay-2-5 --slice robust:kappa=2..8,gamma=0.2 --output robust.svg
  hemiola map rk4 --show order-star --output star.svg --style monochrome
  hemiola map mprk-p3 --slice coupled:kappa=5,g=0.01,0.2,0.5 --output couplings.svg
  hemiola map ars-2-3-3 --slice additive:first=z,second=-2 --show modulus --output imex.png
  hemiola map ars-4-4-3 --slice joint:wedge=30,60,90,radius=inf --output joint.svg
  hemiola map merk43 mis-kw3 --slice joint:wedge=80,radius=inf --output slow.svg
  hemiola map imex-ssp2-222 imex-ssp2-332 --slice monotonicity --output monotonicity.svg
  hemiola map rk4 kutta-3 --extents --output limits.svg
  hemiola map rk4 ssp-rk-10-4 --spectrum waves-2d:dg=3 --output waves.svg
  hemiola map rk4 --preview
  hemiola map mis-kw3 mis-kw3:inner=rk4,substeps=2 --slice coupled:kappa=9,g=0.1 --output m.svg
  hemiola map --preset gil --alpha 1,5,10 --beta 0.2 --output presets.svg
  hemiola map gauss-2 --xrange -10 10 --yrange -10 10 --output gauss.svg")]
pub(crate) struct Map {
    /// Library ids, method files or schemes
    #[arg(required_unless_present = "preset", value_name = "METHOD")]
    methods: Vec<String>,

    /// Figure to write
    ///
    /// The extension selects the format.
    #[arg(long, value_name = format::VALUE_NAME)]
    #[cfg_attr(feature = "plotters", arg(required_unless_present_any = ["data", "preview"]))]
    #[cfg_attr(not(feature = "plotters"), arg(required_unless_present = "data"))]
    output: Option<OutputFile>,

    #[command(flatten)]
    figure: FigureArgs,

    #[cfg(feature = "plotters")]
    #[command(flatten)]
    preview: PreviewArgs,

    /// Slice to draw, one panel each (repeatable)
    #[arg(long = "slice", value_name = "SLICE", default_values_t = [Slice::Partitions])]
    slices: Vec<Slice>,

    /// Quantity to show
    #[arg(long, value_name = "WHAT", default_value = "region", value_parser = choice::<MapQuantity>())]
    show: MapQuantity,

    /// Mark and label the points at which boundaries cross the negative real and the imaginary axis
    #[arg(long, conflicts_with = "preset")]
    extents: bool,

    /// Draw a spectrum hλ over the regions, and print the largest stable h of each
    ///
    /// A shape, an operator or a file of eigenvalues, as of `hemiola polynomial`.
    #[arg(long, value_name = "SHAPE|FILE", conflicts_with_all = ["preset", "spectrum_of"])]
    spectrum: Option<String>,

    /// Draw the eigenvalues of a model's Jacobian at its initial state
    #[arg(long, value_name = "MODEL", conflicts_with = "preset")]
    spectrum_of: Option<String>,

    /// Step h of the spectrum [default: the largest stable one of the first region]
    #[arg(long, value_name = "H", value_parser = number::real)]
    step: Option<f64>,

    /// Draw a figure of a publication instead
    ///
    /// METHOD is then the method on the slow manifold.
    #[arg(long, conflicts_with_all = ["slices", "show"])]
    preset: Option<Preset>,

    /// Frequency ratios of the preset, one panel each [default: 1,5,10]
    #[arg(long, value_name = "A,…", requires = "preset", value_delimiter = ',', value_parser = number::real)]
    alpha: Vec<f64>,

    /// Coupling strengths of the preset, one boundary each [default: 0.2]
    #[arg(long, value_name = "B,…", requires = "preset", value_delimiter = ',', value_parser = number::real)]
    beta: Vec<f64>,

    /// Number of grid cells in each direction
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(2..=4000))]
    points: u16,

    /// Write the values at all grid points
    ///
    /// The figure is then optional.
    #[arg(long, value_name = "F.npy|F.csv")]
    data: Option<OutputFile>,

    /// Print a summary of the files as JSON
    #[arg(long)]
    json: bool,
}

/// Number of points of the boundary of a region.
const BOUNDARY_POINTS: usize = 96;

/// Computes the regions of all pairs of partitions of all methods.
fn monotonicity_pairs(methods: &[Method], monitor: &Monitor) -> Result<Vec<MonotonicityPair>, Failure> {
    let mut pairs = Vec::new();
    for method in methods {
        let count = method.partitions().len();
        let places = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
        let found: Vec<Method> = places.filter_map(|places| method.pair(places)).collect();
        if found.is_empty() {
            return Err(StabilityError::NotAPair { found: count }.into());
        }
        for pair in &found {
            let partitions = [0, 1].map(|place| pair.partitions()[place].name.clone());
            let name = match found.len() {
                1 => method.id().to_owned(),
                _ => format!("{}, {}", method.id(), partitions.join(" + ")),
            };
            let outline = MonotonicityRegion::new(pair).outline(BOUNDARY_POINTS, monitor)?;
            pairs.push(MonotonicityPair { name, partitions, outline });
        }
    }
    Ok(pairs)
}

impl Map {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        if let Some(file) = &self.data {
            DataFormat::of(file)?;
            if self.slices.len() > 1 {
                return Err(SliceDataError { slices: self.slices.len() }.into());
            }
        }
        match self.preset {
            Some(preset) => self.draw_preset(preset, library, output)?,
            None if self.slices.contains(&Slice::Imaginary) => self.draw_dispersion(library, output)?,
            None if self.slices.contains(&Slice::Monotonicity) => self.draw_monotonicity(library, output)?,
            None => self.draw_slices(library, output)?,
        }
        Ok(CommandOutcome::Done)
    }

    fn draw_slices(&self, library: &Library, output: &mut Output) -> Result<(), Failure> {
        let names = source::all(&self.methods)?;
        let subjects = methods::each(&names, |text| source::on_map(text, library))?;
        let (called, subjects): (Vec<_>, Vec<_>) = subjects.into_iter().unzip();
        let map = StabilityMap::new(&subjects, &self.slices, self.show, self.view()?)?;
        let map = if self.extents { map.with_extents()? } else { map };
        let map = match self.spectrum()? {
            Some(spectrum) => {
                let monitor = Monitor::new();
                let map = map.with_spectrum(&spectrum, self.step, &monitor)?;
                monitor.finish();
                map
            }
            None => map,
        };
        let in_more_digits = self.write(&map, &called, output)?;
        let slices = self.slices.iter().map(ToString::to_string).collect();
        let content = FigureContent::Slices { slices, show: self.show.word() };
        self.announce((&map, in_more_digits), &names, content, output)
    }

    fn spectrum(&self) -> Result<Option<Spectrum>, Failure> {
        match (&self.spectrum, &self.spectrum_of) {
            (Some(text), _) => Ok(Some(polynomial::spectrum(text)?.0)),
            (None, Some(model)) => Ok(Some(polynomial::of_model(model)?)),
            (None, None) if self.step.is_some() => {
                Err(OptionError::Contradiction { option: "--step", with: "--spectrum or --spectrum-of" }.into())
            }
            (None, None) => Ok(None),
        }
    }

    fn draw_preset(&self, preset: Preset, library: &Library, output: &mut Output) -> Result<(), Failure> {
        let method = match &self.methods[..] {
            [] => library.load(RK4)?,
            [method] => source::method(method, library)?,
            more => return Err(MethodUseError::NotOneMethod { option: "--preset", found: more.len() }.into()),
        };
        let alpha = if self.alpha.is_empty() { &ALPHA[..] } else { &self.alpha };
        let beta = if self.beta.is_empty() { &BETA[..] } else { &self.beta };
        let map = StabilityMap::gil(&method, alpha, beta, self.view()?)?;
        let in_more_digits = self.write(&map, &methods::labels(std::slice::from_ref(&method)), output)?;
        self.announce(
            (&map, in_more_digits),
            &[method.id().to_owned()],
            FigureContent::Preset { preset, alpha, beta },
            output,
        )
    }

    fn draw_dispersion(&self, library: &Library, output: &mut Output) -> Result<(), Failure> {
        self.check_curves(&Slice::Imaginary, self.figure.yrange()?.is_none())?;
        let names = source::all(&self.methods)?;
        let methods = methods::each(&names, |name| source::method(name, library))?;
        let drawn = dispersion_figure(&methods, self.figure.xrange()?)?;
        let Some(file) = self.write_curves(drawn, &methods, output)? else { return Ok(()) };
        if self.json {
            return output.json(&WrittenFiles { methods: &names, output: file.display().to_string() });
        }
        output.line(&format!("wrote {}", file.display()))
    }

    fn draw_monotonicity(&self, library: &Library, output: &mut Output) -> Result<(), Failure> {
        self.check_curves(&Slice::Monotonicity, true)?;
        let names = source::all(&self.methods)?;
        let methods = methods::each(&names, |name| source::method(name, library))?;
        let monitor = Monitor::new();
        let pairs = monotonicity_pairs(&methods, &monitor)?;
        monitor.finish();
        let drawn = monotonicity_figure(&pairs, self.figure.xrange()?, self.figure.yrange()?)?;
        let file = self.write_curves(drawn, &methods, output)?;
        if let Some(file) = file.filter(|_| self.json) {
            let regions = pairs.iter().map(RegionCurve::from).collect();
            return output.json(&WrittenRegions { methods: &names, output: file.display().to_string(), regions });
        }
        let bound = |r: Option<f64>| r.map_or_else(|| "unbounded".to_owned(), rounded);
        let mut page = String::new();
        for MonotonicityPair { name, partitions: [first, second], outline } in &pairs {
            let [x, y] = outline.axes.map(bound);
            let line =
                format!("{name}: {first} alone {x}, {second} alone {y}, both together {}", bound(outline.diagonal));
            page += &format!("{}\n", printable(&line));
        }
        output.text(&page)?;
        file.map_or(Ok(()), |file| output.line(&format!("wrote {}", file.display())))
    }

    /// Rejects data, other slices and other quantities together with a slice that shows curves.
    fn check_curves(&self, slice: &Slice, is_in_range: bool) -> Result<(), Failure> {
        let contradiction = |with| OptionError::Contradiction { option: "--slice", with };
        if self.slices.len() > 1 {
            return Err(contradiction("that no other slice is given beside curves").into());
        }
        let is_drawn = self.output.is_some() || self.has_preview();
        let has_spectrum = self.spectrum.is_some() || self.spectrum_of.is_some();
        let is_plain =
            !self.extents && !has_spectrum && is_in_range && self.show == MapQuantity::Region && self.data.is_none();
        let with = match slice {
            Slice::Imaginary => "that --data, --extents, --show, --spectrum and --yrange are not given for imaginary",
            _ => "that --data, --extents, --show and --spectrum are not given for monotonicity",
        };
        if is_plain && is_drawn { Ok(()) } else { Err(contradiction(with).into()) }
    }

    /// Shows the preview, if it is requested, and writes and returns the figure's file, if there is one.
    fn write_curves(
        &self,
        drawn: Figure,
        methods: &[Method],
        #[cfg_attr(not(feature = "plotters"), expect(unused_variables))] output: &mut Output,
    ) -> Result<Option<&OutputFile>, Failure> {
        let called = methods::labels(methods);
        #[cfg(feature = "plotters")]
        self.preview.show(&self.figure.without_ranges(), || drawn.clone().into(), &called, output)?;
        let Some(file) = &self.output else { return Ok(None) };
        self.figure.without_ranges().write("--output", file, drawn, &called)?;
        Ok(Some(file))
    }

    fn has_preview(&self) -> bool {
        #[cfg(feature = "plotters")]
        return self.preview.preview;
        #[cfg(not(feature = "plotters"))]
        false
    }

    fn view(&self) -> Result<View, Failure> {
        Ok(View { cells: usize::from(self.points), x: self.figure.xrange()?, y: self.figure.yrange()? })
    }

    /// Draws a map and writes it with its data. Returns for each function the number of grid points in more digits.
    #[cfg_attr(not(feature = "plotters"), expect(unused_variables, reason = "only previews are printed"))]
    fn write(
        &self,
        map: &StabilityMap,
        names: &[(String, String)],
        output: &mut Output,
    ) -> Result<Vec<usize>, Failure> {
        // Ctrl-C ends the program immediately, since an incomplete figure is useless.
        let monitor = Monitor::new();
        let samples = map.sample(&monitor)?;
        if let Some(file) = &self.output {
            self.figure.without_ranges().write("--output", file, samples.figure(), names)?;
        }
        if let Some(file) = &self.data {
            let format = DataFormat::of(file)?;
            let values = samples.values(&monitor)?;
            let data = SampledMap { window: map.window(), shape: map.shape(), names: map.names(), values: &values };
            write_by(file, |out| format.write(&data, out))?;
        }
        monitor.finish();
        #[cfg(feature = "plotters")]
        self.preview.show(&self.figure.without_ranges(), || samples.figure().into(), names, output)?;
        Ok(samples.in_more_digits())
    }

    fn announce(
        &self,
        (map, in_more_digits): (&StabilityMap, Vec<usize>),
        methods: &[String],
        content: FigureContent<'_>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let window = map.window();
        if self.json {
            return output.json(&Report {
                methods,
                content,
                output: self.output.as_ref().map(|file| file.display().to_string()),
                data: self.data.as_ref().map(|file| file.display().to_string()),
                x: window.x,
                y: window.y,
                shape: &map.shape(),
                values: &map.names(),
                areas: map.areas(),
                extents: self.extents.then(|| map.extents().map(ExtentReport::from).collect()),
                spectrum: map.spectrum().map(SpectrumReport::from),
                points_in_more_digits: in_more_digits,
            });
        }
        if let Some(spectrum) = map.spectrum() {
            let row = |found: &SpectrumStep| {
                vec![found.name.clone(), found.largest.map_or_else(|| "no bound".to_owned(), rounded)]
            };
            let columns = [("Region", Column::Left), ("Largest step", Column::Right)];
            output.text(&table(&columns, spectrum.largest.iter().map(row)))?;
            output.line(&format!("the spectrum is drawn for the step {}", rounded(spectrum.step)))?;
            if let Some(value) = spectrum.growing {
                output.line(&format!(
                    "the exact solution grows for eigenvalues with Re λ > 0, up to {}: they are drawn, but do not limit the step",
                    complex(value)
                ))?;
            }
        }
        for file in [&self.output, &self.data].into_iter().flatten() {
            output.line(&format!("wrote {}", file.display()))?;
        }
        let open: usize = in_more_digits.iter().sum();
        if open > 0 {
            output.line(&format!(
                "{} undecided in double precision but decided with more digits",
                counted(open, "grid point")
            ))?;
        }
        Ok(())
    }
}
