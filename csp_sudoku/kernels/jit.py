"""The decorator that compiles a kernel; the proof checker below this package has it, too."""

from csp_encodings.jit import kernel

__all__ = ["kernel"]
