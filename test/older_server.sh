#!/bin/bash
# older_server.sh
#	Puts a server of an older Debian release into /opt, for tests of pg_upgrade,
#	which needs the programs of both servers in one place.
#
# Usage: test/older_server.sh MAJOR SUITE     as root, in a tree of tree.sh
#
# The packages are unpacked into /opt/postgresql-MAJOR and not installed: the
# programs find their files from where they themselves lie.  Shared libraries
# that this release has in a later version only go to /usr/local/lib.  apt's own
# lists and sources stay as they are.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/common.sh"

# What the server needs of libraries that later releases do not carry.
libraries_of()
{
	case $1 in
		15) echo libicu72 libldap-2.5-0 libxml2 ;;
		17) echo libicu76 libxml2 ;;
		*) die "it is not known what PostgreSQL $1 needs of its release." ;;
	esac
}

# The mirror of this tree, for the other suite; lists of its own, and nothing
# known of what is installed, which may be newer.
apt_of_suite()
{
	apt-get -o Dir::Etc::SourceList="$work/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists" \
		-o Dir::State::Status=/dev/null -o Dir::Cache="$work/cache" \
		-o APT::Sandbox::User=root "$@" >>"$work/log" 2>&1
}

download()
{
	mkdir -p "$work/lists/partial" "$work/cache/archives/partial" || exit 2
	awk -v suite="$suite" '$1 == "deb" { $3 = suite; print; exit }' \
		/etc/apt/sources.list >"$work/sources.list"
	# shellcheck disable=SC2046
	apt_of_suite update && (cd "$work" && apt_of_suite download \
		"postgresql-$major" "postgresql-client-$major" \
		"postgresql-server-dev-$major" $(libraries_of "$major")) && return
	show_tail 15 "$work/log"
	die "PostgreSQL $major of Debian $suite, which pg_upgrade is tested with," \
		'could not be had. Repair the network, then run again.'
}

# Without the compiler of expressions, whose library is larger than the server.
unpack()
{
	local package

	rm -rf "$place"
	for package in "$work"/*.deb; do
		dpkg-deb -x "$package" "$place" ||
			die "$package could not be unpacked. Is the disk full?"
	done
	rm -rf "$place"/usr/share/doc "$place"/usr/share/locale \
		"$place/usr/lib/postgresql/$major/lib"/{bitcode,llvmjit*}
}

# Libraries that this release lacks, and what they themselves need, in turn.
add_libraries()
{
	local missing name

	while missing=$(not_found) && [ "$missing" ]; do
		for name in $missing; do
			cp "$place"/usr/lib/*-linux-gnu/"$name" /usr/local/lib/ ||
				die "PostgreSQL $major needs $name. Add its package to" \
					"libraries_of in $0."
		done
		ldconfig
	done
}

not_found()
{
	ldd "$place/usr/lib/postgresql/$major"/{bin/*,lib/*.so} 2>/dev/null |
		sed -n 's/^\t\(.*\) => not found/\1/p' | sort -u
}

main()
{
	major=$1 suite=$2 place=/opt/postgresql-$1

	work=$(mktemp -d) || exit 2
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	download
	unpack
	add_libraries
}

[ $# -eq 2 ] || die 'usage: test/older_server.sh MAJOR SUITE'
main "$@"
