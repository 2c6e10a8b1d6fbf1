/*
 * result.c
 *		Manages the memory of a star scan's result.
 *
 * A private result and its parts are allocated in one memory context, which is
 * reset as a whole; parts invalidated by a rescan are freed individually.  The
 * parts of a shared result are also freed individually, because its area
 * belongs to the whole query, which may run the scan again for each row of a
 * subplan.
 */
#include "postgres.h"

#include "storage/shmem.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/query_memory.h"
#include "starscan/exec/result.h"

Size
ssdpar_star_result_size(int nreducers)
{
	return add_size(offsetof(SsdparStarResult, reducers),
					mul_size(nreducers, sizeof(SsdparReducerResult)));
}

SsdparStarData *
ssdpar_star_data_create(int nreducers)
{
	SsdparStarData *data = palloc0_object(SsdparStarData);

	data->nreducers = nreducers;
	data->sets = palloc0(nreducers * sizeof(SsdparKeySet *));
	data->constant = palloc0(nreducers * sizeof(bool));
	data->in_constant_tids = palloc0(nreducers * sizeof(bool));
	data->joined = palloc0(nreducers * sizeof(SsdparKeyRows *));
	data->context = AllocSetContextCreate(CurrentMemoryContext,
										  "SsdparStarScan result",
										  ALLOCSET_DEFAULT_SIZES);
	return data;
}

void
ssdpar_star_data_begin_private(SsdparStarData *data)
{
	ssdpar_star_data_forget(data);
	data->result =
		MemoryContextAllocZero(data->context,
							   ssdpar_star_result_size(data->nreducers));
}

void
ssdpar_star_data_begin_shared(SsdparStarData *data, SsdparStarResult *result,
							  dsa_area *area)
{
	ssdpar_star_data_forget(data);
	data->result = result;
	data->area = area;
}

void *
ssdpar_star_data_allocate(SsdparStarData *data, Size size,
						  dsa_pointer *pointer)
{
	Assert(data->result != NULL);
	if (data->area != NULL)
		return ssdpar_query_allocate(data->area, size, pointer);
	*pointer = InvalidDsaPointer;
	return MemoryContextAllocExtended(data->context, size, MCXT_ALLOC_HUGE |
									  MCXT_ALLOC_NO_OOM);
}

void
ssdpar_star_data_borrow(SsdparStarData *data, const SsdparStarData *lender)
{
	Assert(data->nreducers == lender->nreducers && data->lender == lender);
	data->result->empty = lender->result->empty;
	for (int i = 0; i < data->nreducers; i++)
	{
		SsdparReducerResult *reducer = &data->result->reducers[i];

		*reducer = lender->result->reducers[i];
		reducer->bytes = 0;
		reducer->set = InvalidDsaPointer;
	}
}

/* For the maker of a shared result, the addresses do not change.  */
void
ssdpar_star_data_complete(SsdparStarData *data)
{
	SsdparStarResult *result = data->result;

	for (int i = 0; i < data->nreducers; i++)
	{
		SsdparReducerResult *reducer = &result->reducers[i];

		if (data->lender != NULL)
		{
			data->sets[i] = data->lender->sets[i];
			continue;
		}
		if (data->area != NULL)
		{
			data->sets[i] = DsaPointerIsValid(reducer->set) ?
				dsa_get_address(data->area, reducer->set) : NULL;
			data->joined[i] = DsaPointerIsValid(reducer->joined) ?
				dsa_get_address(data->area, reducer->joined) : NULL;
		}
		Assert(data->sets[i] != NULL || reducer->kind == SSDPAR_KEYS_NONE);
	}
	if (data->area != NULL)
		data->pages = DsaPointerIsValid(result->pages) ?
			dsa_get_address(data->area, result->pages) : NULL;
	Assert((data->pages != NULL) == result->bitmap);
}

void
ssdpar_star_data_forget_reducer(SsdparStarData *data, int n)
{
	Assert(data->result != NULL && data->area == NULL);
	if (data->sets[n] != NULL)
		pfree(data->sets[n]);
	data->sets[n] = NULL;
	if (data->joined[n] != NULL)
		pfree((void *) data->joined[n]);
	data->joined[n] = NULL;
	memset(&data->result->reducers[n], 0, sizeof(SsdparReducerResult));
}

void
ssdpar_star_data_forget_pages(SsdparStarData *data)
{
	Assert(data->result != NULL && data->area == NULL);
	if (data->pages != NULL)
		pfree(data->pages);
	data->pages = NULL;
	data->result->bitmap = false;
	data->result->exact_pages = 0;
	data->result->lossy_pages = 0;
}

void
ssdpar_star_data_forget(SsdparStarData *data)
{
	data->area = NULL;
	data->result = NULL;
	data->pages = NULL;
	data->constant_tids = NULL;
	memset(data->in_constant_tids, false, data->nreducers * sizeof(bool));
	memset(data->sets, 0, data->nreducers * sizeof(SsdparKeySet *));
	memset(data->joined, 0, data->nreducers * sizeof(SsdparKeyRows *));
	MemoryContextReset(data->context);
}

void
ssdpar_star_result_reset(SsdparStarResult *result, int nreducers,
						 dsa_area *area)
{
	for (int i = 0; i < nreducers; i++)
	{
		ssdpar_query_free(area, &result->reducers[i].set);
		ssdpar_query_free(area, &result->reducers[i].joined);
	}
	ssdpar_query_free(area, &result->pages);
	memset(result, 0, ssdpar_star_result_size(nreducers));
}
