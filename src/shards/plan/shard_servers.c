/*
 * shard_servers.c
 *		Collects what is known of the servers of foreign tables.
 *
 * A fact may have a thousand tables on a few servers, so we look up each
 * server only once.  Foreign servers with the same address, such as those for
 * different users, count as one place.
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "foreign/foreign.h"
#include "optimizer/cost.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/varlena.h"

#include "shards/link/address.h"
#include "shards/link/known_links.h"
#include "shards/plan/key_filter_function.h"
#include "shards/plan/shard_tables.h"

/* Default fetch_size of postgres_fdw. */
#define FETCH_SIZE 100

typedef struct Known
{
	Oid			server;
	char	   *address;
	SsdparLink	link;
	int			place;
	bool		async;
	bool		takes_filters;
	bool		estimates;
} Known;

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

/*
 * Parses the option like postgres_fdw, which accepts 1e3 and 0x10 as well.  An
 * option of the table has precedence.
 */
static int
fetch_size(const List *options, int otherwise)
{
	const char *value = option(options, "fetch_size");
	int			size;

	return value != NULL && parse_int(value, &size, 0, NULL) ? Max(size, 1) :
		otherwise;
}

static bool
is_on(const List *options, const char *name, bool otherwise)
{
	const char *value = option(options, name);
	bool		on;

	return value != NULL && parse_bool(value, &on) ? on : otherwise;
}

/* Does the user declare that the server has this extension too? */
static bool
has_extension(const List *options, const char *extension)
{
	const char *value = option(options, "extensions");
	List	   *names;
	ListCell   *lc;

	if (value == NULL ||
		!SplitIdentifierString(pstrdup(value), ',', &names))
		return false;
	foreach(lc, names)
	{
		if (strcmp(lfirst(lc), extension) == 0)
			return true;
	}
	return false;
}

static Known
look_up(Oid oid)
{
	ForeignServer *server = GetForeignServer(oid);
	Known		known = {
		.server = oid,
		.address = ssdpar_address_of(server),
		.link = ssdpar_default_link(fetch_size(server->options, FETCH_SIZE)),
		.async = is_on(server->options, "async_capable", false),
		.estimates = is_on(server->options, "use_remote_estimate", false),
		.takes_filters =
			has_extension(server->options, SSDPAR_EXTENSION) &&
			OidIsValid(ssdpar_key_filter_function()),
	};

	ssdpar_known_link(known.address, &known.link);
	return known;
}

/* Reuses the place of an earlier server at the same address. */
static int
find_place(const Known *known, int n, const char *address)
{
	for (int i = 0; i < n; i++)
	{
		if (strcmp(known[i].address, address) == 0)
			return known[i].place;
	}
	return n;
}

/*
 * Searches backwards, because tables of a server usually follow one another.
 */
static const Known *
find_server(Known *known, int *n, Oid oid)
{
	for (int i = *n - 1; i >= 0; i--)
	{
		if (known[i].server == oid)
			return &known[i];
	}
	known[*n] = look_up(oid);
	known[*n].place = find_place(known, *n, known[*n].address);
	return &known[(*n)++];
}

SsdparShard *
ssdpar_shards_of(PlannerInfo *root, List *tables)
{
	int			ntables = list_length(tables);
	SsdparShard *shards = palloc0_array(SsdparShard, ntables);
	Known	   *known = palloc_array(Known, ntables);
	int			n = 0;
	ListCell   *lc;

	foreach(lc, tables)
	{
		SsdparShard *shard = &shards[foreach_current_index(lc)];
		RelOptInfo *rel = lfirst(lc);
		const List *options =
			GetForeignTable(root->simple_rte_array[rel->relid]->relid)->options;
		const Known *server = find_server(known, &n, rel->serverid);

		shard->rel = rel;
		shard->link = server->link;
		shard->link.rows_per_fetch =
			fetch_size(options, (int) server->link.rows_per_fetch);
		shard->place = server->place;
		shard->async = enable_async_append && ntables > 1 &&
			is_on(options, "async_capable", server->async);
		shard->estimates =
			is_on(options, "use_remote_estimate", server->estimates);
		shard->takes_filters = server->takes_filters;
	}
	pfree(known);
	return shards;
}
