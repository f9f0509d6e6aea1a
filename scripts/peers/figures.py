"""Draws six figures with hemiola in every format, and the same with NodePy and matplotlib. Writes reports/figures.md.

    figures.py HEMIOLA FIGURE_FILE FOLDER

HEMIOLA is the command line, FIGURE_FILE the example of hemiola-figure that draws a figure file with plotters, FOLDER is for
temporary files.
"""

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import cairosvg
import matplotlib
import numpy as np
import pymupdf
from PIL import Image, ImageChops, ImageStat

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

DPI = 110
REPORT = Path("reports/figures.md")
PICTURES = Path("reports/figures")

HEMIOLA, FIGURE_FILE, SCRATCH = sys.argv[1], sys.argv[2], Path(sys.argv[3])

FIGURES = {
    "plain": ("The region of a plain method", ["map", "rk4", "--width", "one"]),
    "coupled": (
        "A coupled slice with three strengths of coupling",
        ["map", "shome-haug-jay-2-5", "--slice", "coupled:kappa=5,g=0.01,0.04,0.09", "--width", "one"],
    ),
    "joint": (
        "Joint regions of an IMEX method: stable for all implicit parts in a wedge",
        ["map", "ars-4-4-3", "--slice", "joint:wedge=15,45,90", "--width", "one"],
    ),
    "order-star": ("An order star", ["map", "kutta-3", "--show", "order-star", "--width", "one"]),
    "work": (
        "Work and precision",
        ["converge", "kpr", "rk4", "hemiola-3-7", "hemiola-4-8", "--x-axis", "work", "--cost", "20", "--width", "one"],
    ),
    "polynomial": (
        "An optimal polynomial with its region",
        ["polynomial", "--stages", "9", "--order", "3", "--axis", "imaginary", "--width", "two"],
    ),
}


