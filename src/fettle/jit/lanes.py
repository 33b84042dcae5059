# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="no-any-return"
"""Eight numbers at once in compiled functions: `Lanes` of float64, and a `Mask` of as many truth values.

The compiler turns a loop over eight numbers into vector instructions only where it finds that cheaper, which differs
from machine to machine. Written with lanes it is vector code on all of them, and every lane is computed as the same
expression of single numbers is: nothing is reordered or fused.

    near = larger(load(box, node, 0) - x, load(box, node, LANES) - y)
    inside = bits(near < 1.0)

Lanes add, subtract, multiply and compare with lanes and with single numbers; masks know `&` and `~`. Long expressions
take four numbers at a time (`load_half`): eight of each intermediate result do not fit into the registers.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np.arrayobj import make_array

LANES = 8
"""Float64 values of one AVX-512, two AVX2 or four NEON instructions."""
HALF = LANES // 2
_instructions: Any = intrinsic  # which takes off the first argument, and does not say so in its types


class Lanes(types.Type):
    """Float64 values that are computed at once."""

    def __init__(self, count: int) -> None:
        super().__init__(name=f"Lanes({count})")
        self.count, self.vector = count, ir.VectorType(ir.DoubleType(), count)


class Mask(types.Type):
    """Truth values, one a lane."""

    def __init__(self, count: int) -> None:
        super().__init__(name=f"Mask({count})")
        self.count, self.vector = count, ir.VectorType(ir.IntType(1), count)


@register_model(Lanes)
@register_model(Mask)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, kind.vector)


_LANES = {count: Lanes(count) for count in (HALF, LANES)}
_MASKS = {count: Mask(count) for count in (HALF, LANES)}
_PAIRS = [
    (count, pair)
    for count, lanes in _LANES.items()
    for pair in ((lanes, lanes), (lanes, types.float64), (types.float64, lanes))
]


def _spread(builder, sig, args):
    """The arguments, single numbers among them in all lanes."""
    count = next(kind.count for kind in sig.args if isinstance(kind, Lanes))
    empty = ir.Constant(ir.VectorType(ir.DoubleType(), count), ir.Undefined)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), None)
    return [
        value
        if isinstance(kind, Lanes)
        else builder.shuffle_vector(builder.insert_element(empty, value, ir.Constant(ir.IntType(32), 0)), empty, zeros)
        for value, kind in zip(args, sig.args, strict=True)
    ]


def _define(operation, signatures, build):
    """Let compiled functions apply an operator; `build` writes its instructions."""

    class Signatures(ConcreteTemplate):
        cases = signatures

    infer_global(operation)(Signatures)
    for one in signatures:
        lower_builtin(operation, *one.args)(lambda context, builder, sig, args: build(builder, sig, args))


def _arithmetic(instruction):
    return lambda builder, sig, args: getattr(builder, instruction)(*_spread(builder, sig, args))


def _comparison(sign):
    return lambda builder, sig, args: builder.fcmp_ordered(sign, *_spread(builder, sig, args))


for _operation, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _define(_operation, [signature(_LANES[n], *pair) for n, pair in _PAIRS], _arithmetic(_instruction))
for _operation, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _define(_operation, [signature(_MASKS[n], *pair) for n, pair in _PAIRS], _comparison(_sign))
_define(
    operator.and_, [signature(one, one, one) for one in _MASKS.values()], lambda builder, sig, args: builder.and_(*args)
)
_define(
    operator.invert, [signature(one, one) for one in _MASKS.values()], lambda builder, sig, args: builder.not_(*args)
)


def _choice(sign):
    """A function of two arguments that gives, lane by lane, the first where it compares so with the second, else the
    second."""

    @_instructions
    def choose(typing, first, second):
        def build(context, builder, sig, args):
            a, b = _spread(builder, sig, args)
            return builder.select(builder.fcmp_ordered(sign, a, b), a, b)

        return signature(first if isinstance(first, Lanes) else second, first, second), build

    return choose


larger, smaller = _choice(">"), _choice("<")


def _loading(count):
    """A function that gives the lanes from array[row, column] on, of a contiguous array (n, m)."""

    @_instructions
    def load_lanes(typing, array, row, column):
        def build(context, builder, sig, args):
            at = _address(context, builder, sig.args[0], args[0], args[1:], sig.args[1:], count)
            return builder.load(at, align=8)

        return signature(_LANES[count], array, row, column), build

    return load_lanes


load, load_half = _loading(LANES), _loading(HALF)


@_instructions
def store(typing, array, start, lanes):
    """Write lanes to array[start:] of a contiguous array (n,)."""

    def build(context, builder, sig, args):
        at = _address(context, builder, sig.args[0], args[0], args[1:2], sig.args[1:2], sig.args[2].count)
        builder.store(args[2], at, align=8)
        return context.get_dummy_value()

    return signature(types.none, array, start, lanes), build


def _address(context, builder, kind, array, indices, index_kinds, count):
    """Address of the lanes that start at an element."""
    wide = [context.cast(builder, one, given, types.intp) for one, given in zip(indices, index_kinds, strict=True)]
    held = make_array(kind)(context, builder, array)
    element = cgutils.get_item_pointer(context, builder, kind, held, wide)
    return builder.bitcast(element, _LANES[count].vector.as_pointer())


@_instructions
def bits(typing, mask):
    """The mask as an integer, lane 0 in its lowest bit."""

    def build(context, builder, sig, args):
        return builder.zext(builder.bitcast(args[0], ir.IntType(sig.args[0].count)), ir.IntType(64))

    return signature(types.int64, mask), build


@_instructions
def lowest_bit(typing, chosen):
    """Number of the lowest set bit of an integer that is not 0."""

    def build(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return signature(types.int64, types.int64), build
