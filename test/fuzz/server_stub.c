/*
 * server_stub.c
 *		Replaces the server functions that fuzz_profile.c's modules need:
 *		memory, assertions.
 *
 * Memory is kept until the next input (server_stub_free).
 */
#include "postgres.h"

#include "server_stub.h"

#define MOST_BLOCKS 1024

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
repalloc(void *pointer, Size size)
{
	for (int i = 0; i < nblocks; i++)
		if (blocks[i] == pointer)
			return blocks[i] = realloc(pointer, size);
	abort();
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
