"""Tests of what in bench/lib needs no server: python3 -m unittest."""
