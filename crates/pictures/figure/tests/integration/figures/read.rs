//! Parsing of SVG text for the tests: the crate writes one element per line.

use std::f64::consts::TAU;

/// Returns the elements with the given name, including their attributes and content.
pub(crate) fn elements<'s>(svg: &'s str, name: &str) -> Vec<&'s str> {
    let start = format!("<{name} ");
    svg.lines().filter(|line| line.starts_with(&start)).collect()
}

pub(crate) fn attribute<'s>(element: &'s str, name: &str) -> &'s str {
    let start = format!(" {name}=\"");
    let at = element.find(&start).unwrap_or_else(|| panic!("no {name} in {element}")) + start.len();
    element[at..].split('"').next().unwrap()
}

pub(crate) fn length(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().unwrap()
}

/// Returns the content of an element without nested tags.
pub(crate) fn content(element: &str) -> String {
    let mut inside = false;
    let keep = |c: &char| {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ => return !inside,
        }
        false
    };
    element.chars().filter(keep).collect()
}

pub(crate) fn texts(svg: &str) -> Vec<String> {
    elements(svg, "text").into_iter().map(content).collect()
}

/// Returns the data of the paths that are curves: those with round joins.
pub(crate) fn curves(svg: &str) -> Vec<&str> {
    let paths = elements(svg, "path").into_iter().filter(|path| path.contains("stroke-linejoin"));
    paths.map(|path| attribute(path, "d")).collect()
}

/// Parses the points of path data made of `M`, `L` and `Z`.
pub(crate) fn points(data: &str) -> Vec<[f64; 2]> {
    let pairs = data.split(['M', 'L', 'Z']).filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap()).collect()
}

/// Returns the extent of points: smallest x, largest x, smallest y, largest y.
pub(crate) fn extent(points: &[[f64; 2]]) -> [f64; 4] {
    let fold = |k: usize, start: f64, pick: fn(f64, f64) -> f64| points.iter().map(|p| p[k]).fold(start, pick);
    let [inf, sup] = [f64::INFINITY, f64::NEG_INFINITY];
    [fold(0, inf, f64::min), fold(0, sup, f64::max), fold(1, inf, f64::min), fold(1, sup, f64::max)]
}

/// Returns the rectangle of the legend's ground, if there is a legend: left, top, width, height.
pub(crate) fn legend(svg: &str) -> Option<[f64; 4]> {
    let ground = svg.split("class=\"legend\"").nth(1)?.lines().find(|line| line.starts_with("<path"))?;
    Some(rectangle(ground))
}

/// Returns the rectangle of the first plot: the first outline of the path of frame and ticks.
pub(crate) fn plot(svg: &str) -> [f64; 4] {
    let frames = elements(svg, "path").into_iter().filter(|path| path.contains("stroke-width=\"0.6\""));
    rectangle(frames.into_iter().next().unwrap())
}

fn rectangle(path: &str) -> [f64; 4] {
    let outline = attribute(path, "d").split('Z').next().unwrap();
    let [left, right, top, bottom] = extent(&points(outline));
    [left, top, right - left, bottom - top]
}

pub(crate) fn circle(center: [f64; 2], radius: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..1000)
        .map(|k| TAU * f64::from(k) / 1000.0)
        .map(move |t| [center[0] + radius * t.cos(), center[1] + radius * t.sin()])
}
