/*
 * key_filter_function.h
 *		Looks up ssdpar.in_key_filter().
 */
#ifndef SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H
#define SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H

#define SSDPAR_EXTENSION "ssdpar"

/*
 * The extension's ssdpar.in_key_filter(), or InvalidOid if it is not installed
 * in this database.
 */
extern Oid	ssdpar_key_filter_function(void);

#endif							/* SSDPAR_SHARDS_KEY_FILTER_FUNCTION_H */
