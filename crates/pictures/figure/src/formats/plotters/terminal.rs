//! Figures as text: a plotters backend of Braille dots and letters for terminals.

use std::convert::Infallible;
use std::fmt::Write;

use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};

use super::error::DrawOnError;
use super::letters::Letters;
use crate::scene::Scene;

/// Dots across and down a character cell.
const ACROSS: usize = 2;
const DOWN: usize = 4;
/// Largest number of character cells on a page.
const MOST_CELLS: f64 = 1e6;
/// Font size of plotters relative to the em, and height of the middle of digits below the top of a text in ems.
const LINE: f64 = 1.24;
const MIDDLE: f64 = 0.6;
/// Number of rows between two texts with stacked letters.
const BETWEEN: usize = 3;
/// Smallest difference of two colors, summed over their components, at which dots are visible on a background.
const VISIBLE: i32 = 60;
/// Luminance below which dots are drawn without colors: lines are darker, the tints of areas are lighter.
const DARK: f64 = 205.0;

const WHITE: [u8; 3] = [255; 3];

/// Colors of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerminalColors {
    /// None: letters and dots in the colors of the terminal.
    #[default]
    None,
    /// The color cube of 256-color terminals.
    Indexed,
    /// True color: red, green and blue components.
    Full,
}

/// Plotters backend that writes text. A character cell shows two by four dots in one color on a background of another
/// color, or a letter.
///
/// ```
/// use hemiola_figure::{TerminalBackend, TerminalColors};
/// use plotters::prelude::*;
///
/// let mut text = String::new();
/// {
///     let area = TerminalBackend::new(&mut text, (20, 5), TerminalColors::None).into_drawing_area();
///     area.draw(&PathElement::new([(0, 8), (39, 8)], BLACK))?;
///     area.present()?;
/// }
/// assert_eq!(text.lines().nth(2), Some("⠉".repeat(20).as_str()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TerminalBackend<'t> {
    text: &'t mut String,
    columns: usize,
    rows: usize,
    colors: TerminalColors,
    /// Colors of the dots, row by row.
    dots: Vec<[u8; 3]>,
    /// Letters of the cells, row by row.
    letters: Vec<Option<char>>,
    /// Vertical texts, which run upwards.
    upright: Vec<UprightText>,
}

/// A vertical text, with its position in dots.
struct UprightText {
    x: f64,
    bottom: f64,
    top: f64,
    letters: String,
}

impl<'t> TerminalBackend<'t> {
    /// Creates a white page of some columns and rows of character cells, at most a million, whose text
    /// replaces the string on `present`.
    #[must_use]
    pub fn new(text: &'t mut String, (columns, rows): (usize, usize), colors: TerminalColors) -> Self {
        let columns = columns.min(MOST_CELLS as usize);
        let rows = rows.min(MOST_CELLS as usize / columns.max(1));
        let cells = columns * rows;
        let dots = vec![WHITE; ACROSS * DOWN * cells];
        Self { text, columns, rows, colors, dots, letters: vec![None; cells], upright: Vec::new() }
    }

    fn place(&mut self, row: f64, column: usize, letter: char) {
        if row >= 0.0 && (row as usize) < self.rows && column < self.columns {
            self.letters[row as usize * self.columns + column] = Some(letter);
        }
    }

    /// Places letters along a row.
    fn along(&mut self, letters: &str, [x, y]: [f64; 2]) {
        let first = (x / ACROSS as f64).round().max(0.0) as usize;
        for (k, letter) in letters.chars().enumerate() {
            self.place((y / DOWN as f64).floor(), first + k, letter);
        }
    }

    /// Places the vertical texts. The letters of a short text are stacked; a text that is too long is written along the
    /// row above its upper end.
    fn stack(&mut self) {
        let upright = std::mem::take(&mut self.upright);
        let most = (self.rows / upright.len().max(1)).saturating_sub(BETWEEN);
        for UprightText { x, bottom, top, letters } in upright {
            let column = (x / ACROSS as f64).max(0.0) as usize;
            let count = letters.chars().count();
            let first = (0.5 * (top + bottom) / DOWN as f64 - 0.5 * count as f64).round().max(0.0);
            let above = (top / DOWN as f64).floor() - 1.0;
            for (k, letter) in letters.chars().enumerate() {
                if count > most {
                    self.place(above.max(0.0), column + k, letter);
                } else {
                    self.place(first + k as f64, column, letter);
                }
            }
        }
    }

