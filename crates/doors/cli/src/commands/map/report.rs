//! Summaries of the files of `hemiola map` as JSON.

use clap::ValueEnum;
use hemiola::plot::{Extent, MonotonicityPair, ScaledSpectrum};
use hemiola::stability::monotonicity::RegionOutline;
use serde::Serialize;

/// A figure of a publication.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Preset {
    /// Singular perturbation: Gil, Sanfelice & Nikravesh (2013) beside METHOD (rk4), one panel per α
    Gil,
}

/// Contents of the figure.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum FigureContent<'a> {
    Slices { slices: Vec<String>, show: &'static str },
    Preset { preset: Preset, alpha: &'a [f64], beta: &'a [f64] },
}

#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) methods: &'a [String],
    #[serde(flatten)]
    pub(super) content: FigureContent<'a>,
    pub(super) output: Option<String>,
    pub(super) data: Option<String>,
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    /// Shape of the data, and the meaning of its leading axes or of its values.
    pub(super) shape: &'a [usize],
    pub(super) values: &'a [&'a str],
    /// Area of each region within the window.
    pub(super) areas: Vec<f64>,
    /// Marked crossings of the axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extents: Option<Vec<ExtentReport<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spectrum: Option<SpectrumReport<'a>>,
    /// Number of grid points where double precision left stability undecided and more digits were used.
    pub(super) points_in_more_digits: Vec<usize>,
}

/// Crossing of an axis.
#[derive(Serialize)]
pub(super) struct ExtentReport<'a> {
    pub(super) name: &'a str,
    pub(super) re: f64,
    pub(super) im: f64,
}

impl<'a> From<&'a Extent> for ExtentReport<'a> {
    fn from(extent: &'a Extent) -> Self {
        Self { name: &extent.name, re: extent.at[0], im: extent.at[1] }
    }
}

/// Scaled spectrum, with the largest step of each region.
#[derive(Serialize)]
pub(super) struct SpectrumReport<'a> {
    pub(super) step: f64,
    pub(super) largest: Vec<LargestStep<'a>>,
    /// Eigenvalue with the largest positive real part: `[re, im]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) growing: Option<[f64; 2]>,
}

/// Largest stable step of a region; `null` without a bound.
#[derive(Serialize)]
pub(super) struct LargestStep<'a> {
    pub(super) name: &'a str,
    pub(super) step: Option<f64>,
}

/// Files written instead of a map.
#[derive(Serialize)]
pub(super) struct WrittenFiles<'a> {
    pub(super) methods: &'a [String],
    pub(super) output: String,
}

/// Regions of absolute monotonicity, written as a figure.
#[derive(Serialize)]
pub(super) struct WrittenRegions<'a> {
    pub(super) methods: &'a [String],
    pub(super) output: String,
    pub(super) regions: Vec<RegionCurve<'a>>,
}

/// Region of absolute monotonicity of a pair. Unbounded radii are `null`.
#[derive(Serialize)]
pub(super) struct RegionCurve<'a> {
    pub(super) name: &'a str,
    pub(super) partitions: &'a [String; 2],
    /// The largest r of each partition by itself.
    pub(super) axes: [Option<f64>; 2],
    pub(super) diagonal: Option<f64>,
    pub(super) boundary: &'a [[f64; 2]],
}

impl<'a> From<&'a MonotonicityPair> for RegionCurve<'a> {
    fn from(MonotonicityPair { name, partitions, outline }: &'a MonotonicityPair) -> Self {
        let RegionOutline { axes, diagonal, boundary } = outline;
        Self { name, partitions, axes: *axes, diagonal: *diagonal, boundary }
    }
}

impl<'a> From<&'a ScaledSpectrum> for SpectrumReport<'a> {
    fn from(ScaledSpectrum { step, largest, growing, .. }: &'a ScaledSpectrum) -> Self {
        let steps = largest.iter().map(|found| LargestStep { name: &found.name, step: found.largest });
        Self { step: *step, largest: steps.collect(), growing: growing.map(|value| [value.re, value.im]) }
    }
}
