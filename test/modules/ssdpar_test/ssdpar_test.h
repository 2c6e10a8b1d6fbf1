/*
 * ssdpar_test.h
 *		Functions shared by the SQL functions of this module.
 */
#ifndef SSDPAR_TEST_H
#define SSDPAR_TEST_H

#include "fmgr.h"
#include "utils/array.h"

/*
 * Raises an error that tells what is wrong with an argument, and what to do.
 */
extern void ssdpar_test_refuse(const char *what, const char *hint);

/* The elements of an array, which must not be NULL. */
extern Datum *ssdpar_test_elements(ArrayType *array, Oid *type, int *count);

/* The function's result, from the values of its OUT parameters. */
extern Datum ssdpar_test_row(FunctionCallInfo fcinfo, Datum *values,
							 bool *nulls);

/* Lets fill_memory() know which statement calls it, from here on. */
extern void ssdpar_test_note_starts(void);

/*
 * Makes statements fail whose scans have their buffer rings in the wrong
 * memory context, from here on.
 */
extern void ssdpar_test_look_at_rings(void);

#endif							/* SSDPAR_TEST_H */
