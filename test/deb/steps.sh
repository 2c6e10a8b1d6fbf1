# steps.sh
#	A step of the scripts here: what it says is shown only if it fails, and
#	then nothing comes after it.
#
# Sourced, never run.  $TMPDIR/steps gets a line for each step that was good.

step()
{
	local name=$1 begin=$SECONDS log=$TMPDIR/log status
	shift

	# Not as a condition, where set -e would mean nothing.
	(set -e; "$@") >"$log" 2>&1
	status=$?
	if [ "$status" -eq 0 ]; then
		printf 'ok %s (%d s)\n' "$name" $((SECONDS - begin))
		printf '%s\n' "$name" >>"$TMPDIR/steps"
		return
	fi
	printf 'not ok %s\n' "$name"
	show_tail 60 "$log"
	exit 1
}

install_packages()
{
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
		-o Dpkg::Use-Pty=0 "$@"
}
