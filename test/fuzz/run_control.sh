#!/bin/sh
# run_control.sh
#	Runs the fuzz target of ssdemu's file of control for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

here=$(dirname "$0")
exec "$here/fuzz_control" "$((${FUZZ_SECONDS:-60} / 12))" 1 \
	"$here/corpus/control"
