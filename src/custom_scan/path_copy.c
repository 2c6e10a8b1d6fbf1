/*
 * path_copy.c
 *		Copies our paths, for callers that keep one that core may free.
 */
#include "postgres.h"

#include "custom_scan/names.h"
#include "custom_scan/path_copy.h"

static bool
is_ours(const char *name)
{
	return strcmp(name, SSDPAR_STAR_SCAN) == 0 ||
		strcmp(name, SSDPAR_STAR_KEYS) == 0 ||
		strcmp(name, SSDPAR_PARTITION_SCAN) == 0 ||
		strcmp(name, SSDPAR_INDEX_JOIN) == 0;
}

Path *
ssdpar_copy_custom_path(const Path *path)
{
	const		CustomPathMethods *core;
	const SsdparPathMethods *methods;
	void	   *copy;

	if (!IsA(path, CustomPath))
		return NULL;
	core = ((const CustomPath *) path)->methods;
	if (!is_ours(core->CustomName))
		return NULL;
	methods = (const SsdparPathMethods *) core;
	copy = palloc(methods->size);
	memcpy(copy, path, methods->size);
	return copy;
}
