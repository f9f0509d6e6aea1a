//! Butcher tableaus for papers, to be included by `\input`.

use hemiola_tableau::{Method, butcher_latex};

use crate::write::header::header;
use crate::write::layout::comment;

pub(crate) fn latex(method: &Method) -> String {
    let names: Vec<&str> = method.partitions().iter().map(|partition| partition.name.as_str()).collect();
    let mut lines = header(method);
    lines.push(match names[..] {
        [_] => "Exported: the Butcher tableau.".to_owned(),
        _ => format!("Exported: the Butcher tableaus of the partitions, from left to right: {}.", names.join(", ")),
    });
    comment(&lines, "% ") + &butcher_latex(method)
}
