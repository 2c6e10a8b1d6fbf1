/*
 * hup_at_start.c
 *		Sends SIGHUP to the daemon before its first instruction, through
 *		LD_PRELOAD, like a reload immediately after its start.
 *
 * The signal goes to the process, as if another one had called kill(2).
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
