"""Code shared by the demo and the benchmark scenarios, one concept per file.

Only Python's standard library.  Not meant for other programs.
"""
