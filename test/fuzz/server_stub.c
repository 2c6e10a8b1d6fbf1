/*
 * server_stub.c
 *		What fuzz_profile.c's modules need of a server: memory, files, errors.
 *
 * Memory stays until the next input (server_stub_free).  An error ends the
 * program: the modules raise none for what a file holds.
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "server_stub.h"

#define MOST_BLOCKS 1024

/* Held while a file is open; none comes here. */
volatile uint32 InterruptHoldoffCount = 0;

static void *blocks[MOST_BLOCKS];
static int	nblocks;

static void *
keep(void *block)
{
	if (block == NULL || nblocks >= MOST_BLOCKS)
		abort();
	return blocks[nblocks++] = block;
}

void
server_stub_free(void)
{
	while (nblocks > 0)
		free(blocks[--nblocks]);
}

void *
palloc(Size size)
{
	return keep(malloc(size));
}

void *
palloc0(Size size)
{
	return keep(calloc(1, size));
}

void *
palloc_extended(Size size, int flags)
{
	(void) flags;
	return keep(malloc(size));
}

void
pfree(void *pointer)
{
	for (int i = 0; i < nblocks; i++)
		if (blocks[i] == pointer)
		{
			blocks[i] = blocks[--nblocks];
			free(pointer);
			return;
		}
	abort();
}

void *
repalloc(void *pointer, Size size)
{
	for (int i = 0; i < nblocks; i++)
		if (blocks[i] == pointer)
			return blocks[i] = realloc(pointer, size);
	abort();
}

/* ----- files ----- */

int
BasicOpenFile(const char *name, int flags)
{
	return open(name, flags);
}

int
OpenTransientFile(const char *name, int flags)
{
	return open(name, flags, 0600);
}

int
CloseTransientFile(int fd)
{
	return close(fd);
}

int
pg_fsync(int fd)
{
	(void) fd;
	return 0;
}

int
durable_rename(const char *from, const char *to, int level)
{
	(void) level;
	return rename(from, to);
}

int
durable_unlink(const char *name, int level)
{
	(void) level;
	return unlink(name);
}

/* ----- errors ----- */

bool
errstart(int level, const char *domain)
{
	(void) domain;
	if (level >= ERROR)
		abort();
	return false;
}

bool
errstart_cold(int level, const char *domain)
{
	return errstart(level, domain);
}

void
errfinish(const char *file, int line, const char *function)
{
	(void) file;
	(void) line;
	(void) function;
}

int
errcode_for_file_access(void)
{
	return 0;
}

int
errmsg(const char *format, ...)
{
	(void) format;
	return 0;
}

int
errdetail(const char *format, ...)
{
	(void) format;
	return 0;
}

#if PG_VERSION_NUM >= 160000
void
ExceptionalCondition(const char *condition, const char *file, int line)
#else
void
ExceptionalCondition(const char *condition, const char *type,
					 const char *file, int line)
#endif
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}
