/*
 * hup_at_start.c
 *		The daemon gets SIGHUP before its first instruction: for LD_PRELOAD.
 *
 * As of a reload that comes right after its start.  To the process, as kill(2)
 * of another one does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void
get_signal(void)
{
	if (strcmp(program_invocation_short_name, "ssdpard") == 0)
		kill(getpid(), SIGHUP);
}
