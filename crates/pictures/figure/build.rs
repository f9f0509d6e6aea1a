//! Compresses the bundled fonts, which would otherwise make up a tenth of a program that draws figures.

use std::path::Path;
use std::{env, fs};

/// Level of compression: higher ones gain a percent and take twice as long.
const LEVEL: u8 = 7;
const FONTS: [&str; 5] =
    ["DejaVuSans.ttf", "DejaVuSans-Oblique.ttf", "CMUSerif-Roman.ttf", "CMUSerif-Italic.ttf", "LatinModern-Math.otf"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=fonts");
    let folder = env::var("OUT_DIR").expect("Cargo sets OUT_DIR");
    for font in FONTS {
        let file = Path::new("fonts").join(font);
        let content = fs::read(&file).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
        let packed = miniz_oxide::deflate::compress_to_vec(&content, LEVEL);
        let packed_file = Path::new(&folder).join(font).with_extension("z");
        fs::write(&packed_file, packed).unwrap_or_else(|problem| panic!("{}: {problem}", packed_file.display()));
    }
}
