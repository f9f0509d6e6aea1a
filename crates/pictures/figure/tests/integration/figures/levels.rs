//! Levels with their color bar, the two styles, and the common legend.

use hemiola_figure::{Axis, Color, ColorMap, Curve, Figure, FigureError, Levels, Panel, Region, Style};

use crate::figures::read::{attribute, circle, content, curves, elements, extent, legend, length, plot, points, texts};

fn unit() -> Panel {
    Panel::new(Axis::new("*x*").range(-1.0, 1.0), Axis::new("*y*").range(-1.0, 1.0)).equal_aspect()
}

/// Returns the levels {r ≤ k/count} for k = 1 to count.
fn discs(count: i32) -> Levels {
    let area = |k: i32| [circle([0.0, 0.0], f64::from(k) / f64::from(count)).collect()];
    (1..=count).fold(Levels::at_most(), |levels, k| levels.level(f64::from(k) / f64::from(count), area(k))).label("*r*")
}

fn draw(panel: Panel) -> String {
    Figure::one_column().panel(panel).to_svg().unwrap()
}

/// Returns the lines of a group.
fn group<'s>(svg: &'s str, class: &str) -> &'s str {
    let start = svg.find(&format!("class=\"{class}\"")).unwrap();
    &svg[start..start + svg[start..].find("</g>").unwrap()]
}

fn fills(group: &str) -> Vec<&str> {
    let paths = elements(group, "path").into_iter().map(|path| attribute(path, "fill"));
    paths.filter(|fill| *fill != "none").collect()
}

#[test]
fn every_level_is_one_opaque_path_and_has_its_color_in_the_bar() {
    let svg = draw(unit().levels(discs(7)));
    let (areas, bar) = (group(&svg, "levels"), group(&svg, "color-bar"));
    assert!(!areas.contains("opacity"));
    assert_eq!(fills(areas), fills(bar));
    let colors: std::collections::HashSet<&str> = fills(areas).into_iter().collect();
    assert_eq!(colors.len(), 7);
    // The largest area comes first.
    let widths: Vec<f64> = elements(areas, "path")
        .into_iter()
        .map(|path| extent(&points(attribute(path, "d"))))
        .map(|[left, right, _, _]| right - left)
        .collect();
    assert!(widths.windows(2).all(|pair| pair[0] > pair[1]), "{widths:?}");
}

#[test]
fn the_bar_stands_beside_the_plot_on_the_page() {
    for place in [hemiola_figure::Legend::Auto, hemiola_figure::Legend::Right] {
        let curve = Curve::new().open([[-1.0, -1.0], [1.0, 1.0]]).label("curve");
        let svg = draw(unit().levels(discs(30).label("a rather long name of the function")).curve(curve).legend(place));
        let [left, top, width, height] = plot(&svg);
        let bar = group(&svg, "color-bar");
        let frame = elements(bar, "path").pop().unwrap();
        let outline = attribute(frame, "d").split('Z').next().unwrap();
        let [from, to, upper, lower] = extent(&points(outline));
        assert!(from > left + width && (upper - top).abs() < 0.02 && (lower - top - height).abs() < 0.02);
        assert!((width - height).abs() < 0.02, "{width} {height}");
        let labels: Vec<&str> = elements(bar, "text").into_iter().filter(|text| !text.contains("rotate")).collect();
        let rows: Vec<f64> = labels.iter().map(|text| length(text, "y")).collect();
        assert!(rows.len() > 3 && rows.windows(2).all(|pair| pair[0] - pair[1] >= 8.7), "{rows:?}");
        let end = labels.iter().map(|text| length(text, "x") + 4.5 * content(text).chars().count() as f64);
        let name = elements(bar, "text").into_iter().find(|text| text.contains("rotate")).unwrap();
        assert!(length(name, "x") > to && length(name, "x") < 239.0 && end.fold(0.0, f64::max) < length(name, "x"));
        if let Some([x, _, w, _]) = legend(&svg).filter(|_| place == hemiola_figure::Legend::Right) {
            assert!(x > length(name, "x") && x + w < 239.0);
        }
    }
}

#[test]
fn a_ground_fills_the_panel() {
    let areas = |levels: Levels| fills(group(&draw(unit().levels(levels)), "levels")).len();
    assert_eq!((areas(discs(3)), areas(discs(3).ground())), (3, 4));
}

