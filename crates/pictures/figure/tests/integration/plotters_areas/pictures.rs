//! Images as pixels, and distances between them.

use hemiola_figure::Scene;

/// Red, green and blue of all pixels, row by row.
#[derive(Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) size: (u32, u32),
    pub(crate) colors: Vec<u8>,
}

impl Picture {
    pub(crate) fn white(size: (u32, u32)) -> Self {
        Self { size, colors: vec![255; 3 * (size.0 * size.1) as usize] }
    }

    /// Renders a scene as a PNG file and decodes it.
    pub(crate) fn of(scene: &Scene, dots_per_inch: f64) -> Self {
        let file = scene.to_png(dots_per_inch).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut colors = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut colors).unwrap();
        Self { size: (info.width, info.height), colors }
    }

    /// Returns the mean difference of the color components, on a scale of 255.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        assert_eq!(self.size, other.size);
        let differences = self.colors.iter().zip(&other.colors).map(|(a, b)| f64::from(a.abs_diff(*b)));
        differences.sum::<f64>() / self.colors.len() as f64
    }

    /// Returns `width` columns of pixels starting at `from`.
    pub(crate) fn columns(&self, from: u32, width: u32) -> Self {
        let rows = self.colors.chunks(3 * self.size.0 as usize);
        let colors = rows.flat_map(|row| row[3 * from as usize..3 * (from + width) as usize].to_vec()).collect();
        Self { size: (width, self.size.1), colors }
    }
}