    /// Returns the background of a cell, the color of its dots, and its character.
    fn cell(&self, row: usize, column: usize) -> ([u8; 3], [u8; 3], char) {
        let dot = |k: usize| {
            let (x, y) = (ACROSS * column + k % ACROSS, DOWN * row + k / ACROSS);
            self.dots[y * ACROSS * self.columns + x]
        };
        let dots: Vec<[u8; 3]> = (0..ACROSS * DOWN).map(dot).collect();
        let count = |color: &[u8; 3]| dots.iter().filter(|other| *other == color).count();
        // Dots on a dark background would look heavier than they are.
        let ground = dots.iter().copied().max_by_key(|color| (!is_dark(*color), count(color), *color)).unwrap_or(WHITE);
        if let Some(letter) = self.letters[row * self.columns + column] {
            return (ground, [0; 3], letter);
        }
        let differs = |color: &[u8; 3]| -> bool {
            if self.colors == TerminalColors::None {
                return is_dark(*color);
            }
            color.iter().zip(&ground).map(|(a, b)| (i32::from(*a) - i32::from(*b)).abs()).sum::<i32>() > VISIBLE
        };
        // The bits of the dots in Unicode, row by row.
        const BITS: [u32; ACROSS * DOWN] = [0, 3, 1, 4, 2, 5, 6, 7];
        let shown: Vec<usize> = (0..dots.len()).filter(|&k| differs(&dots[k])).collect();
        let bits = shown.iter().map(|&k| 1 << BITS[k]).sum::<u32>();
        let mean = |part: usize| {
            let sum: usize = shown.iter().map(|&k| usize::from(dots[k][part])).sum();
            (sum / shown.len().max(1)) as u8
        };
        let character = if bits == 0 { ' ' } else { char::from_u32(0x2800 + bits).unwrap_or(' ') };
        (ground, [mean(0), mean(1), mean(2)], character)
    }

    fn write_row(&mut self, row: usize) {
        let cells: Vec<_> = (0..self.columns).map(|column| self.cell(row, column)).collect();
        if self.colors == TerminalColors::None {
            let line: String = cells.iter().map(|(_, _, character)| *character).collect();
            self.text.push_str(line.trim_end());
            self.text.push('\n');
            return;
        }
        let mut before = None;
        for (ground, ink, character) in cells {
            let ink = if character == ' ' { before.map_or([0; 3], |(_, ink)| ink) } else { ink };
            if before != Some((ground, ink)) {
                let [over, under] = [(38, ink), (48, ground)].map(|(layer, color)| self.code(layer, color));
                // Writing to a string does not fail.
                let _ = write!(self.text, "\u{1b}[{over};{under}m");
                before = Some((ground, ink));
            }
            self.text.push(character);
        }
        self.text.push_str("\u{1b}[0m\n");
    }

    /// Returns the parameters of the control sequence for a color of letters (38) or backgrounds (48).
    fn code(&self, layer: u8, [r, g, b]: [u8; 3]) -> String {
        if self.colors == TerminalColors::Full {
            return format!("{layer};2;{r};{g};{b}");
        }
        // Levels of the color cube are 0, 95, 135, …, 255.
        let level = |part: u8| match part {
            0..48 => 0,
            48..115 => 1,
            _ => (u32::from(part) - 35) / 40,
        };
        format!("{layer};5;{}", 16 + 36 * level(r) + 6 * level(g) + level(b))
    }
}

/// Returns whether a color belongs to a line rather than to the paper or the tint of an area.
fn is_dark(color: [u8; 3]) -> bool {
    let [r, g, b] = color.map(f64::from);
    0.2126 * r + 0.7152 * g + 0.0722 * b < DARK
}

impl DrawingBackend for TerminalBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        ((ACROSS * self.columns) as u32, (DOWN * self.rows) as u32)
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        self.stack();
        self.text.clear();
        (0..self.rows).for_each(|row| self.write_row(row));
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Result<(), DrawingErrorKind<Infallible>> {
        let (width, height) = self.get_size();
        if x >= 0 && y >= 0 && (x as u32) < width && (y as u32) < height {
            let dot = &mut self.dots[y as usize * width as usize + x as usize];
            let (r, g, b) = color.rgb;
            let mixed =
                |old: u8, new: u8| (f64::from(old) + color.alpha * (f64::from(new) - f64::from(old))).round() as u8;
            *dot = [mixed(dot[0], r), mixed(dot[1], g), mixed(dot[2], b)];
        }
        Ok(())
    }

    /// Draws a line one dot wide. Antialiasing would blur it over several dots.
    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (width, height) = self.get_size();
        let far = |(x, y): BackendCoord| {
            x < -(width as i32) || y < -(height as i32) || x > 2 * width as i32 || y > 2 * height as i32
        };
        if far(from) || far(to) {
            return Ok(());
        }
        let [across, down] = [to.0 - from.0, to.1 - from.1].map(f64::from);
        let count = across.abs().max(down.abs()).max(1.0) as i32;
        (0..=count).try_for_each(|k| {
            let part = f64::from(k) / f64::from(count);
            let at = (f64::from(from.0) + part * across, f64::from(from.1) + part * down);
            self.draw_pixel((at.0.round() as i32, at.1.round() as i32), style.color())
        })
    }

    /// Places letters in cells; control characters are omitted.
    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let letters: String = text.chars().filter(|letter| !letter.is_control()).collect();
        if letters.is_empty() {
            return Ok(());
        }
        let em = style.size() / LINE;
        let width = style.layout_box(text).map_or(0.0, |((left, _), (right, _))| f64::from(right - left));
        let [x, y] = [x, y].map(f64::from);
        if matches!(style.transform(), FontTransform::Rotate270) {
            self.upright.push(UprightText { x: x + MIDDLE * em, bottom: y, top: y - width, letters });
        } else {
            self.along(&letters, [x, y + MIDDLE * em]);
        }
        Ok(())
    }
}

