use hemiola_optimize::*; use hemiola_optimize::sqp::*;
struct P; impl Watch for P { fn iterate(&mut self, i:&Iteration){ if std::env::var("V").is_ok() { println!("{:?}", i);} } fn is_interrupted(&self)->bool{false} }
fn main(){
  let a: Vec<String> = std::env::args().collect();
  let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(hemiola_tableau::library::method(id)?) };
  let scheme = hemiola_tableau::Scheme::parse(&a[2], find).unwrap();
  let curvature = if std::env::var("BFGS").is_ok() {Curvature::QuasiNewton} else {Curvature::Exact};
  let shooting = std::env::var("EVERY").ok().map_or(Shooting::Multiple, |k| Shooting::Every(k.parse().unwrap()));
  for steps in a[3].split(',') {
    let lane = LaneChange::default();
    let rule = StepRule::new(&scheme,&[7]).unwrap();
    let t = Transcription::new(lane.problem(), rule, Grid{points:a[1].parse().unwrap(), steps:steps.parse().unwrap(), shooting, is_linear: true}).unwrap();
    let t0=std::time::Instant::now();
    let o = t.solve(&lane.guess(), Options{curvature, ..Options::default()}, &mut P).unwrap();
    println!("{} {} {:?} its {} T {:.7} res {:.1e} {:.2}s", a[1], steps, o.solution.status, o.solution.iterations.len(), o.found.duration, o.solution.iterations.last().unwrap().residual, t0.elapsed().as_secs_f64());
  }
}
