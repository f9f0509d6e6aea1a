//! Short report on a family in Markdown: equal design files give equal bytes.

use hemiola::tableau::butcher_text;

use crate::commands::design::report::line;

use super::properties::Properties;

pub(super) fn report(properties: &Properties<'_>, id: &str) -> String {
    let method = &properties.family.method;
    let rule = Properties::HEADER.map(|_| "--:".to_owned());
    let rows = [Properties::HEADER.map(str::to_owned), rule].into_iter().chain(properties.levels());
    let levels: String = rows.map(|row| line(&row)).collect();
    let facts: String = properties.facts().iter().map(|(name, value)| format!("- {name}: {value}\n")).collect();
    format!(
        "# {}\n\nA family for levels of a mesh. Command:\n\n    hemiola design {id}.family.json\n\n{levels}\n{facts}\n\
         ![Stability regions of all levels]({id}.svg)\n\n\
         ## Coefficients\n\nRounded; the method file has all digits.\n\n```text\n{}```\n",
        method.name(),
        butcher_text(method),
    )
}
