//! Sampled maps as files for other programs: NumPy arrays and CSV.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use hemiola::number::Counter;
use hemiola::stability::Window;
use rayon::prelude::*;

use crate::failure::Failure;
use crate::output::progress::Monitor;
use crate::output::writer::{WriteError, ending};

/// Numbers converted to bytes at a time, chosen to fit into the fastest cache.
const CHUNK: usize = 2048;
/// Rows of the grid formatted at a time, on all processors.
const ROWS: usize = 64;

/// Format of sampled maps, by file extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataFormat {
    /// NumPy array of doubles.
    Npy,
    /// One line per grid point: x, y and the values.
    Csv,
}

/// Functions of the plane, sampled on a grid.
pub(crate) struct SampledMap<'a> {
    pub(crate) window: Window,
    pub(crate) shape: Vec<usize>,
    /// Name of each function.
    pub(crate) names: Vec<&'a str>,
    /// Values of each function, row by row from below.
    pub(crate) values: &'a [Cow<'a, [f64]>],
}

impl DataFormat {
    /// Returns the format of a file.
    pub(crate) fn of(file: &Path) -> Result<Self, Failure> {
        match ending(file, "csv") {
            Some("npy") => Ok(Self::Npy),
            Some("csv") => Ok(Self::Csv),
            _ => Err(WriteError::Ending { option: "--data", file: file.to_owned(), expected: ".npy or .csv" }.into()),
        }
    }

    /// Writes a file of this format.
    pub(crate) fn write(self, samples: &SampledMap<'_>, file: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Npy => npy(&samples.shape, samples.values, file),
            Self::Csv => csv(samples, file),
        }
    }
}

/// Writes an array of doubles in row-major order as a NumPy file, format 1.0: magic number, version, header length,
/// header padded to a multiple of 64 bytes, then the numbers in little-endian order.
fn npy(shape: &[usize], values: &[Cow<'_, [f64]>], file: &mut dyn Write) -> io::Result<()> {
    const PREFIX: usize = 10;
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    let padding = 63 - (PREFIX + header.len()) % 64;
    header += &" ".repeat(padding);
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap_or(u16::MAX);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    let mut bytes = [[0; 8]; CHUNK];
    for values in values {
        for chunk in values.chunks(CHUNK) {
            bytes.iter_mut().zip(chunk).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
            file.write_all(bytes[..chunk.len()].as_flattened())?;
        }
    }
    Ok(())
}

fn csv(samples: &SampledMap<'_>, file: &mut dyn Write) -> io::Result<()> {
    let window = samples.window;
    let names: String = samples.names.iter().map(|name| format!(",{}", quoted(name))).collect();
    let (columns, rows) = (window.cells.0 + 1, window.cells.1 + 1);
    let x: Vec<String> = (0..columns).map(|i| window.point(i, 0)[0].to_string()).collect();
    let lines = |j: usize| {
        let y = window.point(0, j)[1].to_string();
        let line = |i: usize| {
            let values: String = samples.values.iter().map(|values| format!(",{}", values[j * columns + i])).collect();
            format!("{},{y}{values}\n", x[i])
        };
        (0..columns).map(line).collect::<String>()
    };
    // Ctrl-C ends the program.
    let monitor = Monitor::new();
    let counter = Counter::new(&monitor, "rows", Some(rows));
    writeln!(file, "x,y{names}")?;
    for first in (0..rows).step_by(ROWS) {
        let block = first..rows.min(first + ROWS);
        let _ = counter.advance(block.len());
        for text in block.into_par_iter().map(lines).collect::<Vec<String>>() {
            file.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

/// Quotes a name as a field of a CSV file (RFC 4180) if necessary.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numpy(shape: &[usize], values: &[f64]) -> Vec<u8> {
        let mut file = Vec::new();
        // Pass the values as those of two functions.
        let parts: Vec<Cow<'_, [f64]>> = values.chunks(values.len() / 2).map(Cow::Borrowed).collect();
        npy(shape, &parts, &mut file).unwrap();
        file
    }

    #[test]
    fn long_arrays_are_written_in_parts() {
        let values: Vec<f64> = (0..10_000).map(f64::from).collect();
        let file = numpy(&[10_000], &values);
        let (numbers, _) = file[file.len() - 80_000..].as_chunks::<8>();
        assert!(numbers.iter().zip(&values).all(|(bytes, value)| f64::from_le_bytes(*bytes) == *value));
    }

    #[test]
    fn lines_of_text_are_in_order() {
        let window = Window { x: (0.0, 1.0), y: (-1.0, 1.0), cells: (2, 200) };
        let values: Vec<f64> = (0..603).map(f64::from).collect();
        let twice = values.iter().map(|value| 2.0 * value).collect();
        let values = [values, twice].map(Cow::Owned);
        let samples = SampledMap { window, shape: vec![2, 201, 3], names: vec!["one", "t,wo"], values: &values };
        let mut file = Vec::new();
        csv(&samples, &mut file).unwrap();
        let text = String::from_utf8(file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[1]), (604, "x,y,one,\"t,wo\"", "0,-1,0,0"));
        assert_eq!((lines[301], lines[303], lines[603]), ("0,0,300,600", "1,0,302,604", "1,1,602,1204"));
    }

    #[test]
    fn numpy_files_have_an_aligned_header_and_little_endian_doubles() {
        for shape in [&[2, 1, 3][..], &[6], &[1, 1, 1, 1, 6]] {
            let file = numpy(shape, &[1.0, -2.0, 0.5, f64::INFINITY, 0.0, 1e300]);
            assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
            let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
            assert_eq!((10 + length) % 64, 0);
            assert_eq!(file[10 + length - 1], b'\n');
            assert_eq!(file.len(), 10 + length + 6 * 8);
            assert_eq!(&file[10 + length + 8..10 + length + 16], (-2f64).to_le_bytes());
        }
        let file = numpy(&[2, 3], &[0.0; 6]);
        assert!(file[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3,), }"));
    }

    #[test]
    fn names_with_commas_stay_one_field() {
        assert_eq!(quoted("slow"), "slow");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
