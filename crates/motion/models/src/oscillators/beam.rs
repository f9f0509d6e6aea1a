//! The flexible beam of Jack's adaptive Runge–Kutta listing: nine angles and deflections with their velocities.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

/// The listing's 18 variables in its order: velocities y₀…y₈ and positions y₉…y₁₇. y₉ is the angle of the joint, on
/// which gravity acts by sin y₉. There is one partition, since the modes mix all positions.
///
/// The available text has lost minus signs: 27 times, a colon separates two terms instead. With a minus for each colon
/// the stiffness of y₁₀…y₁₇ has eight real negative eigenvalues, and their frequencies, 2.4539, 7.9522, 16.601, 28.506
/// … Hz, are those of a uniform beam pinned at one end and free at the other (tan β = tanh β: β = 3.9266, 7.0686,
/// 10.2102, 13.3518). The ratio of the second to the first agrees to 1e-6, of the third to 6e-4, of the fourth to 5e-3,
/// as expected for an expansion in eight functions. A plus in place of any single colon changes the ratio of the second
/// to the first by more than 5e-5.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "flexible-beam",
    title: "flexible beam on a joint, 18 variables",
    parameters: &[Parameter::new("angle", "initial angle of the joint", 1.0, "rad")
        .from("listing: ystart[n2] = 1")
        .within(AdmissibleValues::Real)],
    build: |values| {
        let named = |k: usize| if k == 0 { "joint angle".to_owned() } else { format!("deflection {k}") };
        let unit = |k: usize, units: [&'static str; 2]| if k == 0 { units[0] } else { units[1] };
        let speeds = (0..9).map(|k| (format!("{} speed", named(k)), unit(k, ["rad/s", "1/s"])));
        let positions = (0..9).map(|k| (named(k), unit(k, ["rad", "1"])));
        let variables: Vec<(String, &'static str)> = speeds.chain(positions).collect();
        let variables: Vec<(&str, &'static str)> =
            variables.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
        let mut initial = vec![0.0; 18];
        initial[9] = values.of("angle");
        Some(ModelParts::new(&variables, &[18], Beam).starting(initial).lasting(6.0).drawing(&[9, 10]))
    },
};

/// Coefficients of sin y₉, y₁₀, …, y₁₇ in the accelerations.
#[rustfmt::skip]
const COEFFICIENTS: [[f64; 9]; 9] = [
    [
        -1.98, 1_301.388_796_632_275, 12_114.790_959_814_37,
        21_956.326_250_081_09, 98_362.706_833_514_91, 97_439.655_713_184_88,
        347_900.987_724_956, 238_202.733_565_574_4, 801_693.615_695_352_8,
    ],
    [
        0.451_871_109_941_762_1, -567.0, -2_526.692_502_066_684,
        -6_413.784_140_427_552, -21_658.367_100_961_24, -25_879.956_404_426_19,
        -77_647.374_492_799_18, -61_576.697_857_103_38, -179_773.631_350_693_4,
    ],
    [
        0.239_107_716_312_125_7, 80.959_990_118_576_48, -6_153.0,
        1_152.059_529_711_898, -28_547.781_550_488_3, -844.856_543_207_188_5,
        -79_710.682_837_214_48, -6_405.409_017_057_381, -166_082.567_432_52,
    ],
    [
        0.156_532_744_178_334_8, -1_505.844_972_100_382, 2_845.779_506_567_576,
        -32_545.8, 15_052.168_838_330_24, -97_290.990_006_369_04,
        30_080.119_146_622_41, -202_940.364_611_178_8, 47_064.705_637_683_53,
    ],
    [
        0.113_290_082_783_723_2, 715.284_954_206_563_6, -17_362.530_777_510_52,
        21_572.143_791_340_85, -137_474.04, 85_442.653_228_147_13,
        -352_585.297_770_801_9, 193_176.664_734_269_1, -681_263.626_370_315_8,
    ],
    [
        0.087_086_779_380_438_36, -3_699.738_414_305_221, 10_389.252_258_945_3,
        -90_553.418_814_232_06, 86_691.570_052_839_63, -439_369.71,
        268_845.602_581_551_5, -996_037.471_138_833_3, 558_082.252_811_657_5,
    ],
    [
        0.069_725_226_015_102_63, 1_703.971_893_631_381, -38_124.266_604_967_84,
        56_810.920_409_598_32, -336_143.191_844_299_2, 280_716.094_776_907_1,
        -1_213_711.25, 742_264.357_959_913_4, -2_527_433.065_839_176,
    ],
    [
        0.057_496_894_326_066_49, -7_252.400_991_789_842, 22_008.504_511_514_02,
        -184_746.371_184_102_8, 203_949.622_938_572_4, -988_390.081_584_220_6,
        740_549.970_640_781_6, -2_917_929.13, 1_731_034.860_764_493,
    ],
    [
        0.048_489_689_625_733_84, 3_155.196_941_555_313, -69_565.553_706_557_96,
        109_906.446_147_712_4, -637_801.828_913_646_8, 590_957.048_962_160_8,
        -2_507_721.622_589_704, 1_748_481.586_261_928, -6_398_541.27,
    ],
];

struct Beam;

impl Equations for Beam {
    fn rate<N: Number>(&self, _partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (Ok(y), Ok(rate)) = (<&[N; 18]>::try_from(y), <&mut [N; 18]>::try_from(rate)) else { return };
        let sin = y[9].sin();
        for (k, row) in COEFFICIENTS.iter().enumerate() {
            let mut sum = sin * row[0];
            for j in 1..9 {
                sum += y[9 + j] * row[j];
            }
            rate[k] = sum;
            rate[9 + k] = y[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::COEFFICIENTS;
    use crate::check::rates;
    use crate::registry::model;
    use hemiola_stability::real_eigenvalues;

    /// Positions of the colons in the text: acceleration and positions.
    const COLONS: [(usize, &[usize]); 6] = [
        (1, &[10, 11, 12, 13, 14, 15, 16, 17]),
        (2, &[11, 13, 15, 16, 17]),
        (3, &[10, 16]),
        (4, &[11, 13, 15, 17]),
        (6, &[11, 13, 15, 17]),
        (8, &[11, 13, 15, 17]),
    ];

    /// Roots of tan β = tanh β.
    const PINNED_FREE: [f64; 4] = [3.926_602_312_05, 7.068_582_745_63, 10.210_176_122_8, 13.351_768_777_8];

    /// Returns the squared frequencies in ascending order; `None` if one is not real and positive.
    fn squares(table: &[[f64; 9]; 9]) -> Option<Vec<f64>> {
        let stiffness: Vec<Vec<f64>> = table[1..].iter().map(|row| row[1..].to_vec()).collect();
        let values = real_eigenvalues(&stiffness).unwrap();
        let real = values.iter().all(|value| value.re < 0.0 && value.im.abs() < 1e-9 * value.norm());
        let mut squares: Vec<f64> = values.iter().map(|value| -value.re).collect();
        squares.sort_by(f64::total_cmp);
        real.then_some(squares)
    }

    fn ratio_error(squares: &[f64], mode: usize) -> f64 {
        let expected = (PINNED_FREE[mode] / PINNED_FREE[0]).powi(2);
        ((squares[mode] / squares[0]).sqrt() / expected - 1.0).abs()
    }

    #[test]
    fn the_modes_are_those_of_a_pinned_free_beam() {
        let squares = squares(&COEFFICIENTS).unwrap();
        for (mode, allowed) in [(1, 1e-6), (2, 6e-4), (3, 5e-3)] {
            assert!(ratio_error(&squares, mode) < allowed, "{mode}");
        }
        assert!((squares[0].sqrt() / std::f64::consts::TAU - 2.4539).abs() < 1e-4);
    }

    #[test]
    fn no_colon_is_a_plus() {
        let mut colons = 0;
        for (row, columns) in COLONS {
            for &column in columns {
                let mut table = COEFFICIENTS;
                assert!(table[row][column - 9] < 0.0);
                table[row][column - 9] *= -1.0;
                assert!(squares(&table).is_none_or(|squares| ratio_error(&squares, 1) > 5e-5), "{row} {column}");
                colons += 1;
            }
        }
        assert_eq!(colons, 27);
    }

    #[test]
    fn gravity_pulls_the_joint_back_and_nothing_else_begins() {
        let beam = model("flexible-beam", &[]).unwrap();
        let rate = rates(&beam, 0.0, &beam.initial);
        assert!((rate[0] + 1.98 * 1f64.sin()).abs() < 1e-15 && rate[9..].iter().all(|rate| *rate == 0.0));
        // All small motions about the hanging beam are oscillations.
        let jacobian = beam.jacobian_at(0.0, &[0.0; 18]);
        let values = real_eigenvalues(&jacobian).unwrap();
        assert!(values.iter().all(|value| value.re.abs() < 1e-6 * value.norm() && value.im != 0.0), "{values:?}");
    }
}