impl Scene {
    /// Width of a character cell in points, chosen so that labels have about one cell per letter; a cell is twice as
    /// high.
    pub const TERMINAL_COLUMN: f64 = 4.0;

    /// Draws the scene as text for a terminal, with one character for each 4 pt of width and 8 pt of height. Without
    /// colors, the text consists only of letters and Braille dots.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Curve, Figure, Panel, TerminalColors};
    ///
    /// let panel = Panel::new(Axis::new("time"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 1.0], [1.0, 0.0]]));
    /// let text = Figure::one_column().panel(panel).scene()?.to_terminal(TerminalColors::None)?;
    /// assert!(text.contains("time") && text.lines().all(|line| line.chars().count() <= 61));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the page has more than a million character cells.
    pub fn to_terminal(&self, colors: TerminalColors) -> Result<String, DrawOnError<Infallible>> {
        let [columns, rows] = [1.0, 2.0].map(|part| part * Self::TERMINAL_COLUMN);
        let [columns, rows] = [self.size[0] / columns, self.size[1] / rows].map(f64::ceil);
        if columns * rows > MOST_CELLS {
            return Err(DrawingAreaErrorKind::LayoutError.into());
        }
        let mut text = String::new();
        let backend = TerminalBackend::new(&mut text, (columns as usize, rows as usize), colors);
        let area = backend.into_drawing_area();
        self.draw_with(Letters::Plain, &area)?;
        area.present()?;
        drop(area);
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Color, Curve, Figure, Panel, Region};

    fn figure(label: &str) -> Scene {
        let region = Region::new().polygon([[-1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]]).color(Color::BLUE);
        let panel = Panel::new(Axis::new("Re(*z*) in m").range(-2.0, 1.0), Axis::new(label).range(-2.0, 2.0));
        let panel = panel.region(region).curve(Curve::new().open([[-2.0, -2.0], [1.0, 2.0]]));
        Figure::one_column().panel(panel).scene().unwrap()
    }

    #[test]
    fn labels_stand_in_cells_and_lines_are_dots() {
        let text = figure("Im(*z*)").to_terminal(TerminalColors::None).unwrap();
        assert!(text.contains("Re(z) in m") && text.contains("−2") && !text.contains('\u{1b}'), "{text}");
        let dots = text.chars().filter(|letter| ('\u{2801}'..='\u{28ff}').contains(letter)).count();
        assert!((150..900).contains(&dots), "{dots} in\n{text}");
        // The label of the vertical axis stands in one column.
        let column = |line: &str, letter: char| line.chars().position(|other| other == letter);
        let above = text.lines().filter(|line| !line.contains("Re("));
        let stacked: Vec<usize> = above.filter_map(|line| column(line, 'I').or(column(line, 'm'))).collect();
        assert!(stacked.len() == 2 && stacked[0] == stacked[1], "{text}");
    }

    #[test]
    fn colors_paint_the_paper_and_end_with_each_line() {
        for (colors, white) in [(TerminalColors::Full, "48;2;255;255;255"), (TerminalColors::Indexed, "48;5;231")] {
            let text = figure("*y*").to_terminal(colors).unwrap();
            assert!(text.contains(white) && text.lines().all(|line| line.ends_with("\u{1b}[0m")), "{text:?}");
        }
        let full = figure("*y*").to_terminal(TerminalColors::Full).unwrap();
        // The tint of the region: 18 % of blue on white.
        assert!(full.contains("48;2;209;230;241"), "{full:?}");
    }

    #[test]
    fn control_characters_of_labels_do_not_reach_the_terminal() {
        let text = figure("\u{1b}[2Jy\u{7}").to_terminal(TerminalColors::None).unwrap();
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
    }
}
