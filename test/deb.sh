#!/bin/bash
# deb.sh
#	Builds the Debian packages, and uses them in a bare tree of a Debian
#	release as somebody would who has just installed it; ./run packages calls
#	this.
#
# Usage: test/deb.sh [--release NAME]... [--keep DIR]     as root
#
#   --release NAME  bookworm, trixie or forky (default: bookworm and trixie)
#   --keep DIR      leave the packages there
#
# Two trees are made by debootstrap: one where they are built, checked by
# lintian and tested by their own tests (autopkgtest), and one with nothing in
# it, where they are installed, used and removed again.  Both are gone in the
# end, however that comes.  The last line is "N passed, N failed"; exit code 0
# only if all passed.  About ten minutes and 4 GB a release.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
top=$(dirname "$here")
. "$here/common.sh"
. "$here/debian_tree.sh"

arguments=("$@")
releases=() keep= work= passed=0 failed=0

usage()
{
	sed -n '/^# Usage:/,/^# Two/{/^# Two/d;s/^# \{0,1\}//;p}' "$here/deb.sh"
}

parse_arguments()
{
	while [ $# -gt 0 ]; do
		case $1 in
			--release=*) releases+=("${1#*=}") ;;
			--release) shift; releases+=("${1-}") ;;
			--keep=*) keep=${1#*=} ;;
			--keep) shift; keep=${1-} ;;
			--help | -h) usage; exit 0 ;;
			*) die "packages does not know \"$1\". See ./run packages --help" ;;
		esac
		[ "${1-}" ] || die 'a value is missing. See ./run packages --help'
		shift
	done
	[ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)
	local release
	for release in "${releases[@]}"; do
		case $release in
			bookworm | trixie | forky) ;;
			*) die "packages are for bookworm, trixie and forky, not" \
				"\"$release\"." ;;
		esac
	done
	[ -z "$keep" ] || { mkdir -p "$keep" && keep=$(cd "$keep" && pwd); } ||
		exit 2
}

# Making a tree needs root.
become_root()
{
	[ "$EUID" -ne 0 ] || return 0
	command -v sudo >/dev/null && sudo -n true 2>/dev/null ||
		die 'packages makes trees of Debian releases, so it needs root, and' \
			"$(id -un) may not use sudo. Run it as root."
	exec sudo -- bash "$here/deb.sh" "${arguments[@]}"
}

cleanup()
{
	trap '' INT TERM HUP
	end_isolated
	[ -z "$work" ] || rm -rf --one-file-system "$work"
}

# What git knows, and what it does not yet, but nothing that was built.
pack_sources()
{
	git -C "$top" -c safe.directory='*' ls-files -z --cached --others \
		--exclude-standard |
		tar -C "$top" --null -T - -czf "$work/sources.tar.gz" ||
		die 'the sources could not be packed: this has to be a clone of the' \
			'repository, with git installed.'
}

# Where the sources, the packages and scratch files are, in each tree.
place=/var/tmp/ssdpar

prepare_place()
{
	local tree=$1

	mkdir -p "$tree$place/source" || exit 2
	tar -C "$tree$place/source" --no-same-owner -xzf "$work/sources.tar.gz" &&
		copy_network_settings "$tree"
}

# in_tree TREE SCRIPT: a script of deb/, which leaves a line for each step.
in_tree()
{
	local tree=$1 script=$2 count=0

	enter "$tree" "$place/source" "$place" bash "test/deb/$script" ||
		failed=$((failed + 1))
	[ ! -e "$tree$place/steps" ] || count=$(wc -l <"$tree$place/steps")
	passed=$((passed + count))
}

check_release()
{
	local release=$1 bare=$work/$1-bare build=$work/$1-build begin=$SECONDS

	bootstrap "$release" "$bare"
	cp -a --reflink=auto "$bare" "$build" || die 'is the disk full?'
	prepare_place "$build"
	prepare_place "$bare"
	say "$release: the packages are built"
	in_tree "$build" build.sh
	mv "$build$place"/*.deb "$bare$place/" 2>/dev/null ||
		{ say "$release: FAILED: there are no packages"; return; }
	[ -z "$keep" ] || cp "$bare$place"/*.deb "$keep/"
	remove_tree "$build"
	say "$release: they are used in a bare tree"
	in_tree "$bare" use.sh
	remove_tree "$bare"
	say "$release: $((SECONDS - begin)) s"
}

main()
{
	local release

	parse_arguments "$@"
	become_root
	require_name_spaces
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	work=$(mktemp -d "${TMPDIR:-/var/tmp}/ssdpar-packages.XXXXXX") || exit 2
	pack_sources
	for release in "${releases[@]}"; do
		check_release "$release"
	done
	printf '%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" -eq 0 ]
}

main "$@"
