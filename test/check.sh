#!/bin/bash
# check.sh
#	Builds ssdpar and runs every test of it; ./run check calls this.
#
# Usage: ./run check [--server N] [--only STAGE] [--server-only] [--long]
#                    [--no-source]
#
#   --server N     PostgreSQL 15, 17 or 18 (default: the one that this Debian
#                  release packages); the server of another release runs in a
#                  tree of that release, made once in /var/cache/ssdpar.  16,
#                  which no release packages, comes from pip and npm, without
#                  its source package, and 19 is not released yet
#   --only STAGE   structure, unit, fuzz, regress, isolation or tap
#   --server-only  skip tests that are the same on every server: structure,
#                  unit, fuzz and some tests in t/
#   --long         also run tests that take long (SSDPAR_LONG=1 for the tests)
#   --no-source    skip the tests that need the server's source package
#
# Installs missing packages, builds ssdpar with warnings as errors, installs it
# into the server's directories, and tests it.  The last line is "N passed, N
# failed", with ", N skipped" if tests were skipped.  The exit code is 0 only if
# nothing failed and every stage ran a test.  Existing clusters are not touched.
# See docs/internals/testing.md.
#
# Environment: SSDPAR_TREES, folder of the trees; SSDPAR_SOURCES, folder of the
# server's regression suite; SSDPAR_FUZZ_SECONDS (60), duration of the stage
# fuzz; SSDPAR_TEST_JOBS, number of concurrent tests.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
top=$(dirname "$here")
. "$here/common.sh"

arguments=("$@")
server= only= no_source= server_only=

# Those that run without --only, and those of them that no server has a part in.
stages='structure unit fuzz regress isolation tap'
any_server='structure unit fuzz'

usage()
{
	sed -n '/^# Usage:/,/^$/s/^# \{0,1\}//p' "$here/check.sh"
}

parse_arguments()
{
	while [ $# -gt 0 ]; do
		case $1 in
			--server=*) server=${1#*=} ;;
			--server) shift; server=${1-} ;;
			--only=*) only=${1#*=} ;;
			--only) shift; only=${1-} ;;
			--server-only) server_only=1 ;;
			--long) export SSDPAR_LONG=1 ;;
			--no-source) no_source=1 ;;
			--help | -h) usage; exit 0 ;;
			*) die "check does not know \"$1\". See ./run check --help" ;;
		esac
		[ "${1-}" ] || die "a value is missing. See ./run check --help"
		shift
	done
	case $only in
		'' | structure | unit | fuzz | regress | isolation | tap) ;;
		*) die "there is no stage \"$only\": take structure, unit, fuzz," \
			'regress, isolation or tap.' ;;
	esac
	case " $any_server " in
		*" ${only:-none} "*)
			[ -z "$server_only" ] ||
				die "the stage $only is the same on every server, so" \
					'--server-only leaves nothing of it.' ;;
	esac
	case $server in
		'' | 15 | 16 | 17 | 18 | 19) ;;
		*) die "ssdpar is for PostgreSQL 15, 17 and 18, not \"$server\"." ;;
	esac
	[ "$server" != 16 ] || no_source=1
}

# Installing needs root; so do dropping to another user and the trees.
become_root()
{
	local can='sudo -n true'

	[ "$EUID" -ne 0 ] || return 0
	[ -t 0 ] && can='sudo -v'
	command -v sudo >/dev/null && $can 2>/dev/null ||
		die 'check installs packages and the extension, so it needs root,' \
			"and $(id -un) may not use sudo. Run it as root or as a user" \
			'with sudo; to only build and run the unit tests: make unit'
	exec sudo -- env "PATH=$PATH" \
		${SSDPAR_TREES:+"SSDPAR_TREES=$SSDPAR_TREES"} \
		${SSDPAR_SOURCES:+"SSDPAR_SOURCES=$SSDPAR_SOURCES"} \
		${SSDPAR_TEST_JOBS:+"SSDPAR_TEST_JOBS=$SSDPAR_TEST_JOBS"} \
		bash "$here/check.sh" "${arguments[@]}"
}

