#!/bin/bash
# tree.sh
#	Runs check.sh inside a tree of the Debian release that carries a given
#	PostgreSQL server.
#
# Usage: test/tree.sh MAJOR [arguments of check.sh]     as root
#
# The tree is made by debootstrap from this machine's own mirror, with its
# keyring, and kept in $SSDPAR_TREES (/var/cache/ssdpar).  Everything runs in
# name spaces of its own for mounts, processes and IPC: when the run ends, in
# whatever way, the kernel ends all its processes and takes all its mounts
# away, and nobody else ever sees them.

set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2
top=$(dirname "$here")
. "$here/common.sh"

# Which Debian release carries which server.
suite_of()
{
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo forky ;;
		*) die "no Debian release is known that carries PostgreSQL $1." ;;
	esac
}

# Sets $mirror and $keyring from what apt itself uses on this machine.
find_mirror()
{
	local format='$(ORIGIN)|$(COMPONENT)|$(CODENAME)|$(REPO_URI)'
	local entry file

	entry=$(apt-get indextargets --format "$format|\$(SOURCESENTRY)" \
		'Created-By: Packages' |
		grep -E '^Debian\|main\|[a-z]+\|' | head -n 1)
	[ "$entry" ] ||
		die 'none of the apt sources here is a Debian mirror, so there is' \
			'nowhere to take another release from. Add one (type deb,' \
			'component main), run apt-get update, then run again.'
	mirror=$(cut -d'|' -f4 <<<"$entry")
	file=$(cut -d'|' -f5 <<<"$entry" | sed 's/:[0-9]*$//')
	keyring=$(sed -n 's/.*[Ss]igned-[Bb]y[:=] *\(\/[^] ]*\).*/\1/p' "$file" |
		head -n 1)
	[ -r "$keyring" ] ||
		keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -r "$keyring" ] ||
		die "there is no $keyring to check the mirror's signature with." \
			'Install debian-archive-keyring.'
}

remove_tree()
{
	grep -q " $tree/" /proc/self/mountinfo &&
		die "something is mounted in $tree, so it is not removed. Unmount it" \
			'(findmnt lists it), then run again.'
	rm -rf --one-file-system "$tree"
}

# In name spaces of their own, see above.  $child is for the trap.
isolated()
{
	unshare --mount --propagation private --pid --fork --kill-child --ipc \
		"$@" </dev/null 9>&- &
	child=$!
	wait "$child"
}

# apt in the tree reaches the network in the way that apt here does.
copy_network_settings()
{
	cp -L /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null
	apt-config dump |
		grep -E '^Acquire::(https?|ftp|Check-|Retries|ForceIPv)' \
			>"$tree/etc/apt/apt.conf.d/99ssdpar-host"
	# No service starts in a tree.
	printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
	chmod 755 "$tree/usr/sbin/policy-rc.d"
}

bootstrap()
{
	local suite=$1 script= proxy= log=$tree.log

	bash "$here/packages.sh" "$(default_major)" debootstrap || exit 2
	find_mirror
	say "making a tree of Debian $suite in $tree"
	# A release newer than debootstrap is made like the newest.
	[ -e "/usr/share/debootstrap/scripts/$suite" ] || script=sid
	eval "$(apt-config shell proxy Acquire::http::Proxy)"
	[ -z "$proxy" ] || export http_proxy="$proxy"
	isolated debootstrap --variant=minbase --keyring="$keyring" \
		--include=ca-certificates "$suite" "$tree" "$mirror" $script \
		>"$log" 2>&1 && return
	show_tail 15 "$log"
	remove_tree
	die "debootstrap could not make a tree of Debian $suite (its words are" \
		'above). Repair the network or free some 2 GB, then run again.'
}

# This machine's own server, whose package list debootstrap is added to.
default_major()
{
	apt-cache policy postgresql | sed -n 's/^ *Candidate: *\([0-9]*\).*/\1/p'
}

# Neither debootstrap nor dpkg was interrupted in it.
is_sound()
{
	[ -x "$tree/usr/bin/apt-get" ] && [ ! -e "$tree/debootstrap" ] &&
		[ -z "$(chroot "$tree" dpkg --audit 2>&1)" ]
}

# The stamp names the package list that the tree was completed with; a tree
# without one is half-made, or made by hand, which is_sound tells apart.
prepare_tree()
{
	local stamp=$tree/.ssdpar-complete wanted

	if [ -e "$tree" ] && ! is_sound; then
		say "$tree is half-made: making it anew"
		remove_tree
	fi
	[ -e "$tree" ] || bootstrap "$suite"
	make_scratch
	copy_network_settings
	wanted="$(cksum <"$here/packages.sh") $major"
	[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
	rm -f "$stamp"
	enter bash test/packages.sh "$major" || exit 2
	printf '%s\n' "$wanted" >"$stamp"
}

# A copy of the sources in the tree, and the mounts that programs expect.
inside='
	set -e
	tree=$1 dir=$2
	shift 2
	mount -t proc proc "$tree/proc"
	mount --rbind /sys "$tree/sys"
	mount --rbind /dev "$tree/dev"
	mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
	mount -t tmpfs -o mode=1777 tmpfs "$tree/tmp"
	exec chroot "$tree" /usr/bin/env -C "$dir/tree" -i TMPDIR="$dir" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		LANG=C.UTF-8 "$@"'

enter()
{
	isolated bash -c "$inside" tree "$tree" "${scratch#"$tree"}" "$@"
}

make_scratch()
{
	mkdir -p "$tree/var/tmp"
	scratch=$(mktemp -d "$tree/var/tmp/ssdpar.XXXXXX") || exit 2
	chmod 755 "$scratch"
	mkdir "$scratch/tree"
	tar -C "$top" --exclude=./.git --exclude=./bench/results -cf - . |
		tar -C "$scratch/tree" --no-same-owner -xf - ||
		die "the sources could not be copied to $scratch. Is the disk full?"
}

# Ending unshare ends its child, and that one's end ends everything inside.
cleanup()
{
	trap '' INT TERM HUP
	{
		[ -z "$child" ] || kill -KILL "$child"
		wait
	} 2>/dev/null
	[ -z "$scratch" ] || rm -rf --one-file-system "$scratch"
	rm -f "$tree.log"
}

main()
{
	major=$1 child= scratch=
	shift

	[ "$EUID" -eq 0 ] ||
		die 'a tree of another Debian release needs root. Run this as root' \
			'or by sudo.'
	unshare --mount --pid --fork true 2>/dev/null ||
		die 'this machine does not let root make name spaces (a container' \
			'without CAP_SYS_ADMIN?), so no tree of another Debian release' \
			'can be used here. Run it on a machine, or in a privileged' \
			'container.'
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
	enter ${SSDPAR_LONG:+env SSDPAR_LONG=1} bash test/check.sh "$@"
}

[ $# -ge 1 ] || die 'usage: test/tree.sh MAJOR [arguments of check.sh]'
main "$@"
