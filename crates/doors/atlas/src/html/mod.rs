//! Elements of all pages: the frame, numbers, mathematics and tables. All text is escaped by `maud`.

mod figure;
mod frame;
mod math;
mod number;
mod table;

pub(crate) use figure::{PageFigure, default_view, picture};
pub(crate) use frame::{PageFrame, SitePart};
pub(crate) use math::{coefficient, math, polynomial, printed};
pub(crate) use number::{data, whole};
pub(crate) use table::{definitions, scrolling};
