#!/bin/bash
# build.sh
#	Builds the packages for the release of this tree, and tests them by what
#	Debian has for that: lintian, and autopkgtest with debian/tests.
#
# Usage: bash test/deb/build.sh     in a tree, see deb.sh
#
# The tree and the copy of the sources are for this alone; what is built lies
# beside that copy.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/../common.sh"
. "$here/steps.sh"
export DEB_BUILD_OPTIONS=parallel=$(nproc)

# The release says which servers it has.
update_control()
{
	pg_buildext updatecontrol
	grep -q '^Package: postgresql-[0-9]*-ssdpar$' debian/control
}

original_tar()
{
	local version

	version=$(dpkg-parsechangelog -S Version)
	version=${version%-*}
	tar --exclude=./debian --transform "s,^\.,ssdpar-$version," \
		-czf "../ssdpar_$version.orig.tar.gz" .
}

# The packages are not meant for Debian's archive, where the first version
# would close the request for it.
check_by_lintian()
{
	lintian --allow-root --info --fail-on error,warning \
		--suppress-tags initial-upload-closes-no-bugs ../ssdpar_*.changes
}

# Here, not in a machine of their own: the tree is for nothing else.
run_own_tests()
{
	autopkgtest ../*.deb ../ssdpar_*.dsc -- null
}

step 'the release can be reached' apt-get -q update
step 'packagers'\'' tools' install_packages install dpkg-dev debhelper lintian \
	autopkgtest postgresql-server-dev-all
step 'debian/control' update_control
step 'the original tar file' original_tar
step 'what debian/control asks for' install_packages build-dep ./
step 'dpkg-buildpackage' dpkg-buildpackage -us -uc
step 'lintian' check_by_lintian
step 'autopkgtest' run_own_tests
