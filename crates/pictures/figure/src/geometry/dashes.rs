//! Dashes as separate paths, for formats without dash patterns.

use super::{Path, Point};

/// Returns the dashes of a line. `pattern` alternates lengths of dashes and gaps. The line is unbroken if the sum is not
/// positive and finite, or a length is negative.
pub(crate) fn dashes(path: &Path, pattern: &[f64]) -> Vec<Path> {
    let round: f64 = pattern.iter().sum();
    let measured = round > 0.0 && round.is_finite() && pattern.iter().all(|&length| length >= 0.0);
    if !measured {
        return vec![path.clone()];
    }
    let mut pen = DashPen { pieces: Vec::new(), piece: Vec::new() };
    // Index in the pattern, and remaining length of that dash or gap.
    let (mut turn, mut left) = (0, pattern[0]);
    for [from, to] in segments(path) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let at = |done: f64| {
            let t = done / length;
            [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]
        };
        let mut done = 0.0;
        while length - done > left {
            let next = done + left;
            pen.go(turn, at(done), at(next));
            pen.lift();
            done = next;
            turn = (turn + 1) % (2 * pattern.len());
            left = pattern[turn % pattern.len()];
        }
        if length > done {
            pen.go(turn, at(done), to);
            left -= length - done;
        }
    }
    pen.lift();
    pen.pieces
}

fn segments(path: &Path) -> impl Iterator<Item = [Point; 2]> {
    let points = &path.points;
    let count = if path.closed { points.len() } else { points.len().saturating_sub(1) };
    (0..count).map(|k| [points[k], points[(k + 1) % points.len()]])
}

struct DashPen {
    pieces: Vec<Path>,
    piece: Vec<Point>,
}

impl DashPen {
    /// Extends the current dash; does nothing in a gap, which has an odd `turn`.
    fn go(&mut self, turn: usize, from: Point, to: Point) {
        if turn.is_multiple_of(2) {
            if self.piece.is_empty() {
                self.piece.push(from);
            }
            self.piece.push(to);
        }
    }

    fn lift(&mut self) {
        if !self.piece.is_empty() {
            self.pieces.push(Path { points: std::mem::take(&mut self.piece), closed: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(path: &Path) -> f64 {
        segments(path).map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1])).sum()
    }

    #[test]
    fn dashes_have_their_lengths_around_corners() {
        let square = Path { points: vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]], closed: true };
        let pieces = dashes(&square, &[3.0, 1.0]);
        assert_eq!(pieces.len(), 10);
        assert!(pieces.iter().all(|piece| (length(piece) - 3.0).abs() < 1e-12), "{pieces:?}");
        assert_eq!(pieces[2].points, [[8.0, 0.0], [10.0, 0.0], [10.0, 1.0]]);
        // A pattern of odd length alternates: in the second pass, gaps are dashes.
        let line = Path { points: vec![[0.0, 0.0], [6.5, 0.0]], closed: false };
        let ends: Vec<[f64; 2]> =
            dashes(&line, &[1.0, 2.0, 0.5]).iter().map(|p| [p.points[0][0], p.points[1][0]]).collect();
        assert_eq!(ends, [[0.0, 1.0], [3.0, 3.5], [4.5, 6.5]]);
    }

    #[test]
    fn a_pattern_without_length_leaves_the_line() {
        let line = Path { points: vec![[0.0, 0.0], [1.0, 0.0]], closed: false };
        for pattern in [&[][..], &[0.0, 0.0], &[f64::NAN], &[-1.0, 2.0]] {
            assert_eq!(dashes(&line, pattern), std::slice::from_ref(&line));
        }
        assert!(dashes(&Path { points: Vec::new(), closed: true }, &[1.0]).is_empty());
    }
}
