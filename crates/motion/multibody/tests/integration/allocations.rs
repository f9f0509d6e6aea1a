//! Steps and rates allocate nothing.
#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System as Allocator};
use std::cell::Cell;

use hemiola_multibody::{AccelerationSolver, MachineRun, Maneuver, Refinement, ResidualForm, vehicles};

/// The system's allocator, counting the allocations of the current thread.
struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator; the counter is a plain number without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller's guarantees are those required by the allocator.
        unsafe { Allocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { Allocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_do_not_allocate() {
    let maneuver = Maneuver::double_lane_change(15.0);
    let refined = |residual| AccelerationSolver::Refined(Refinement::new(1e-6, residual));
    for machine in [
        vehicles::hmmwv(&maneuver),
        vehicles::sedan(&maneuver),
        vehicles::truck(&maneuver),
        vehicles::truck_on_rods(&maneuver),
    ] {
        let machine = machine.build().unwrap();
        for solver in [
            AccelerationSolver::Direct,
            AccelerationSolver::Cholesky,
            refined(ResidualForm::Assembled),
            refined(ResidualForm::MatrixFree),
        ] {
            let (mut run, mut y) = (MachineRun::new(&machine, solver), machine.initial().to_vec());
            let before = TAKEN.get();
            for k in 0..50 {
                run.step(1e-3 * f64::from(k), 1e-3, &mut y).unwrap_or_else(|error| panic!("{error}"));
            }
            assert_eq!(TAKEN.get(), before, "{} {solver:?}", machine.name());
        }
        let (mut workspace, mut rate) = (machine.workspace(), machine.initial().to_vec());
        let before = TAKEN.get();
        machine.rates(0.0, machine.initial(), &mut rate, &mut workspace).unwrap();
        assert_eq!(TAKEN.get(), before);
    }
    // Check of the counter itself.
    let before = TAKEN.get();
    drop(std::hint::black_box(vec![0; 10]));
    assert_eq!(TAKEN.get(), before + 1);
}
