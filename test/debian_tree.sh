# debian_tree.sh
#	Makes a tree of a Debian release and runs programs in it.
#
# Sourced by the scripts that use one; they give $here, this folder.
# A tree is made by debootstrap from this machine's own mirror, with its
# keyring.  Everything runs in name spaces of its own for mounts, processes and
# IPC: when the run ends, in whatever way, the kernel ends all its processes
# and takes all its mounts away, and nobody else ever sees them.  $child is
# what runs in one now, for the trap of the script.

child=

require_name_spaces()
{
	[ "$EUID" -eq 0 ] ||
		die 'a tree of another Debian release needs root. Run this as root' \
			'or by sudo.'
	unshare --mount --pid --fork true 2>/dev/null ||
		die 'this machine does not let root make name spaces (a container' \
			'without CAP_SYS_ADMIN?), so no tree of another Debian release' \
			'can be used here. Run it on a machine, or in a privileged' \
			'container.'
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

# remove_tree TREE
remove_tree()
{
	grep -q " $1/" /proc/self/mountinfo &&
		die "something is mounted in $1, so it is not removed. Unmount it" \
			'(findmnt lists it), then run again.'
	rm -rf --one-file-system "$1"
}

# In name spaces of their own, see above.  Descriptor 9 may hold our lock.
isolated()
{
	unshare --mount --propagation private --pid --fork --kill-child --ipc \
		"$@" </dev/null 9>&- &
	child=$!
	wait "$child"
}

# Ending unshare ends its child, and that one's end ends everything inside.
end_isolated()
{
	{
		[ -z "$child" ] || kill -KILL "$child"
		wait
	} 2>/dev/null
}

# copy_network_settings TREE: apt in it reaches the network as apt here does.
copy_network_settings()
{
	local tree=$1

	cp -L /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null
	apt-config dump |
		grep -E '^Acquire::(https?|ftp|Check-|Retries|ForceIPv)' \
			>"$tree/etc/apt/apt.conf.d/99ssdpar-host"
	# No service starts in a tree.
	printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
	chmod 755 "$tree/usr/sbin/policy-rc.d"
}

# This machine's own server, whose package list debootstrap is added to.
default_major()
{
	apt-cache policy postgresql | sed -n 's/^ *Candidate: *\([0-9]*\).*/\1/p'
}

# bootstrap SUITE TREE
bootstrap()
{
	local suite=$1 tree=$2 script= proxy= log=$2.log

	command -v debootstrap >/dev/null ||
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
	remove_tree "$tree"
	die "debootstrap could not make a tree of Debian $suite (its words are" \
		'above). Repair the network or free some 2 GB, then run again.'
}

# The mounts that programs expect.
mount_and_run='
	set -e
	tree=$1 dir=$2 scratch=$3
	shift 3
	mount -t proc proc "$tree/proc"
	mount --rbind /sys "$tree/sys"
	mount --rbind /dev "$tree/dev"
	mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
	mount -t tmpfs -o mode=1777 tmpfs "$tree/tmp"
	exec chroot "$tree" /usr/bin/env -C "$dir" -i TMPDIR="$scratch" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		LANG=C.UTF-8 "$@"'

# enter TREE DIR SCRATCH COMMAND...: the paths as they are in the tree; DIR is
# where the command runs, SCRATCH its TMPDIR.
enter()
{
	isolated bash -c "$mount_and_run" tree "$@"
}

# copy_sources TO
copy_sources()
{
	tar -C "$(dirname "$here")" --exclude=./.git --exclude=./bench/results \
		-cf - . | tar -C "$1" --no-same-owner -xf - ||
		die "the sources could not be copied to $1. Is the disk full?"
}
