//! Text of the section on Figures 1 to 3.

pub(crate) const TEXT: &str = "\
## The matrix of a step

The paper prints M₂₁ and M₂₂ twice. We derived them from its steps 1 to 3, and compared all entries with the steps
evaluated numerically as printed, including block exponentials:

| printed | agrees with the steps? |
|---|---|
| M₁₁ | yes |
| M₁₂, both times: first term β(e^{αξ} − 1) | no: (β/α)(e^{αξ} − 1); a factor 1/α is missing |
| M₂₁, M₂₂ below (56), with exponentials of (α + β²)ξ | yes |
| M₂₁, M₂₂ below (57), with exponentials of αξ | no: y at the end is taken from (32), which belongs to step 1, not from step 3 |
| the matrix D of step 3, (47) | no: B and C are exchanged, as the units and (40) show; as printed, the step is not consistent |
| H(x) in step 2 | no: y for z |

The figures use the matrix that follows from the steps, the one below (56) with the factor in M₁₂.

**Order.** The paper: “the order of accuracy of the proposed method is one and the local error does not depend on the
parameter α”. Both are confirmed for q' = Λq. From x = z = 1 the local errors |l_x| and |l_z| are β and β² times
(1 + β)(1 − β²)|ξ|²/2 + O(ξ³), with weak and strong coupling alike. Without coupling x has order four and z is exact.

## Figure 1: the region of RK4

> “The absolute stability region of the fourth-order Runge–Kutta method (RK4) is shown in Fig. 1”: where |R(ξ)| ≤ 1,
> R(ξ) = 1 + ξ + ξ²/2 + ξ³/6 + ξ⁴/24.

![The stability region of RK4](gil-sanfelice-nikravesh-2013-fig-1.svg)

    hemiola map rk4 --output fig-1.svg

The boundary meets the real axis at −{real} and the imaginary axis at ±{imaginary}.

## Figure 2: frequency ratios

> “From Fig. 2, it can be seen that the region of absolute stability does not change much as the parameter α
> increases. It means that the region of absolute stability only depends on the eigenvalues of the slow variable and
> it is almost independent of the eigenvalues of the fast variable.”

![The region of the scheme for three frequency ratios](gil-sanfelice-nikravesh-2013-fig-2.svg)

    hemiola map --preset gil --alpha 1,5,10 --beta .2 --output fig-2.svg

This holds where the time scales are separated: for α = 2, 5, 10 and 100 the area of the upper half is between
{smallest} and {largest}. RK4 on the same problem (dashed) shrinks like 1/α. At α = 1, for which the scheme is not
intended, the region leaves the imaginary axis: at Re ξ = −0.025 it is unstable from Im ξ = {exit}.

*Beyond the paper.* For coupled problems the imaginary axis itself does not belong to the region: with β = 0.2 the
spectral radius there exceeds one by up to {excess} for α = 1, 5, 10 and 100 (Im ξ ≤ 2.8). This is too little to be
visible in the figure, or in an undamped simulation of moderate length, but it is growth. The last of these is a peak
at Im ξ = {peak}, only some 1e-5 wide, that coarse grids miss; here it is the largest value at 2 800 000 equally spaced
points.

## Figure 3: strengths of coupling

> “When β is zero […] the region of absolute stability is the intersection of the region of absolute stability of RK4
> and the left half plane. As the parameter β increases, the region of the absolute stability changes slightly. So,
> the coupling between x and z does not have significant effect on the region of absolute stability.”

![The region of the scheme for four strengths of coupling](gil-sanfelice-nikravesh-2013-fig-3.svg)

    hemiola map --preset gil --alpha 5 --beta 0,.1,.2,.4 --output fig-3.svg

At β = 0 the region is the intersection. With β = 0.1 and 0.2 its area grows by {growths}; with 0.4 by {strong} %, which
is no longer slight: RK4 sees (1 − β²)ξ on the slow manifold, so the region grows about like 1/(1 − β²) in length.
Areas are those of the upper half between −4 ≤ Re ξ ≤ 1 and Im ξ ≤ 4.
";
