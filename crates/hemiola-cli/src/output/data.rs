//! Sampled maps as files for other programs: NumPy arrays and CSV.

use std::path::Path;

use hemiola::stability::Window;

use crate::failure::Failure;

/// The formats of sampled maps, by file extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataFormat {
    /// A NumPy array of doubles.
    Npy,
    /// One line per grid point: x, y and the values.
    Csv,
}

/// Functions of the plane, sampled on a grid.
pub(crate) struct Samples<'a> {
    pub(crate) window: Window,
    pub(crate) shape: Vec<usize>,
    /// The name of each function.
    pub(crate) names: Vec<&'a str>,
    /// The values of each function, row by row from below.
    pub(crate) values: Vec<Vec<f64>>,
}

impl DataFormat {
    /// The format of a file.
    pub(crate) fn of(file: &Path) -> Result<Self, Failure> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("npy") => Ok(Self::Npy),
            Some("csv") => Ok(Self::Csv),
            _ => Err(Failure::WrongEnding { option: "--data", file: file.to_owned(), expected: ".npy or .csv" }),
        }
    }

    /// The contents of a file of this format.
    pub(crate) fn contents(self, samples: &Samples<'_>) -> Vec<u8> {
        match self {
            Self::Npy => npy(&samples.shape, &samples.values.concat()),
            Self::Csv => csv(samples).into_bytes(),
        }
    }
}

/// An array of doubles in row-major order as a NumPy file, format 1.0: magic number, version, header length, header
/// padded to a multiple of 64 bytes, then the numbers in little-endian order.
fn npy(shape: &[usize], values: &[f64]) -> Vec<u8> {
    const PREFIX: usize = 10;
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    let padding = 63 - (PREFIX + header.len()) % 64;
    header += &" ".repeat(padding);
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap_or(u16::MAX);
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend(length.to_le_bytes());
    file.extend(header.into_bytes());
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    file
}

fn csv(samples: &Samples<'_>) -> String {
    let (window, all) = (samples.window, &samples.values);
    let columns = window.cells.0 + 1;
    let names: String = samples.names.iter().map(|name| format!(",{}", quoted(name))).collect();
    let mut text = format!("x,y{names}\n");
    for index in 0..columns * (window.cells.1 + 1) {
        let [x, y] = window.point(index % columns, index / columns);
        let values: String = all.iter().map(|values| format!(",{}", values[index])).collect();
        text += &format!("{x},{y}{values}\n");
    }
    text
}

/// A name as a field of a CSV file (RFC 4180).
pub(crate) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numpy_files_have_an_aligned_header_and_little_endian_doubles() {
        for shape in [&[2, 1, 3][..], &[6], &[1, 1, 1, 1, 6]] {
            let file = npy(shape, &[1.0, -2.0, 0.5, f64::INFINITY, 0.0, 1e300]);
            assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
            let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
            assert_eq!((10 + length) % 64, 0);
            assert_eq!(file[10 + length - 1], b'\n');
            assert_eq!(file.len(), 10 + length + 6 * 8);
            assert_eq!(&file[10 + length + 8..10 + length + 16], (-2f64).to_le_bytes());
        }
        let file = npy(&[2, 3], &[0.0; 6]);
        assert!(file[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3,), }"));
    }

    #[test]
    fn names_with_commas_stay_one_field() {
        assert_eq!(quoted("slow"), "slow");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
