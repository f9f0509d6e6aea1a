"""What scripts/compare-library says: its introduction, and the explanations of known differences."""

INTRODUCTION = """# The library beside other programs

Written by `scripts/compare-library`. Each of the {methods} published methods of `tableaus/` is compared with {tables} tables of other
programs: packages of PyPI, crates.io and Debian of fixed versions, and checkouts of projects without a registry. Methods of Gauss, Radau and
Lobatto are also computed from their definitions to fifty digits (*definition*). Only numbers are compared, entry by entry: tables whose step
is the same to five digits belong to one method, and must agree to the precision of both, which is 8 · 2⁻⁵⁰ relative to one for
tables in doubles, and eight units of the last digit for longer ones. Multirate methods: `scripts/compare-sundials`.

- **A and b**: {second} methods are confirmed by a program other than the one that their numbers are from, {own} by this one alone; for
  {none} no table was found. Programs of the same family (OrdinaryDiffEq.jl and DiffEqDevTools.jl) count as one.
- **Embedded rows**: of {pairs} pairs, {pairs_second} are confirmed by another program, {pairs_own} by their own alone; for {pairs_none}
  no equal row was found. A row and its mirror image at b give the same estimates, with the other sign.
- **Aliases**: {met} of {aliases} are names under which a program above has the same step; they are in bold in the table below.
- **Differences**: {differences}, of which {unexplained} are not explained.
"""

COLUMNS = """*Numbers from*: the program that the source of a method names; *the publication* if it names none. A program in a cell has equal numbers; *only*: no
program but the one that the numbers are from. *c*: programs that list equal abscissae. Methods with several partitions need an equal table for each.
"""

BY_ORDER = "named by the order there, by the stages here"
ROUNDED = "ours: all decimals are there; the program has eleven"
SHAMPINE = "both: another row, with b̂₇ = 1/60, which torchdiffeq names after Shampine"
FIRST = "both: the first formula of the publication; ours is the one of our source field"

