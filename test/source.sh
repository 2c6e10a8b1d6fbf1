#!/bin/bash
# source.sh
#	Brings the server's own regression suite here, from the Debian source
#	package of the installed server, and builds its C library regress.so.
#
# Usage: test/source.sh MAJOR      as root; prints the directory, which holds
#                                  sql/ expected/ data/ regress.so version
#
# Kept in /var/cache/ssdpar (or $SSDPAR_SOURCES) and never in this tree.  An
# archive may have dropped the sources of exactly the installed minor release;
# then another one of the same major is taken and "version" says which: what
# is compared are runs of one suite, not a run with its expected files.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/common.sh"

# The machine's own sources with "deb" turned into "deb-src", in either of
# apt's two formats; keys and options come along.
source_lists()
{
	local to=$1 file

	apt-get indextargets --format '$(SOURCESENTRY)' 'Created-By: Packages' |
		sed 's/:[0-9]*$//' | sort -u |
		while read -r file; do
			case $file in
				*.sources) sed 's/^Types:.*/Types: deb-src/I' "$file" ;;
				*) sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" ;;
			esac >"$to/${file##*/}"
		done
}

# apt with those lists and with state of its own.
apt_source()
{
	local program=$1
	shift

	"$program" -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$work/sources" \
		-o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" \
		-o APT::Sandbox::User=root "$@" 2>>"$work/log"
}

# Downloads into the working directory; sets $version to what could be had.
download()
{
	local wanted=$1 package=$2

	apt_source apt-get update >>"$work/log"
	for version in "$wanted" $(apt_source apt-cache showsrc "$package" |
		sed -n 's/^Version: //p' | sort -V -r | grep -vxF "$wanted"); do
		apt_source apt-get -q source --download-only \
			"$package=$version" >>"$work/log" && return
		rm -f "$package"_*
	done
	show_tail 15 "$work/log"
	die "no source package of $package $wanted, nor of another minor" \
		'release, can be had (apt is quoted above). It holds the server'"'s" \
		'regression suite. Repair the network or the apt sources, or leave' \
		'that test out: ./run check --no-source'
}

# Only src/test/regress is wanted of it.
unpack()
{
	local suite=$1

	mkdir "$suite" || exit 2
	tar -xf "$work"/*.orig.tar.* -C "$suite" --strip-components=4 \
		--wildcards '*/src/test/regress/*' 2>>"$work/log" &&
		[ -d "$suite/sql" ] || {
		show_tail 15 "$work/log"
		die 'the server'"'s"' source package could not be unpacked, or has' \
			'no src/test/regress (tar is quoted above). Is the disk full?'
	}
}

build_library()
{
	local suite=$1 config=/usr/lib/postgresql/$2/bin/pg_config

	gcc -shared -fPIC -O1 -w -I "$suite" \
		-I "$("$config" --includedir-server)" \
		-o "$suite/regress.so" "$suite/regress.c" 2>>"$work/log" || {
		show_tail 15 "$work/log"
		die "regress.c of version $version does not compile against the" \
			"installed server's headers (gcc is quoted above)."
	}
}

main()
{
	local major=$1 cache=${SSDPAR_SOURCES:-/var/cache/ssdpar} installed

	installed=$(dpkg-query -W -f '${source:Version}' "postgresql-$major" \
		2>/dev/null) || die "postgresql-$major is not installed."
	target=$cache/regress-$installed
	if [ ! -e "$target/version" ]; then
		mkdir -p "$cache" || exit 2
		work=$(mktemp -d "$cache/fetch.XXXXXX") || exit 2
		trap 'rm -rf "$work"' EXIT
		trap 'exit 130' INT TERM
		mkdir -p "$work/sources" "$work/lists/partial" "$work/cache"
		source_lists "$work/sources"
		cd "$work" || exit 2
		download "$installed" "postgresql-$major"
		unpack "$work/suite"
		build_library "$work/suite" "$major"
		printf '%s\n' "$version" >"$work/suite/version"
		chmod -R a+rX "$work/suite"
		rm -rf "$target"
		mv "$work/suite" "$target" || exit 2
	fi
	version=$(cat "$target/version")
	[ "$version" = "$installed" ] ||
		say "the server's suite is that of $version, since the sources of" \
			"$installed could not be had" >&2
	printf '%s\n' "$target"
}

[ $# -eq 1 ] || die 'usage: test/source.sh MAJOR'
main "$1"
