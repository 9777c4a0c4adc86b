"""Sums as an agent writes them: numbers, `+ - * / // **`, parentheses."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from tools_sandbox import ToolError

_ALLOWED = frozenset("0123456789+-*/(). ")
_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: lambda base, power: (
        float(base) ** power
    ),  # of floats, which overflow where whole numbers would fill memory
}
_UNARY: Mapping[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


def calculate(expression: str) -> float:
    """The value, rounded to two places. Raises ToolError for what is no such sum."""
    if not _ALLOWED.issuperset(expression):
        raise ToolError("Error: invalid characters in expression")
    try:
        return round(float(_value(ast.parse(expression.strip(), "<string>", "eval").body)), 2)
    except (SyntaxError, ArithmeticError, TypeError, RecursionError, MemoryError) as problem:
        raise ToolError(f"Error: {problem}") from None


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left, op, right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op, operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
    raise SyntaxError("invalid syntax")
