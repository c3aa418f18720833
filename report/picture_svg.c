/* report/picture_svg.c -- draws a picture: a column for each thread, what was wrong first further up.
 *   (1) a node stands below every node before it that led to it;
 *   (2) no two boxes overlap: in a lane each has a row of its own, and lanes are side by side;
 *   (3) what is written lies inside its box: names are cut, the whole is in the tooltip.
 * Edges lie behind the boxes; those from thread to thread go from side to side, those in a lane down, past other boxes in the gutter on the right. */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "report/escape.h"
#include "report/picture.h"

#define BOX_WIDE   244
#define BOX_HIGH   58
#define ROW_HIGH   88
#define LANE_WIDE  332
#define HEAD_HIGH  40
#define MARGIN     14
#define NAME_CHARS 27u
#define SMALL_CHARS 33u

struct drawing { const struct picture *p; FILE *to; uint32_t *row; uint32_t rows; };

static int left_of(const struct drawing *d, uint32_t node) { return MARGIN + (int)d->p->nodes.at[node].lane * LANE_WIDE; }
static int top_of(const struct drawing *d, uint32_t node) { return HEAD_HIGH + (int)d->row[node] * ROW_HIGH; }

/* ---- where ---- */

/* Rows: below what led there, and below what stands in the lane already. */
static void lay_out(struct drawing *d)
{
	const struct picture *p = d->p;
	uint32_t *free_row = mem_take((p->lanes.count + 1) * sizeof *free_row);
	for (uint32_t n = 0; n < p->nodes.count; n++) {
		uint32_t row = free_row[p->nodes.at[n].lane];
		for (size_t k = 0; k < p->edges.count; k++)
			if (p->edges.at[k].to == n && p->edges.at[k].from < n && d->row[p->edges.at[k].from] + 1 > row)
				row = d->row[p->edges.at[k].from] + 1;
		d->row[n] = row;
		free_row[p->nodes.at[n].lane] = row + 1;
		d->rows = row + 1 > d->rows ? row + 1 : d->rows;
	}
	mem_free(free_row);
}

static bool is_between(const struct drawing *d, uint32_t a, uint32_t b)
{
	for (uint32_t n = 0; n < d->p->nodes.count; n++)
		if (d->p->nodes.at[n].lane == d->p->nodes.at[a].lane && d->row[n] > d->row[a] && d->row[n] < d->row[b])
			return true;
	return false;
}

/* ---- texts ---- */

/* At most so many characters of it, escaped. */
static void cut_text(FILE *to, const char *text, unsigned most)
{
	char shown[512];
	size_t at = 0;
	unsigned count = 0;
	for (; text[at] && count < most && at < sizeof shown - 8; count++) {
		size_t length = str_utf8(text + at);
		at += length ? length : 1;
	}
	memcpy(shown, text, at);
	memcpy(shown + at, text[at] ? "\xe2\x80\xa6" : "", text[at] ? 4 : 1);
	escape_xml(to, shown);
}

static const struct picture_edge *first_edge_to(const struct picture *p, uint32_t node)
{
	for (size_t k = 0; k < p->edges.count; k++)
		if (p->edges.at[k].to == node && p->edges.at[k].from != node)
			return &p->edges.at[k];
	return NULL;
}

/* What carried it there, in few words. */
static void say_came(char *into, size_t room, const struct picture *p, uint32_t node)
{
	char n[STR_NUMBER];
	const struct picture_edge *e = first_edge_to(p, node);
	if (!e)
		snprintf(into, room, "%s", p->nodes.at[node].origin ? "begins here" : "");
	else if (e->crosses)
		snprintf(into, room, "from %.40s, %s events later", p->lanes.at[p->nodes.at[e->from].lane], str_grouped(n, e->after));
	else
		snprintf(into, room, "%s, %s event%s later", e->memory ? "memory" : "in the thread", str_grouped(n, e->after), e->after == 1 ? "" : "s");
}

/* ---- what is drawn ---- */

