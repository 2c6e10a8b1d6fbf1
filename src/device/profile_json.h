/*
 * profile_json.h
 *		Device profiles as JSON, and links to other servers, as the server's
 *		file holds them.
 *
 * docs/reference/device-profile.md describes the documents.  All functions that
 * check raise an error that names the member and what it must be.
 */
#ifndef SSDPAR_PROFILE_JSON_H
#define SSDPAR_PROFILE_JSON_H

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"

/* A pattern: as many sequential reads at once as the depth says. */
#define SSDPAR_STREAMS "streams"

/* Tablespaces are known by OID: they keep it when they are renamed. */
typedef struct SsdparStoredProfile
{
	Oid			tablespace;
	JsonbContainer *document;	/* checked */
} SsdparStoredProfile;

/*
 * The way to another server, known by its address (shards/link/address.c): the
 * same for all databases, and another one when the address changes.
 */
#define SSDPAR_ADDRESS_SIZE 488
#define SSDPAR_LINKS_MAX 4096	/* more than any server has */

typedef struct SsdparStoredLink
{
	TimestampTz measured_at;
	double		latency_seconds;
	double		bytes_per_second;
	double		device_bytes_per_second;	/* of the server there; 0: not
											 * known */
	double		cost_unit_seconds;	/* likewise */
	char		address[SSDPAR_ADDRESS_SIZE];
} SsdparStoredLink;

/* Invariant: no two profiles of one tablespace, no two links to one address. */
typedef struct SsdparStored
{
	List	   *profiles;		/* SsdparStoredProfile */
	List	   *links;			/* SsdparStoredLink */
} SsdparStored;

/* NULL if there is none. */
extern JsonbContainer *ssdpar_stored_find(const SsdparStored *stored,
										  Oid tablespace);
extern SsdparStoredLink *ssdpar_stored_find_link(const SsdparStored *stored,
												 const char *address);

/* Of a tablespace that has none. */
extern void ssdpar_stored_add(SsdparStored *stored, Oid tablespace,
							  JsonbContainer *document);

/* False if none is there. */
extern bool ssdpar_stored_remove(SsdparStored *stored, Oid tablespace);

/* A member of an object: NULL, or NaN, if it is null or of another type. */
extern JsonbContainer *ssdpar_json_child(JsonbContainer *object,
										 const char *name);
extern char *ssdpar_json_text(JsonbContainer *object, const char *name);
extern double ssdpar_json_number(JsonbContainer *object, const char *name);

extern void ssdpar_profile_check(JsonbContainer *document);

/* Appends what is known of a document that is checked, and nothing else. */
extern void ssdpar_profile_to_json(JsonbContainer *document, StringInfo out);

/* The text of the whole file: all profiles and links. */
extern void ssdpar_stored_from_json(const char *text, SsdparStored *stored);
extern void ssdpar_stored_to_json(const SsdparStored *stored, StringInfo out);

#endif							/* SSDPAR_PROFILE_JSON_H */
