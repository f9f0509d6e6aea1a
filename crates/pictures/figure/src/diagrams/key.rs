//! The key of a gallery: the meaning of each kind of node, in centered lines.

use super::node::{NODE, NodeStyle};
use crate::layout::EDGE;
use crate::scene::Layer;
use crate::text::{Anchor, Font, Label, Text, size};

/// Line spacing, and gap between entries side by side.
const LINE: f64 = 11.0;
const BETWEEN: f64 = 14.0;
/// Gap between the sample and the label of an entry.
const GAP: f64 = 4.0;

/// Key of a gallery: kinds of nodes with their meaning, laid out for the width of a page.
pub(crate) struct GalleryKey {
    entries: Vec<GalleryKeyEntry>,
    page_width: f64,
}

struct GalleryKeyEntry {
    style: NodeStyle,
    label: Label,
    size: f64,
}

impl GalleryKeyEntry {
    fn width(&self) -> f64 {
        NODE + GAP + self.label.width(self.size)
    }

    fn draw(&self, [left, base]: [f64; 2], layer: &mut Layer) {
        // The middle of lower-case letters is about a third of the font size above the base line.
        self.style.draw([left + 0.5 * NODE, base - 0.34 * self.size], layer);
        let at = [left + NODE + GAP, base];
        layer.text(Text::new(self.label.clone(), Anchor::Start, at, self.size));
    }
}

impl GalleryKey {
    pub(crate) fn new(entries: &[(NodeStyle, String)], page_width: f64, font: &Font) -> Self {
        let entry = |(style, text): &(NodeStyle, String)| {
            let label = Label::new(text, font);
            let size = label.fitted_size(size::LEGEND, page_width - 2.0 * EDGE - NODE - GAP);
            GalleryKeyEntry { style: *style, label, size }
        };
        Self { entries: entries.iter().map(entry).collect(), page_width }
    }

    /// Fills each line with as many entries as fit; returns each line with its width.
    fn lines(&self) -> Vec<(f64, Vec<&GalleryKeyEntry>)> {
        let room = self.page_width - 2.0 * EDGE;
        let mut lines: Vec<(f64, Vec<&GalleryKeyEntry>)> = Vec::new();
        for entry in &self.entries {
            match lines.last_mut().filter(|(taken, _)| taken + BETWEEN + entry.width() <= room) {
                Some((taken, line)) => {
                    *taken += BETWEEN + entry.width();
                    line.push(entry);
                }
                None => lines.push((entry.width(), vec![entry])),
            }
        }
        lines
    }

    /// Draws the key from `top` downwards and returns its lower end.
    pub(crate) fn draw(&self, top: f64, layer: &mut Layer) -> f64 {
        let mut base = top;
        layer.group("key", |layer| {
            for (width, line) in self.lines() {
                base += LINE;
                let mut left = 0.5 * (self.page_width - width);
                for entry in line {
                    entry.draw([left, base], layer);
                    left += entry.width() + BETWEEN;
                }
            }
        });
        base + 0.3 * size::LEGEND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_fill_lines_that_stay_on_the_page() {
        let entries: Vec<_> = (0..30).map(|k| (NodeStyle::default(), format!("partition {k}"))).collect();
        let key = GalleryKey::new(&entries, 240.0, &Font::Sans);
        let lines = key.lines();
        assert!(lines.len() > 5 && lines.iter().all(|(width, _)| *width <= 240.0 - 2.0 * EDGE));
        assert_eq!(lines.iter().map(|(_, line)| line.len()).sum::<usize>(), 30);
        let long = GalleryKey::new(&[(NodeStyle::default(), "long ".repeat(100))], 240.0, &Font::Sans);
        assert!(long.lines()[0].0 <= 240.0 - 2.0 * EDGE + 1e-9);
    }
}
