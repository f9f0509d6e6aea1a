//! Groups of points that are far from each other.

use std::collections::HashMap;

use super::Point;

/// Divides points into groups whose members are at least `reach` apart; of equal points, one is kept.
pub(crate) fn apart(points: &[Point], reach: f64) -> Vec<Vec<Point>> {
    let mut groups: Vec<Vec<Point>> = Vec::new();
    // Points by square cells of that size, with their groups: only those of adjacent cells can be closer.
    let mut cells: HashMap<[i64; 2], Vec<(Point, usize)>> = HashMap::new();
    for &point in points {
        let cell = point.map(|x| (x / reach).floor() as i64);
        let around =
            (-1..=1).flat_map(|i| (-1..=1).map(move |j| [cell[0].saturating_add(i), cell[1].saturating_add(j)]));
        let near: Vec<(Point, usize)> = around.filter_map(|cell| cells.get(&cell)).flatten().copied().collect();
        if near.iter().any(|(other, _)| *other == point) {
            continue;
        }
        let distance = |other: &Point| (other[0] - point[0]).hypot(other[1] - point[1]);
        let is_free = |group: &usize| near.iter().all(|(other, of)| of != group || distance(other) >= reach);
        let group = (0..groups.len()).find(is_free).unwrap_or(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(point);
        cells.entry(cell).or_default().push((point, group));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_group_are_apart_and_no_point_is_lost() {
        let line: Vec<Point> = (0..100).map(|k| [0.3 * f64::from(k), -0.1 * f64::from(k % 7)]).collect();
        let twice = [&line[..], &line].concat();
        let groups = apart(&twice, 1.0);
        assert!(groups.len() > 1 && groups.iter().map(Vec::len).sum::<usize>() == line.len());
        for group in &groups {
            for (k, one) in group.iter().enumerate() {
                let is_apart = |other: &Point| (one[0] - other[0]).hypot(one[1] - other[1]) >= 1.0;
                assert!(group[k + 1..].iter().all(is_apart));
            }
        }
        assert_eq!(apart(&line[..1], 1.0), [[line[0]]]);
        assert_eq!(apart(&[[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]], 1.0), [[[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]]]);
    }
}
