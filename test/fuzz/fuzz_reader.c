/*
 * fuzz_reader.c
 *		A reader that reads nothing; the fuzz target chooses the results.
 *
 * Completions arrive in another order than that of the requests.  Checks that
 * a slot has one read at a time, and an open descriptor.
 */
#include "fuzz_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static void
queue(SsdpardReader *reader, int slot, int fd, uint64_t offset,
	  uint32_t length)
{
	FuzzReader *fuzz = (FuzzReader *) reader;

	(void) offset;
	if (slot < 0 || slot >= SSDPARD_SLOTS || length == 0 ||
		fuzz->noutstanding >= SSDPARD_SLOTS || fcntl(fd, F_GETFD) < 0)
		abort();
	for (int i = 0; i < fuzz->noutstanding; i++)
		if (fuzz->slots[i] == slot)
			abort();
	fuzz->slots[fuzz->noutstanding] = slot;
	fuzz->lengths[fuzz->noutstanding++] = length;
}

static bool
submit(SsdpardReader *reader)
{
	return !((FuzzReader *) reader)->refuses;
}

static void
gather(SsdpardReader *reader)
{
	(void) reader;
}

/* Usually the full length; also less, nothing, or an error. */
static int
take_result(unsigned outcome, uint32_t length)
{
	switch (outcome % 8)
	{
		case 0:
			return -EIO;
		case 1:
			return 0;
		case 2:
			return (int) (length / 2);
		default:
			return (int) length;
	}
}

static bool
take(SsdpardReader *reader, int *slot, int *result)
{
	FuzzReader *fuzz = (FuzzReader *) reader;
	int			which;

	if (fuzz->allowed <= 0 || fuzz->noutstanding == 0)
		return false;
	fuzz->allowed--;
	which = (int) (fuzz->outcome % (unsigned) fuzz->noutstanding);
	*slot = fuzz->slots[which];
	*result = take_result(fuzz->outcome++, fuzz->lengths[which]);
	fuzz->noutstanding--;
	fuzz->slots[which] = fuzz->slots[fuzz->noutstanding];
	fuzz->lengths[which] = fuzz->lengths[fuzz->noutstanding];
	return true;
}

static void
close_reader(SsdpardReader *reader)
{
	(void) reader;
}

static const SsdpardReaderMethod method = {
	"fuzz", queue, submit, gather, take, close_reader,
};

void
fuzz_reader_init(FuzzReader *reader)
{
	memset(reader, 0, sizeof(*reader));
	reader->base.method = &method;
}
