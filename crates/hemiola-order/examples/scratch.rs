use hemiola_order::*;
use hemiola_tableau::*;
use rayon::prelude::*;
fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let lines: Vec<String> = files
        .par_iter()
        .map(|f| {
            let m = match Method::read(std::path::Path::new(f)) {
                Ok(m) => m,
                Err(e) => return format!("{f} {e}"),
            };
            let p = m.claims().order.unwrap();
            let t = std::time::Instant::now();
            let r = OrderReport::new(&m, CheckOptions { highest_order: p + 1, ..Default::default() }).unwrap();
            let c = &r.check;
            let off = c.digits_off().map(|d| {
                format!(
                    "{} cells {:.1} units, {:e}",
                    d.cells.len(),
                    d.cells.first().map_or(0.0, |c| c.1),
                    d.largest_change
                )
            });
            let flag = if c.order() != p
                || r.embedded_order.is_some()
                    && m.claims().embedded_order.is_some()
                    && r.embedded_order != m.claims().embedded_order
            {
                "WRONG"
            } else {
                ""
            };
            format!(
                "{flag:6}{:42} claim {p} {:?}: {} as stated {} exact {} embedded {:?} {:?} {:.1?} max {:.0e}",
                m.id(),
                m.claims().embedded_order,
                c.order(),
                c.order_as_stated(),
                c.exact_order(),
                r.embedded_order,
                off,
                t.elapsed(),
                c.orders()[..p].iter().map(|s| s.max_residual).fold(0.0, f64::max)
            )
        })
        .collect();
    for l in lines {
        println!("{l}");
    }
}
