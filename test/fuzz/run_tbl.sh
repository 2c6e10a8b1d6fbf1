#!/bin/sh
# run_tbl.sh
#	Runs the fuzz target of .tbl files for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

here=$(dirname "$0")
exec "$here/fuzz_tbl" "$((${FUZZ_SECONDS:-60} / 12))" 1 \
	"$here/corpus/tbl"
