#!/bin/sh
# run_plans.sh
#	Runs the fuzz target of bench's readers of plans for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

exec "$(dirname "$0")/fuzz_plans.py" "$((${FUZZ_SECONDS:-60} / 12))"
