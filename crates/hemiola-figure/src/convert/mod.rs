//! PNG and PDF from SVG text, with fonts of the crate's own: no file and no font of the machine is read.

mod fonts;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "png")]
mod png;

#[cfg(feature = "pdf")]
pub use pdf::to_pdf;
#[cfg(feature = "png")]
pub use png::to_png;

use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::error::FigureError;

/// The drawing in an SVG text, with a unit of one point.
fn tree(svg: &str) -> Result<Tree, FigureError> {
    let options = Options {
        dpi: 72.0,
        fontdb: fonts::database(),
        font_resolver: fonts::resolver(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| FigureError::Svg { reason: error.to_string() })
}
