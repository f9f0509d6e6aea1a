//! `hemiola design --for`, run as people and programs run it.

use crate::common::{complaint, report};

#[test]
fn pairs_are_made_for_a_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let size = ["--slow", "2", "--fast", "4", "--slow-stages", "1,4", "--starts", "6"];
    let own = ["--for", "quarter-car", "--hold-out", "quarter-car:wheel-mass=30", "--to", "1", "--error", "1e-3"];
    let effort = ["--candidates", "1", "--rounds", "6", "--output"];
    let made = report("design", &[&size[..], &own, &effort, &[&file("made.json")]].concat());
    assert_eq!((made["order"].as_u64(), made["certificate"]["status"].is_object()), (Some(2), true));
    let runs = made["made_for"]["runs"].as_array().expect("runs");
    let flags: Vec<bool> = runs.iter().filter_map(|run| run["held_out"].as_bool()).collect();
    assert_eq!(flags, [false, true]);
    assert!(runs.iter().all(|run| run["best_single_rate"]["id"].is_string()));
    // The design file makes the same bytes, on one thread or more.
    let bytes = std::fs::read(file("made.json")).expect("the method");
    let again = report("design", &[&file("made.design.json"), "--output", &file("made.json"), "--force"]);
    assert_eq!(again["made_for"], made["made_for"]);
    assert_eq!(std::fs::read(file("made.json")).expect("the method"), bytes);
    for (fault, said) in [
        (vec!["--for", "half-car", "--error", "1e-3"], "half-car"),
        (vec!["--for", "quarter-car-body", "--error", "1e-3"], "two"),
        (vec!["--for", "quarter-car", "--error", "1e-3", "--variables", "wheel"], "wheel"),
        (vec!["--for", "quarter-car"], "--error"),
    ] {
        let found = complaint("design", &[&size[..], &fault, &["--output", &file("none.json")]].concat());
        assert!(found.contains(said), "{found}");
    }
}
