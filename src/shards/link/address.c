/*
 * address.c
 *		Identifies the servers of postgres_fdw by their address.
 *
 * A link connects this machine to an address, no matter which database, user,
 * password or foreign server uses it.  A server that ALTER SERVER moves has
 * another link.
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "lib/stringinfo.h"
#include "utils/lsyscache.h"

#include "shards/link/address.h"

/* The libpq options that locate a server. */
static const char *const places[] = {"service", "hostaddr", "host", "port"};

bool
ssdpar_is_postgres_fdw(const ForeignServer * server)
{
	ForeignDataWrapper *wrapper = GetForeignDataWrapper(server->fdwid);
	char	   *handler = OidIsValid(wrapper->fdwhandler) ?
		get_func_name(wrapper->fdwhandler) : NULL;

	return handler != NULL && strcmp(handler, "postgres_fdw_handler") == 0;
}

/* NULL if it is not set. */
static const char *
option(const List *options, const char *name)
{
	ListCell   *lc;

	foreach(lc, options)
	{
		DefElem    *given = lfirst(lc);

		if (strcmp(given->defname, name) == 0)
			return defGetString(given);
	}
	return NULL;
}

/* If none of them is set, libpq uses its default. */
char *
ssdpar_address_of(const ForeignServer * server)
{
	StringInfoData address;

	initStringInfo(&address);
	for (int i = 0; i < (int) lengthof(places); i++)
	{
		const char *value = option(server->options, places[i]);

		if (value != NULL)
			appendStringInfo(&address, "%s%s=%s", address.len > 0 ? " " : "",
							 places[i], value);
	}
	if (address.len == 0)
		appendStringInfoString(&address, "libpq's default");
	return address.data;
}
