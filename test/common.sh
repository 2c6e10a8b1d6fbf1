# common.sh
#	Words, failure and the check of a version, shared by the scripts here.
#
# Sourced, never run.  What a script does belongs in that script.

say()
{
	printf '== %s\n' "$*"
}

# One clear message, and out: 2 says that nothing was tested.
die()
{
	printf 'ssdpar: %s\n' "$*" >&2
	exit 2
}

# The end of a log, for a message that would be useless without it.
show_tail()
{
	local lines=$1 file=$2

	[ -s "$file" ] || return 0
	printf -- '---- last lines of %s\n' "${file##*/}" >&2
	tail -n "$lines" "$file" >&2
	printf -- '----\n' >&2
}

# What harness.pl says has failed, at the end of its log, or the end of a log
# that does not say.
failures_in()
{
	sed -n '1,/^failures:$/d;p' "$1" | grep . || tail -n 60 "$1"
}

# Runs a command in the background and waits for it, so that a signal to the
# script is acted upon at once and not when the command ends.
run_waiting()
{
	"$@" </dev/null &
	wait $!
}
