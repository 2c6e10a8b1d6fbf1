/*
 * go_over.c
 *		Converts the planner's data on switching to a hash to a List, in which
 *		a plan node can store it.
 */
#include "postgres.h"

#include "nodes/value.h"

#include "index_join/go_over.h"

enum
{
	NUMBERS,
	COLUMNS,
	OPERATORS,
};

/*
 * Text restores each double exactly, whereas a Float without a decimal point
 * would come back from a worker as an Integer.
 */
static Node *
as_text(double value)
{
	return (Node *) makeString(psprintf("%.17g", value));
}

static double
from_text(const List *numbers, int n)
{
	return strtod(strVal(list_nth(numbers, n)), NULL);
}

/* Columns and operators are stored in pairs. */
List *
ssdpar_go_over_to_list(const SsdparGoOver *go_over)
{
	const SsdparJoinKey *key = &go_over->key;
	List	   *columns = NIL;
	List	   *operators = NIL;

	for (int i = 0; i < key->ncolumns; i++)
	{
		columns = lappend_int(columns, key->target_columns[i]);
		columns = lappend_int(columns, key->key_columns[i]);
		operators = lappend_oid(operators, key->operators[i]);
		operators = lappend_oid(operators, key->collations[i]);
	}
	return list_make3(list_make3(as_text(go_over->expected),
								 as_text(go_over->keys),
								 as_text(go_over->pages)),
					  columns, operators);
}

SsdparGoOver
ssdpar_go_over_from_list(const List *list)
{
	const List *numbers = list_nth(list, NUMBERS);
	const List *columns = list_nth(list, COLUMNS);
	const List *operators = list_nth(list, OPERATORS);
	SsdparGoOver go_over = {
		.expected = from_text(numbers, 0),
		.keys = from_text(numbers, 1),
		.pages = from_text(numbers, 2),
		.key.ncolumns = list_length(columns) / 2,
	};

	Assert(go_over.keys == 0.0 || go_over.key.ncolumns > 0);
	Assert(go_over.key.ncolumns <= SSDPAR_MAX_KEY_COLUMNS);
	for (int i = 0; i < go_over.key.ncolumns; i++)
	{
		go_over.key.target_columns[i] = list_nth_int(columns, 2 * i);
		go_over.key.key_columns[i] = list_nth_int(columns, 2 * i + 1);
		go_over.key.operators[i] = list_nth_oid(operators, 2 * i);
		go_over.key.collations[i] = list_nth_oid(operators, 2 * i + 1);
	}
	return go_over;
}
