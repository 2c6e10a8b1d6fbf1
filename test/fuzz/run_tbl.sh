#!/bin/sh
# run_tbl.sh
#	Runs the fuzz target of .tbl files for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

exec "$(dirname "$0")/fuzz_tbl" "$((${FUZZ_SECONDS:-60} / 12))"
