"""Module shapes as SVG path data. Units are modules, and y grows downwards.

Adjacent modules have one common outline, so that no renderer shows a hairline between them and the file stays small.
"""

from collections.abc import Collection, Iterator

from workspace.qr_symbols.symbol import Cell

_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # right, down, left, up: a right turn is the next step
_DOT_DIAMETER = 0.9
_BAR_WIDTH = 0.88


def format_number(value: float) -> str:
    """Format a number as briefly as possible, with at most three decimals: 0.5 becomes .5."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def build_module_path(shape: str, cells: Collection[Cell]) -> str:
    """Return path data that fills the cells (column, row) in the shape."""
    if shape == "dots":
        return "".join(disc_path(x + 0.5, y + 0.5, _DOT_DIAMETER / 2) for x, y in sorted(cells))
    if shape in ("vertical", "horizontal"):
        return "".join(_bar_paths(cells, upright=shape == "vertical"))
    return "".join(_round_off(loop, shape) for loop in _find_loops(cells))


def box_path(x: float, y: float, width: float, height: float, radii: tuple[float, float, float, float]) -> str:
    """Return a rectangle with rounded corners.

    `radii` are those of the upper left, upper right, lower right and lower left corners.
    """
    tl, tr, br, bl = radii
    return (
        f"M{format_number(x + tl)} {format_number(y)}{_line_command('h', width - tl - tr)}{_arc_command(tr, tr, tr)}"
        f"{_line_command('v', height - tr - br)}{_arc_command(br, -br, br)}"
        f"{_line_command('h', bl + br - width)}{_arc_command(bl, -bl, -bl)}"
        f"{_line_command('v', tl + bl - height)}{_arc_command(tl, tl, -tl)}z"
    )


def disc_path(x: float, y: float, radius: float) -> str:
    r = format_number(radius)
    return (
        f"M{format_number(x - radius)} {format_number(y)}a{r} {r} 0 1 1 {format_number(2 * radius)} "
        f"0a{r} {r} 0 1 1 {format_number(-2 * radius)} 0z"
    )


def _line_command(command: str, length: float) -> str:
    return f"{command}{format_number(length)}" if abs(length) > 1e-9 else ""


def _arc_command(radius: float, dx: float, dy: float, sweep: int = 1) -> str:
    return (
        f"a{format_number(radius)} {format_number(radius)} 0 0 {sweep} {format_number(dx)} {format_number(dy)}"
        if radius
        else ""
    )


def _bar_paths(cells: Collection[Cell], *, upright: bool) -> Iterator[str]:
    inset, radius = (1 - _BAR_WIDTH) / 2, _BAR_WIDTH / 2
    dark = set(cells)
    for x, y in sorted(dark):
        before = (x, y - 1) if upright else (x - 1, y)
        if before in dark:
            continue
        length = 1
        while ((x, y + length) if upright else (x + length, y)) in dark:
            length += 1
        width, height = (1, length) if upright else (length, 1)
        yield box_path(x + inset, y + inset, width - 2 * inset, height - 2 * inset, (radius,) * 4)


def _find_loops(cells: Collection[Cell]) -> Iterator[list[tuple[int, int, int]]]:
    """Yield the borders of the dark area as closed loops of (x, y, direction of the edge that starts there).

    The dark area is to the right of every edge. Modules that touch only at a corner stay separate."""
    dark = set(cells)
    edges: set[tuple[int, int, int]] = set()
    for x, y in dark:
        for direction, (begin_x, begin_y), beyond in (
            (0, (x, y), (x, y - 1)),
            (1, (x + 1, y), (x + 1, y)),
            (2, (x + 1, y + 1), (x, y + 1)),
            (3, (x, y + 1), (x - 1, y)),
        ):
            if beyond not in dark:
                edges.add((begin_x, begin_y, direction))
    for first in sorted(edges):
        if first not in edges:
            continue
        loop = [first]
        while True:
            x, y, direction = loop[-1]
            x, y = x + _STEPS[direction][0], y + _STEPS[direction][1]
            turns = ((x, y, (direction + turn) % 4) for turn in (1, 0, 3))
            edge = next(edge for edge in turns if edge in edges)
            if edge == first:
                break
            loop.append(edge)
        edges.difference_update(loop)
        yield loop


def _round_off(loop: list[tuple[int, int, int]], shape: str) -> str:
    corners = [
        (x, y, direction, _corner_radius(shape, loop[at - 1][2], direction))
        for at, (x, y, direction) in enumerate(loop)
        if loop[at - 1][2] != direction
    ]
    x, y, direction, radius = corners[0]
    path = [f"M{format_number(x + radius * _STEPS[direction][0])} {format_number(y + radius * _STEPS[direction][1])}"]
    for at, (x, y, edge_direction, radius) in enumerate(corners):
        next_x, next_y, next_way, next_radius = corners[(at + 1) % len(corners)]
        length = abs(next_x - x) + abs(next_y - y) - radius - next_radius
        last = at == len(corners) - 1
        if not (last and not next_radius):  # z closes the path with the last straight edge
            path.append(_line_command("h" if edge_direction % 2 == 0 else "v", length * sum(_STEPS[edge_direction])))
        dx = next_radius * (_STEPS[edge_direction][0] + _STEPS[next_way][0])
        dy = next_radius * (_STEPS[edge_direction][1] + _STEPS[next_way][1])
        path.append(_arc_command(next_radius, dx, dy, sweep=int((next_way - edge_direction) % 4 == 1)))
    return "".join(path) + "z"


def _corner_radius(shape: str, before: int, after: int) -> float:
    outer = (after - before) % 4 == 1
    if shape == "rounded":
        return 0.5 if outer else 0.25
    if shape == "soft":
        return 0.28 if outer else 0
    if shape == "classy":  # only the upper left and lower right corners
        return 0.5 if outer and after % 2 == 0 else 0
    return 0
