"""What the demo and the benchmark scenarios share, one concept a file.

Python's standard library only.  Not meant for any other program to import.
"""
