/*
 * ssdsim_policy.c
 *		The order in which the dies serve what is queued.
 *
 * noop: each die has its own queue and serves it in order of arrival, which
 * needs a controller that knows all physical addresses and enough outstanding
 * commands; die queues alone cannot do better without looking further ahead.
 *
 * vaq, paq0, paq1, paq2: ssdsim_paq.h.
 */
#include "ssdsim_policy.h"

#include <string.h>

#include "ssdsim_paq.h"

static void
dispatch_noop(SsdsimFlash *flash, uint32_t die)
{
	SsdsimOp   *op = flash->dies[die].queue.first;

	if (op == NULL || !ssdsim_flash_idle(flash, die))
		return;
	if (flash->spec.multi_plane)
		ssdsim_flash_pack(flash, op);
	ssdsim_flash_start(flash, op);
}

static const SsdsimPolicy policies[] = {
	{"noop", "each die serves its own queue in order of arrival",
	dispatch_noop},
	{"vaq", "reads strictly in order of arrival, whatever dies they are for (paper 001)",
	ssdsim_paq_vaq},
	{"paq0", "vaq that packs reads of several planes (paper 001)",
	ssdsim_paq_pack},
	{"paq1", "clumps: one read of a package, of the die with the most (001)",
	ssdsim_paq_clump},
	{"paq2", "clumps and packing (paper 001)",
	ssdsim_paq_both},
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
