"""A database with random tables for parts that generate their own statements.
"""

from __future__ import annotations

import os
import time
from random import Random

from kinds import FUNCTIONS, NOTES, TYPES, WRAPPERS
from place import TOP, Place
from schema import NAME, Schema, random_schema
from session import Lost, Session

PROFILE = "SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', " \
    "128, 5e-6);"

# Set for the database.  OFF has what a session of core alone resets.
ACTING = {"ssdpar.star_access": "bitmap", "ssdpar.cost_model_min_size": "0",
          "ssdpar.prefetch_min_size": "0", "ssdpar.residency": "cold",
          "statement_timeout": "2s", "jit": "off"}
OFF = "SET ssdpar.enabled = off; "


def invent() -> str:
    with open(os.path.join(TOP, "test", "invent_device.sql"),
              encoding="utf-8") as file:
        return file.read() + PROFILE


def make_database(place: Place, name: str, seed: str) -> Schema:
    """Recreates it: tables of a random schema, a device, settings to use
    ssdpar."""
    session = place.session("postgres")
    session.must(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    session.must(f"CREATE DATABASE {name}")
    session.run("CREATE ROLE reader")
    for setting, value in {**ACTING,
                           "search_path": f"{NAME}, public"}.items():
        quoted = value if setting == "search_path" else f"'{value}'"
        session.must(f"ALTER DATABASE {name} SET {setting} = {quoted}")
    session.close()
    session = place.session(name)
    session.must("SET statement_timeout = 0; CREATE EXTENSION ssdpar; "
                 + invent())
    session.must("\n".join([TYPES, *FUNCTIONS.values(), WRAPPERS]))
    schema = random_schema(Random(seed), False, 1, False, True)
    session.must(";\n".join(schema.statements()))
    session.close()
    return schema


def open_session(place: Place, name: str) -> Session:
    session = place.session(name)
    session.must(f"{NOTES}; SET client_min_messages = warning")
    return session


def reopen_session(place: Place, name: str) -> Session:
    """The same after a crash, because the server may need time to recover."""
    for _ in range(100):
        try:
            return open_session(place, name)
        except Lost:
            time.sleep(0.2)
    return open_session(place, name)
