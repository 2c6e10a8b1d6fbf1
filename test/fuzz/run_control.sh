#!/bin/sh
# run_control.sh
#	Runs the fuzz target of ssdemu's file of control for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

exec "$(dirname "$0")/fuzz_control" "$((${FUZZ_SECONDS:-60} / 12))"