candidate()
{
	apt-cache policy "$1" 2>/dev/null |
		sed -n 's/^ *Candidate: *\([0-9].*\)/\1/p'
}

# Sets $major, and $tree if this Debian does not carry that server.
choose_server()
{
	command -v apt-get >/dev/null ||
		die 'check needs Debian (or a derivative of it with apt-get): its' \
			'packages are what is tested against.'
	# A machine that is just installed knows no package at all.
	[ "$(candidate postgresql)" ] || apt-get -qq update >/dev/null 2>&1
	major=${server:-$(candidate postgresql | sed 's/[^0-9].*//')}
	[ "$major" ] ||
		die 'apt knows no package "postgresql". Repair its sources' \
			'(apt-get update tells what is wrong), then run again.'
	tree=
	[ -x "/usr/lib/postgresql/$major/bin/pg_config" ] ||
		[ "$(candidate "postgresql-server-dev-$major")" ] || tree=1
}

# Processes that work in, or were started from, our scratch directory.
leftovers()
{
	local process

	for process in /proc/[0-9]*; do
		case $(readlink "$process/cwd") in
			"$work" | "$work"/*) printf '%s ' "${process#/proc/}"; continue ;;
		esac
		case $(readlink "$process/exe") in
			"$work"/*) printf '%s ' "${process#/proc/}" ;;
		esac
	done 2>/dev/null
}

cleanup()
{
	local try mount signal=TERM

	trap '' INT TERM HUP
	for try in $(seq 60); do
		[ "$(leftovers)" ] || break
		[ "$try" -lt 40 ] || signal=KILL
		# A server's processes end by TERM; what is new by now gets it too.
		# shellcheck disable=SC2046
		kill -s $signal $(leftovers) 2>/dev/null
		sleep 0.25
	done
	awk -v under="$work/" 'index($5, under) == 1 { print $5 }' \
		/proc/self/mountinfo | sort -r | while read -r mount; do
		umount "$mount"
	done
	rm -rf --one-file-system "$work"
}

# $work belongs to the user that the tests run as: initdb refuses root.
make_copy()
{
	user=postgres
	work=$(mktemp -d "${TMPDIR:-/var/tmp}/ssdpar-check.XXXXXX") || exit 2
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	copy=$work/tree
	mkdir "$work/tmp" "$copy" &&
		chown -R "$user" "$work" &&
		tar -C "$top" --exclude=./.git --exclude='*.o' --exclude='*.bc' \
			--exclude='*.so' --exclude=./bench/results -cf - . |
		runuser -u "$user" -- tar -C "$copy" --no-same-owner -xf - ||
		die "the tree could not be copied to $work. Is the disk full?"
	chmod 755 "$work" "$copy" "$work/tmp"
}

# Two runs would install over each other: the second one waits.
take_turn()
{
	exec 9<"/usr/lib/postgresql/$major/lib" || exit 2
	flock -n 9 && return
	say 'another check uses this server; waiting for its end'
	flock 9
}

# What is to be run, in its order.
chosen_stages()
{
	local stage

	for stage in ${only:-$stages}; do
		[ "$server_only" ] && [[ " $any_server " = *" $stage "* ]] && continue
		printf '%s ' "$stage"
	done
}

check_here()
{
	local stage

	bash "$here/packages.sh" "$major" || exit 2
	take_turn
	make_copy
	. "$here/stages.sh"
	if build && install_extension; then
		make_template
		for stage in $(chosen_stages); do
			run_stage "$stage"
		done
	fi
	[ $((passed + failed)) -gt 0 ] || failure 'nothing could be built or run'
	if [ -s "$failures" ]; then
		say 'what failed'
		cat "$failures"
	fi
	printf '%d passed, %d failed' "$passed" "$failed"
	[ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
	printf '\n'
	[ "$failed" -eq 0 ]
}

parse_arguments "$@"
become_root
choose_server
if [ "$tree" ]; then
	exec bash "$here/tree.sh" "$major" "${arguments[@]}"
fi
check_here
