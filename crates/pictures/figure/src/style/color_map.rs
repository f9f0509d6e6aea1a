//! Color maps: a color for every level.
//!
//! The interpolation points are given here instead of using a crate such as `colorous`. Its maps are fitted curves
//! whose neighboring bands are harder to distinguish for deuteranopes: with eight bands, the closest two are 1.52
//! instead of 1.65 noticeable differences apart in cividis, 1.60 instead of 1.68 in viridis, and 1.04 instead of 1.15
//! in the lower arm of the diverging map. Its diverging map also lacks a neutral white in the middle.

use serde::{Deserialize, Serialize};

use super::Color;

/// Color map of a sequence of levels.
///
/// The lightness is monotonic along each arm, so that a map can be read without colors. Up to eight neighboring bands
/// can be distinguished at a glance.
///
/// ```
/// use hemiola_figure::{ColorMap, Levels};
///
/// let error = Levels::at_least().color_map(ColorMap::Viridis).label("log_{10} ‖*S* − e^{*Z*}‖");
/// # let _ = error;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorMap {
    /// Dark blue to yellow, similar for readers with and without color blindness (Nuñez, Anderton and Renslow, PLOS ONE
    /// 13 (2018) e0199239).
    #[default]
    Cividis,
    /// Dark violet over green to yellow (van der Walt and Smith 2015).
    Viridis,
    /// Light gray, distinct from the paper, to dark gray, on which black is visible.
    Gray,
    /// Dark purple over white to orange, for values below and above a center; the lower arm is darker (the scheme PuOr
    /// of Harrower and Brewer, The Cartographic Journal 40 (2003) 27, without the dark end of the orange arm).
    Diverging,
}

#[rustfmt::skip]
const CIVIDIS: [u32; 10] = [
    0x00_22_4e, 0x12_35_70, 0x3b_49_6c, 0x57_5d_6d, 0x70_71_73, 0x8a_86_78, 0xa5_9c_74, 0xc3_b3_69, 0xe1_cc_55, 0xfe_e8_38,
];
#[rustfmt::skip]
const VIRIDIS: [u32; 10] = [
    0x44_01_54, 0x48_28_78, 0x3e_49_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6e_ce_58, 0xb5_de_2b, 0xfd_e7_25,
];
const GRAY: [u32; 2] = [0xe8_e8_e8, 0x47_47_47];
const LOWER_ARM: [u32; 6] = [0x2d_00_4b, 0x54_27_88, 0x80_73_ac, 0xb2_ab_d2, 0xd8_da_eb, 0xf7_f7_f7];
const UPPER_ARM: [u32; 4] = [0xf7_f7_f7, 0xfe_e0_b6, 0xfd_b8_63, 0xe0_82_14];

impl ColorMap {
    /// Returns the color at a position from 0 to 1.
    pub(crate) fn at(self, place: f64) -> Color {
        match self {
            Self::Cividis => interpolated(&CIVIDIS, place),
            Self::Viridis => interpolated(&VIRIDIS, place),
            Self::Gray => interpolated(&GRAY, place),
            Self::Diverging if place < 0.5 => interpolated(&LOWER_ARM, 2.0 * place),
            Self::Diverging => interpolated(&UPPER_ARM, 2.0 * place - 1.0),
        }
    }

    /// Returns the colors of `bands` bands; the first `below` of them lie below the center.
    pub(crate) fn bands(self, bands: usize, below: usize) -> Vec<Color> {
        let place = |band: usize| match self {
            Self::Diverging => diverging_place(band, bands, below),
            _ if bands < 2 => 0.5,
            _ => band as f64 / (bands - 1) as f64,
        };
        (0..bands).map(|band| self.at(place(band))).collect()
    }
}

/// Returns the position of a band of a diverging map: equal steps from the middle on, determined by the longer side.
fn diverging_place(band: usize, bands: usize, below: usize) -> f64 {
    let longer = below.max(bands - below) as f64;
    let distance = if band < below { below as f64 - band as f64 } else { band as f64 - below as f64 + 1.0 };
    // The bands next to the middle are half a step away from white, since otherwise they would look alike.
    let part = (distance - 0.5) / (longer - 0.5).max(0.5);
    if band < below { 0.5 - 0.5 * part } else { 0.5 + 0.5 * part }
}

fn interpolated(points: &[u32], place: f64) -> Color {
    let along = place.clamp(0.0, 1.0) * (points.len() - 1) as f64;
    let first = (along as usize).min(points.len() - 2);
    let part = along - first as f64;
    let mix = |shift: u32| {
        let [from, to] = [points[first], points[first + 1]].map(|color| f64::from(color >> shift & 0xff));
        (from + part * (to - from)).round() as u8
    };
    Color(mix(16), mix(8), mix(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightnesses(map: ColorMap, from: f64, to: f64) -> Vec<f64> {
        (0..=200).map(|k| map.at(from + (to - from) * f64::from(k) / 200.0).lightness()).collect()
    }

    #[test]
    fn lightness_grows_or_falls_along_each_arm() {
        let grows = |values: &[f64]| values.windows(2).all(|pair| pair[1] >= pair[0] - 0.35);
        for map in [ColorMap::Cividis, ColorMap::Viridis] {
            let values = lightnesses(map, 0.0, 1.0);
            assert!(grows(&values) && values[200] - values[0] > 70.0, "{map:?}");
        }
        assert!(grows(&lightnesses(ColorMap::Gray, 1.0, 0.0)));
        assert!(grows(&lightnesses(ColorMap::Diverging, 0.0, 0.499)));
        assert!(grows(&lightnesses(ColorMap::Diverging, 1.0, 0.5)));
    }

    #[test]
    fn the_lower_arm_of_the_diverging_map_is_the_darker_one() {
        for k in 1..=20 {
            let off = f64::from(k) / 40.0;
            let [below, above] = [0.5 - off, 0.5 + off].map(|place| ColorMap::Diverging.at(place).lightness());
            assert!(below < above, "{off}");
        }
        assert!(ColorMap::Diverging.at(0.0).lightness() < ColorMap::Diverging.at(1.0).lightness() - 50.0);
    }

    #[test]
    fn bands_reach_both_ends_and_part_at_the_middle() {
        let bands = ColorMap::Cividis.bands(5, 0);
        assert_eq!((bands[0], bands[4]), (Color(0x00, 0x22, 0x4e), Color(0xfe, 0xe8, 0x38)));
        let bands = ColorMap::Diverging.bands(6, 4);
        assert_eq!(bands[0], Color(0x2d, 0x00, 0x4b));
        assert!(bands[..4].iter().all(|color| color.2 > color.0) && bands[4..].iter().all(|color| color.0 > color.2));
        for (count, below) in [(0, 0), (1, 0), (1, 1), (2, 2)] {
            assert_eq!(ColorMap::Diverging.bands(count, below).len(), count);
        }
        assert_eq!(ColorMap::Gray.bands(1, 0).len(), 1);
    }
}
