#[path = "../tests/common/mod.rs"]
mod common;
use common::*;
use hemiola_order::*;
use hemiola_tableau::*;
fn main() {
    let m = library::method("tanaka-muramatsu-yamashita-7").unwrap();
    let r = rewritten(&m, None, |c| Digits::Significant(16).write(c));
    let mut p = r.partitions().to_vec();
    let t = format!("{:.16}", p[0].a[1][0].value().to_f64() + 1e-8);
    println!("{}", p[0].a[1][0].text());
    p[0].a[1][0] = Coefficient::parse(&t).unwrap();
    let r = Method::new("wrong", "Wrong", p, r.claims(), None, r.source().clone()).unwrap();
    let c = OrderCheck::new(&r, CheckOptions { highest_order: 7, ..Default::default() }).unwrap();
    for s in c.orders() { println!("  {} {} {} {} {} {} {} {:e}", s.order, s.conditions, s.exact, s.to_precision, s.numerically, s.together, s.together_as_stated, s.max_residual); }
    println!("{:?}", c.digits_off());
}
