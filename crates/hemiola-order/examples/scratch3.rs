use hemiola_tableau::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let out = a.next().unwrap();
    for f in a {
        let m = Method::read(std::path::Path::new(&f)).unwrap();
        std::fs::write(format!("{out}/{}.json", m.id()), m.to_json()).unwrap();
    }
}
