//! Search for the cells that curves cross, without evaluating the whole grid.

use crate::map::field::Field;
use crate::map::window::Window;
use hemiola_number::parallel;

/// Minimum number of blocks across at the start of the search.
const BLOCKS: f64 = 50.0;
/// Minimum number of blocks along the shorter side of a narrow grid.
const NARROW: usize = 8;
/// Safety factor on the bend of a quadratic inside a block, which allows for third differences.
const FEAR: f64 = 4.0;

/// Values and cells found so far.
pub(super) struct CellSearch<'a> {
    window: &'a Window,
    field: &'a dyn Field,
    levels: &'a [f64],
    /// Values at grid points; NaN where the field was not evaluated.
    values: Vec<f64>,
}

/// Lower left corner of a square of cells, clipped at the window.
type Block = (usize, usize);

impl<'a> CellSearch<'a> {
    pub(super) fn new(window: &'a Window, field: &'a dyn Field, levels: &'a [f64]) -> Self {
        let values = vec![f64::NAN; (window.cells.0 + 1) * (window.cells.1 + 1)];
        Self { window, field, levels, values }
    }

    /// Returns the values, and the cells that curves cross, in ascending order.
    pub(super) fn run(mut self) -> (Vec<f64>, Vec<usize>) {
        let (nx, ny) = self.window.cells;
        let mut size = coarsest(nx, ny);
        let mut blocks: Vec<Block> =
            (0..ny).step_by(size).flat_map(|j| (0..nx).step_by(size).map(move |i| (i, j))).collect();
        self.look(&blocks, size);
        let beside = self.beside_crossed(&blocks, size);
        blocks.retain(|block| beside.binary_search(block).is_ok() || self.may_be_crossed(*block, size));
        while size > 1 {
            let half = size / 2;
            let children = |(i, j): Block| [(i, j), (i + half, j), (i, j + half), (i + half, j + half)];
            blocks = blocks.into_iter().flat_map(children).filter(|&(i, j)| i < nx && j < ny).collect();
            size = half;
            self.look(&blocks, size);
            blocks.retain(|block| self.may_be_crossed(*block, size));
        }
        let cells = self.follow(blocks);
        (self.values, cells)
    }

    /// Evaluates the field at all unknown corners of blocks.
    fn look(&mut self, blocks: &[Block], size: usize) {
        let mut unknown = Vec::new();
        for &block in blocks {
            for vertex in self.corners(block, size) {
                if self.values[vertex].is_nan() {
                    // The marker keeps a vertex from being listed twice.
                    self.values[vertex] = f64::INFINITY;
                    unknown.push(vertex);
                }
            }
        }
        let columns = self.window.cells.0 + 1;
        let value = |k: usize| {
            let [x, y] = self.window.point(unknown[k] % columns, unknown[k] / columns);
            let value = self.field.at(x, y);
            if value.is_nan() { f64::INFINITY } else { value }
        };
        let found = parallel::map(unknown.len(), value);
        for (vertex, value) in unknown.into_iter().zip(found) {
            self.values[vertex] = value;
        }
    }

    fn corners(&self, (i, j): Block, size: usize) -> [usize; 4] {
        let (nx, ny) = self.window.cells;
        let (right, top) = ((i + size).min(nx), (j + size).min(ny));
        [(i, j), (right, j), (right, top), (i, top)].map(|(i, j)| j * (nx + 1) + i)
    }

    /// Returns whether the corners of a block lie on both sides of a level.
    fn is_crossed(&self, block: Block, size: usize) -> bool {
        let values = self.corners(block, size).map(|vertex| self.values[vertex]);
        self.levels.iter().any(|&level| values.iter().any(|&v| (v <= level) != (values[0] <= level)))
    }

