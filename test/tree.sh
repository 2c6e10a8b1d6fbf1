#!/bin/bash
# tree.sh
#	Runs check.sh inside a tree of the Debian release that carries a given
#	PostgreSQL server.
#
# Usage: test/tree.sh MAJOR [arguments of check.sh]     as root
#        test/tree.sh MAJOR --prepare                   makes the tree, no more
#
# The tree is made and entered by debian_tree.sh, and kept in $SSDPAR_TREES
# (/var/cache/ssdpar).

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
. "$here/common.sh"
. "$here/debian_tree.sh"

# Which Debian release carries which server; none has 16, see server_16.sh.
suite_of()
{
	case $1 in
		15) echo bookworm ;;
		16) echo bookworm ;;
		17) echo trixie ;;
		18) echo forky ;;
		19) echo sid ;;
		*) die "no Debian release is known that carries PostgreSQL $1." ;;
	esac
}

# Neither debootstrap nor dpkg was interrupted in it.
is_sound()
{
	[ -x "$tree/usr/bin/apt-get" ] && [ ! -e "$tree/debootstrap" ] &&
		[ -z "$(chroot "$tree" dpkg --audit 2>&1)" ]
}

# What is not released yet is in experimental, and of that we want the server
# and what is made with it.
add_experimental()
{
	[ "$major" -eq 19 ] || return 0
	sed -n 's/ sid / experimental /p' "$tree/etc/apt/sources.list" \
		>"$tree/etc/apt/sources.list.d/experimental.list"
	printf 'Package: src:postgresql-%s\nPin: release a=%s\nPin-Priority: 990\n' \
		"$major" experimental >"$tree/etc/apt/preferences.d/ssdpar"
}

# The stamp tells the scripts that the tree was completed with; a tree without
# one is half-made, or made by hand, which is_sound tells apart.
prepare_tree()
{
	local stamp=$tree/.ssdpar-complete wanted

	if [ -e "$tree" ] && ! is_sound; then
		say "$tree is half-made: making it anew"
		remove_tree "$tree"
	fi
	[ -e "$tree" ] || bootstrap "$suite" "$tree"
	make_scratch
	copy_network_settings "$tree"
	add_experimental
	wanted="$(cat "$here"/{packages,older_server}.sh | cksum) $major"
	[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
	rm -f "$stamp"
	in_tree bash test/packages.sh "$major" || exit 2
	[ "$major" -ne 16 ] || bash "$here/server_16.sh" "$tree" || exit 2
	[ "$major" -le 16 ] ||
		in_tree bash test/older_server.sh 15 "$(suite_of 15)" || exit 2
	printf '%s\n' "$wanted" >"$stamp"
}

in_tree()
{
	local place=${scratch#"$tree"}

	enter "$tree" "$place/tree" "$place" "$@"
}

# A copy of the sources in the tree.
make_scratch()
{
	mkdir -p "$tree/var/tmp"
	scratch=$(mktemp -d "$tree/var/tmp/ssdpar.XXXXXX") || exit 2
	chmod 755 "$scratch"
	mkdir "$scratch/tree"
	copy_sources "$scratch/tree"
}

cleanup()
{
	trap '' INT TERM HUP
	end_isolated
	[ -z "$scratch" ] || rm -rf --one-file-system "$scratch"
	rm -f "$tree.log"
}

main()
{
	major=$1 scratch=
	shift

	require_name_spaces
	trees=${SSDPAR_TREES:-/var/cache/ssdpar}
	tree=$trees/server-$major
	suite=$(suite_of "$major") || exit 2
	mkdir -p "$trees" || exit 2
	exec 9<"$trees" || exit 2
	flock -n 9 || { say 'another check uses the trees; waiting'; flock 9; }
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	prepare_tree
	[ "${1-}" != --prepare ] || return 0
	in_tree ${SSDPAR_LONG:+env SSDPAR_LONG=1} bash test/check.sh "$@"
}

[ $# -ge 1 ] || die 'usage: test/tree.sh MAJOR [arguments of check.sh]'
main "$@"
