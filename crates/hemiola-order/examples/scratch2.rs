use hemiola_order::*;
use hemiola_tableau::*;
fn main() {
    for f in std::env::args().skip(1) {
        let m = match Method::read(std::path::Path::new(&f)) {
            Ok(m) => m,
            Err(e) => {
                println!("{f} {e}");
                continue;
            }
        };
        let c = OrderCheck::new(&m, CheckOptions { highest_order: 11, ..Default::default() }).unwrap();
        let res: Vec<String> = c.orders().iter().map(|s| format!("{:.0e}", s.max_residual)).collect();
        println!(
            "{} {}: order {} as stated {} {:?} {}",
            m.id(),
            m.stages(),
            c.order(),
            c.order_as_stated(),
            c.digits_off().map(|d| (d.cells.len(), d.cells.first().map(|c| c.1), d.largest_change)),
            res.join(" ")
        );
    }
}
