//! Animations: scenes as the pictures of a GIF file, written by the GIF backend of plotters.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use plotters::drawing::IntoDrawingArea;
use plotters::prelude::BitMapBackend;
use plotters_backend::DrawingBackend;

use crate::scene::Scene;

/// Largest size of a picture in pixels.
const MOST_PIXELS: u64 = 1 << 24;
/// Number of pictures from which the palette is chosen.
const SAMPLED: usize = 5;
/// Bytes of a pixel.
const BYTES: usize = 3;
/// Limits of the time that a picture is shown, in milliseconds. Browsers slow down faster animations.
const DELAYS: [u32; 2] = [20, 60_000];

/// Appearance of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GifOptions {
    /// Pixels per point.
    pub per_point: f64,
    /// Time that each picture is shown, in milliseconds; the format rounds it to ten.
    pub delay: u32,
    /// Number of colors, from 2 to 256. Fewer colors make smaller files.
    pub colors: usize,
}

impl Default for GifOptions {
    /// Returns 150 dots per inch, 20 pictures a second and 64 colors.
    fn default() -> Self {
        Self { per_point: 150.0 / 72.0, delay: 50, colors: 64 }
    }
}

/// Reason why an animation cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GifError {
    /// There are no pictures.
    #[error("no pictures; expected at least one")]
    NoPictures,
    /// The number of colors is out of range.
    #[error("colors: found {found}; expected 2 to 256")]
    Colors {
        /// The number.
        found: usize,
    },
    /// The time of a picture is out of range.
    #[error("delay: found {found} ms; expected {} to {} ms", DELAYS[0], DELAYS[1])]
    Delay {
        /// The time in milliseconds.
        found: u32,
    },
    /// The pictures are too large.
    #[error(
        "found pictures of {width} × {height} pixels; expected at most {MOST_PIXELS} pixels and 65535 in each direction"
    )]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// `progress` stopped the work.
    #[error("interrupted")]
    Interrupted,
    /// The backend cannot write the file.
    #[error("the GIF backend of plotters: {problem}")]
    Backend {
        /// Its message.
        problem: String,
    },
}

