#!/bin/bash
# rpm.sh
#	Tries rpm/ssdpar.spec on Debian, where no Fedora, Rocky or Red Hat is.
#
# Usage: test/rpm.sh [MAJOR]     as root; PostgreSQL MAJOR (15) of this Debian
#
# rpmbuild makes both packages of what make dist gives, of HEAD, against
# Debian's server, whose packages it does not know (--nodeps).  They are
# installed below an empty directory, with a package database of its own,
# tried and removed.  What needs a Red Hat is not tried: names of packages that
# are required, and the scripts for systemd.  The last line is "N passed, N
# failed"; exit code 0 only if all passed.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
top=$(dirname "$here")
. "$here/common.sh"

major=${1:-15} passed=0 failed=0
server=/usr/lib/postgresql/$major
config=$server/bin/pg_config

try()
{
	local name=$1
	shift

	# Not as a condition, where set -e would mean nothing.
	(set -e; "$@") >"$work/log" 2>&1
	if [ $? -eq 0 ]; then
		printf 'ok %s\n' "$name"
		passed=$((passed + 1))
	else
		printf 'not ok %s\n' "$name"
		show_tail 30 "$work/log"
		failed=$((failed + 1))
	fi
}

make_source()
{
	git -c safe.directory='*' clone -q "$top" "$work/clone"
	make -s -C "$work/clone" PG_CONFIG="$config" dist
	mkdir -p "$work/top/SOURCES"
	mv "$work"/clone/ssdpar-*.zip "$work/top/SOURCES/"
}

# The macros of systemd are those of systemd-rpm-macros, which Debian lacks.
build()
{
	rpmbuild -bb --nodeps --define "_topdir $work/top" \
		--define "pgmajorversion $major" --define "pginstdir $server" \
		--define '_unitdir /usr/lib/systemd/system' \
		--define 'systemd_requires %{nil}' \
		--define 'systemd_post() %{nil}' --define 'systemd_preun() %{nil}' \
		--define 'systemd_postun_with_restart() %{nil}' \
		"$top/rpm/ssdpar.spec"
}

packages()
{
	find "$work/top/RPMS" -name '*.rpm' ! -name '*debug*' | sort
}

both_are_there()
{
	packages | xargs -n 1 basename | sed 's/-1\.0.*//' | sort >"$work/names"
	printf '%s\n' ssdpar-tools "ssdpar_$major" | diff - "$work/names"
}

# For a repository that has the programs from another server's build.
programs_can_be_left_out()
{
	rpmspec -q --define "pgmajorversion $major" --define "pginstdir $server" \
		--without tools "$top/rpm/ssdpar.spec" >"$work/names"
	grep "^ssdpar_$major-" "$work/names"
	! grep tools "$work/names"
}

# All that the server needs, and the programs once.
all_files_are_there()
{
	local library share

	library=$("$config" --pkglibdir)/ssdpar.so
	share=$("$config" --sharedir)/extension/ssdpar
	# Debian's rpm does not compress manual pages
	packages | xargs rpm -qpl | grep -v '/\(doc\|licenses\)/\|build-id' |
		sed '/\/man\//s/\.gz$//' | sort >"$work/files"
	printf '%s\n' "$library" "$share.control" "$share--1.0.sql" \
		"$server/bin/ssdpard" /usr/bin/ssdpard /usr/bin/ssdpar-probe \
		/usr/lib/systemd/system/ssdpard.service \
		/usr/lib/systemd/system/ssdpard.socket \
		/usr/share/man/man1/ssdpar-probe.1 \
		/usr/share/man/man8/ssdpard.8 | sort | diff - "$work/files"
}

rpm_there()
{
	rpm --root "$work/root" "$@"
}

install_them()
{
	mkdir -p "$work/root"
	rpm_there --initdb
	packages | xargs rpm --root "$work/root" -i --nodeps --noscripts
	rpm_there -V --nodeps ssdpar-tools "ssdpar_$major"
}

# The server starts the daemon that lies beside it, by a relative link.
they_work()
{
	local root=$work/root module

	"$root/usr/bin/ssdpar-probe" --version
	"$root$server/bin/ssdpard" --version
	module=$root$("$config" --pkglibdir)/ssdpar.so
	nm -D --defined-only "$module" | grep -w _PG_init
	! ldd "$module" | grep 'not found'
}

remove_them()
{
	rpm_there -e --nodeps --noscripts ssdpar-tools "ssdpar_$major"
	! find "$work/root" -name '*ssdpar*' | grep .
}

[ -x "$config" ] || die "there is no $config. Install postgresql-server-dev-$major."
bash "$here/packages.sh" "$major" rpm unzip git || exit 2
work=$(mktemp -d "${TMPDIR:-/var/tmp}/ssdpar-rpm.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
try 'make dist' make_source
try 'rpmbuild' build
try 'a package for the server, and one of the programs' both_are_there
try 'without the programs, where another server has them' programs_can_be_left_out
try 'their files' all_files_are_there
try 'installed' install_them
try 'they work' they_work
try 'removed' remove_them
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
