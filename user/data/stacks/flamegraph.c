// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * stacks/flamegraph.c: writes counted stacks as an SVG: a box per function, above its caller.
 *
 * The boxes are placed here, so that a program without JavaScript shows them too;
 * user/share/flamegraph.js places them anew in the width of a browser's window.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "stacks/box_colour.h"
#include "stacks/call_boxes.h"
#include "stacks/count_text.h"

/* Pixels. */
#define WIDTH	     1200
#define MARGIN	     10
#define TOP	     76
#define BOTTOM	     26
#define ROW	     16
#define ROW_GAP	     1
#define TEXT_INDENT  3
#define TEXT_RAISE   4 /* of the base line of a text, from the end of its row */
#define BOX_HUNDREDS (100 * (WIDTH - 2 * MARGIN))

/* A character of a monospaced font of 12 pixels is 7.2 pixels wide. */
#define CHARACTER_HUNDREDS 720
#define CHARACTERS_MIN	   3

/* Compiled in.  Their symbols are global for the same reason as in probe.c. */
__asm__(".pushsection .rodata\n"
	".globl peat_flamegraph_css, peat_flamegraph_js\n"
	".hidden peat_flamegraph_css, peat_flamegraph_js\n"
	"peat_flamegraph_css: .incbin \"user/share/flamegraph.css\"\n"
	".byte 0\n"
	"peat_flamegraph_js: .incbin \"user/share/flamegraph.js\"\n"
	".byte 0\n"
	".popsection\n");
extern const char style[] __asm__("peat_flamegraph_css");
extern const char script[] __asm__("peat_flamegraph_js");

struct picture {
	const struct counted_stacks *stacks;
	struct call_boxes boxes;
	struct strbuf *out;
	unsigned int height;
	unsigned int shift;  /* of numbers for the script, which are doubles */
	double most_changed; /* the largest change of a box's part */
};

/* ---- numbers and texts ----------------------------------------------------------------------- */

static void put_text(struct strbuf *out, const char *text)
{
	escape__xml(out, text, strlen(text));
}

/* Hundredths of a pixel. */
static uint64_t hundredths(const struct picture *picture, uint64_t part)
{
	return (uint64_t)((unsigned __int128)part * BOX_HUNDREDS / picture->boxes.total);
}

static void put_hundredths(struct strbuf *out, uint64_t value)
{
	strbuf__unsigned(out, value / 100);
	strbuf__char(out, '.');
	strbuf__padded(out, value % 100, 2);
}

static void put_attribute(struct strbuf *out, const char *name, uint64_t value)
{
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__text(out, "=\"");
	strbuf__unsigned(out, value);
	strbuf__char(out, '"');
}

/* A part of the whole: "12.34 %" */
static void put_percent(struct strbuf *out, uint64_t part, uint64_t whole)
{
	put_hundredths(out, (uint64_t)(((unsigned __int128)part * 10000 + whole / 2) / whole));
	strbuf__text(out, " %");
}

static void put_part_before(const struct picture *picture, uint64_t before)
{
	if (!picture->boxes.before)
		return;
	strbuf__text(picture->out, ", ");
	if (before)
		put_percent(picture->out, before, picture->boxes.before[0]);
	else
		strbuf__text(picture->out, "0 %");
	strbuf__text(picture->out, " before");
}

