#!/bin/sh
# run_session.sh
#	Runs the fuzz target of the daemon's sessions for a sixth of FUZZ_SECONDS
#	(60), for the test harness, which passes no arguments.

here=$(dirname "$0")
exec "$here/fuzz_session" "$((${FUZZ_SECONDS:-60} / 6))" 1 \
	"$here/corpus/session"
