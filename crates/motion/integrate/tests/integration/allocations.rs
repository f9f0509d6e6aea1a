//! Steps of every kind allocate nothing.
#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System as Allocator};
use std::cell::Cell;

use hemiola_integrate::{
    Explicit, Extras, Implicit, LinearizedStepper, MicroSteps, MultirateStepper, SingularPerturbationStepper, Stepper,
    System,
};
use hemiola_tableau::library;

/// The system's allocator, counting the allocations of the current thread.
struct CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator; the counter is a plain number without a destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's guarantees are those required by the allocator.
        unsafe { Allocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { Allocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A pendulum (slow) that pulls a stiff spring (fast).
struct Spring;

impl System for Spring {
    fn sizes(&self) -> &[usize] {
        &[2, 2]
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let &[angle, spin, length, speed] = y else { return };
        if partition == 0 {
            rate.copy_from_slice(&[spin, t.sin() - angle.sin() + 0.1 * length]);
        } else {
            rate.copy_from_slice(&[speed, -1e4 * (length - angle * angle) - 10.0 * speed]);
        }
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        let rows =
            [[0.0, 1.0, 0.0, 0.0], [-y[0].cos(), 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0], [2e4 * y[0], 0.0, -1e4, -10.0]];
        jacobian.chunks_exact_mut(4).zip(rows).for_each(|(row, values)| row.copy_from_slice(&values));
    }
}

fn allocations_in_steps(stepper: impl Stepper<Spring>) -> usize {
    allocations_in(stepper, 0.05)
}

fn allocations_in(mut stepper: impl Stepper<Spring>, h: f64) -> usize {
    let mut y = [1.0, 0.0, 1.0, 0.0];
    let before = ALLOCATIONS.get();
    for step in 0..20 {
        stepper.step(&Spring, h * f64::from(step), h, &mut y).unwrap_or_else(|error| panic!("{error}"));
        stepper.estimate(&mut [0.0; 4]);
    }
    ALLOCATIONS.get() - before
}

#[test]
fn steps_do_not_allocate() {
    for id in ["dormand-prince-5", "hemiola-4-8"] {
        let extras = Extras { estimate: true, dense: true };
        let stepper = Explicit::with(&library::method(id).unwrap(), &Spring, extras).unwrap();
        // The spring has 100 rad/s, too stiff for an explicit method with the longer step.
        assert_eq!(allocations_in(stepper, 0.005), 0, "{id}");
    }
    for id in ["gauss-3", "radau-iia-3", "sdirk-2", "lobatto-iiia-iiib-3", "ars-4-4-3"] {
        let method = library::method(id).unwrap();
        assert_eq!(allocations_in_steps(Implicit::new(&method, &Spring).unwrap()), 0, "{id}");
        assert_eq!(allocations_in_steps(LinearizedStepper::new(&method, 2, &Spring).unwrap()), 0, "{id}");
    }
    let pair = library::method("kennedy-carpenter-ark-4-3-6").unwrap();
    let stepper = Implicit::with(&pair, &Spring, Extras { estimate: true, dense: false }).unwrap();
    assert_eq!(allocations_in_steps(stepper), 0);
    assert_eq!(allocations_in_steps(SingularPerturbationStepper::new(&Spring).unwrap()), 0);
    for id in ["merk43", "mri-gark-esdirk34a"] {
        let (method, kutta) = (hemiola_multirate::library::method(id).unwrap(), library::method("kutta-3").unwrap());
        let extras = Extras { estimate: true, dense: true };
        let stepper = MultirateStepper::new(&method, &kutta, MicroSteps::Equal(8), &Spring, extras).unwrap();
        assert_eq!(allocations_in_steps(stepper), 0, "{id}");
    }
    // Check of the counter itself.
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![0; 10]));
    assert_eq!(ALLOCATIONS.get(), before + 1);
}
