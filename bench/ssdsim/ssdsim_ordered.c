/*
 * ssdsim_ordered.c
 *		A treap: a search tree by number and arrival whose nodes have random
 *		priorities, each at least as large as those below it.
 */
#include "ssdsim_ordered.h"

#include "ssdsim_random.h"

/* Does a request precede the position of a number and an arrival? */
static bool
precedes(const SsdsimRequest *request, uint64_t key, uint64_t order)
{
	return request->key != key ? request->key < key : request->order < order;
}

/* Splits into requests before that position, and the rest. */
static void
split(SsdsimRequest *tree, uint64_t key, uint64_t order,
	  SsdsimRequest **before, SsdsimRequest **rest)
{
	while (tree != NULL)
		if (precedes(tree, key, order))
		{
			*before = tree;
			before = &tree->above;
			tree = tree->above;
		}
		else
		{
			*rest = tree;
			rest = &tree->below;
			tree = tree->below;
		}
	*before = NULL;
	*rest = NULL;
}

/* Joins two trees, all of the first before all of the second. */
static SsdsimRequest *
join(SsdsimRequest *before, SsdsimRequest *rest)
{
	SsdsimRequest *tree;
	SsdsimRequest **place = &tree;

	while (before != NULL && rest != NULL)
		if (before->chance >= rest->chance)
		{
			*place = before;
			place = &before->above;
			before = before->above;
		}
		else
		{
			*place = rest;
			place = &rest->below;
			rest = rest->below;
		}
	*place = before != NULL ? before : rest;
	return tree;
}

void
ssdsim_ordered_add(SsdsimOrdered *ordered, SsdsimRequest *request,
				   uint64_t key)
{
	SsdsimRequest **place = &ordered->root;

	request->key = key;
	request->order = ordered->added++;
	request->chance = ssdsim_random(&ordered->random);
	while (*place != NULL && (*place)->chance >= request->chance)
		place = precedes(*place, key, request->order) ? &(*place)->above :
			&(*place)->below;
	split(*place, key, request->order, &request->below, &request->above);
	*place = request;
}

void
ssdsim_ordered_remove(SsdsimOrdered *ordered, SsdsimRequest *request)
{
	SsdsimRequest **place = &ordered->root;

	while (*place != request)
		place = precedes(*place, request->key, request->order) ?
			&(*place)->above : &(*place)->below;
	*place = join(request->below, request->above);
}

/* The first that does not precede a position. */
static SsdsimRequest *
first_from(const SsdsimOrdered *ordered, uint64_t key, uint64_t order)
{
	SsdsimRequest *found = NULL;

	for (SsdsimRequest *each = ordered->root; each != NULL;)
		if (precedes(each, key, order))
			each = each->above;
		else
		{
			found = each;
			each = each->below;
		}
	return found;
}

SsdsimRequest *
ssdsim_ordered_from(const SsdsimOrdered *ordered, uint64_t key)
{
	return first_from(ordered, key, 0);
}

SsdsimRequest *
ssdsim_ordered_after(const SsdsimOrdered *ordered,
					 const SsdsimRequest *request)
{
	return first_from(ordered, request->key, request->order + 1);
}
