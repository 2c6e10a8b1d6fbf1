#!/bin/sh
# run.sh
#	Runs the fuzz target of the wire format for half of FUZZ_SECONDS
#	(60), for the test harness, which passes no arguments.

here=$(dirname "$0")
exec "$here/fuzz_protocol" "$((${FUZZ_SECONDS:-60} / 2))" 1 \
	"$here/corpus/protocol"
