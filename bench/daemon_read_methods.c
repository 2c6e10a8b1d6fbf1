/*
 * daemon_read_methods.c
 *		One measurement for bench/daemon-read-methods: reads a cold file into
 *		the page cache by one of several methods.
 *
 * Usage: methods FILE read|read-random|read-last|fadvise|readahead
 *	sequential|random KB DEPTH
 *
 *	read			io_uring READ into one shared buffer
 *	read-random		the same with POSIX_FADV_RANDOM on the file
 *	read-last		the system call for WILLNEED, then io_uring READ of the
 *					last byte, which tells when the device has answered
 *	fadvise			io_uring FADVISE (WILLNEED)
 *	readahead		the system call; DEPTH is ignored
 *
 * The clock stops when every requested page is in the page cache, because
 * FADVISE and readahead return earlier.  Prints seconds, CPU seconds, bytes
 * requested, and bytes in the page cache.  Sequential reads the whole file,
 * random an eighth of it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Run
{
	int			fd;
	const char *method;
	uint64_t	size;			/* of the file */
	uint32_t	bytes;			/* of a request */
	uint64_t   *offsets;
	size_t		count;
	unsigned	depth;
	unsigned char *residency;	/* room for mincore */
	void	   *mapping;
} Run;

static void
give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static double
cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void
open_file(Run *run, const char *path)
{
	struct stat status;

	run->fd = open(path, O_RDONLY);
	if (run->fd < 0 || fstat(run->fd, &status) != 0)
		give_up(path);
	run->size = (uint64_t) status.st_size;
	if (posix_fadvise(run->fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		give_up("posix_fadvise");
	if (strncmp(run->method, "read-", 5) == 0)
		(void) posix_fadvise(run->fd, 0, 0, POSIX_FADV_RANDOM);
	run->mapping = mmap(NULL, run->size, PROT_READ, MAP_SHARED, run->fd, 0);
	run->residency = malloc(run->size / 4096 + 1);
	if (run->mapping == MAP_FAILED || run->residency == NULL)
		give_up("mmap");
}

static void
choose_offsets(Run *run, bool shuffled)
{
	size_t		all = run->size / run->bytes;

	run->offsets = malloc((all + 1) * sizeof(uint64_t));
	if (run->offsets == NULL)
		give_up("malloc");
	for (size_t i = 0; i < all; i++)
		run->offsets[i] = i * run->bytes;
	run->count = shuffled ? all / 8 : all;
	srandom(7);
	for (size_t i = 0; shuffled && i < run->count; i++)
	{
		size_t		other = i + (size_t) random() % (all - i);
		uint64_t	offset = run->offsets[i];

		run->offsets[i] = run->offsets[other];
		run->offsets[other] = offset;
	}
}

/* Bytes of the file in the page cache. */
static uint64_t
resident(Run *run)
{
	uint64_t	pages = (run->size + 4095) / 4096;
	uint64_t	count = 0;

	if (mincore(run->mapping, run->size, run->residency) != 0)
		give_up("mincore");
	for (uint64_t i = 0; i < pages; i++)
		count += run->residency[i] & 1;
	return count * 4096;
}

/* Waits until the last request is there, and then, in order, all before it. */
static void
wait_for_pages(Run *run)
{
	for (size_t i = 0; i < run->count; i++)
	{
		char		byte;

		if (pread(run->fd, &byte, 1, (off_t) run->offsets[i]) != 1 ||
			pread(run->fd, &byte, 1,
				  (off_t) (run->offsets[i] + run->bytes - 1)) != 1)
			give_up("pread");
	}
}

static void
queue_one(Run *run, struct io_uring *ring, size_t i, char *sink)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

	if (strcmp(run->method, "fadvise") == 0)
		io_uring_prep_fadvise(sqe, run->fd, run->offsets[i], run->bytes,
							  POSIX_FADV_WILLNEED);
	else if (strcmp(run->method, "read-last") == 0)
	{
		(void) posix_fadvise(run->fd, (off_t) run->offsets[i], run->bytes,
							 POSIX_FADV_WILLNEED);
		io_uring_prep_read(sqe, run->fd, sink, 1,
						   run->offsets[i] + run->bytes - 1);
	}
	else
		io_uring_prep_read(sqe, run->fd, sink, run->bytes, run->offsets[i]);
}

static void
use_ring(Run *run)
{
	struct io_uring ring;
	struct io_uring_cqe *cqe;
	char	   *sink = malloc(run->bytes);
	size_t		queued = 0;

	errno = -io_uring_queue_init(run->depth, &ring, 0);
	if (errno != 0 || sink == NULL)
		give_up("io_uring");
	for (size_t done = 0; done < run->count; done++)
	{
		while (queued < run->count && queued - done < run->depth)
			queue_one(run, &ring, queued++, sink);
		errno = -io_uring_submit_and_wait(&ring, 1);
		if (errno > 0 || io_uring_wait_cqe(&ring, &cqe) != 0)
			give_up("io_uring");
		errno = -cqe->res;
		if (cqe->res < 0)
			give_up(run->method);
		io_uring_cqe_seen(&ring, cqe);
	}
	io_uring_queue_exit(&ring);
	free(sink);
}

static void
use_readahead(Run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (readahead(run->fd, (off_t) run->offsets[i], run->bytes) != 0)
			give_up("readahead");
}

int
main(int argc, char **argv)
{
	Run			run = {0};
	double		begin;
	double		used;
	double		seconds;

	if (argc != 6)
	{
		fputs("usage: methods FILE METHOD PATTERN KB DEPTH\n", stderr);
		return 2;
	}
	run.method = argv[2];
	run.bytes = (uint32_t) strtoul(argv[4], NULL, 10) * 1024;
	run.depth = (unsigned) strtoul(argv[5], NULL, 10);
	if (run.bytes == 0 || run.depth == 0)
		return 2;
	open_file(&run, argv[1]);
	choose_offsets(&run, strcmp(argv[3], "random") == 0);
	begin = now();
	used = cpu();
	if (strcmp(run.method, "readahead") == 0)
		use_readahead(&run);
	else
		use_ring(&run);
	used = cpu() - used;
	if (strncmp(run.method, "read", 4) != 0 ||
		strcmp(run.method, "readahead") == 0)
		wait_for_pages(&run);
	seconds = now() - begin;
	printf("%.6f %.6f %llu %llu\n", seconds, used,
		   (unsigned long long) (run.count * run.bytes),
		   (unsigned long long) resident(&run));
	return 0;
}
