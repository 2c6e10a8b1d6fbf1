/*
 * go_over.c
 *		What the planner has found out about going over, as a list, in which a
 *		plan node keeps it.
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

/* Text brings each double back to the bit. */
static Node *
number(double value)
{
	return (Node *) makeFloat(psprintf("%.17g", value));
}

/* Columns and operators are pairs, one after the other. */
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
	return list_make3(list_make3(number(go_over->expected),
								 number(go_over->keys),
								 number(go_over->pages)),
					  columns, operators);
}

SsdparGoOver
ssdpar_go_over_from_list(const List *list)
{
	const List *numbers = list_nth(list, NUMBERS);
	const List *columns = list_nth(list, COLUMNS);
	const List *operators = list_nth(list, OPERATORS);
	SsdparGoOver go_over = {
		.expected = floatVal(list_nth(numbers, 0)),
		.keys = floatVal(list_nth(numbers, 1)),
		.pages = floatVal(list_nth(numbers, 2)),
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