#[test]
fn levels_that_cannot_be_drawn_are_named() {
    let fault = Figure::one_column().panel(unit().levels(discs(2).level(f64::INFINITY, []))).to_svg().unwrap_err();
    assert_eq!(fault, FigureError::NonFiniteLevel { panel: 1, level: 3, value: f64::INFINITY });
    let odd = Levels::at_least().level(0.0, [vec![[0.0, f64::NAN]]]);
    let fault = Figure::one_column().panel(unit().levels(odd)).to_svg();
    assert!(matches!(fault, Err(FigureError::NonFiniteData { .. })));
    assert!(!draw(unit().levels(Levels::at_most())).contains("color-bar"));
    assert!(!draw(unit().levels(Levels::at_least().level(1.0, []))).contains("NaN"));
}

/// Returns a panel with curves, regions and levels.
fn busy() -> Panel {
    let panel = (0..7).fold(unit(), |panel, k| {
        let radius = 0.1 * f64::from(k + 1);
        panel.curve(Curve::new().closed(circle([0.0, 0.0], radius)).label(format!("curve {k}")))
    });
    let panel =
        panel.levels(discs(4).color_map(ColorMap::Diverging)).curve(Curve::new().color(Color::ORANGE).label("orange"));
    (0..7).fold(panel, |panel, k| {
        panel.region(Region::new().polygon(circle([0.1 * f64::from(k), 0.0], 0.3)).label("region"))
    })
}

#[test]
fn monochrome_figures_are_without_color() {
    let svg = |style| Figure::one_column().style(style).panel(busy()).to_svg().unwrap();
    let colors = |svg: &str| {
        let codes = svg.split('#').skip(1).filter_map(|rest| rest.get(..6));
        codes.filter(|code| u32::from_str_radix(code, 16).is_ok()).map(str::to_owned).collect::<Vec<_>>()
    };
    let neutral = |code: &String| code[..2] == code[2..4] && code[2..4] == code[4..];
    assert!(colors(&svg(Style::Monochrome)).iter().all(neutral));
    assert!(!colors(&svg(Style::Color)).iter().all(neutral));
    // Each hatching used is defined.
    let svg = svg(Style::Monochrome);
    for reference in svg.split("url(#hatch").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(svg.contains(&format!("id=\"hatch{reference}\"")), "{reference}");
    }
    assert!(svg.contains("url(#hatch-rising)"));
}

#[test]
fn one_legend_names_what_is_alike_once() {
    let line = |label: &str, end: f64| Curve::new().open([[-1.0, -1.0], [1.0, end]]).label(label);
    let figure = Figure::two_columns()
        .legend_below()
        .panel(unit().curve(line("a", 0.0)).curve(line("b", 1.0)))
        // Equal labels in different styles and equal styles with different labels are separate entries.
        .panel(unit().curve(line("a", 0.0)).curve(line("a", 0.5)).curve(line("c", 1.0)));
    let svg = figure.to_svg().unwrap();
    assert_eq!(svg.matches("class=\"legend\"").count(), 1);
    let names: Vec<String> = texts(group(&svg, "legend")).into_iter().collect();
    assert_eq!(names, ["a", "b", "a", "c"]);
    let [x, y, w, h] = legend(&svg).unwrap();
    let page: Vec<f64> =
        attribute(elements(&svg, "svg")[0], "viewBox").split(' ').map(|n| n.parse().unwrap()).collect();
    assert!((x + 0.5 * w - 0.5 * page[2]).abs() < 0.02 && y + h < page[3]);
    let [_, top, _, height] = plot(&svg);
    assert!(y > top + height + 10.0 && curves(&svg).len() == 9);
    // Without labels there is no legend.
    assert!(!Figure::one_column().legend_below().panel(unit()).to_svg().unwrap().contains("legend"));
}

#[test]
fn a_figure_without_a_title_is_named_by_its_description_or_its_axes() {
    let name = |figure: Figure| {
        let svg = figure.to_svg().unwrap();
        svg.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned()
    };
    assert_eq!(name(Figure::one_column().panel(unit())), "y over x");
    assert_eq!(name(Figure::one_column().panel(unit().title("*t*"))), "t");
    let described = |text: &str| name(Figure::one_column().description(text).panel(unit()));
    assert_eq!(described("Regions of RK4. All is well."), "Regions of RK4");
    let long = described(&"word ".repeat(50));
    assert!(long.ends_with("word…") && long.chars().count() <= 81);
    assert_eq!(name(Figure::one_column().panel(Panel::new(Axis::new(""), Axis::new("")))), "Figure");
}
