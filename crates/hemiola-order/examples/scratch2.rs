use hemiola_order::*;
use std::time::Instant;
fn main() {
    for id in std::env::args().skip(1) {
    let m = hemiola_tableau::library::method(&id).unwrap();
    let p = m.claims().order.unwrap();
    for n in [p-1, p, p+1] {
        let t = Instant::now();
        let c = OrderCheck::new(&m, CheckOptions { highest_order: n, ..Default::default() }).unwrap();
        println!("{id} check {n} {:?} {}", t.elapsed(), c.order());
    }
    let t = Instant::now();
    let e = principal_error(&m.exact(), p).unwrap();
    println!("norm {:?} {:e}", t.elapsed(), e.total.two);
    let t = Instant::now();
    simplifying_assumptions(&m);
    println!("assump {:?}", t.elapsed());
    let t = Instant::now();
    linear_order(&m, p+1);
    println!("linear {:?}", t.elapsed());
    let t = Instant::now();
    stage_order(&m, p+1);
    symmetry(&m);
    symplecticity(&m);
    println!("stage sym {:?}", t.elapsed());
    let t = Instant::now();
    OrderReport::new(&m, CheckOptions { highest_order: p+1, ..Default::default() }).unwrap();
    println!("report {:?}", t.elapsed());
    }
}
