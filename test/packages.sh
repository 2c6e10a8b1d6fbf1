#!/bin/bash
# packages.sh
#	Installs the Debian packages that building and testing ssdpar needs.
#
# Usage: test/packages.sh MAJOR [EXTRA PACKAGE...]     as root
#
# The list of the tests' packages, a reason each; the demo installs less, from
# a list of its own (bench/lib/packages.py).  It installs what is missing and
# upgrades nothing, since an upgrade would restart a server that somebody
# uses.  Installing a server makes no cluster and starts nothing.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/common.sh"

# NN is the server's major version.  No release carries 16: what belongs to
# its server comes by server_16.sh, and what that leaves out is 15's.
package_list()
{
	sed -e 's/ .*//' -e "s/NN/${1/#16/15}/" <<-'END'
		postgresql-NN             the server that is tested
		postgresql-client-NN      psql, pg_regress, PostgreSQL::Test
		postgresql-server-dev-NN  the server's headers and PGXS
		gcc                       compiler, AddressSanitizer and UBSan
		libc6-dev                 the C library's headers
		make                      the build
		liburing-dev              the measuring engine and the daemon
		libpq-dev                 headers of programs that talk to a server
		libcmocka-dev             unit tests
		libfuse3-dev              the emulated SSD of the benchmarks
		fuse3                     mounting it without root
		libipc-run-perl           PostgreSQL::Test needs it
		perl                      TAP::Harness, which counts the tests
		pg-bsd-indent             the layout of the sources, make format
		python3                   benchmark programs and their tests
		vmtouch                   page cache state before and after a test
		e2fsprogs                 file systems that are small, or full
		bzip2                     to unpack the server's regression suite
		fio                       microbenchmarks of the reproduction
		valgrind                  instructions of core's plans are counted
	END
}

# Not in every release.  A test that needs one of them is skipped where it
# cannot be had; the sources are the same, so one release is enough for it.
optional=' pg-bsd-indent '

can_be_had()
{
	[ "$(apt-cache policy "$1" 2>/dev/null |
		sed -n 's/^ *Candidate: *\([0-9].*\)/\1/p')" ]
}

missing_packages()
{
	local name

	for name in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" \
			2>/dev/null)" = installed ] || printf '%s ' "$name"
	done
}

conf_dir=/etc/postgresql-common/createcluster.d
conf=$conf_dir/ssdpar-check.conf

allow_clusters()
{
	rm -f "$conf"
	rmdir "$conf_dir" "${conf_dir%/*}" 2>/dev/null
	return 0
}

# Debian's server package makes a cluster on port 5432 and starts it, unless
# told otherwise here.
forbid_clusters()
{
	local main=${conf_dir%/*}/createcluster.conf

	if [ -e "$main" ] && ! grep -q "^include_dir.*$conf_dir" "$main"; then
		die "$main does not include $conf_dir, so installing the server" \
			"would start a cluster. Install by hand: $missing"
	fi
	mkdir -p "$conf_dir" || exit 2
	printf 'create_main_cluster = false\n' >"$conf"
}

main()
{
	local major=$1 missing wanted name
	shift

	command -v apt-get >/dev/null ||
		die 'needs apt-get (Debian or a derivative of it) to install' \
			'packages with, and there is none here.'
	# shellcheck disable=SC2046
	missing=$(missing_packages $(package_list "$major") "$@")
	[ -n "$missing" ] || return 0

	say "installing: $missing"
	log=$(mktemp) || exit 2
	trap 'allow_clusters; rm -f "$log"' EXIT
	trap 'exit 130' INT TERM
	forbid_clusters

	export DEBIAN_FRONTEND=noninteractive
	# A third party's unreachable archive must not matter: installing says
	# whether what was needed is there.
	apt-get update >"$log" 2>&1
	wanted=
	for name in $missing; do
		case $optional in
			*" $name "*) can_be_had "$name" || continue ;;
		esac
		wanted="$wanted$name "
	done
	[ -n "$wanted" ] || return 0
	# shellcheck disable=SC2086
	if ! apt-get -o DPkg::Lock::Timeout=300 install -y \
		--no-install-recommends $wanted >>"$log" 2>&1; then
		show_tail 15 "$log"
		die "apt-get could not install $wanted(its words are above)." \
			"Repair apt's sources or the network, then run again."
	fi
}

[ $# -ge 1 ] || die 'usage: test/packages.sh MAJOR [EXTRA PACKAGE...]'
main "$@"
