/*
 * writes.c
 *		Looks whether somebody waits for writes to a device.
 *
 * Whoever writes and waits for it, a transaction's commit, stands behind all
 * that is read meanwhile.  The kernel counts writes and their times for each
 * device and partition.
 */
#include "writes.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LOOK_US 50000
/* After that the counts speak of a time when nothing was read. */
#define TOO_LONG_US 500000
/* They go on for so long after they were seen. */
#define LASTS_US 500000

static bool
look(uint64_t number, SsdpardWrites *writes)
{
	char path[64];
	char text[512];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/stat", major(number),
			 minor(number));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	return ssdpard_writes_parse(text, writes);
}

bool
ssdpard_writes_watch(SsdpardWritesWatch *watch, uint64_t number, uint64_t now)
{
	uint64_t apart = now - watch->looked;
	SsdpardWrites writes;

	if (watch->looked == 0 || apart >= LOOK_US)
	{
		if (!look(number, &writes))
			return false;
		if (watch->looked > 0 && apart <= TOO_LONG_US &&
			ssdpard_writes_are_slow(&watch->seen, &writes, apart))
			watch->slow = now;
		watch->seen = writes;
		watch->looked = now;
	}
	return watch->slow > 0 && now - watch->slow < LASTS_US;
}
