/*
 * test_ssdsim_ordered.c
 *		The host's queues in a policy's order: compared with a searched list,
 *		and with very many waiting requests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdsim_host_policy.h"
#include "ssdsim_ordered.h"
#include "ssdsim_random.h"

#define SOME 200				/* requests, few enough to search */
#define KEYS 20					/* so that many are equal */
#define MANY 100000

typedef struct Listed
{
	SsdsimRequest requests[SOME];
	bool		in[SOME];
	uint64_t	keys[SOME];
	uint64_t	arrivals[SOME];
} Listed;

/* By search: the first from a key and an arrival; or NULL. */
static const SsdsimRequest *
search(const Listed *list, uint64_t key, uint64_t arrival)
{
	int			best = -1;

	for (int i = 0; i < SOME; i++)
		if (list->in[i] && (list->keys[i] > key ||
							(list->keys[i] == key &&
							 list->arrivals[i] >= arrival)) &&
			(best < 0 || list->keys[i] < list->keys[best] ||
			 (list->keys[i] == list->keys[best] &&
			  list->arrivals[i] < list->arrivals[best])))
			best = i;
	return best < 0 ? NULL : &list->requests[best];
}

static void
check_all(const SsdsimOrdered *ordered, const Listed *list)
{
	SsdsimRequest *each = ssdsim_ordered_from(ordered, 0);

	for (uint64_t key = 0; key <= KEYS; key++)
		assert_ptr_equal(ssdsim_ordered_from(ordered, key),
						 search(list, key, 0));
	for (; each != NULL; each = ssdsim_ordered_after(ordered, each))
	{
		ptrdiff_t	i = each - list->requests;

		assert_ptr_equal(ssdsim_ordered_after(ordered, each),
						 search(list, list->keys[i], list->arrivals[i] + 1));
	}
}

static void
test_like_a_list(void **state)
{
	static Listed list;
	SsdsimOrdered ordered = {0};
	uint64_t	random = 1;

	(void) state;
	for (uint64_t turn = 0; turn < 3000; turn++)
	{
		uint64_t	i = ssdsim_random_below(&random, SOME);

		if (list.in[i])
			ssdsim_ordered_remove(&ordered, &list.requests[i]);
		else
		{
			list.keys[i] = ssdsim_random_below(&random, KEYS);
			list.arrivals[i] = turn;
			ssdsim_ordered_add(&ordered, &list.requests[i], list.keys[i]);
		}
		list.in[i] = !list.in[i];
		if (turn % 10 == 0)
			check_all(&ordered, &list);
	}
}

/*
 * A device that is far behind: an implementation that searches the queue for
 * each request would not finish within this test's time.
 */
static void
test_many_wait(void **state)
{
	SsdsimRequest *requests = calloc(MANY, sizeof(*requests));
	const SsdsimHostPolicy *policy;

	(void) state;
	assert_non_null(requests);
	for (int i = 0; (policy = ssdsim_host_policy_at(i)) != NULL; i++)
	{
		SsdsimHost	host;
		uint64_t	random = 1;
		int			handed = 0;

		ssdsim_host_init(&host, policy, MANY, UINT64_C(1) << 40);
		for (int j = 0; j < MANY; j++)
		{
			requests[j] = (SsdsimRequest)
			{
				.kind = j % 2 ? SSDSIM_READ : SSDSIM_WRITE,
					.address = ssdsim_random_below(&random, UINT64_C(1) << 39),
					.bytes = 1 + ssdsim_random_below(&random, 1 << 20)
			};
			ssdsim_host_add(&host, &requests[j]);
		}
		while (ssdsim_host_next(&host, 0) != NULL)
			handed++;
		assert_int_equal(handed, MANY);
	}
	free(requests);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_a_list),
		cmocka_unit_test(test_many_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