def hemiola(arguments, file, *more):
    begin = time.perf_counter()
    subprocess.run([HEMIOLA, *arguments, "--output", str(file), *more], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def rasterized(pdf, png, like=None):
    """Renders a page as pixels: as many as another picture has, or as its size requires."""
    with pymupdf.open(pdf) as document:
        page = document[0]
        if like is None:
            page.get_pixmap(dpi=DPI).save(png)
        else:
            width, height = Image.open(like).size
            page.get_pixmap(matrix=pymupdf.Matrix(width / page.rect.width, height / page.rect.height)).save(png)


def latex(tex):
    run = ["pdflatex", "-interaction=batchmode", "-halt-on-error", f"-output-directory={tex.parent}", str(tex)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return tex.with_suffix(".pdf")


def difference(one, other):
    """Returns the mean difference of gray levels of two pictures; a second picture that is a pixel off is scaled to the first."""
    first, second = Image.open(one).convert("L"), Image.open(other).convert("L")
    if first.size != second.size:
        second = second.resize(first.size)
    return ImageStat.Stat(ImageChops.difference(first, second)).mean[0]


def butcher(name):
    """Returns the partitions of a method as arrays A, b."""
    text = subprocess.run([HEMIOLA, "show", name, "--json"], check=True, capture_output=True, text=True).stdout
    number = lambda entry: float(Fraction(entry)) if isinstance(entry, str) and "sqrt" not in entry else float(entry)
    partitions = json.loads(text)["partitions"]
    rows = [[[number(entry) for entry in row] for row in part["a"]] for part in partitions]
    size = max(max(len(row) for row in part) if part else 0 for part in rows)
    size = max(size, max(len(part["b"]) for part in partitions))
    tableaus = []
    for part, matrix in zip(partitions, rows):
        a = np.zeros((size, size))
        for i, row in enumerate(matrix):
            a[i, : len(row)] = row
        tableaus.append((a, np.array([number(entry) for entry in part["b"]])))
    return tableaus


def region(axes, values, x, y, **look):
    axes.contour(x, y, values, levels=[1.0], **look)
    axes.set_aspect("equal")
    axes.axhline(0, color="gray", lw=0.4)
    axes.axvline(0, color="gray", lw=0.4)


def grid(x, y, count=300):
    x, y = np.linspace(*x, count), np.linspace(*y, count)
    return x, y, x[None, :] + 1j * y[:, None]


def peer_plain(axes):
    from nodepy import rk

    x, y, z = grid((-3.5, 1.0), (-3.3, 3.3))
    p, q = rk.loadRKM("RK44").stability_function(mode="float")
    region(axes, np.abs(p(z) / q(z)), x, y)
    axes.set(xlabel="Re(z)", ylabel="Im(z)")
    return "NodePy's stability function, contour by matplotlib"


def peer_coupled(axes):
    (slow, bs), (fast, bf) = butcher("shome-haug-jay-2-5")
    x, y, xi = grid((-1.0, 0.3), (-0.9, 0.9), 200)
    size = len(bs)
    ones = np.kron(np.eye(2), np.ones((size, 1)))
    parts = [np.kron(unit, np.ones((size, size))) for unit in np.eye(4).reshape(4, 2, 2)]
    matrix = np.block([[slow, slow], [fast, fast]])
    weights = np.block([[bs, bs], [bf, bf]])
    for coupling, style in [(0.01, "-"), (0.04, "--"), (0.09, "-.")]:
        z = xi[..., None, None]
        off = z * np.sqrt(5 * coupling)
        factors = [z, off, off, 5 * z]
        system = np.eye(2 * size) - sum(f * part for f, part in zip(factors, parts)) * matrix
        blocks = [np.kron(unit, np.ones(size)) for unit in np.eye(4).reshape(4, 2, 2)]
        outer = sum(f * block for f, block in zip(factors, blocks)) * weights
        steps = np.eye(2) + outer @ np.linalg.solve(system, np.broadcast_to(ones, (*xi.shape, *ones.shape)))
        region(axes, np.abs(np.linalg.eigvals(steps)).max(axis=-1), x, y, linestyles=style, colors="k")
    axes.set(xlabel="Re(ξ)", ylabel="Im(ξ)")
    return "numpy's eigenvalues of S, contours by matplotlib (no label of a contour in the key without further code)"


def peer_joint(axes):
    (explicit, be), (implicit, bi) = butcher("ars-4-4-3")
    x, y, z = grid((-3.0, 0.7), (-2.6, 2.6), 120)
    size = len(be)
    first = z[..., None, None]
    for degrees, style in [(15, "-"), (45, "--"), (90, "-.")]:
        radii = np.concatenate([[0.0], np.logspace(-2, 4, 60)])
        angles = np.radians([180 - degrees, 180 + degrees])
        worst = np.zeros(z.shape)
        for second in (radii[:, None] * np.exp(1j * angles)[None, :]).ravel():
            system = np.eye(size) - first * explicit - second * implicit
            stages = np.linalg.solve(system, np.ones((*z.shape, size, 1)))[..., 0]
            value = 1 + ((z[..., None] * be + second * bi) * stages).sum(axis=-1)
            worst = np.maximum(worst, np.abs(value))
        region(axes, worst, x, y, linestyles=style, colors="k")
    axes.set(xlabel="Re(z)", ylabel="Im(z)")
    return "numpy over the sides of the wedges, contours by matplotlib"


def peer_order_star(axes):
    from nodepy import rk

    x, y, z = grid((-4.0, 4.0), (-4.0, 4.0))
    p, q = rk.loadRKM("SSP33").stability_function(mode="float")
    axes.contourf(x, y, np.abs(p(z) / q(z) / np.exp(z)), levels=[0, 1, 1e9], colors=["white", "silver"])
    axes.set_aspect("equal")
    axes.set(xlabel="Re(z)", ylabel="Im(z)")
    return "NodePy's stability function (of another method of three stages: the order star is the same), areas by matplotlib"


def peer_work(axes):
    file = SCRATCH / "work.json"
    hemiola(FIGURES["work"][1], SCRATCH / "work-data.svg", "--curves", str(file))
    for curve, marker in zip([mark for mark in json.loads(file.read_text()) if mark["label"]], "osD^"):
        axes.loglog(*zip(*curve["points"]), marker=marker, ms=3, lw=0.8, label=curve["label"])
    axes.legend(fontsize=6)
    axes.set(xlabel="work", ylabel="relative error")
    return "hemiola's data (`--curves`), drawn by matplotlib"


def peer_polynomial(axes):
    run = [HEMIOLA, *FIGURES["polynomial"][1][:7], "--json"]
    found = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    coefficients = [float(c) for c in found["coefficients"]]
    x, y, z = grid((-5.0, 1.0), (-9.0, 9.0))
    region(axes, np.abs(np.polyval(coefficients[::-1], z)), x, y)
    axes.set(xlabel="Re(z)", ylabel="Im(z)")
    return "hemiola's coefficients, contour by matplotlib (RK-Opt finds them, but draws nothing)"


PEERS = {
    "plain": peer_plain,
    "coupled": peer_coupled,
    "joint": peer_joint,
    "order-star": peer_order_star,
    "work": peer_work,
    "polynomial": peer_polynomial,
}


def section(name):
    title, arguments = FIGURES[name]
    place = lambda kind, ending="png": PICTURES / f"{name}-{kind}.{ending}"
    svg, png = PICTURES / f"{name}.svg", place("png")
    seconds = hemiola(arguments, svg)
    hemiola(arguments, png, "--dpi", str(DPI))
    sizes = {"SVG": svg.stat().st_size}
    width, height = Image.open(png).size
    drawn = SCRATCH / f"{name}-svg.png"
    cairosvg.svg2png(url=str(svg), write_to=str(drawn), output_width=width, output_height=height)
    pdf, tex, data = SCRATCH / f"{name}.pdf", SCRATCH / f"{name}.tex", SCRATCH / f"{name}.json"
    hemiola(arguments, pdf)
    rasterized(pdf, place("pdf"), like=png)
    hemiola(arguments, tex, "--standalone")
    sizes |= {"PDF": pdf.stat().st_size, "TikZ": tex.stat().st_size}
    rasterized(latex(tex), place("tikz"))
    hemiola(arguments, data)
    subprocess.run([FIGURE_FILE, str(data), str(place("plotters")), str(DPI)], check=True)
    subprocess.run([FIGURE_FILE, str(data), str(SCRATCH / f"{name}-plotters.svg")], check=True)
    figure, axes = plt.subplots(figsize=(3.35, 3.35), dpi=DPI)
    note = PEERS[name](axes)
    figure.tight_layout()
    figure.savefig(place("peer"))
    plt.close(figure)
    away = {kind: difference(png, place(kind)) for kind in ["pdf", "plotters"]} | {"svg": difference(png, drawn)}
    command = " ".join(["hemiola", *arguments, "--output", "F"])
    head = "| SVG | PDF | PNG | TikZ, by LaTeX | plotters' bitmap | NodePy, numpy, matplotlib |"
    row = [svg.name, *(f"{name}-{kind}.png" for kind in ["pdf", "png", "tikz", "plotters", "peer"])]
    cells = " | ".join(f"![{title}](figures/{file})" for file in row)
    bytes_ = ", ".join(f"{kind} {size / 1000:.0f} kB" for kind, size in sizes.items())
    return "\n".join([
        f"## {title}",
        "",
        f"`{command}`: {seconds:.2f} s. {bytes_}. Mean difference from our PNG, in gray levels of 255: PDF (by MuPDF) {away['pdf']:.2f}, "
        f"SVG (by cairo) {away['svg']:.2f}, plotters {away['plotters']:.2f}. Peer: {note}.",
        "",
        head,
        "|" + "---|" * 6,
        f"| {cells} |",
        "",
    ])


def main():
    PICTURES.mkdir(exist_ok=True)
    text = [
        "# Figures in every format",
        "",
        "Written by `scripts/compare-figures`. Differences are means over all pixels. What cairo makes of SVG differs most, because CairoSVG",
        "misplaces italics in text that is centered or ends at its place; browsers, Inkscape and librsvg do not.",
        "",
    ]
    text += [section(name) for name in FIGURES]
    REPORT.write_text("\n".join(text))


main()