#: Method, programs, names of tables, beginning of the difference, and who is right; the first four as regular expressions and text.
EXPLAINED = [
    ("bogacki-shampine-5", ".*", "", "b̂", "both: the pair has two embedded rows, and this is the first, of seven stages"),
    ("cash-4-3-5", "SUNDIALS|sundials", "CASH_5_2_4", "b̂", "both: Cash gives two rows; this is that of order 2"),
    ("cash-4-3-5", "SUNDIALS", "", "", ROUNDED),
    ("kvaerno-3-2-4", "OrdinaryDiffEq.jl", "", "c", "ours: c₂ is γ there, half the row sum"),
    ("kvaerno-3-2-4", ".*", "", "", ROUNDED),
    ("dormand-prince-5", "diffrax|torchdiffeq", "dopri5", "b̂", SHAMPINE),
    ("dormand-prince-8-5-3", "differential-equations", "dop853", "b̂", "both: the row of order 3 (the format of method files has one row)"),
    ("dormand-prince-8", "russell_ode", "DORMAND_PRINCE_8", "another", "both: DOP853 there, here dormand-prince-8-5-3; ours is 8(7)13M"),
    ("dormand-prince-8", ".*", "dormand-prince8", "", "both: fractions of more digits for the same algebraic numbers"),
    ("fehlberg-4-5", ".*", "(?i)fehlberg45|rkf45", "another", "both: the step with weights of order 5, here fehlberg-5-4; Fehlberg goes on with order 4"),
    ("fehlberg-8-7", "pathsim|russell_ode", "", "b and", "both: goes on with order 7 there, with order 8 here"),
    ("dormand-prince-8", "desolver", "", "b and", "both: goes on with order 7 there, with order 8 here"),
    ("lobatto-iiia-iiib-2", "desolver", "LobattoIIIB2", "c", "both: the row sums there, the published abscissae here"),
    ("fehlberg-8-7", "pathsim", "", "another", "both: goes on with order 7 there, with order 8 here"),
    ("bogacki-shampine-3", "pyodys", "", "b and", "ours: the publication goes on with order 3"),
    ("sharp-smart-3", "nodepy", "SS3", "b and", "ours: the publication goes on with order 3"),
    ("kennedy-carpenter-ark-3-2-4", "SUNDIALS|sundials", "ESDIRK324L2SA", "b̂", "both: the implicit pair of the review of 2016, with the same A"),
    ("kennedy-carpenter-ark-5-4-8", "diffrax", "kencarp5_implicit", "A or b", "ours: a₇₆ alone differs, and SUNDIALS and others have ours"),
    ("kennedy-carpenter-esdirk-3-2-5", "OrdinaryDiffEq.jl", "", "b̂", "both: other fractions for the same numbers"),
    ("kennedy-carpenter-lewis-4-3-5-2rc", "OrdinaryDiffEq.jl", "", "c", "ours: c₅ is not the row sum there"),
    ("kennedy-carpenter-lewis-5-4-8-4rfm", "OrdinaryDiffEq.jl", "", "b̂", "ours: three entries of the last row are zero there, which lowers the order of b̂ to 1"),
    ("kennedy-carpenter-lewis-5-4-8-3r.|kennedy-carpenter-lewis-5-4-8-4rfm", "OrdinaryDiffEq.jl", "", "c", "ours: c₈ is not the row sum there"),
    ("kennedy-carpenter-lewis-5-4-9-2rc", "OrdinaryDiffEq.jl", "CKLLSRK95_4C", "another", "ours: a₈₇ lacks a digit there, which lowers the order to 1"),
    ("berland-bogey-bailly-6-4", "OrdinaryDiffEq.jl", "RK46NL", "", "ours: the last digit of α₃ is another there"),
    ("imex-ssp2-322", "OrdinaryDiffEq.jl", "", "c", "ours: the explicit part has the row sums here, those of the implicit part there"),
    ("qin-zhang-2", "OrdinaryDiffEq.jl", "sspsdirk2", "c", "ours: c are not the row sums there"),
    ("ssp-rk-5-4", "nodepy", "SSP54", "", "ours: the published digits, as in OrdinaryDiffEq.jl; NodePy has others from the tenth on"),
    ("ssp-rk-5-3", "nodepy", "SSP53", "another", "ours: the weights sum to 1 − 3.2e-10 there"),
    ("tsitouras-5", "SUNDIALS|sundials", "TSITOURAS", "b̂", "ours: the withdrawn row with b̂₇ = 1/40, corrected since"),
    ("verner-efficient-6", "OrdinaryDiffEq.jl|DiffEqDevTools.jl", "", "b̂", "ours: Verner's row; another row of order 5 there"),
    ("tr-bdf2", "nodepy", "TR-BDF2", "another", "both: the inner step ends at 1/2 there"),
    ("explicit-midpoint", "qmat", "MidPoint", "another", "both: the implicit midpoint rule there"),
    ("lobatto-iiia-2", "differential-equations", "trapezoidal|crank_nicolson", "another", "ours: the explicit method of Heun there"),
    ("butcher-6|cooper-verner-8|tsitouras-9", ".*", "", "another", FIRST),
    ("verner-7-6", ".*", "verner-efficient7", "another", "ours: Verner's file of that name; the table there is verner-7-devtools here"),
    ("verner-6", ".*", "verner6", "another", "both: the pair contrasted with DP56 there, here verner-6-contrast; ours is DVERK"),
    ("gauss-2", ".*", "gl2", "another", BY_ORDER),
    ("lobatto-iiid-.*", ".*", "", "another", "both: the family of Nørsett and Wanner there, that of Jay here"),
    ("(lobatto|radau)-.*", ".*", "", "another", BY_ORDER),
    ("sdirk-2", "OrdinaryDiffEq.jl", "sdirk2", "another", "both: another method of two stages, with a₂₁ = −1"),
]
