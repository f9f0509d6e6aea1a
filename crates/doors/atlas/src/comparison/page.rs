//! The page of a comparison.

use maud::{Markup, html};

use crate::comparison::figures;
use crate::comparison::group::{ComparisonGroup, SingleRateRival};
use crate::error::AtlasError;
use crate::facts::{MethodFacts, SHOWN_STRENGTH};
use crate::html::{PageFigure, PageFrame, SitePart, data, picture, scrolling};
use crate::site::SiteParts;

impl ComparisonGroup<'_> {
    /// Renders the page and its figures.
    pub(crate) fn page(&self, parts: SiteParts) -> Result<(Vec<u8>, Vec<PageFigure>), AtlasError> {
        let profiles = figures::profiles(self)?;
        let regions = figures::regions(self)?;
        let title = self.title();
        let contents = html! {
            h1 { (title) }
            p.lead {
                "All of them in one table, and their regions on one scale. Limits are those of each partition by itself; the "
                "profile is what a coupling of strength γ = " (SHOWN_STRENGTH) " leaves of the decoupled step."
            }
            (self.rivalry())
            h2 id="table" { "Numbers" }
            (scrolling(&title, &self.table()))
            @if !profiles.is_empty() {
                h2 id="profiles" { "Profiles" }
                div.figures { @for figure in &profiles { (picture(figure)) } }
            }
            h2 id="regions" { "Regions on the same scale" }
            @if let [rival, ..] = &self.rivals[..] {
                p { "Each beside " (link(rival.facts)) ", a method with one rate." }
            }
            div.figures { @for (_, figure) in &regions { (picture(figure)) } }
        };
        let description = format!("{title}: orders, errors, limits, coupled profiles and regions on the same scales.");
        let frame =
            PageFrame { title: &title, description: &description, place: SitePart::Comparisons, has_script: true };
        let pictures = profiles.into_iter().chain(regions.into_iter().map(|(_, figure)| figure));
        Ok((frame.render(parts, &contents), pictures.collect()))
    }

    fn rivalry(&self) -> Markup {
        html! {
            @if !self.rivals.is_empty() {
                p {
                    "Rivals with a single rate are the explicit methods of the same order in the library that are best at something: "
                    @for (place, rival) in self.rivals.iter().enumerate() {
                        @if place > 0 { "; " }
                        (link(rival.facts)) " (" (rival.best_at.join(", ")) ")"
                    }
                    "."
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let rows = self.members.iter().map(|facts| (*facts, false));
        let rows = rows.chain(self.rivals.iter().map(|SingleRateRival { facts, .. }| (*facts, true)));
        html! {
            table.numbers.sortable {
                caption { (self.title()) " and single-rate rivals" }
                thead {
                    tr {
                        th scope="col" { "Method" }
                        th scope="col" { "Evaluations" }
                        th scope="col" { "Error norm" }
                        th scope="col" { "Imaginary limits" }
                        th scope="col" { "Per evaluation" }
                        th scope="col" { "Real limits" }
                        th scope="col" { "Profile" }
                        th scope="col" { "Embedded order" }
                    }
                }
                tbody { @for (facts, is_rival) in rows { (row(facts, is_rival)) } }
            }
        }
    }
}

fn row(facts: &MethodFacts, is_rival: bool) -> Markup {
    let counts: Vec<String> = facts.evaluations.iter().map(ToString::to_string).collect();
    let limits =
        |limit: fn(&crate::PartitionReport) -> Option<f64>| facts.partitions.iter().map(limit).collect::<Vec<_>>();
    let imaginary = limits(|part| part.imaginary_limit);
    let per_evaluation = imaginary.iter().zip(&facts.evaluations);
    let per_evaluation =
        per_evaluation.map(|(limit, count)| limit.map(|limit| limit / (*count).max(1) as f64)).collect();
    html! {
        tr.rival[is_rival] {
            th scope="row" { (link(facts)) }
            td { (counts.join(" + ")) }
            td { @match facts.report.principal_error_norm() { Some(norm) => (data(norm)), None => "–" } }
            td { (several(imaginary)) }
            td { (several(per_evaluation)) }
            td { (several(limits(|part| part.real_limit))) }
            td { @match facts.shown_profile() { Some(value) => { data value=(value) { (format!("{value:.4}")) } }, None => "–" } }
            td { (crate::html::whole(facts.report.embedded_order)) }
        }
    }
}

/// Renders the limits of several partitions in four digits each.
fn several(limits: Vec<Option<f64>>) -> Markup {
    html! {
        @for (place, limit) in limits.into_iter().enumerate() {
            @if place > 0 { " / " }
            @match limit {
                Some(value) => { data value=(value) { (hemiola_export::describe::rounded(value, 4)) } }
                None => "∞"
            }
        }
    }
}

fn link(facts: &MethodFacts) -> Markup {
    html! { a href={ "../methods/" (facts.id()) ".html" } { (facts.id()) } }
}
