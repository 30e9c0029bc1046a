"""How numba compiles a rule: as code for kernels to take in, without machine code of its own.

Numba makes machine code of every function, of a rule's callees again for each of its callers, and optimises all of it as
if Python called it. Only kernels call a rule, which take its code in and optimise the whole. So rules are only
simplified and put together. A first start then takes half as long, and loops are unrolled once, when all is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_ENVIRONMENT = "_ZN08NumbaEnv"  # begins the name of what holds a function's values of Python


class RuleCode(JITCodeLibrary):
    """The code of a rule and of all that it calls, in LLVM's own language."""

    _uses_python = False

    def add_ir_module(self, ir_module: Any) -> None:
        """Add what the rule itself does."""
        self._uses_python |= _uses_python(ir_module)
        super().add_ir_module(ir_module)

    def _optimize_final_module(self) -> None:
        # Loops are vectorised in the kernel, when all is known.
        passes: Any = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        if isinstance(passes, tuple):
            manager, builder = passes
            manager.run(self._final_module, builder)
        else:  # numba before 0.62
            passes.run(self._final_module)

    def _finalize_final_module(self) -> None:
        if self._uses_python:  # machine code finds those values, also that of kernels
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def stand_in(self, executable_of: Callable[..., Any], described: Any, python: Any) -> Any:
        """What numba looks the rule up by; it is never called.

        Args:
            executable_of: numba's own way to it.
            described: the rule's name and module.
            python: its values of Python.
        """
        self._ensure_finalized()
        if self._uses_python:
            return executable_of(self, described, python)
        name = described.qualname.rpartition(".")[2]
        return make_function(described.lookup_module(), name, "a rule", 0, python, (self,))


def _uses_python(ir_module: Any) -> bool:
    """Whether code uses values of Python, as what prints does."""
    places = {id(one) for one in ir_module.global_values if one.name.startswith(_ENVIRONMENT)}
    return any(
        id(operand) in places
        for function in ir_module.functions
        for block in function.blocks
        for instruction in block.instructions
        for operand in instruction.operands
    )


class RuleCompiler(Compiler):
    """Numba's compiler, for functions that only kernels call."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compile a function for the types that this compiler was made for."""
        context = self.state.targetctx  # this compiler's own
        self.state.library = RuleCode(context.codegen(), function.__qualname__)
        executable_of = context.get_executable
        context.get_executable = lambda code, *rest: code.stand_in(executable_of, *rest)
        return super().compile_extra(function)