    /// Returns the crossed blocks and their neighbors, sorted.
    fn beside_crossed(&self, blocks: &[Block], size: usize) -> Vec<Block> {
        let around = |(i, j): Block| {
            let near = move |k: usize| [k.wrapping_sub(size), k, k + size];
            near(i).into_iter().flat_map(move |i| near(j).map(|j| (i, j)))
        };
        let crossed = blocks.iter().copied().filter(|block| self.is_crossed(*block, size));
        let mut beside: Vec<Block> = crossed.flat_map(around).collect();
        beside.sort_unstable();
        beside.dedup();
        beside
    }

    /// Returns whether the corners lie on both sides of a level, or so near to it that the field may bend across.
    fn may_be_crossed(&self, block: Block, size: usize) -> bool {
        if self.is_crossed(block, size) {
            return true;
        }
        // A quadratic differs from its bilinear interpolant, which is extreme in a corner, by at most an eighth of the
        // second differences.
        let reach = FEAR / 8.0 * self.bend(block, size);
        let values = self.corners(block, size).map(|vertex| self.values[vertex]);
        size > 1 && self.levels.iter().any(|level| values.iter().any(|v| (v - level).abs() <= reach))
    }

    /// Returns the sum of the largest known horizontal and vertical second differences at the corners of a block.
    fn bend(&self, (i, j): Block, size: usize) -> f64 {
        let corners = [(i, j), (i + size, j), (i, j + size), (i + size, j + size)];
        let second = |[a, b, c]: [Option<f64>; 3]| Some((a? - 2.0 * b? + c?).abs()).filter(|d| d.is_finite());
        let along_x = |(i, j): Block| second([i.wrapping_sub(size), i, i + size].map(|i| self.known(i, j)));
        let along_y = |(i, j): Block| second([j.wrapping_sub(size), j, j + size].map(|j| self.known(i, j)));
        let largest = |along: &dyn Fn(Block) -> Option<f64>| corners.into_iter().filter_map(along).fold(0.0, f64::max);
        largest(&along_x) + largest(&along_y)
    }

    fn known(&self, i: usize, j: usize) -> Option<f64> {
        let (nx, ny) = self.window.cells;
        (i <= nx && j <= ny).then(|| self.values[j * (nx + 1) + i]).filter(|value| !value.is_nan())
    }

    /// Returns the crossed cells among those given, and all cells that their curves lead to.
    fn follow(&mut self, mut cells: Vec<Block>) -> Vec<usize> {
        let (nx, ny) = self.window.cells;
        let mut seen = vec![false; nx * ny];
        let mut found = Vec::new();
        while !cells.is_empty() {
            self.look(&cells, 1);
            cells.retain(|&(i, j)| !std::mem::replace(&mut seen[j * nx + i], true) && self.is_crossed((i, j), 1));
            found.extend(cells.iter().map(|(i, j)| j * nx + i));
            let next = cells.iter().flat_map(|&cell| self.across(cell));
            cells = next.filter(|&(i, j)| i < nx && j < ny && !seen[j * nx + i]).collect();
        }
        found.sort_unstable();
        found
    }

    /// Returns the cells on the other sides of the edges that a curve crosses.
    fn across(&self, (i, j): Block) -> impl Iterator<Item = Block> + use<> {
        let values = self.corners((i, j), 1).map(|vertex| self.values[vertex]);
        let is_crossed = |k: usize| {
            let (a, b) = (values[k], values[(k + 1) % 4]);
            self.levels.iter().any(|&level| (a <= level) != (b <= level))
        };
        let crossed = [0, 1, 2, 3].map(is_crossed);
        let beyond = [(i, j.wrapping_sub(1)), (i + 1, j), (i, j + 1), (i.wrapping_sub(1), j)];
        (0..4).filter(move |&k| crossed[k]).map(move |k| beyond[k])
    }
}

/// Returns the initial side of the blocks in cells, a power of two.
fn coarsest(nx: usize, ny: usize) -> usize {
    let side = ((nx as f64 * ny as f64).sqrt() / BLOCKS) as usize;
    let side = side.min(nx.min(ny) / NARROW).max(1);
    1 << side.ilog2()
}
