#!/bin/bash
# use.sh
#	Installs the packages in a bare tree, uses them, and removes them: nothing
#	of them may be left.
#
# Usage: bash test/deb/use.sh     in a tree, see deb.sh
#
# The packages lie in the folder above the sources.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/../common.sh"
. "$here/steps.sh"

packages=$(cd ../ && ls "$PWD"/*.deb | grep -v -- -dbgsym)
major=$(sed -n 's/.*postgresql-\([0-9]*\)-ssdpar.*/\1/p' <<<"$packages")
configuration=/etc/postgresql/$major/main/conf.d/ssdpar.conf

# Somebody who has no server gets one.
brings_a_server()
{
	# shellcheck disable=SC2086
	apt-get -s --no-install-recommends install $packages |
		grep "^Inst postgresql-$major "
}

install_server()
{
	install_packages install "postgresql-$major"
	pg_ctlcluster "$major" main start
}

# All files, those of /etc with what they hold, and all packages.  Left out
# are caches, logs, and the database cluster, which other_traces looks at.
list_all()
{
	find / -xdev \( -path "$TMPDIR" -o -path /var/cache -o -path /var/log \
		-o -path /var/lib/apt -o -path /var/lib/dpkg \
		-o -path /var/lib/postgresql -o -path /run/postgresql \) -prune \
		-o -printf '%p %y %m %u %l\n' | sort
	find /etc -xdev -type f ! -name ld.so.cache -exec sha256sum {} + | sort
	dpkg-query -W -f '${db:Status-Abbrev}${Package}\n'
}

# shellcheck disable=SC2086
install_them()
{
	install_packages install $packages
	echo "shared_preload_libraries = 'ssdpar'" >"$configuration"
	pg_ctlcluster "$major" main restart
}

use_them()
{
	runuser -u postgres -- psql -X -v ON_ERROR_STOP=1 \
		-f debian/tests/first-query.sql postgres
}

programs_run()
{
	ssdpard --version
	ssdpar-probe --version
	sh debian/tests/programs
}

manuals_are_there()
{
	zcat /usr/share/man/man8/ssdpard.8.gz | grep '^\.TH SSDPARD 8'
	zcat /usr/share/man/man1/ssdpar-probe.1.gz | grep '^\.TH SSDPAR-PROBE 1'
}

# The server has the old library open, and has it started the old daemon.
# shellcheck disable=SC2086
upgrade_them()
{
	install_packages install --reinstall $packages
	use_them
	pg_ctlcluster "$major" main restart
	use_them
}

# The configuration first: a server that cannot find the library does not
# start.
remove_them()
{
	rm "$configuration"
	pg_ctlcluster "$major" main restart
	install_packages purge "postgresql-$major-ssdpar" ssdpar-tools
	install_packages autoremove --purge
	pg_ctlcluster "$major" main restart
}

# In the cluster, in memory, among the processes.
other_traces()
{
	find /var/lib/postgresql /run /dev/shm /tmp -iname '*ssdpar*'
	grep -l '^ssdpar' /proc/[0-9]*/comm || true
	grep -l ssdpar "/var/lib/postgresql/$major/main"/*.conf || true
}

nothing_is_left()
{
	list_all >"$TMPDIR/after"
	diff "$TMPDIR/before" "$TMPDIR/after"
	! other_traces | grep .
}

[ "$major" ] || die 'there are no packages beside the sources.'
step 'the release can be reached' apt-get -q update
step 'the packages alone bring a server' brings_a_server
step "PostgreSQL $major, without them" install_server
list_all >"$TMPDIR/before"
step 'apt-get install, one line of configuration, restart' install_them
step 'CREATE EXTENSION, calibrate, query' use_them
step 'the programs' programs_run
step 'the manual pages' manuals_are_there
step 'installed anew while the server runs' upgrade_them
step 'removed' remove_them
step 'nothing is left' nothing_is_left
pg_ctlcluster "$major" main stop
