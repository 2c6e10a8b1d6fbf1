/*
 * busy_clock.c
 *		Reads how long this process and a device have worked so far.
 *
 * The kernel counts all of it anyway, so measuring costs nothing but the reads
 * themselves.  Time in the queue for a processor counts as computing, because
 * the processor is the bottleneck then, not the device.
 */
#include "postgres.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "device/busy_clock.h"
#include "device/disk_work.h"

double
ssdpar_queued_seconds(void)
{
	char		text[64];
	unsigned long long queued;
	int			fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t		length;

	if (fd < 0)
		return 0.0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return 0.0;
	text[length] = '\0';
	return sscanf(text, "%*u %llu", &queued) == 1 ? queued * 1e-9 : 0.0;
}

static double
clock_seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

void
ssdpar_busy_look(Oid tablespace, SsdparBusyMoment *moment)
{
	int64		worked = ssdpar_disk_worked_ms(tablespace);

	moment->device = worked < 0 ? -1.0 : worked * 1e-3;
	moment->computed = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) +
		ssdpar_queued_seconds();
	moment->time = clock_seconds(CLOCK_MONOTONIC);
}

void
ssdpar_busy_between(SsdparBusy *busy, const SsdparBusyMoment *from,
					const SsdparBusyMoment *to)
{
	bool		known = from->device >= 0.0 && to->device >= from->device;

	ssdpar_busy_add(busy, to->time - from->time,
					to->computed - from->computed,
					known ? to->device - from->device : -1.0);
}
