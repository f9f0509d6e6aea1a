use hemiola_design::*;
use hemiola_polynomial::Axis;
use std::ops::ControlFlow;
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (slow, fast, eta, starts) = (a[0] as usize, a[1] as usize, a[2], a[3] as usize);
    let mut s = Specification::new(slow, fast, None).unwrap();
    s.stability[1] = Stability::Optimal { axis: Axis::Imaginary, damping: eta };
    s.starts = starts;
    if a.len() > 4 {
        let n = (a.len() - 5) / 2;
        s.objective.coupling = Some(Coupling {
            damping: 0.05,
            gammas: (0..n).map(|i| a[5 + 2 * i]).collect(),
            profile: (0..n).map(|i| a[6 + 2 * i]).collect(),
            weight: a[4],
        });
    }
    let t = std::time::Instant::now();
    let search = Search::new(&s, Vec::new()).unwrap();
    let d = search.run(|_| ControlFlow::Continue(())).unwrap();
    let p = hemiola_stability::coupled_profile(&d.method, 0.05, &[0.01, 0.05, 0.1, 0.2, 0.4]).unwrap();
    let v: Vec<String> = p.values.iter().map(|v| format!("{:.3}", v.1)).collect();
    println!(
        "{slow}-{fast} eta {eta} args {:?}: norm {:.5} L {:.3} {:.3} profile {} conv {} {:.1}s {:?}",
        &a[4..],
        d.error_norm,
        p.slow_limit,
        p.fast_limit,
        v.join(" "),
        d.converged,
        t.elapsed().as_secs_f64(),
        d.slow_stages
    );
}
