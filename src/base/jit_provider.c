/*
 * jit_provider.c
 *		Whether this process has the server's compiler of expressions loaded.
 *
 * The server loads it with the first expression that a process compiles, which
 * takes longer than compiling, and tells no one.  So the dynamic linker is
 * asked, for the file name that the server would use (provider_init() in
 * jit.c).
 */
#include "postgres.h"

#include <dlfcn.h>

#include "jit/jit.h"
#include "miscadmin.h"

#include "base/jit_provider.h"

bool
ssdpar_jit_is_loaded(void)
{
	char		path[MAXPGPATH];
	void	   *library;

	snprintf(path, sizeof(path), "%s/%s%s", pkglib_path, jit_provider,
			 DLSUFFIX);
	library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	if (library == NULL)
		return false;
	dlclose(library);
	return true;
}
