#!/bin/sh
# run.sh
#	Runs the fuzz target of the wire format for half of FUZZ_SECONDS
#	(60), for the test harness, which passes no arguments.

exec "$(dirname "$0")/fuzz_protocol" "$((${FUZZ_SECONDS:-60} / 2))"
