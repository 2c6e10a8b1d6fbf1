/*
 * transient_file.c
 *		Opening a file that can be done without.
 */
#include "postgres.h"

#include <fcntl.h>

#include "storage/fd.h"

#include "base/transient_file.h"

/*
 * The error is raised before anything has been done, and nothing that it would
 * have to clean up happens within: so no subtransaction is needed.
 */
int
ssdpar_open_if_possible(const char *path)
{
	MemoryContext context = CurrentMemoryContext;
	volatile int fd = -1;

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
	return fd;
}
