"""Loads stored machine code, and nothing of a compiler with it.

numba makes ready to compile whenever it loads a stored function: it imports all that it can translate, and reads the
intermediate code that is stored beside the machine code, in case another function is compiled that calls this one. A
command that analyzes one file calls some sixty stored functions and compiles none; that took as long as its analysis.
Here both wait until a function has to be compiled. So do the modules of numba whose functions became part of ours: that
of sums and largest values alone took a sixth of a second, because it imports the linear algebra of scipy.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from llvmlite import binding as llvm
from numba.core import caching, compiler, environment
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime.nrt import rtsys

import fettle.jit.storage  # noqa: F401 - tells numba where

# Of the module that a stored function's source stands in numba keeps the globals, which only its object mode reads (we
# compile none of it), and the name, which it writes when it stores the function again. An empty module has the name.
environment.importlib = SimpleNamespace(import_module=ModuleType)  # type: ignore[assignment, attr-defined]


class StoredLibrary(JITCodeLibrary):
    """Machine code whose intermediate code is read by need."""

    _intermediate: bytes

    @classmethod
    def load(cls, codegen: Any, stored: tuple[str, str, tuple[bytes, bytes]], entry: str) -> StoredLibrary:
        """`stored`: name, kind and content as `serialize_using_object_code` gives them; `entry`: name of the function
        in it that Python calls."""
        name, _, (machine_code, intermediate) = stored
        library = cls(codegen, name)
        library._intermediate = intermediate
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.add(entry)
        return library

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self._intermediate)
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return self._shared_module

    def get_pointer_to_function(self, name: str) -> int:
        """Address of a function in this code, 0 where there is none of this name."""
        if not self._codegen._engine.is_symbol_defined(name):
            self._get_module_for_linking()
        address: int = super().get_pointer_to_function(name)
        return address


class _Rebuild(caching.CompileResultCacheImpl):
    """Makes a callable function of what is stored."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """`payload`: as `CompileResult._reduce` gives it."""
        stored, description, environment, signature, object_mode, lifted, annotation, at_load, others = payload
        for prepare in at_load:
            prepare()
        library = StoredLibrary.load(target_context.codegen(), stored, description.llvm_cpython_wrapper_name)
        for other in others:
            library.codegen.set_env(other.env_name, other)
        return compiler.compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, description, environment),
            fndesc=description,
            type_annotation=annotation,
            signature=signature,
            objectmode=object_mode,
            lifted=lifted,
            reload_init=at_load,
            referenced_envs=others,
        )


class StoredFunctions(caching.FunctionCache):
    """The stored versions of one function, by the types of its arguments."""

    _impl_class = _Rebuild

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function for these types; None where it is not stored, and has to be compiled."""
        rtsys.initialize(target_context)
        found = self._load_overload(sig, target_context)
        if found is None:
            target_context.refresh()
        return found
