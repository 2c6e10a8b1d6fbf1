/*
 * ssdsim_paq.c
 *		PAQ: a queue below the mapping, which knows the position of each page.
 *
 * Reads of one channel are a domain, of one package a cluster, of one die a
 * node.  A clump is the set of outstanding reads, and is composed from the
 * lowest level up (section 4.3): no two reads of one node or one cluster (goal
 * 2); within a package, the die with the most queued reads provides the next,
 * because it has the most future conflicts (goal 1), and of equal ones the one
 * with the oldest; whenever a package has nothing outstanding, it gets
 * something (goal 3), so that a waiting request does not delay others for
 * other packages.  Within a domain, the channel serves packages in order of
 * arrival.
 *
 * Programs have no such choice, because the mapping has distributed them; each
 * die performs them in their order among its reads.
 *
 * VAQ (sections 4.3 and 5.2) has one queue of reads in order of arrival: while
 * the first one waits for its die, all behind it wait too, whatever dies they
 * need.  It treats programs the same way, and never packs.
 *
 * The authors leave a bound on how long an operation may be passed over to
 * later work (section 6.5).  Here it is the description's deadline: operations
 * that have waited longer come first, the oldest before others.
 */
#include "ssdsim_paq.h"

/* The next operation of a die that may start, or NULL. */
static SsdsimOp *
next_of(const SsdsimFlash *flash, uint32_t die)
{
	return ssdsim_flash_idle(flash, die) ? flash->dies[die].queue.first :
		NULL;
}

static bool
is_read(const SsdsimOp *op)
{
	return op != NULL && op->kind == SSDSIM_OP_READ;
}

static int
reads_queued(const SsdsimFlash *flash, uint32_t die)
{
	int			count = 0;

	for (const SsdsimOp *op = flash->dies[die].queue.first; op != NULL;
		 op = op->next)
		count += is_read(op);
	return count;
}

static bool
overdue(const SsdsimFlash *flash, const SsdsimOp *op)
{
	return flash->spec.deadline > 0 &&
		flash->events.now - op->since > flash->spec.deadline;
}

/* Is the first of two dies' next reads preferred? */
static bool
goes_before(const SsdsimFlash *flash, const SsdsimOp *one,
			const SsdsimOp *other)
{
	int			conflicts = reads_queued(flash, one->die) -
		reads_queued(flash, other->die);

	if (overdue(flash, one) || overdue(flash, other) || conflicts == 0)
		return one->since < other->since;
	return conflicts > 0;
}

/* The read that a package contributes to the clump, or NULL. */
static SsdsimOp *
choose_read(const SsdsimFlash *flash, uint32_t package)
{
	SsdsimOp   *chosen = NULL;

	for (uint32_t die = package; die < flash->ndies; die += flash->npackages)
	{
		SsdsimOp   *op = next_of(flash, die);

		if (is_read(flash->dies[die].current))
			return NULL;
		if (is_read(op) && (chosen == NULL || goes_before(flash, op, chosen)))
			chosen = op;
	}
	return chosen;
}

static void
start(SsdsimFlash *flash, SsdsimOp *op, bool pack)
{
	if (pack)
		ssdsim_flash_pack(flash, op);
	ssdsim_flash_start(flash, op);
}

static void
clump(SsdsimFlash *flash, uint32_t changed, bool pack)
{
	uint32_t	package = changed % flash->npackages;
	SsdsimOp   *op;

	for (uint32_t die = package; die < flash->ndies; die += flash->npackages)
	{
		op = next_of(flash, die);
		if (op != NULL && !is_read(op))
			start(flash, op, pack);
	}
	op = choose_read(flash, package);
	if (op != NULL)
		start(flash, op, pack);
}

void
ssdsim_paq_clump(SsdsimFlash *flash, uint32_t die)
{
	clump(flash, die, false);
}

void
ssdsim_paq_both(SsdsimFlash *flash, uint32_t die)
{
	clump(flash, die, true);
}

/* ----- in order ----- */

/* May a read's die start it?  It is idle, and this is its next one. */
static bool
ready(const SsdsimFlash *flash, const SsdsimOp *op)
{
	return op != NULL && next_of(flash, op->die) == op;
}

static void
in_order(SsdsimFlash *flash, uint32_t die, bool pack)
{
	SsdsimOp   *op = next_of(flash, die);

	if (op != NULL && !is_read(op))
		start(flash, op, pack);
	while (ready(flash, flash->oldest))
		start(flash, flash->oldest, pack);
}

void
ssdsim_paq_vaq(SsdsimFlash *flash, uint32_t die)
{
	in_order(flash, die, false);
}

void
ssdsim_paq_pack(SsdsimFlash *flash, uint32_t die)
{
	in_order(flash, die, true);
}
