/*
 * further_partners.c
 *		Has a row any partner, where the first ones asked for are none?
 *
 * A user has a thousand events, of which fifty are logins: that none of five is
 * one does not say that there is none.  Nor does one address in the index, if
 * the row there is dead.  Whether such rows have a partner after all depends on
 * how the partners lie: five of a hundred may be everybody's, or one user's of
 * twenty.  So some of the rows are asked for four times as many partners, some
 * of those that have none among these for sixteen times as many, and so on:
 * each time as many rows, chosen at random, as the pages go round for.  A row
 * that is not asked again has the answer of one that was.
 */
#include "postgres.h"

#include "base/compat.h"
#include "sample/further_partners.h"
#include "sample/join_pairs.h"
#include "sample/work_price.h"

/* As many partners as before. */
#define FACTOR 4

/* Of the work that is left, each time: about half of it in all. */
#define SHARE_OF_WORK 0.2

/* Rows that are not decided yet. */
typedef struct OpenRows
{
	int		   *rows;
	int			nrows;
} OpenRows;

static int
addresses(const SsdparAsking *asking, int row, int partners)
{
	return Min(asking->sample->keys[row]->ntids, partners);
}

static int
pairs_wanted(const SsdparAsking *asking, const OpenRows *open, int partners)
{
	int			wanted = 0;

	for (int i = 0; i < open->nrows; i++)
		wanted += addresses(asking, open->rows[i], partners);
	return wanted;
}

static double
affordable_pairs(const SsdparAsking *asking)
{
	const SsdparSampleTable *table = asking->join->table;
	double		left = ssdpar_sample_work_left(&asking->sampler->budget);

	return Min(left * SHARE_OF_WORK /
			   (table->page_seconds + table->row_seconds),
			   asking->most_pairs);
}

/* n rows, chosen at random, are going to answer for the others. */
static void
thin(SsdparAsking *asking, OpenRows *open, int n)
{
	pg_prng_state *random = &asking->sampler->random;

	for (int i = 0; i < n; i++)
	{
		int			other = pg_prng_uint64_range(random, i, open->nrows - 1);
		int			row = open->rows[i];

		open->rows[i] = open->rows[other];
		open->rows[other] = row;
	}
	for (int i = n; i < open->nrows; i++)
		asking->answers[open->rows[i]].like =
			open->rows[pg_prng_uint64_range(random, 0, n - 1)];
	asking->heaviest *= (double) open->nrows / n;
	open->nrows = n;
}

/* False: none that could answer for the others. */
static bool
keep_affordable(SsdparAsking *asking, OpenRows *open, int partners)
{
	int			n = Min(affordable_pairs(asking) * open->nrows /
						pairs_wanted(asking, open, partners),
						open->nrows);

	if (n < 1)
		return false;
	if (n < open->nrows)
		thin(asking, open, n);
	return true;
}

/* False if the time is up, or a value not to be compared. */
static bool
ask(SsdparAsking *asking, const OpenRows *open, int partners)
{
	const SsdparIndexSample *sample = asking->sample;
	int			room = pairs_wanted(asking, open, partners);
	SsdparPair *pairs = palloc_array(SsdparPair, room);
	int			npairs = 0;

	for (int i = 0; i < open->nrows; i++)
	{
		int			row = open->rows[i];
		int			n = addresses(asking, row, partners);

		ssdpar_choose_pairs(asking->sampler, asking->sample, row, n,
							&pairs[npairs]);
		asking->answers[row].asked = n;
		npairs += n;
	}
	if (!ssdpar_fetch_pairs(asking->sampler, asking->join->table, pairs,
							npairs) ||
		!ssdpar_sample_is_in_line(asking->sampler, asking->join))
		return false;
	for (int i = 0; i < npairs; i++)
		if (ssdpar_is_pair_joined(asking->builder, asking->join,
								  asking->set->members[sample->rows
													   [pairs[i].row]],
								  &pairs[i]))
			asking->answers[pairs[i].row].partner = true;
	pfree(pairs);
	return true;
}

/* Those of which more addresses are known than were looked at. */
static void
keep_open(const SsdparAsking *asking, OpenRows *open)
{
	int			kept = 0;

	for (int i = 0; i < open->nrows; i++)
	{
		int			row = open->rows[i];

		if (!asking->answers[row].partner &&
			asking->answers[row].asked < asking->sample->keys[row]->ntids)
			open->rows[kept++] = row;
	}
	open->nrows = kept;
}

static void
find_open(const SsdparAsking *asking, OpenRows *open)
{
	const SsdparIndexSample *sample = asking->sample;

	open->rows = palloc_array(int, Max(sample->nrows, 1));
	open->nrows = 0;
	for (int i = 0; i < sample->nrows; i++)
	{
		if (ssdpar_is_undecided(sample, asking->answers, i))
			open->rows[open->nrows++] = i;
	}
}

static void
count_rows(const SsdparAsking *asking)
{
	for (int i = 0; i < asking->sample->nrows; i++)
		asking->answers[ssdpar_row_asked(asking->answers, i)].stands_for++;
}

bool
ssdpar_ask_further(SsdparAsking *asking)
{
	OpenRows	open;
	bool		in_time = true;

	asking->heaviest = 1.0;
	find_open(asking, &open);
	while (in_time && open.nrows > 0)
	{
		int			partners =
			asking->answers[open.rows[0]].asked * FACTOR;

		if (!keep_affordable(asking, &open, partners))
			break;
		in_time = ask(asking, &open, partners);
		keep_open(asking, &open);
	}
	pfree(open.rows);
	count_rows(asking);
	return in_time;
}
