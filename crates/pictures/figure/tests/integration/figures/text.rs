//! Labels and tick labels in the output.

use hemiola_figure::{Axis, Curve, Figure, Levels, Panel, Points};

use crate::figures::read::{attribute, content, elements, length, plot, texts};

fn draw(panel: Panel) -> String {
    Figure::one_column().panel(panel).to_svg().unwrap()
}

#[test]
fn negative_ticks_have_a_true_minus_sign() {
    let svg = draw(Panel::new(Axis::new("").range(-3.0, 0.5), Axis::new("").range(-1e-8, 1e-8)));
    let texts = texts(&svg);
    assert!(texts.contains(&"−3".to_owned()) || texts.contains(&"−3.0".to_owned()), "{texts:?}");
    assert!(texts.iter().any(|text| text.ends_with("×10−8")), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains('-') && text != "−0"), "{texts:?}");
}

#[test]
fn labels_are_escaped_and_marked_up() {
    let svg = draw(Panel::new(Axis::new("*x* < 1 & *y* > \"2\""), Axis::new("|*R*_{slow}|^{2}")));
    assert!(svg.contains("<tspan font-style=\"italic\">x</tspan> &lt; 1 &amp; "));
    assert!(svg.contains(">slow</tspan>") && svg.contains(">2</tspan>"));
    assert!(svg.contains("<desc>|Rslow|2 over x &lt; 1 &amp; y &gt; &quot;2&quot;.</desc>"));
}

#[test]
fn malformed_labels_are_printed_as_they_stand() {
    let svg = draw(Panel::new(Axis::new("2 * 3 * 4"), Axis::new("x_{i")));
    assert!(svg.contains(">2 * 3 * 4</text>") && svg.contains(">x_{i</text>"));
}

#[test]
fn tick_labels_begin_inside_the_page() {
    for (low, high) in [(-1.0, 1.0), (-1e9, 1e9), (1.0, 1.0 + 1e-9), (1e-300, 1e-299), (-123_456.0, -123_455.0)] {
        let svg = draw(Panel::new(Axis::new("*x*"), Axis::new("*y*").range(low, high)));
        for label in elements(&svg, "text").iter().filter(|text| text.contains("\"end\"")) {
            // At 7 pt the digits of Helvetica and its replacements are at most 4.5 pt wide.
            let characters = content(label).chars().count() as f64;
            assert!(length(label, "x") - 4.5 * characters > -2.0 - 4.5, "{label}");
        }
    }
}

#[test]
fn long_texts_are_made_smaller() {
    let long = "a label that is so long that it would never fit in one column of any journal whatsoever really";
    let svg = draw(Panel::new(Axis::new(long), Axis::new(long)).title(long));
    let shrunk = elements(&svg, "text").into_iter().filter(|text| text.contains(long));
    let sizes: Vec<f64> = shrunk.map(|text| length(text, "font-size")).collect();
    assert!(sizes.len() == 3 && sizes.iter().all(|&size| size < 6.0), "{sizes:?}");
}

#[test]
fn titles_beside_color_bars_stay_over_their_plots() {
    let levels = || Levels::at_most().level(1.0, [vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]).label("*f*");
    let title = "*a* = 0.123456, *b* = 0.123456: a-name-of-some-length";
    let panel = |title: &str| Panel::new(Axis::new("*x*"), Axis::new("*y*")).levels(levels()).title(title);
    let figure = |title: &str| Figure::two_columns().columns(3).panel(panel(title)).panel(panel("b")).panel(panel("c"));
    let svg = figure(title).to_svg().unwrap();
    let texts = texts(&svg);
    assert!(texts.contains(&"(a) a = 0.123456, b = 0.123456:".to_owned()), "{texts:?}");
    assert!(texts.contains(&"a-name-of-some-length".to_owned()) && texts.contains(&"(b) b".to_owned()));
    // The second line makes the row higher but not the plots smaller.
    let size = |svg: &str| plot(svg).map(|length| (100.0 * length).round());
    let short = figure("a").to_svg().unwrap();
    let ([_, lower, w, h], [_, upper, width, height]) = (size(&svg), size(&short));
    assert!(lower == upper + 1000.0 && (w, h) == (width, height), "{lower} {upper}");
}

#[test]
fn panels_have_tags_when_there_are_several() {
    let panel = || Panel::new(Axis::new("*x*"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 0.0], [1.0, 1.0]]));
    let figure = (0..5).fold(Figure::two_columns(), |figure, k| figure.panel(panel().title(format!("panel {k}"))));
    let svg = figure.to_svg().unwrap();
    assert!(texts(&svg).contains(&"(e) panel 4".to_owned()));
    let groups: Vec<&str> = elements(&svg, "g").into_iter().filter(|group| group.contains("translate")).collect();
    assert_eq!(groups.len(), 5);
    assert_eq!(attribute(groups[0], "transform"), "translate(2 2)");
    assert!(!draw(panel()).contains("(a)"));
}

#[test]
fn points_have_their_names_beside_them_and_inside_the_panel() {
    // One in each corner, one in the middle, and one that is too close to it.
    let places = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.501, 0.5]];
    let axis = || Axis::new("").range(0.0, 1.0);
    let points = Points::new(places).names(["a", "b", "c", "d", "*e*", "near"]);
    let svg = draw(Panel::new(axis(), axis()).points(points));
    let [left, top, width, height] = plot(&svg);
    let place = |name: &str| {
        let text = elements(&svg, "text").into_iter().find(|text| content(text) == name);
        text.map(|text| [(length(text, "x") - left) / width, (length(text, "y") - top) / height])
    };
    // Base lines relative to the panel; a letter is about a fiftieth of it wide.
    let beside = |name: &str, [x, y]: [f64; 2]| {
        let [found_x, found_y] = place(name).unwrap();
        assert!((found_x - x).abs() < 0.06 && (found_y - (1.0 - y)).abs() < 0.08, "{name}: {found_x} {found_y}");
        assert!((0.0..1.0).contains(&found_x) && (0.0..1.0).contains(&found_y), "{name}: {found_x} {found_y}");
    };
    for (name, place) in ["a", "b", "c", "d", "e"].into_iter().zip(places) {
        beside(name, place);
    }
    assert!(place("e").unwrap()[0] > 0.5 && place("c").unwrap()[0] < 0.99);
    assert_eq!(place("near"), None);
}
