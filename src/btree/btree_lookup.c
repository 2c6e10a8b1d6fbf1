/*
 * btree_lookup.c
 *		All row addresses that a btree holds for a set of keys of its first
 *		columns.
 *
 * Keys, and what is done with the rows found, for the reader of the tree
 * (btree_reader.c).
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "btree/btree_lookup.h"
#include "btree/btree_reader.h"

typedef struct SsdparIndexReading Reader;

/* All that the keys of the reader ask for. */
static void
read_rows(Reader *reader, SsdparPageMethod method, int depth)
{
	ssdpar_index_reader_take_snapshot(reader);
	ssdpar_index_reader_open(reader, method, depth);
	while (ssdpar_index_reader_leaf(reader))
		 /* go on */ ;
	ssdpar_index_reader_close(reader);
}

/* What is needed meanwhile goes with it. */
static MemoryContext
begin_reading(void)
{
	return AllocSetContextCreate(CurrentMemoryContext, "ssdpar index rows",
								 ALLOCSET_DEFAULT_SIZES);
}

static void
set_keys(Reader *reader, const int64 *integers, Datum *values, uint64 nkeys)
{
	if (integers != NULL)
		ssdpar_index_keys_integers(&reader->keys, reader->index, integers,
								   nkeys);
	else
		ssdpar_index_keys_datums(&reader->keys, reader->index, values, nkeys);
}

/* With integers, or else with Datums. */
static void
read_column(Reader *reader, const int64 *integers, Datum *values,
			uint64 nkeys, SsdparPageMethod method, int depth)
{
	MemoryContext context;
	MemoryContext before;

	if (nkeys == 0)
		return;
	context = begin_reading();
	before = MemoryContextSwitchTo(context);
	set_keys(reader, integers, values, nkeys);
	read_rows(reader, method, depth);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

void
ssdpar_index_rows_by_integer(Relation index, const int64 *keys, uint64 nkeys,
							 SsdparPageMethod method, int depth,
							 SsdparTidBitmap *bitmap, SsdparIndexCounts *counts)
{
	Reader		reader = {.index = index, .bitmap = bitmap, .counts = counts};

	read_column(&reader, keys, NULL, nkeys, method, depth);
}

void
ssdpar_index_rows_by_datum(Relation index, Datum *keys, uint64 nkeys,
						   SsdparPageMethod method, int depth,
						   SsdparTidBitmap *bitmap, SsdparIndexCounts *counts)
{
	Reader		reader = {.index = index, .bitmap = bitmap, .counts = counts};

	read_column(&reader, NULL, keys, nkeys, method, depth);
}

void
ssdpar_index_rows_of_integers(Relation index, const int64 *keys, uint64 nkeys,
							  SsdparPageMethod method, int depth,
							  SsdparIndexTaker take, void *arg,
							  SsdparIndexCounts *counts)
{
	Reader		reader = {
		.index = index, .take = take, .taker = arg, .counts = counts,
	};

	read_column(&reader, keys, NULL, nkeys, method, depth);
}

void
ssdpar_index_rows_of_datums(Relation index, Datum *keys, uint64 nkeys,
							SsdparPageMethod method, int depth,
							SsdparIndexTaker take, void *arg,
							SsdparIndexCounts *counts)
{
	Reader		reader = {
		.index = index, .take = take, .taker = arg, .counts = counts,
	};

	read_column(&reader, NULL, keys, nkeys, method, depth);
}

void
ssdpar_index_rows_of_columns(const SsdparIndexSearch *search,
							 SsdparIndexTaker take, void *arg,
							 SsdparIndexCounts *counts)
{
	Reader		reader = {
		.index = search->index, .wants_tuples = search->wants_tuples,
		.take = take, .taker = arg, .counts = counts,
	};
	MemoryContext context;
	MemoryContext before;

	if (search->nkeys == 0)
		return;
	context = begin_reading();
	before = MemoryContextSwitchTo(context);
	ssdpar_index_keys_columns(&reader.keys, search->index, search->columns,
							  search->ncolumns, search->nkeys);
	read_rows(&reader, search->method, 0);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