static void put_count(const struct picture *picture, uint64_t count)
{
	if (picture->stacks->is_weighted)
		count_text__put_weight(picture->out, &picture->stacks->unit, count);
	else
		count_text__put_samples(picture->out, count);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static const char *place_of(const struct merged_frame *frame)
{
	if (frame->kind == MERGED_TASK)
		return "task";
	if (frame->module)
		return frame->module;
	return frame->kind == MERGED_KERNEL ? "[kernel]" : "unknown file";
}

/* The name, the file and the count, a line each: the script reads them. */
static void put_title(const struct picture *picture, const struct merged_frame *frame,
		      const struct call_box *box)
{
	struct strbuf *out = picture->out;

	strbuf__text(out, "<title>");
	put_text(out, frame->name);
	strbuf__char(out, '\n');
	put_text(out, place_of(frame));
	strbuf__text(out, frame->kind == MERGED_INLINED ? ", inlined\n" : "\n");
	put_count(picture, box->total);
	strbuf__text(out, ", ");
	put_percent(out, box->total, picture->boxes.total);
	put_part_before(picture, box->before);
	strbuf__text(out, "</title>");
}

/* Bytes of the first `characters` characters.  A byte that is not UTF-8 counts as a quarter. */
static size_t bytes_of(const char *text, uint64_t characters)
{
	size_t at = 0;

	for (uint64_t i = 0; text[at] && at < 4 * characters; at++) {
		i += ((uint8_t)text[at] & 0xc0) != 0x80;
		if (i > characters)
			break;
	}
	return at;
}

static void put_fitting(struct strbuf *out, const char *name, uint64_t width)
{
	uint64_t room = width > 200 * TEXT_INDENT ? width - 200 * TEXT_INDENT : 0;
	uint64_t characters = room / CHARACTER_HUNDREDS;

	if (characters < CHARACTERS_MIN)
		return;
	if (!name[bytes_of(name, characters)]) {
		put_text(out, name);
		return;
	}
	escape__xml(out, name, bytes_of(name, characters - 1));
	strbuf__text(out, "…");
}

/* How much larger the part of all is than before: -1 to 1. */
static double change_of(const struct call_boxes *boxes, const struct call_box *box)
{
	double part = (double)box->total / (double)boxes->total;

	return boxes->before[0] ? part - (double)box->before / (double)boxes->before[0] : part;
}

static double most_changed(const struct call_boxes *boxes)
{
	struct call_box box = { 0 };
	double most = 0;

	while (call_boxes__next(boxes, &box))
		if (box.node && fabs(change_of(boxes, &box)) > most)
			most = fabs(change_of(boxes, &box));
	return most;
}

static struct box_colour colour_of(const struct picture *picture, const struct merged_frame *frame,
				   const struct call_box *box)
{
	if (!picture->boxes.before)
		return box_colour__of(frame->kind, frame->name);
	if (!box->node || picture->most_changed <= 0)
		return box_colour__of_change(0);
	return box_colour__of_change(change_of(&picture->boxes, box) / picture->most_changed);
}

static void put_rect(const struct picture *picture, struct box_colour colour, uint64_t x,
		     uint64_t width, unsigned int y)
{
	struct strbuf *out = picture->out;

	strbuf__text(out, "<rect x=\"");
	put_hundredths(out, x);
	strbuf__char(out, '"');
	put_attribute(out, "y", y);
	strbuf__text(out, " width=\"");
	put_hundredths(out, width);
	strbuf__char(out, '"');
	put_attribute(out, "height", ROW - ROW_GAP);
	strbuf__text(out, " fill=\"#");
	strbuf__hex_bytes(out, colour.rgb, 3);
	strbuf__text(out, "\"/>");
}

/* Start and width are rounded so that boxes stay within their parents. */
static void put_group(const struct picture *picture, const struct call_box *box)
{
	uint64_t start = box->start >> picture->shift, end;

	end = box->total < UINT64_MAX - box->start ? box->start + box->total : UINT64_MAX;
	end >>= picture->shift;
	strbuf__text(picture->out, "<g");
	put_attribute(picture->out, "data-x", start);
	put_attribute(picture->out, "data-w", end - start);
	strbuf__char(picture->out, '>');
}

static void put_box(const struct picture *picture, const struct call_box *box)
{
	static const struct merged_frame all = { .name = "all", .kind = MERGED_TASK };
	const struct merged_frame *frame = box->frame ? box->frame : &all;
	unsigned int y = picture->stacks->inverted
				 ? TOP + ROW * box->depth
				 : picture->height - BOTTOM - ROW * (box->depth + 1);
	uint64_t x = 100 * MARGIN + hundredths(picture, box->start);
	uint64_t width = hundredths(picture, box->total);
	struct strbuf *out = picture->out;

	put_group(picture, box);
	put_title(picture, frame, box);
	put_rect(picture, colour_of(picture, frame, box), x, width, y);
	strbuf__text(out, "<text x=\"");
	put_hundredths(out, x + 100 * TEXT_INDENT);
	strbuf__char(out, '"');
	put_attribute(out, "y", y + ROW - TEXT_RAISE);
	strbuf__char(out, '>');
	put_fitting(out, frame->name, width);
	strbuf__text(out, "</text></g>\n");
}

static int put_boxes(const struct picture *picture, int fd)
{
	struct call_box box = { 0 };
	int err = 0;

	strbuf__text(picture->out, "<g id=\"frames\">\n");
	while (!err && call_boxes__next(&picture->boxes, &box)) {
		put_box(picture, &box);
		err = write_if_large(picture->out, fd);
	}
	strbuf__text(picture->out, "</g>\n");
	return err;
}

/* ---- around the boxes ------------------------------------------------------------------------ */

static const char *title_of(const struct counted_stacks *stacks)
{
	if (stacks->title)
		return stacks->title;
	return stacks->event ? stacks->event : "stacks";
}

static void put_head(const struct picture *picture)
{
	struct strbuf *out = picture->out;

	strbuf__text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			  "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	put_attribute(out, "width", WIDTH);
	put_attribute(out, "height", picture->height);
	strbuf__text(out, " viewBox=\"0 0 ");
	strbuf__unsigned(out, WIDTH);
	strbuf__char(out, ' ');
	strbuf__unsigned(out, picture->height);
	strbuf__text(out, picture->stacks->inverted ? "\" data-inverted=\"\">\n<title>"
						    : "\">\n<title>");
	put_text(out, title_of(picture->stacks));
	strbuf__text(out, "</title>\n<style>\n");
	strbuf__text(out, style);
	strbuf__text(
		out,
		"</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
		"<text id=\"heading\" x=\"10\" y=\"24\">");
	put_text(out, title_of(picture->stacks));
	strbuf__text(out, "</text>\n");
}

static void put_least(const struct picture *picture)
{
	char percent[32];

	if (picture->stacks->min_percent <= 0) {
		strbuf__text(picture->out, "0.1 pixels");
		return;
	}
	snprintf(percent, sizeof(percent), "%g %%", picture->stacks->min_percent);
	strbuf__text(picture->out, percent);
}

static void put_left_out(const struct picture *picture)
{
	struct strbuf *out = picture->out;

	if (!picture->boxes.left_out)
		return;
	strbuf__text(out, "; ");
	count_text__put_grouped(out, picture->boxes.left_out);
	strbuf__text(out, picture->boxes.left_out == 1 ? " box narrower than "
						       : " boxes narrower than ");
	put_least(picture);
	strbuf__text(out, picture->boxes.left_out == 1 ? " is left out" : " are left out");
}

/* The meaning of the colours, and the part of the stacks before that has no box. */
static void put_comparison(const struct picture *picture)
{
	const struct call_boxes *boxes = &picture->boxes;
	struct strbuf *out = picture->out;

	if (!boxes->before)
		return;
	strbuf__text(out, "; before: ");
	put_count(picture, boxes->before[0]);
	strbuf__text(out, "; red: a larger part than before, blue: a smaller one");
	if (!boxes->gone)
		return;
	strbuf__text(out, "; ");
	put_percent(out, boxes->gone, boxes->before[0]);
	strbuf__text(out, " of before is in no box");
}

static void put_details(const struct picture *picture)
{
	const struct counted_stacks *stacks = picture->stacks;
	struct strbuf *out = picture->out;

	strbuf__text(out, "<text id=\"details\" x=\"10\" y=\"46\">");
	if (!stacks->event) {
		strbuf__text(out, "no stacks");
	} else {
		put_text(out, stacks->event);
		strbuf__text(out, ": ");
		count_text__put_samples(out, picture->boxes.samples);
	}
	if (stacks->event && stacks->is_weighted) {
		strbuf__text(out, ", ");
		put_text(out, stacks->weight);
		strbuf__char(out, ' ');
		count_text__put_weight(out, &stacks->unit, picture->boxes.total);
	}
	put_comparison(picture);
	put_left_out(picture);
	strbuf__text(out, "</text>\n");
}

static void put_tail(const struct picture *picture)
{
	struct strbuf *out = picture->out;

	strbuf__text(out, "<text id=\"status\" x=\"10\"");
	put_attribute(out, "y", picture->height - BOTTOM + 18);
	strbuf__text(out, "> </text>\n<script><![CDATA[\n");
	strbuf__text(out, script);
	strbuf__text(out, "]]></script>\n</svg>\n");
}

static int write_picture(struct picture *picture, int fd)
{
	int err;

	picture->height = TOP + ROW * picture->boxes.rows + BOTTOM;
	while (picture->boxes.total >> picture->shift >> 53)
		picture->shift++;
	if (picture->boxes.before)
		picture->most_changed = most_changed(&picture->boxes);
	put_head(picture);
	put_details(picture);
	err = put_boxes(picture, fd);
	if (err)
		return err;
	put_tail(picture);
	return strbuf__write(picture->out, fd);
}

/* The narrowest box is a part of this many: a tenth of a pixel. */
static uint64_t parts_of(const struct counted_stacks *stacks)
{
	const double parts =
		stacks->min_percent > 0 ? 100 / stacks->min_percent : BOX_HUNDREDS / 10;

	return parts < 1e9 ? (uint64_t)parts : 1000000000;
}

int flamegraph__write(const struct counted_stacks *stacks, int fd)
{
	struct strbuf out = { 0 };
	struct picture picture = { .stacks = stacks, .out = &out };
	struct merged_stacks merged;
	int err = merged_stacks__make(&merged, stacks);

	if (!err && stacks->reversed)
		err = merged_stacks__reverse(&merged);
	if (!err)
		err = call_boxes__make(&picture.boxes, &merged, stacks->is_weighted,
				       parts_of(stacks));
	if (!err)
		err = write_picture(&picture, fd);
	call_boxes__free(&picture.boxes);
	merged_stacks__free(&merged);
	strbuf__free(&out);
	return err;
}