static void draw_edge(const struct drawing *d, const struct picture_edge *e)
{
	int x1 = left_of(d, e->from), y1 = top_of(d, e->from), x2 = left_of(d, e->to), y2 = top_of(d, e->to);
	bool same_lane = d->p->nodes.at[e->from].lane == d->p->nodes.at[e->to].lane;
	char n[STR_NUMBER];
	if (e->from == e->to)
		return;
	fprintf(d->to, "<path class=\"edge%s%s\" d=\"", e->crosses ? " crosses" : "", e->memory ? "" : " inside");
	if (same_lane && d->row[e->to] > d->row[e->from] && !is_between(d, e->from, e->to))
		fprintf(d->to, "M%d %dL%d %d", x1 + 60, y1 + BOX_HIGH, x2 + 60, y2 - 7);
	else if (same_lane) {
		int rows = (int)d->row[e->to] - (int)d->row[e->from], bow = 24 + 5 * (rows < 0 ? -rows : rows);
		bow = bow > 72 ? 72 : bow;
		fprintf(d->to, "M%d %dC%d %d,%d %d,%d %d", x1 + BOX_WIDE, y1 + 40, x1 + BOX_WIDE + bow, y1 + 40, x2 + BOX_WIDE + bow, y2 + 18, x2 + BOX_WIDE + 7, y2 + 18);
	} else {
		bool right = x2 > x1;
		int from = right ? x1 + BOX_WIDE : x1, to = right ? x2 - 7 : x2 + BOX_WIDE + 7, pull = right ? 44 : -44;
		fprintf(d->to, "M%d %dC%d %d,%d %d,%d %d", from, y1 + 40, from + pull, y1 + 40, to - pull, y2 + 18, to, y2 + 18);
	}
	fprintf(d->to, "\" marker-end=\"url(#%s)\"><title>%s%s, %s event%s later", e->crosses ? "tipc" : "tip", e->memory ? "through memory" : "in the thread",
		e->crosses ? " from thread to thread" : "", str_grouped(n, e->after), e->after == 1 ? "" : "s");
	fprintf(d->to, ", %s time%s</title></path>\n", str_grouped(n, e->times), e->times == 1 ? "" : "s");
}

static void draw_node(const struct drawing *d, uint32_t node)
{
	const struct picture_node *n = &d->p->nodes.at[node];
	char number[STR_NUMBER], came[120];
	int x = left_of(d, node), y = top_of(d, node);
	fprintf(d->to, "<g class=\"node%s%s k-%s\"><title>", n->origin ? " origin" : "", n->converged ? " healed" : "",
		!strcmp(n->kind, "data") || !strcmp(n->kind, "control") || !strcmp(n->kind, "address") ? n->kind : "end");
	escape_xml(d->to, n->name);
	fputs(" at ", d->to);
	escape_xml(d->to, n->where);
	fputs(n->converged ? ", right again later" : "", d->to);
	fprintf(d->to, "</title><rect class=box x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/><rect class=strip x=\"%d\" y=\"%d\" width=\"5\" height=\"%d\" rx=\"2\"/>",
		x, y, BOX_WIDE, BOX_HIGH, x, y, BOX_HIGH);
	fprintf(d->to, "<text class=name x=\"%d\" y=\"%d\">", x + 13, y + 18);
	cut_text(d->to, n->name, NAME_CHARS);
	fprintf(d->to, "</text><text x=\"%d\" y=\"%d\">", x + 13, y + 34);
	char line[200];
	snprintf(line, sizeof line, "%.90s%s%.20s%s%s%s", n->where, *n->where ? ", " : "", n->kind, n->times == 1 ? "" : ", ", n->times == 1 ? "" : str_grouped(number, n->times),
		n->times == 1 ? "" : " times");
	cut_text(d->to, line, SMALL_CHARS);
	say_came(came, sizeof came, d->p, node);
	fprintf(d->to, "</text><text class=came x=\"%d\" y=\"%d\">", x + 13, y + 50);
	cut_text(d->to, came, SMALL_CHARS);
	fputs("</text></g>\n", d->to);
}

static void draw_lanes(const struct drawing *d, int high)
{
	for (size_t i = 0; i < d->p->lanes.count; i++) {
		int x = MARGIN + (int)i * LANE_WIDE;
		fprintf(d->to, "<line class=lane x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text class=thread x=\"%d\" y=\"22\">", x + BOX_WIDE / 2, HEAD_HIGH - 8,
			x + BOX_WIDE / 2, high, x);
		cut_text(d->to, d->p->lanes.at[i], NAME_CHARS);
		fputs("</text>\n", d->to);
	}
}

void picture_marks(FILE *to)
{
	static const char *const marks[][2] = { { "tip", "tip" }, { "tipc", "tip crosses" } };
	fputs("<svg width=\"0\" height=\"0\" aria-hidden=true style=\"position:absolute\"><defs>", to);
	for (int i = 0; i < 2; i++)
		fprintf(to, "<marker id=%s viewBox=\"0 0 8 8\" refX=\"1\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=userSpaceOnUse orient=auto>"
			"<path class=\"%s\" d=\"M0 0L8 4L0 8z\"/></marker>", marks[i][0], marks[i][1]);
	fputs("</defs></svg>\n", to);
}

void picture_svg(const struct picture *p, FILE *to)
{
	struct drawing d = { p, to, mem_take((p->nodes.count + 1) * sizeof *d.row), 0 };
	lay_out(&d);
	int wide = 2 * MARGIN + (int)p->lanes.count * LANE_WIDE, high = HEAD_HIGH + (int)d.rows * ROW_HIGH;
	fprintf(to, "<svg class=picture role=img aria-label=\"how it went on\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", wide, high, wide, high);
	draw_lanes(&d, high - 12);
	for (size_t k = 0; k < p->edges.count; k++)
		draw_edge(&d, &p->edges.at[k]);
	for (uint32_t n = 0; n < p->nodes.count; n++)
		draw_node(&d, n);
	fputs("</svg>\n", to);
	mem_free(d.row);
}
