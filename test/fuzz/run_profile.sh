#!/bin/sh
# run_profile.sh
#	Runs the fuzz target of the former file of device profiles for a twelfth of
#	FUZZ_SECONDS (60), for the test harness, which passes no arguments.

here=$(dirname "$0")
exec "$here/fuzz_profile" "$((${FUZZ_SECONDS:-60} / 12))" 1 \
	"$here/corpus/profile"
