//! Hatchings: regions in black and white, each of which shows through the others.

use super::Color;
use crate::svg::{Element, Svg};

/// The distance of the lines or dots of a hatching.
const SPACING: f64 = 4.0;
/// The width of the lines and the radius of the dots, in a grey that leaves the curves in front.
const WIDTH: f64 = 0.45;
const DOT: f64 = 0.6;
const INK: Color = Color(94, 94, 94);

/// A pattern of lines or dots on clear ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatch {
    Rising,
    Falling,
    Dots,
    Level,
    Upright,
}

impl Hatch {
    const ALL: [Self; 5] = [Self::Rising, Self::Falling, Self::Dots, Self::Level, Self::Upright];

    /// The hatching of the region at `place`; every sixth is a plain grey.
    pub(super) fn cycled(place: usize) -> Option<Self> {
        let turn = place % (Self::ALL.len() + 1);
        turn.checked_sub(1).map(|k| Self::ALL[k])
    }

    /// The value of a `fill` attribute.
    pub(super) fn reference(self) -> String {
        format!("url(#{})", self.id())
    }

    fn id(self) -> &'static str {
        match self {
            Self::Rising => "hatch-rising",
            Self::Falling => "hatch-falling",
            Self::Dots => "hatch-dots",
            Self::Level => "hatch-level",
            Self::Upright => "hatch-upright",
        }
    }

    /// By how much the lines are turned, in degrees.
    fn angle(self) -> f64 {
        match self {
            Self::Rising => -45.0,
            Self::Falling | Self::Dots => 45.0,
            Self::Level => 0.0,
            Self::Upright => 90.0,
        }
    }

    fn define(self, svg: &mut Svg) {
        let tile = Element::new("pattern")
            .with("id", self.id())
            .at("width", SPACING)
            .at("height", SPACING)
            .with("patternUnits", "userSpaceOnUse")
            .with("patternTransform", format_args!("rotate({})", self.angle()));
        svg.open(&tile);
        let middle = 0.5 * SPACING;
        svg.empty(&match self {
            Self::Dots => Element::new("circle").at("cx", middle).at("cy", middle).at("r", DOT).with("fill", INK),
            _ => Element::new("path")
                .with("d", format_args!("M0 {middle}H{SPACING}"))
                .with("stroke", INK)
                .at("stroke-width", WIDTH),
        });
        svg.close("pattern");
    }
}

/// Writes the definitions of all hatchings.
pub(crate) fn define_hatchings(svg: &mut Svg) {
    svg.open(&Element::new("defs"));
    for hatch in Hatch::ALL {
        hatch.define(svg);
    }
    svg.close("defs");
}
