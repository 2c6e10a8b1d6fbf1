/*
 * transient_file.c
 *		Opening a file that can be done without.
 */
#include "postgres.h"

#include <fcntl.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "base/transient_file.h"

/*
 * The error is raised before anything has been done, and nothing that it would
 * have to clean up happens within: so no subtransaction is needed.
 *
 * Where the system has no descriptor left the server says so in its log, which
 * looks for a cancel: that must not be the error that is caught here.  An error
 * ends all holding of interrupts, the callers' too.
 */
int
ssdpar_open_if_possible(const char *path)
{
	MemoryContext context = CurrentMemoryContext;
	uint32		held = InterruptHoldoffCount;
	volatile int fd = -1;

	HOLD_INTERRUPTS();
	PG_TRY();
	{
		fd = OpenTransientFile(path, O_RDONLY | PG_BINARY);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
	}
	PG_END_TRY();
	InterruptHoldoffCount = held;
	return fd;
}
