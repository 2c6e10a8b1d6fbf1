/*
 * chart.c
 *		Lines in a plot, as SVG that stands in an HTML page.
 *
 * No scripts: the picture is there in a mail, on paper and where a browser may
 * run none.  Colours are classes that the page's style gives, so that they are
 * others in the dark; each line has its name at its end too, for those who
 * cannot tell the colours, and each point says its numbers when pointed at.
 */
#include "chart.h"

#include <math.h>
#include <string.h>

/* In units of the drawing, which is scaled to the page. */
#define WIDTH 640
#define HEIGHT 340
#define LEFT 62
#define RIGHT 126				/* room for the lines' names */
#define TOP 14
#define BOTTOM 48
#define NAME_HEIGHT 14.0

/* No rate and no time of a device: an axis that reached there had no end. */
#define LEAST_Y 1e-12
#define MOST_Y 1e18

/* The data's part of the drawing.  Limits are logarithms where the axis is. */
typedef struct Frame
{
	const ProbeChart *chart;
	double		x_low;
	double		x_high;
	double		y_low;
	double		y_high;
} Frame;

void
ssdpar_probe_html_text(FILE *out, const char *text)
{
	for (; *text != '\0'; text++)
		switch (*text)
		{
			case '<':
				fputs("&lt;", out);
				break;
			case '>':
				fputs("&gt;", out);
				break;
			case '&':
				fputs("&amp;", out);
				break;
			case '"':
				fputs("&quot;", out);
				break;
			default:
				putc(*text, out);
		}
}

/* Eight colours in the order of the spectrum: sizes and depths have one. */
void
ssdpar_probe_chart_style(FILE *out)
{
	static const char *const light[PROBE_CHART_LINES] = {
		"#6a2fa5", "#3f56b5", "#1c78b0", "#0b8a8a",
		"#24893f", "#7b8410", "#b07508", "#b84a12",
	};
	static const char *const dark[PROBE_CHART_LINES] = {
		"#c3a8f5", "#9fb2f8", "#74bff0", "#5ad2d0",
		"#77d993", "#ccd766", "#f0bf5b", "#f2a070",
	};

	for (int i = 0; i < PROBE_CHART_LINES; i++)
		fprintf(out, ".l%d{color:%s}\n", i, light[i]);
	fputs("@media (prefers-color-scheme: dark){\n", out);
	for (int i = 0; i < PROBE_CHART_LINES; i++)
		fprintf(out, ".l%d{color:%s}\n", i, dark[i]);
	fputs("}\n"
		  ".strong{color:var(--text)}\n"
		  "svg{width:100%;height:auto;font:12px sans-serif}\n"
		  "svg text{fill:var(--text)}\n"
		  "svg .line text{fill:currentColor}\n"
		  "svg .grid{stroke:var(--grid);stroke-width:1}\n"
		  "svg polyline{fill:none;stroke:currentColor;stroke-width:2}\n"
		  "svg .strong polyline{stroke-width:4}\n"
		  "svg .strong text{font-weight:bold}\n"
		  "svg circle{fill:currentColor}\n", out);
}

/* ----- axes ----- */

static double
scale_x(const Frame *frame, double x)
{
	double		place = frame->chart->linear_x ? x : log2(x);

	return LEFT + (place - frame->x_low) / (frame->x_high - frame->x_low) *
		(WIDTH - LEFT - RIGHT);
}

static double
scale_y(const Frame *frame, double y)
{
	return HEIGHT - BOTTOM - (log10(y) - frame->y_low) /
		(frame->y_high - frame->y_low) * (HEIGHT - TOP - BOTTOM);
}

/* 1, 2, 5, 10, ... by number. */
static double
round_value(int step)
{
	static const double mantissas[] = {1, 2, 5};
	int			decade = (int) floor(step / 3.0);

	return mantissas[step - decade * 3] * pow(10, decade);
}

/* The last round value up to Y, and the first that is not below it. */
static int
round_down(double y)
{
	int			step = 3 * (int) floor(log10(y)) + 2;

	while (round_value(step) > y * 1.0001)
		step--;
	return step;
}

static int
round_up(double y)
{
	int			step = round_down(y);

	return round_value(step) < y * 0.9999 ? step + 1 : step;
}

static void
write_value(FILE *out, double value)
{
	if (value >= 999500)
		fprintf(out, "%.3gM", value / 1e6);
	else if (value >= 9995)
		fprintf(out, "%.3gk", value / 1e3);
	else
		fprintf(out, "%.*f", value >= 100 ? 0 : value >= 10 ? 1 : 2, value);
}

/* False if there is nothing to draw. */
static bool
find_frame(Frame *frame)
{
	const ProbeChart *chart = frame->chart;
	double		x_least = INFINITY,
				x_most = -INFINITY,
				y_least = INFINITY,
				y_most = -INFINITY;

	for (int l = 0; l < chart->nlines; l++)
		for (int i = 0; i < chart->lines[l].npoints; i++)
		{
			x_least = fmin(x_least, chart->lines[l].x[i]);
			x_most = fmax(x_most, chart->lines[l].x[i]);
			y_least = fmin(y_least, fmax(chart->lines[l].y[i], LEAST_Y));
			y_most = fmax(y_most, fmin(chart->lines[l].y[i], MOST_Y));
		}
	if (!(x_least <= x_most))
		return false;
	frame->x_low = chart->linear_x ? x_least : log2(x_least);
	frame->x_high = chart->linear_x ? x_most : log2(x_most);
	if (frame->x_high <= frame->x_low)
	{
		/* of one depth or size: in the middle */
		frame->x_low -= 1;
		frame->x_high += 1;
	}
	frame->y_low = log10(round_value(round_down(y_least)));
	frame->y_high = log10(round_value(round_up(y_most)));
	if (frame->y_high <= frame->y_low)
		frame->y_high = frame->y_low + log10(2);
	return true;
}

