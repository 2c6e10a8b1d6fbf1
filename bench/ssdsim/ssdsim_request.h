/*
 * ssdsim_request.h
 *		Requests from a host to a device, and lists of them.
 */
#ifndef SSDSIM_REQUEST_H
#define SSDSIM_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SsdsimKind
{
	SSDSIM_READ,
	SSDSIM_WRITE,
	SSDSIM_TRIM,
	SSDSIM_FLUSH,				/* of the buffer: no address, no bytes */
} SsdsimKind;

#define SSDSIM_KINDS 4

/* As in traces. */
static inline const char *
ssdsim_kind_name(SsdsimKind kind)
{
	static const char *const names[SSDSIM_KINDS] = {
		"read", "write", "trim", "flush"
	};

	return names[kind];
}

/* The caller fills in the first part and keeps it until it is done. */
typedef struct SsdsimRequest
{
	SsdsimKind	kind;
	uint64_t	address;		/* bytes */
	uint64_t	bytes;			/* at least 1, within the device; flush: 0 */
	void	   *owner;			/* the caller's */
	int64_t		hurry;			/* to be subtracted from its setup, usually 0;
								 * the device leaves what it could not
								 * subtract */

	int64_t		asked;			/* requested from the host, */
	int64_t		arrived;		/* at the device, */
	int64_t		admitted;		/* into the device's queue */
	bool		probe;			/* made by the scheduler itself */

	/* for the host's scheduler: ssdsim_ordered.h */
	uint64_t	key;
	uint64_t	order;
	uint64_t	chance;
	struct SsdsimRequest *below;
	struct SsdsimRequest *above;

	/* for the device, and before that for the host's scheduler */
	struct SsdsimRequest *next; /* of the list that it waits in */
	struct SsdsimRequest *newer;	/* of the outstanding reads; of those in
									 * the host's scheduler */
	struct SsdsimRequest *older;
	uint64_t	page;			/* the first that is not on its way */
	uint64_t	end;			/* the first that it does not need */
	uint64_t	left;			/* pages that are not there */
	uint64_t	number;			/* reads and flushes: in order; writes: the
								 * last read that has to end before */
	bool		reading;		/* among the outstanding reads */
	uint64_t	unforeseen;		/* for an array: devices that do not know yet
								 * when their part is complete */
	int64_t		end_time;		/* the latest of those that do */
} SsdsimRequest;

/* In order of arrival. */
typedef struct SsdsimRequestList
{
	SsdsimRequest *first;
	SsdsimRequest *last;
} SsdsimRequestList;

static inline void
ssdsim_request_append(SsdsimRequestList *list, SsdsimRequest *request)
{
	request->next = NULL;
	if (list->first == NULL)
		list->first = request;
	else
		list->last->next = request;
	list->last = request;
}

/* The list is not empty. */
static inline SsdsimRequest *
ssdsim_request_take(SsdsimRequestList *list)
{
	SsdsimRequest *request = list->first;

	list->first = request->next;
	return request;
}

#endif							/* SSDSIM_REQUEST_H */
