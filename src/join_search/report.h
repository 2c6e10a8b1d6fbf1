/*
 * report.h
 *		What was measured for a statement, for its EXPLAIN.
 */
#ifndef SSDPAR_MEASURED_REPORT_H
#define SSDPAR_MEASURED_REPORT_H

#include "rowcount/known_rows.h"
#include "sample/measure.h"

typedef struct SsdparReportedRows
{
	const char *tables;			/* their aliases, with commas between */
	Relids		relids;			/* of the statement's topmost level, or NULL */
	double		measured;
	bool		bound;			/* no sample row: upper bound */
	double		assumed;		/* by core; -1: not known */
	double		planned;		/* with both in sight */
	double		actual;			/* -1: not known */
} SsdparReportedRows;

typedef struct SsdparReportedDistinct
{
	const char *column;			/* after its table's alias and a dot; several
								 * have commas between */
	double		measured;
	double		assumed;		/* by core */
} SsdparReportedDistinct;

typedef struct SsdparReport
{
	SsdparMeasured sum;			/* of all levels */
	List	   *rows;			/* SsdparReportedRows */
	List	   *distinct;		/* SsdparReportedDistinct */
} SsdparReport;

/* A query level was measured, and with it these rows. */
extern void ssdpar_report_measured(const SsdparMeasured *measured);
extern void ssdpar_report_rows(PlannerInfo *root, const SsdparKnownRows *known,
							   double assumed);

/* And the distinct values of a column (Var), or combinations of several. */
extern void ssdpar_report_distinct(PlannerInfo *root, List *columns,
								   double measured, double assumed);

/* The plan that is kept was made with what core assumed, not with these. */
extern void ssdpar_report_not_used(void);

/*
 * That of the statement planned last in this session, for the caller to keep in
 * the current memory context; NULL: nothing was measured for it.
 */
extern SsdparReport *ssdpar_take_report(void);

/*
 * Planning a statement begins: returns the outer one's report, to be given back
 * at the end, also after an error; only a finished statement's is kept.
 */
typedef struct SsdparReportInWork SsdparReportInWork;

extern SsdparReportInWork *ssdpar_report_begin(void);
extern void ssdpar_report_end(SsdparReportInWork *outer, bool finished);

#endif							/* SSDPAR_MEASURED_REPORT_H */
