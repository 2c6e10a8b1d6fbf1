/*
 * key_filter_function.h
 *		The function that another server is asked by.
 */
#ifndef SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H
#define SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H

#define SSDPAR_EXTENSION "ssdpar"

/*
 * ssdpar.in_key_filter(), the extension's own; InvalidOid if this database does
 * not have it.
 */
extern Oid	ssdpar_key_filter_function(void);

#endif							/* SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H */
