//! One figure as pixels.

use hemiola_figure::{Figure, Style};
use hemiola_plot::MapQuantity;

use crate::figures::map;
use crate::snapshot::Snapshot;

/// Resolution in dots per inch: letters are a few pixels high.
const DOTS_PER_INCH: f64 = 80.0;

/// Largest mean difference of the pixels, in levels of 0 to 255. A line of text that is off by one pixel exceeds it,
/// whereas rounding errors of coordinates are far smaller.
const TOLERANCE: f64 = 0.05;

/// Returns the width of an image and the gray levels of its pixels.
fn levels(file: &[u8]) -> (u32, Vec<f64>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    let gray = |pixel: &[u8]| pixel.iter().map(|part| f64::from(*part)).sum::<f64>() / pixel.len() as f64;
    (info.width, bytes[..info.buffer_size()].chunks(3).map(gray).collect())
}

/// Returns the mean difference of the pixels; `None` if the sizes differ.
fn difference(one: &[u8], other: &[u8]) -> Option<f64> {
    let [(width, one), (other_width, other)] = [levels(one), levels(other)];
    let sum: f64 = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).sum();
    (width == other_width && one.len() == other.len()).then_some(sum / one.len() as f64)
}

#[test]
fn coupled_slice_as_pixels() {
    let figure = map(&["mprk-p2", "hemiola-2-5"], "coupled:kappa=5,g=0.04", MapQuantity::Region, 24);
    let picture = |figure: &Figure| figure.scene().expect("a scene").to_png(DOTS_PER_INCH).expect("a picture");
    let found = picture(&figure);
    let expected = Snapshot::new("coupled.png").contents(&found);
    let apart = difference(&found, &expected).expect("pictures of one size");
    assert!(apart < TOLERANCE, "{apart} gray levels apart");

    // The measure detects different colors, and a page that is higher by a title.
    let gray = difference(&picture(&figure.clone().style(Style::Monochrome)), &expected);
    assert!(gray.is_some_and(|apart| apart > TOLERANCE), "{gray:?}");
    assert_eq!(difference(&picture(&figure.title("*S*")), &expected), None);
}
