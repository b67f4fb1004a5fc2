"""Measurements, made by ``python -m benchmarks``; nothing here is a test."""
