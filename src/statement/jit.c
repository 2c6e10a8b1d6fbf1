/*
 * jit.c
 *		Compiles a statement's expressions where that saves time.
 *
 * The server compiles what costs more than jit_above_cost.  That is a number of
 * cost units, and says neither how much of the cost is in expressions nor what
 * compiling takes: a quarter of a second for a query that runs a quarter of a
 * second without.  Here the time that evaluating takes (plan_expressions.c) is
 * held against the time that compiling takes, as measured at calibration.
 *
 * Both are of all processes together: each worker loads the compiler and
 * compiles for itself.
 */
#include "postgres.h"

#include "jit/jit.h"

#include "base/jit_provider.h"
#include "base/settings.h"
#include "device/profile.h"
#include "statement/jit.h"
#include "statement/plan_expressions.h"

/*
 * The share of the time of evaluating that compiled expressions save, plain and
 * with inlining and optimisation.  Measured on PostgreSQL 15 with LLVM 14, a
 * filter of five comparisons and a grouping of four expressions of 600,000
 * rows: 0.3 to 0.5, the second no better than the first.
 */
#define PLAIN_SHARE 0.3
#define OPTIMIZED_SHARE 0.4

typedef struct Level
{
	const char *name;
	int			flags;
	double		saves;			/* seconds */
	double		costs;
} Level;

static Level
better(Level one, Level other)
{
	return one.saves - one.costs >= other.saves - other.costs ? one : other;
}

static int
optimizing_flags(void)
{
	return (jit_optimize_above_cost >= 0 ? PGJIT_OPT3 : 0) |
		(jit_inline_above_cost >= 0 ? PGJIT_INLINE : 0);
}

/* The best way of compiling: it may cost more than it saves. */
static Level
best_level(const SsdparPlanExpressions *work, double unit_seconds,
		   const SsdparCompileTimes *times)
{
	double		seconds = work->units * unit_seconds;
	double		loads = work->workers + (ssdpar_jit_is_loaded() ? 0.0 : 1.0);
	double		load = loads * times->load_seconds;
	int			flags = PGJIT_PERFORM | PGJIT_EXPR |
		(jit_tuple_deforming ? PGJIT_DEFORM : 0);
	Level		plain = {"compiled", flags, seconds * PLAIN_SHARE,
	load + work->functions * times->function_seconds};
	Level		optimized = {"optimized", flags | optimizing_flags(),
		seconds * OPTIMIZED_SHARE,
	load + work->functions * times->optimized_seconds};

	return optimized.flags == flags ? plain : better(plain, optimized);
}

/* What the user or the server's build has ruled out is left alone. */
static bool
may_decide(const SsdparNotes *notes)
{
	return ssdpar_jit == SSDPAR_JIT_AUTO && jit_enabled &&
		jit_expressions && jit_above_cost >= 0 &&
		notes->seconds_per_unit > 0.0;
}

void
ssdpar_decide_jit(PlannedStmt *statement, SsdparNotes *notes)
{
	const SsdparProfile *profile;
	const SsdparDeviceRow *device;
	SsdparPlanExpressions work;
	Level		level;

	if (!may_decide(notes))
		return;
	device = ssdpar_device_get(notes->priced_tablespace, &profile);
	if (device == NULL || device->machine.compile.function_seconds <= 0.0)
		return;

	/* what is over before a function is compiled is not looked at */
	if (statement->jitFlags == PGJIT_NONE && notes->predicted_seconds > 0.0 &&
		notes->predicted_seconds < device->machine.compile.function_seconds)
		return;
	work = ssdpar_plan_expressions(statement);
	level = best_level(&work, notes->seconds_per_unit,
					   &device->machine.compile);
	if (level.saves <= level.costs)
	{
		level.name = "none";
		level.flags = PGJIT_NONE;
	}
	statement->jitFlags = level.flags;
	notes->jit = level.name;
	notes->jit_saves = level.saves;
	notes->jit_costs = level.costs;
}
