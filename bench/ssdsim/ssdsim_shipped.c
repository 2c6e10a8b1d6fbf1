/*
 * ssdsim_shipped.c
 *		Lists the folder, so that no second list is needed.
 */
#include "ssdsim_shipped.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".ssd"

static int
is_device(const struct dirent *entry)
{
	size_t		length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
		strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

bool
ssdsim_shipped_print(const char *folder, const char *before, FILE *file,
					 SsdsimError *error)
{
	struct dirent **entries;
	int			count = scandir(folder, &entries, is_device, alphasort);
	bool		good = true;

	if (count < 0)
		return ssdsim_fail(error, "%s: %s.", folder, strerror(errno));
	for (int i = 0; i < count; i++)
	{
		char	   *name = entries[i]->d_name;
		SsdsimSpec	spec;

		name[strlen(name) - strlen(SUFFIX)] = '\0';
		good = good && ssdsim_spec_load(name, folder, &spec, error);
		if (good)
			fprintf(file, "%s%-10s %s\n", before, name, spec.about);
		free(entries[i]);
	}
	free(entries);
	return good;
}
