/*
 * ssdsim_policy.c
 *		In which order the dies serve what is queued.
 *
 * noop: each die has a queue of its own and serves who comes first, which
 * takes a controller that knows all physical addresses and enough commands
 * outstanding; what any number of die queues can do without looking further.
 *
 * vaq: the paper's Virtually Addressed Queueing (001, sections 4.3 and 5.2).
 * One queue for all, in order of arrival: while the first has to wait for its
 * die, so do all behind it, whatever dies these are for.
 */
#include "ssdsim_policy.h"

#include <string.h>

static void
dispatch_noop(SsdsimFlash *flash, uint32_t die)
{
	SsdsimOp   *op = flash->dies[die].queue.first;

	if (op == NULL || !ssdsim_flash_idle(flash, die))
		return;
	if (flash->spec.multi_plane)
		ssdsim_flash_pack(flash, op, false);
	ssdsim_flash_start(flash, op);
}

static void
dispatch_vaq(SsdsimFlash *flash, uint32_t die)
{
	(void) die;
	while (flash->oldest != NULL &&
		   ssdsim_flash_idle(flash, flash->oldest->die))
	{
		SsdsimOp   *op = flash->oldest;

		if (flash->spec.multi_plane)
			ssdsim_flash_pack(flash, op, true);
		ssdsim_flash_start(flash, op);
	}
}

static const SsdsimPolicy policies[] = {
	{"noop", "each die serves its own queue in order of arrival",
	dispatch_noop},
	{"vaq", "one queue for all dies, strictly in order of arrival (paper 001)",
	dispatch_vaq},
};

const SsdsimPolicy *
ssdsim_policy_at(int i)
{
	int			count = (int) (sizeof(policies) / sizeof(policies[0]));

	return i >= 0 && i < count ? &policies[i] : NULL;
}

const SsdsimPolicy *
ssdsim_policy_find(const char *name)
{
	const SsdsimPolicy *policy;

	for (int i = 0; (policy = ssdsim_policy_at(i)) != NULL; i++)
		if (strcmp(policy->name, name) == 0)
			return policy;
	return NULL;
}
