//! The page after the options of `hemiola design --help`.

/// Describes the files, the kinds of designs, and examples.
pub(super) const TEXT: &str = "\
The design satisfies all order and coupling conditions, has the optimal stability polynomial in the fast partition, \
and minimizes the principal error norm from many random starts. Besides the method NAME.json, the command writes its \
certificate, its stability figure, a report, and the design NAME.design.json, which reproduces the same files with \
any number of threads. Ctrl-C ends the search, keeps the best result so far, and leaves NAME.search.json; --resume \
continues from there to the result of an uninterrupted search.

The options describe the pair as far as most designs need it. Everything else is a field of the design file: --fields \
lists the fields, and --set PATH=VALUE replaces one.

With --for, the coefficients left free by the conditions minimize the measured errors of runs of a model: the pair \
takes the longest steps that keep the requested error. Its slow evaluations are compared with those of the best \
method with one partition, also on the runs given by --validation.

With --tune, an outer search comes first; the resulting NAME.design.json reproduces the method without it. Ctrl-C \
ends the outer search, writes its best result to that file, and leaves NAME.tuning for --resume. With --pareto the \
files are NAME-1.json, …, each with its certificate and design; the whole front has the table NAME.md, the figure \
NAME.svg and the design NAME.design.json.

With --levels, the command designs a family of many rates: methods over the same stages with common weights and \
abscissae, any two of which may be neighbors on a mesh, cell by cell. With --for MODEL, its coupled steps become as \
long as those of the parts alone, if possible. The design file is NAME.family.json; figure and report are as for a pair.

With --ssp, the command maximizes the SSP coefficient of a method with one partition, or those of a pair, instead of the \
stability limit, and writes method, certificate and figure.

With --storage, the command designs a method with one partition whose steps need two or three registers, vectors as long as \
the solution.

With --implicit, it minimizes the error of a diagonally implicit method, alone or with an explicit partner (IMEX), at one \
rate or at two. The implicit partition is stiffly accurate and L-stable, which is proved exactly.

With --fast exact, the command designs a multirate method of any ratio: slow stages, between which the fast part is \
solved by any method with as many steps as it needs. The search minimizes the principal error norm and keeps the \
wanted sector limits (--sector); method and certificate are written. With --implicit slow or additive, the slow part is \
diagonally implicit, alone or beside an explicit one; without the fast part the implicit one is L-stable, which is proved \
exactly (--slow-stability asks for less).

The design file of a design with --ssp, --storage, --implicit or --fast exact holds its command, without the options of \
figures; `hemiola design NAME.design.json` repeats it.

If hemiola is built with the feature `mpi`, `mpirun -n N hemiola design …` runs the starts and descents of a search \
on ranks 1 to N − 1; rank 0 distributes them and writes identical bytes.

With --part K/N, one of N machines computes its share of the starts; `hemiola merge` combines all shares into the \
result of a single machine, byte for byte.

Files of an earlier design with other options are not overwritten unless --force is given: a pair becomes NAME-2.json, \
other designs are refused.

Examples:
  hemiola design --slow 2 --fast 5
  hemiola design --slow 2 --fast 5 --damping 0.05 --output damped.json
  hemiola design --slow 2 --fast 6 --axis real --set objective.internal=0.01
  hemiola design --slow 4 --fast 8 --set structure.shared_abscissae=true --set structure.non_negative_weights=true --output four-eight.json
  hemiola design --slow 3 --fast 7 --damping 0.05 --profile 0.1=0.97,0.2=0.9
  hemiola design --slow 3 --fast 7 --profile 0.1=0.97,0.2=0.9 --tune --max-error-ratio 1.3
  hemiola design --slow 3 --fast 7 --profile 0.2=0.95 --pareto 9 --output front.json
  hemiola design --slow 2 --fast 4 --set 'structure.bounds.fast.a[3][2]=1/3' --set 'structure.bounds.fast.b[4]=[0, 0.5]'
  hemiola design --slow 4 --fast 8 --for planar-vehicle --for planar-vehicle:speed=12 --validation planar-vehicle:speed=25 --error 1e-4
  hemiola design --levels 16,11,8,6,5 --order 4 --spectrum dg:3
  hemiola design --levels 16,8,5 --order 4 --for dg-advection:cells=4
  hemiola design --ssp --stages 5 --order 4
  hemiola design --ssp --slow 3 --fast 6 --order 2 --ratio 2
  hemiola design --storage 2N --stages 8 --order 4 --spectrum dg:3
  hemiola design --storage '3S*' --stages 9 --order 4 --embedded 3 --spectrum dg:3 --step-fraction 0.95
  hemiola design --slow 5 --fast exact --order 4 --restarts --degree 2 --sector 45=3.1 --sector 80=2.6
  hemiola design --slow 4 --fast exact --order 3 --implicit slow --restarts --degree 2 --sector 80=12
  hemiola design --implicit additive --stages 4 --order 3 --embedded 2
  hemiola design --implicit slow --slow 4 --fast 6 --order 3
  hemiola design four-eight.design.json --resume
  hemiola design four-eight.design.json --part 3/16
  hemiola design designs/*.design.json --output again";
