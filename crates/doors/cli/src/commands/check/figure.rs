//! Figure of failing trees.

use std::path::Path;

use hemiola::atlas::check::{ClaimOrders, MethodCheck};
use hemiola::plot::TreeFigure;

use crate::arguments::figure::FigureArgs;
use crate::failure::Failure;

/// Number of trees that fit on a page two columns wide.
const MOST: usize = 60;

/// Draws the trees that refute the claims, or those of the first order with failures. If there are none, no figure is
/// written. Returns a message about the file.
pub(crate) fn draw(checked: &MethodCheck<impl ClaimOrders>, file: &Path, look: &FigureArgs) -> Result<String, Failure> {
    let failing = checked.faults_or_first_failing();
    let (file_name, id) = (file.display(), checked.method.id());
    if failing.listed.is_empty() {
        let order = checked.options.highest_order;
        return Ok(format!("{file_name} not written: no condition of {id} up to order {order} fails"));
    }
    let labels = checked.labels();
    let names = checked.method.partitions().iter().map(|partition| partition.name.as_str());
    let colors: Vec<(&str, &str)> = labels.iter().map(String::as_str).zip(names).collect();
    let figure =
        TreeFigure::new(&colors).description(format!("Order conditions violated by {}", checked.method.name()));
    let figure = failing.listed.iter().take(MOST).fold(figure, |figure, condition| figure.condition(condition));
    let drawn = failing.listed.len().min(MOST) as u64;
    let figure = if drawn < failing.count {
        figure.note(&format!("the first {drawn} of {} failing conditions", failing.count))
    } else {
        figure
    };
    look.write("--trees", file, figure.gallery(), &[])?;
    Ok(format!("wrote {file_name}"))
}