static void
draw_y_axis(FILE *out, const Frame *frame)
{
	int			first = round_down(pow(10, frame->y_low));
	int			last = round_up(pow(10, frame->y_high));

	/* beyond four decades only the powers of ten have room */
	for (int step = first; step <= last; step++)
	{
		double		y = scale_y(frame, round_value(step));
		char		label[16];

		if (last - first > 12 && step % 3 != 0)
			continue;
		if (round_value(step) >= 1e6)
			snprintf(label, sizeof(label), "%.0fM", round_value(step) / 1e6);
		else if (round_value(step) >= 1e3)
			snprintf(label, sizeof(label), "%.0fk", round_value(step) / 1e3);
		else
			snprintf(label, sizeof(label), "%g", round_value(step));
		fprintf(out,
				"<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" "
				"y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
				"text-anchor=\"end\">%s</text>\n",
				LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, label);
	}
	fprintf(out,
			"<text transform=\"translate(14 %d) rotate(-90)\" "
			"text-anchor=\"middle\">%s</text>\n",
			TOP + (HEIGHT - TOP - BOTTOM) / 2, frame->chart->y_title);
}

/* The longest line has a point at each place where others have one. */
static void
draw_x_axis(FILE *out, const Frame *frame)
{
	const ProbeChart *chart = frame->chart;
	const ProbeLine *longest = &chart->lines[0];
	double		last = -INFINITY;

	for (int l = 1; l < chart->nlines; l++)
		if (chart->lines[l].npoints > longest->npoints)
			longest = &chart->lines[l];
	for (int i = 0; i < longest->npoints; i++)
	{
		double		x = scale_x(frame, longest->x[i]);

		if (x < last + 26)
			continue;			/* no room for its number */
		last = x;
		fprintf(out,
				"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
				x, HEIGHT - BOTTOM + 18, longest->x[i]);
	}
	fprintf(out,
			"<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 8, chart->x_title);
}

/* ----- lines ----- */

static void
draw_line(FILE *out, const Frame *frame, const ProbeLine *line)
{
	fputs("<polyline points=\"", out);
	for (int i = 0; i < line->npoints; i++)
		fprintf(out, "%s%.1f,%.1f", i > 0 ? " " : "",
				scale_x(frame, line->x[i]), scale_y(frame, line->y[i]));
	fputs("\"/>\n", out);
	for (int i = 0; i < line->npoints; i++)
	{
		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"><title>",
				scale_x(frame, line->x[i]), scale_y(frame, line->y[i]),
				line->strong ? 4 : 3);
		ssdpar_probe_html_text(out, line->name);
		fprintf(out, ", %s %g: ", frame->chart->x_title, line->x[i]);
		write_value(out, line->y[i]);
		fprintf(out, " %s</title></circle>\n", frame->chart->y_title);
	}
}

/*
 * Where the names of the lines stand: beside their ends, and apart from each
 * other.  From the top down each gives way to the one above; what then lies
 * too low is pushed up again from below.
 */
static void
place_names(const Frame *frame, double *places)
{
	const ProbeChart *chart = frame->chart;
	int			order[PROBE_CHART_LINES];
	int			count = 0;

	for (int l = 0; l < chart->nlines; l++)
	{
		const ProbeLine *line = &chart->lines[l];
		int			at = count;

		if (line->npoints == 0)
			continue;
		places[l] = scale_y(frame, line->y[line->npoints - 1]);
		for (; at > 0 && places[order[at - 1]] > places[l]; at--)
			order[at] = order[at - 1];
		order[at] = l;
		count++;
	}
	for (int i = 1; i < count; i++)
		places[order[i]] = fmax(places[order[i]],
								places[order[i - 1]] + NAME_HEIGHT);
	for (int i = count - 1; i >= 0; i--)
		places[order[i]] = fmin(places[order[i]],
								HEIGHT - BOTTOM - NAME_HEIGHT *
								(count - 1 - i));
}

static void
draw_lines(FILE *out, const Frame *frame)
{
	const ProbeChart *chart = frame->chart;
	double		places[PROBE_CHART_LINES] = {0};

	place_names(frame, places);
	for (int l = 0; l < chart->nlines; l++)
	{
		const ProbeLine *line = &chart->lines[l];

		if (line->npoints == 0)
			continue;
		if (line->strong)
			fputs("<g class=\"line strong\">\n", out);
		else
			fprintf(out, "<g class=\"line l%d\">\n", l);
		draw_line(out, frame, line);
		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">",
				scale_x(frame, line->x[line->npoints - 1]) + 9,
				places[l] + 4);
		ssdpar_probe_html_text(out, line->name);
		fputs("</text>\n</g>\n", out);
	}
}

void
ssdpar_probe_chart(FILE *out, const ProbeChart *chart)
{
	Frame		frame = {.chart = chart};

	if (!find_frame(&frame))
		return;
	fprintf(out,
			"<figure>\n<figcaption>%s</figcaption>\n"
			"<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
			chart->title, WIDTH, HEIGHT, chart->title);
	draw_y_axis(out, &frame);
	draw_x_axis(out, &frame);
	draw_lines(out, &frame);
	fprintf(out, "</svg>\n<p>%s</p>\n</figure>\n", chart->note);
}
