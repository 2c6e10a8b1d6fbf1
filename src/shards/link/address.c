/*
 * address.c
 *		Servers of postgres_fdw, and what they are known by.
 *
 * A link lies between this machine and an address.  Which database, user,
 * password or object of CREATE SERVER it is used by makes no difference to it;
 * and a server that moves, by ALTER SERVER, has another link.
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "lib/stringinfo.h"
#include "utils/lsyscache.h"

#include "shards/link/address.h"

/* The options of libpq that say where a server is. */
static const char *const places[] = {"service", "hostaddr", "host", "port"};

bool
ssdpar_is_postgres_fdw(const ForeignServer * server)
{
	ForeignDataWrapper *wrapper = GetForeignDataWrapper(server->fdwid);
	char	   *handler = OidIsValid(wrapper->fdwhandler) ?
		get_func_name(wrapper->fdwhandler) : NULL;

	return handler != NULL && strcmp(handler, "postgres_fdw_handler") == 0;
}

/* NULL if it is not given. */
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

/* Without any of them it is where libpq looks by itself. */
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
