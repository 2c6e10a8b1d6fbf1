/*
 * page_stages.c
 *		One measurement for bench/page-stages: the CPU time of a page of 8 kB
 *		at each stage on its way from a file to a query.
 *
 * Usage: stages FILE STAGE
 *
 *	call		a system call that reads nothing
 *	small		cached pages, one per call, into 256 kB of buffers
 *	large		the same, 32 pages per call
 *	copy		32 pages at a time from memory to memory, without the kernel
 *	mapped		cached pages, mapped, one byte read
 *	fill		uncached pages: requested 256 kB at a time, then read as
 *				large
 *	checksum	the server's checksum of a page
 *
 * Prints nanoseconds of CPU time per page.  For fill, this includes the
 * kernel's time in this process, but not the time of interrupts.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "postgres.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/bufpage.h"
#include "storage/checksum.h"
#include "storage/checksum_impl.h"

/* not the server's, because this program does not belong to it */
#undef printf
#undef fprintf

#define RUN 32					/* pages: 256 kB */

static char buffers[RUN * BLCKSZ] __attribute__((aligned(4096)));
static volatile unsigned sink;

static void
give_up(const char *what)
{
	perror(what);
	exit(1);
}

static double
processor_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
		1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Reads the file in pieces of this number of bytes. */
static void
read_all(int fd, off_t size, size_t bytes)
{
	for (off_t at = 0; at < size; at += bytes)
		if (pread(fd, buffers + at % sizeof(buffers), bytes, at) !=
			(ssize_t) bytes)
			give_up("read");
}

static void
call(int fd, off_t size)
{
	for (off_t at = 0; at < size; at += BLCKSZ)
		sink += (unsigned) pread(fd, buffers, 0, at);
}

/* From memory that is larger than the processor's caches, like the file. */
static void
copy(int fd, off_t size)
{
	char	   *from = mmap(NULL, size, PROT_READ | PROT_WRITE,
							MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	double		before;

	if (from == MAP_FAILED)
		give_up("memory");
	memset(from, 1, size);
	before = processor_seconds();
	for (off_t at = 0; at < size; at += sizeof(buffers))
	{
		memcpy(buffers, from + at, sizeof(buffers));
		sink += buffers[at / sizeof(buffers) % sizeof(buffers)];
	}
	printf("%.1f\n", 1e9 * (processor_seconds() - before) / (size / BLCKSZ));
	exit(0);
}

static void
mapped(int fd, off_t size)
{
	char	   *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		give_up("mmap");
	for (off_t i = 0; i < size; i += BLCKSZ)
		sink += at[i] + at[i + BLCKSZ / 2];
}

static void
fill(int fd, off_t size)
{
	for (off_t at = 0; at < size; at += sizeof(buffers))
	{
		(void) posix_fadvise(fd, at, sizeof(buffers), POSIX_FADV_WILLNEED);
		if (pread(fd, buffers, sizeof(buffers), at) != sizeof(buffers))
			give_up("read");
	}
}

static void
checksum(int fd, off_t size)
{
	for (off_t at = 0; at < size; at += BLCKSZ)
	{
		/* pg_checksum_page() skips pages that were never initialized */
		((PageHeader) buffers)->pd_upper = 1;
		buffers[100] = (char) at;
		sink += pg_checksum_page(buffers, (BlockNumber) (at / BLCKSZ));
	}
}

static void
measure(int fd, off_t size, const char *stage)
{
	if (strcmp(stage, "call") == 0)
		call(fd, size);
	else if (strcmp(stage, "small") == 0)
		read_all(fd, size, BLCKSZ);
	else if (strcmp(stage, "large") == 0)
		read_all(fd, size, sizeof(buffers));
	else if (strcmp(stage, "copy") == 0)
		copy(fd, size);
	else if (strcmp(stage, "mapped") == 0)
		mapped(fd, size);
	else if (strcmp(stage, "fill") == 0)
		fill(fd, size);
	else if (strcmp(stage, "checksum") == 0)
		checksum(fd, size);
	else
	{
		fprintf(stderr, "there is no stage \"%s\"\n", stage);
		exit(1);
	}
}

int
main(int argc, char **argv)
{
	struct stat status;
	double		before;
	int			fd;

	if (argc != 3)
	{
		fprintf(stderr, "usage: stages FILE STAGE\n");
		return 1;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) != 0)
		give_up(argv[1]);
	status.st_size -= status.st_size % sizeof(buffers);
	if (strcmp(argv[2], "fill") == 0)
		(void) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	else
		read_all(fd, status.st_size, sizeof(buffers));
	before = processor_seconds();
	measure(fd, status.st_size, argv[2]);
	printf("%.1f\n", 1e9 * (processor_seconds() - before) /
		   (double) (status.st_size / BLCKSZ));
	return 0;
}
