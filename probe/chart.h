/*
 * chart.h
 *		Lines in a plot, as SVG that stands in an HTML page.  Pure.
 */
#ifndef SSDPAR_PROBE_CHART_H
#define SSDPAR_PROBE_CHART_H

#include <stdbool.h>
#include <stdio.h>

/* More lines than a reader can tell apart by their colours. */
#define PROBE_CHART_LINES 8
#define PROBE_CHART_POINTS 16

/* Points come by ascending x; y is positive. */
typedef struct ProbeLine
{
	char		name[48];
	bool		strong;			/* thicker, and in the text's colour */
	int			npoints;
	double		x[PROBE_CHART_POINTS];
	double		y[PROBE_CHART_POINTS];
} ProbeLine;

/* The y axis is logarithmic; ticks of the x axis stand where points are. */
typedef struct ProbeChart
{
	const char *title;
	const char *note;			/* what a reader may see in it */
	const char *x_title;
	const char *y_title;
	bool		linear_x;		/* else logarithmic */
	int			nlines;
	ProbeLine	lines[PROBE_CHART_LINES];
} ProbeChart;

/* An HTML figure; nothing if there is no point to draw. */
extern void ssdpar_probe_chart(FILE *out, const ProbeChart *chart);

/* Colours and lines of all charts of a page, in light and in dark. */
extern void ssdpar_probe_chart_style(FILE *out);

/* Text of unknown origin between tags or in an attribute. */
extern void ssdpar_probe_html_text(FILE *out, const char *text);

#endif							/* SSDPAR_PROBE_CHART_H */
