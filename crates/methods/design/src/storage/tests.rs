//! Low-storage designs against published methods and proven optima.

use hemiola_tableau::low_storage::{StorageClass, storage_form};

use crate::storage::{StorageDesign, StorageSpecification, design_storage};

#[expect(dead_code)]
fn designed(specification: &StorageSpecification) -> StorageDesign {
    design_storage(specification, "mine", &()).unwrap()
}

#[test]
#[ignore]
fn explore() {
    let var = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let class: StorageClass = var("FORM", "2N").parse().unwrap();
    let list = var("SIZES", "5-4");
    for size in list.split(',') {
        let (stages, order) = size.split_once('-').unwrap();
        let mut specification = StorageSpecification::new(class, stages.parse().unwrap(), order.parse().unwrap());
        let spectrum = var("SPECTRUM", "");
        if !spectrum.is_empty() {
            specification.spectrum = Some(spectrum.parse().unwrap());
        }
        specification.starts = var("STARTS", "96").parse().unwrap();
        specification.share = var("SHARE", "1").parse().unwrap();
        specification.internal = var("INTERNAL", "0.01").parse().unwrap();
        specification.embedded = var("EMBEDDED", "").parse().ok();
        let start = std::time::Instant::now();
        match design_storage(&specification, "mine", &()) {
            Err(error) => println!("{class} {size}: {error} {:.1} s", start.elapsed().as_secs_f64()),
            Ok(design) => {
                let butcher = &design.method.to_f64().partitions[0];
                let c =
                    butcher.c.iter().copied().fold((f64::MAX, f64::MIN), |(low, high), c| (low.min(c), high.max(c)));
                let largest = butcher.a.iter().flatten().chain(&butcher.b).fold(0.0, |m: f64, x| m.max(x.abs()));
                println!(
                    "{class} {size}: norm {:.3e} limit {:?} of {:?} amplification {:?} c {c:.3?} largest {largest:.3} solved {} proof {:?} {:.1} s",
                    design.error_norm,
                    design.limit,
                    design.optimum,
                    design.amplification,
                    design.solved,
                    design.proof.map(|proof| proof.radius),
                    start.elapsed().as_secs_f64(),
                );
            }
        }
    }
}
