"""Tests of those parts of bench/lib that need no server: python3 -m unittest.
"""