/// Writes scenes as the pictures of an animation that repeats. A file that exists is overwritten.
///
/// All pictures have the size of the largest scene; each scene is aligned at the upper left corner. The palette
/// consists of the most frequent colors in a sample of pictures spread over the animation. All other colors are
/// replaced by the nearest color of the palette, so that areas of one color neither flicker nor become noisy.
/// `progress` receives the number of pictures written.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use hemiola_figure::{Axis, Curve, Figure, GifOptions, Panel, write_gif};
///
/// let scene = |t: f64| {
///     let axis = |name: &str| Axis::new(name).range(0.0, 1.0);
///     Figure::one_column().panel(Panel::new(axis("*t*"), axis("*y*")).curve(Curve::new().open([[0.0, 1.0], [t, 1.0 - t]]))).scene()
/// };
/// let scenes = [scene(0.1)?, scene(0.5)?, scene(1.0)?];
/// write_gif("line.gif".as_ref(), &scenes, GifOptions::default(), |_| ControlFlow::Continue(()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`GifError`] if an option is out of range, if there are no pictures or they are too large, if the file cannot
/// be written, or if `progress` ends the work; the file is then incomplete.
pub fn write_gif(
    file: &Path,
    scenes: &[Scene],
    options: GifOptions,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<(), GifError> {
    let size = checked_size(scenes, options)?;
    let mut pixels = vec![0; BYTES * size.0 as usize * size.1 as usize];
    let mut palette = Palette::default();
    for k in 0..SAMPLED {
        paint(&scenes[k * (scenes.len() - 1) / (SAMPLED - 1)], options.per_point, size, &mut pixels)?;
        palette.count(&pixels);
    }
    palette.choose(options.colors);
    let mut gif = BitMapBackend::gif(file, size, options.delay).map_err(backend)?;
    for (k, scene) in scenes.iter().enumerate() {
        paint(scene, options.per_point, size, &mut pixels)?;
        palette.apply(&mut pixels);
        gif.blit_bitmap((0, 0), size, &pixels).map_err(backend)?;
        gif.present().map_err(backend)?;
        if progress(k + 1).is_break() {
            return Err(GifError::Interrupted);
        }
    }
    Ok(())
}

fn backend(error: impl std::fmt::Display) -> GifError {
    GifError::Backend { problem: error.to_string() }
}

/// Checks the options and returns the size of the pictures in pixels.
fn checked_size(scenes: &[Scene], options: GifOptions) -> Result<(u32, u32), GifError> {
    if !(2..=256).contains(&options.colors) {
        return Err(GifError::Colors { found: options.colors });
    }
    if !(DELAYS[0]..=DELAYS[1]).contains(&options.delay) {
        return Err(GifError::Delay { found: options.delay });
    }
    let sizes = scenes.iter().map(|scene| scene.pixels(options.per_point));
    let (width, height) =
        sizes.reduce(|(w, h), (width, height)| (w.max(width), h.max(height))).ok_or(GifError::NoPictures)?;
    let is_small = width.max(height) <= u32::from(u16::MAX) && u64::from(width) * u64::from(height) <= MOST_PIXELS;
    if is_small && width.min(height) > 0 { Ok((width, height)) } else { Err(GifError::TooLarge { width, height }) }
}

/// Draws a scene on white.
fn paint(scene: &Scene, per_point: f64, size: (u32, u32), pixels: &mut [u8]) -> Result<(), GifError> {
    pixels.fill(u8::MAX);
    let page = BitMapBackend::with_buffer(pixels, size).into_drawing_area();
    scene.draw_on(&page.shrink((0, 0), scene.pixels(per_point))).map_err(backend)
}

type Pixel = [u8; BYTES];

/// Palette of an animation, with the replacements of all other colors.
#[derive(Default)]
struct Palette {
    counts: HashMap<Pixel, usize>,
    chosen: Vec<Pixel>,
    nearest: HashMap<Pixel, Pixel>,
}

impl Palette {
    fn count(&mut self, pixels: &[u8]) {
        for pixel in pixels.as_chunks().0 {
            *self.counts.entry(*pixel).or_default() += 1;
        }
    }

    /// Chooses the most frequent colors.
    fn choose(&mut self, colors: usize) {
        let mut all: Vec<(Pixel, usize)> = self.counts.drain().collect();
        // The order of a hash map differs from run to run.
        all.sort_unstable_by_key(|&(color, count)| (std::cmp::Reverse(count), color));
        self.chosen = all.into_iter().take(colors).map(|(color, _)| color).collect();
    }

    /// Replaces each color by the nearest chosen one.
    fn apply(&mut self, pixels: &mut [u8]) {
        let mut last = ([0; BYTES], self.nearest([0; BYTES]));
        for pixel in pixels.as_chunks_mut().0 {
            if *pixel != last.0 {
                last = (*pixel, self.nearest(*pixel));
            }
            *pixel = last.1;
        }
    }

    fn nearest(&mut self, color: Pixel) -> Pixel {
        let distance = |other: &&Pixel| -> i32 {
            color.iter().zip(**other).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum()
        };
        let chosen = &self.chosen;
        *self.nearest.entry(color).or_insert_with(|| chosen.iter().min_by_key(distance).copied().unwrap_or(color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Color, Curve, Figure, Panel};

    fn scene(end: f64) -> Scene {
        let axis = |name: &str| Axis::new(name).range(0.0, 1.0);
        let curve = Curve::new().open([[0.0, 0.1], [end, 0.9 * end]]).color(Color::BLUE);
        Figure::new(60.0).panel(Panel::new(axis("*t*"), axis("*y*")).curve(curve)).scene().unwrap()
    }

    fn written(count: usize, colors: usize) -> Vec<u8> {
        let file = std::env::temp_dir().join(format!("hemiola-{}-{count}-{colors}.gif", std::process::id()));
        let scenes: Vec<Scene> = (0..count).map(|k| scene(0.2 + 0.1 * k as f64)).collect();
        let mut seen = Vec::new();
        let options = GifOptions { per_point: 1.0, colors, ..GifOptions::default() };
        let note = |done| {
            seen.push(done);
            ControlFlow::Continue(())
        };
        write_gif(&file, &scenes, options, note).unwrap();
        assert_eq!(seen, (1..=count).collect::<Vec<_>>());
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        bytes
    }

    #[test]
    fn pictures_have_their_size_time_and_palette() {
        let bytes = written(4, 16);
        let number = |at: usize| u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        assert!(bytes.starts_with(b"GIF89a") && (number(6), number(8)) == scene(1.0).pixels(1.0));
        // Graphic control extensions (GIF89a, section 23) with 5 hundredths of a second.
        let controls: Vec<usize> = (0..bytes.len() - 8).filter(|&k| bytes[k..].starts_with(&[0x21, 0xf9, 4])).collect();
        assert!(controls.len() == 4 && controls.iter().all(|&at| number(at + 4) == 5), "{controls:?}");
        // The image descriptor follows; its local palette has 2^(n + 1) colors.
        assert!(controls.iter().all(|&at| bytes[at + 8] == 0x2c && bytes[at + 17] & 7 <= 3), "{controls:?}");
        assert_eq!(bytes, written(4, 16));
        assert!(written(4, 2).len() < bytes.len());
    }

    #[test]
    fn numbers_out_of_range_are_refused_before_a_file_is_written() {
        let refused = |scenes: &[Scene], options| {
            let file = Path::new("/nowhere/at/all.gif");
            write_gif(file, scenes, options, |_| ControlFlow::Continue(())).unwrap_err().to_string()
        };
        let usual = GifOptions::default();
        let one = [scene(1.0)];
        assert!(refused(&[], usual).contains("no pictures"));
        assert!(refused(&one, GifOptions { colors: 1, ..usual }).contains("2 to 256"));
        assert!(refused(&one, GifOptions { delay: 0, ..usual }).contains("found 0 ms"));
        assert!(refused(&one, GifOptions { per_point: 1e6, ..usual }).contains("pixels"));
        assert!(refused(&one, usual).contains("plotters"));
    }
}
