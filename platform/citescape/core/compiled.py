"""Typed wrappers of numba: compiled kernels keep their signatures for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compiles on first call, keeps the machine code on disk, gives up the interpreter lock.

    One thread, no fast-math: floating-point operations happen as written and in that order.
    """
    return cast(F, njit(cache=True, nogil=True)(function))


def _emit_prefetch(_: Any, array: Any, place: Any) -> tuple[Any, Callable[..., Any]]:
    """Signature and code of the intrinsic, in the form that numba requires."""

    def generate(*given: Any) -> Any:
        context, builder, signature, arguments = given
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        call = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        read, keep, data_cache = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(call, [pointer, read, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, place), generate


prefetch = cast(Callable[[Any, int], None], intrinsic(_emit_prefetch))
"""In kernels: loads the cache line of an entry of a contiguous array ahead of its use.

No value is read: only the time of a later read changes.
"""
