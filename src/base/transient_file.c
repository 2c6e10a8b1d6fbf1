/*
 * transient_file.c
 *		Opens files that are not essential.
 */
#include "postgres.h"

#include <fcntl.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "base/transient_file.h"

/*
 * The only possible error is raised before anything has been opened, so there
 * is nothing to clean up and no subtransaction is needed.
 *
 * If the system has no file descriptors left, the server writes a log message,
 * which checks for interrupts.  We hold interrupts, so that the error we catch
 * is not a cancel.  An error resets InterruptHoldoffCount, so we restore the
 * callers' value.
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
