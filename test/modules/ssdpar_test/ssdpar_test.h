/*
 * ssdpar_test.h
 *		What the SQL functions of this module share.
 */
#ifndef SSDPAR_TEST_H
#define SSDPAR_TEST_H

#include "fmgr.h"
#include "utils/array.h"

/* Raises an error; what is wrong with an argument, and what to do. */
extern void ssdpar_test_refuse(const char *what, const char *hint);

/* The elements of an array, which must not be null. */
extern Datum *ssdpar_test_elements(ArrayType *array, Oid *type, int *count);

/* The function's result, from the values of its OUT parameters. */
extern Datum ssdpar_test_row(FunctionCallInfo fcinfo, Datum *values,
							 bool *nulls);

/* From here on fill_memory() knows which statement it is called by. */
extern void ssdpar_test_note_starts(void);

/* From here on a statement whose scans' rings of buffers are elsewhere fails. */
extern void ssdpar_test_look_at_rings(void);

#endif							/* SSDPAR_TEST_H */
