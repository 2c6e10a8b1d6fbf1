/*
 * part_plan.c
 *		Writes the plan of one partition's star scan as a list of integers,
 *		and reads it back.
 *
 * Everything that all partitions share is in the plan of SsdparStarKeys above
 * them.  A thousand copies of it would take longer to create, to copy and to
 * send to workers than everything else in the plan.
 */
#include "postgres.h"

#include "nodes/pg_list.h"

#include "base/compat.h"
#include "starscan/star_plan.h"

/* Elements at the beginning of the list. */
enum
{
	PART_ACCESS,
	PART_FACT,
	PART_NUMBERS,
};

/* Current position of reading. */
typedef struct Reader
{
	const List *list;
	int			next;
} Reader;

static List *
write_long(List *list, uint64 number)
{
	list = lappend_int(list, (int) (uint32) (number >> 32));
	return lappend_int(list, (int) (uint32) number);
}

static List *
write_double(List *list, double number)
{
	uint64		bits;

	memcpy(&bits, &number, sizeof(bits));
	return write_long(list, bits);
}

static int
read_int(Reader *reader)
{
	return list_nth_int(reader->list, reader->next++);
}

static uint64
read_long(Reader *reader)
{
	uint64		upper = (uint32) read_int(reader);

	return upper << 32 | (uint32) read_int(reader);
}

static double
read_double(Reader *reader)
{
	uint64		bits = read_long(reader);
	double		number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static List *
write_reducer(List *list, const SsdparReducer *reducer)
{
	for (int i = 0; i < reducer->key.ncolumns; i++)
		list = lappend_int(list, reducer->key.target_columns[i]);
	list = lappend_int(list, (int) reducer->index);
	if (OidIsValid(reducer->index))
	{
		list = lappend_int(list, reducer->index_planned);
		list = write_double(list, reducer->leaf_cost);
		list = write_double(list, reducer->ordered);
		list = write_double(list, reducer->together);
	}
	list = lappend_int(list, reducer->nranges);
	for (int i = 0; i < reducer->nranges; i++)
	{
		list = write_long(list, (uint64) reducer->ranges[i].first);
		list = write_long(list, (uint64) reducer->ranges[i].last);
	}
	return list;
}

static void
read_reducer(Reader *reader, SsdparReducer *reducer)
{
	for (int i = 0; i < reducer->key.ncolumns; i++)
		reducer->key.target_columns[i] = (AttrNumber) read_int(reader);
	reducer->index = (Oid) read_int(reader);
	if (OidIsValid(reducer->index))
	{
		reducer->index_planned = read_int(reader) != 0;
		reducer->leaf_cost = read_double(reader);
		reducer->ordered = read_double(reader);
		reducer->together = read_double(reader);
	}
	reducer->nranges = read_int(reader);
	if (reducer->nranges == 0)
		return;
	reducer->ranges = palloc_array(SsdparIntegerRange, reducer->nranges);
	for (int i = 0; i < reducer->nranges; i++)
	{
		reducer->ranges[i].first = (int64) read_long(reader);
		reducer->ranges[i].last = (int64) read_long(reader);
	}
}

List *
ssdpar_star_part_to_list(const SsdparStarPlan *part)
{
	List	   *list = list_make2_int(part->access, (int) part->fact);

	list = write_double(list, part->pages);
	list = write_double(list, part->kept);
	list = write_double(list, part->page_cost);
	list = write_double(list, part->most_pages);
	for (int i = 0; i < part->nreducers; i++)
	{
		if (part->reducers[i].target == SSDPAR_TARGET_FACT)
			list = write_reducer(list, &part->reducers[i]);
	}
	return list;
}

bool
ssdpar_is_star_part(const List *list)
{
	return IsA(list, IntList);
}

/* Reducers of other dimensions are the same for all partitions. */
SsdparStarPlan *
ssdpar_star_part_from_list(const List *list, const SsdparStarPlan *all)
{
	SsdparStarPlan *part = palloc_object(SsdparStarPlan);
	Reader		reader = {list, PART_NUMBERS};
	Size		size = all->nreducers * sizeof(SsdparReducer);

	*part = *all;
	part->access = list_nth_int(list, PART_ACCESS);
	part->fact = (Index) list_nth_int(list, PART_FACT);
	part->pages = read_double(&reader);
	part->kept = read_double(&reader);
	part->page_cost = read_double(&reader);
	part->most_pages = read_double(&reader);
	part->nleft_out = 0;
	part->reducers = palloc(size);
	memcpy(part->reducers, all->reducers, size);
	for (int i = 0; i < part->nreducers; i++)
	{
		/* joined above, where the rows of all partitions arrive */
		part->reducers[i].joined = false;
		part->reducers[i].njoined_columns = 0;
		if (part->reducers[i].target == SSDPAR_TARGET_FACT)
			read_reducer(&reader, &part->reducers[i]);
	}
	return part;
}

SsdparStarAccess
ssdpar_star_access_of(const List *list)
{
	if (ssdpar_is_star_part(list))
		return (SsdparStarAccess) list_nth_int(list, PART_ACCESS);
	return ssdpar_star_plan_from_list(unconstify(List *, list))->access;
}
