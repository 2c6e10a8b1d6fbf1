/*
 * btree_lookup.c
 *		Finds all row addresses that a btree has for a set of keys of its
 *		first columns.
 *
 * This file supplies the reader of the tree (btree_reader.c) with keys and a
 * destination for the rows.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "btree/btree_lookup.h"
#include "btree/btree_reader.h"

typedef struct SsdparIndexReading Reader;

/* Reads the rows for all of the reader's keys.  */
static void
read_rows(Reader *reader, SsdparPageMethod method, int depth)
{
	ssdpar_index_reader_take_snapshot(reader);
	ssdpar_index_reader_open(reader, method, depth);
	while (ssdpar_index_reader_leaf(reader))
		 /* continue */ ;
	ssdpar_index_reader_close(reader);
}

/* Creates a context for temporary data.  */
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

/* Reads with integers or, if integers is NULL, with Datums.  */
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
