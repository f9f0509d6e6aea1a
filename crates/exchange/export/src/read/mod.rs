//! Import of methods from tables and programs.
//!
//! Programs are not executed: the reader evaluates numbers, arrays and assignments, and skips everything else,
//! including code that never runs. All arithmetic is exact.
//!
//! `expressions/` reads numbers and arrays in the syntax of each language, `arrays/` identifies A and b by their names,
//! `tables/` and `programs/` read the formats, and `multirate/` reads coupling tables of multirate methods. `reading`
//! collects the methods of a text, and `pieces` combines arrays from several files.
//!
//! The work grows in proportion to the text. Errors name the limits: 8 MiB of text; 131 072 entries in an array, those of
//! its rows included; 524 288 entries that statements copy from other arrays; 362 stages; 64 nested brackets; 1024 operators
//! or indices in one chain; 32 nested blocks with names of their own.
//!
//! ```
//! use hemiola_export::read::{ImportFormat, read};
//! let text = b"0 | 0 0\n1 | 1 0\n  | 1/2 1/2\n";
//! let reading = read(text, "heun.txt", None)?;
//! assert_eq!(reading.format, ImportFormat::Text);
//! assert_eq!(reading.methods[0].partitions()[0].b[1].text(), "1/2");
//! # Ok::<(), hemiola_export::ReadError>(())
//! ```

mod arrays;
mod error;
mod expressions;
mod format;
mod multirate;
mod name;
mod pieces;
mod positions;
mod programs;
mod reading;
mod tables;

pub use error::ReadError;
pub use format::ImportFormat;
pub use pieces::read_pieces;
pub use positions::MethodPositions;
pub use reading::{ConditionalMethod, ImportedMethods, ReadOptions, read, read_with};
