//! Peak rate of a core: the limit of every kernel.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hemiola_number::vector::{Registers, Task, dispatch, times_plus};

/// Numbers in the widest register.
const LANES: usize = 8;
/// Number of sums in registers: enough independent chains to hide the latency, few enough to fit.
const CHAINS: usize = 12;
const ROUNDS: usize = 1_000_000;

/// Measures multiplications and additions per second of one core, with the widest instructions that the kernels use.
pub(crate) fn fma_peak() -> f64 {
    let time = |_| {
        let start = Instant::now();
        dispatch(MultiplyAdds);
        start.elapsed()
    };
    let fastest: Duration = (0..20).map(time).min().unwrap_or_default();
    (2 * LANES * CHAINS * ROUNDS) as f64 / fastest.as_secs_f64()
}

/// Independent chains of x ↦ .999 x + .001.
struct MultiplyAdds;

impl Task for MultiplyAdds {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let (x, y) = (black_box(0.999), black_box(1e-3));
        let mut sums = [[0.5; LANES]; CHAINS];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                for lane in sum {
                    *lane = times_plus(*lane, x, y);
                }
            }
        }
        black_box(sums);
    }
}
