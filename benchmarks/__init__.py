"""Measurements. Run a module, such as ``python -m benchmarks.ablation``; nothing here is a test."""
