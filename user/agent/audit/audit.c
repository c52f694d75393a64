// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* audit/audit.c: notes the events that arrived, and the counts of their agents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "base/sip_hash.h"

struct audit {
	struct hash hash; /* of all rows */
	struct audit_row *first, *last;
	char *output;
	uint64_t bytes; /* of memory, see AUDIT_BYTES_MAX */
	struct audit_others others;
};

struct audit *audit__new(const char *output)
{
	struct audit *audit = calloc(1, sizeof(*audit));

	if (!audit || !output)
		return audit;
	audit->output = strdup(output);
	if (audit->output)
		return audit;
	free(audit);
	return NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static uint64_t code_of(const char *host, uint64_t run, const char *source)
{
	const uint64_t parts[] = { sip_hash__key(host, strlen(host)), run,
				   sip_hash__key(source, strlen(source)) };

	return sip_hash__key(parts, sizeof(parts));
}

/* 0 or -ENOSPC. */
static int charge(struct audit *audit, uint64_t bytes)
{
	if (audit->bytes + bytes > AUDIT_BYTES_MAX)
		return -ENOSPC;
	audit->bytes += bytes;
	return 0;
}

static void free_row(struct audit_row *row)
{
	for (uint32_t i = 0; i < row->cause_count; i++)
		free(row->causes[i].name);
	for (uint32_t i = 0; i < row->flow_count; i++)
		free(row->flows[i].output);
	ranges__free(&row->numbers);
	ranges__free(&row->batches);
	free(row->host);
	free(row->source);
	free(row);
}

static int add_row(struct audit *audit, const char *host, uint64_t run, const char *source,
		   uint64_t code, struct audit_row **added)
{
	struct audit_row *row;

	if (charge(audit, sizeof(*row) + strlen(host) + strlen(source) + 2))
		return -ENOSPC;
	row = calloc(1, sizeof(*row));
	if (!row)
		return -ENOMEM;
	row->run = run;
	row->host = strdup(host);
	row->source = strdup(source);
	if (!row->host || !row->source || hash__add(&audit->hash, &row->link, code)) {
		free_row(row);
		return -ENOMEM;
	}
	if (audit->last)
		audit->last->next = row;
	else
		audit->first = row;
	audit->last = row;
	*added = row;
	return 0;
}

/* Finds the row, or adds it. */
static int get_row(struct audit *audit, const char *host, uint64_t run, const char *source,
		   struct audit_row **found)
{
	uint64_t code = code_of(host, run, source);

	for (struct hash_link *link = hash__first(&audit->hash, code); link;
	     link = hash__next(link)) {
		struct audit_row *row = HASH_ENTRY(link, struct audit_row, link);

		if (row->run == run && !strcmp(row->host, host) && !strcmp(row->source, source)) {
			*found = row;
			return 0;
		}
	}
	return add_row(audit, host, run, source, code, found);
}

const struct audit_row *audit__next(const struct audit *audit, const struct audit_row *row)
{
	return row ? row->next : audit->first;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool has_room(const struct audit *audit, const struct ranges *ranges)
{
	return ranges->count < ranges->room || audit->bytes < AUDIT_BYTES_MAX;
}

static int add_range(struct audit *audit, struct ranges *ranges, uint64_t first, uint64_t last,
		     uint64_t *fresh)
{
	const size_t room = ranges->room;
	int err = ranges__add(ranges, first, last, fresh);

	audit->bytes += (ranges->room - room) * sizeof(*ranges->ranges);
	return err;
}

/*
 * Adds the piece's numbers to its row; without room for them, none is added.  A piece that has no
 * number is known by its events alone.
 */
static int add_numbers(struct audit *audit, struct audit_row *row, const struct piece_info *info,
		       bool *is_repeated)
{
	uint64_t fresh = 0, is_fresh = 1;
	int err = 0;

	if (!has_room(audit, &row->batches) || !has_room(audit, &row->numbers))
		return -ENOSPC;
	if (info->number)
		err = add_range(audit, &row->batches, info->number, info->number, &is_fresh);
	if (!err && info->events)
		err = add_range(audit, &row->numbers, info->first, info->first + (info->events - 1),
				&fresh);
	row->repeated += err ? 0 : info->events - fresh;
	*is_repeated = !is_fresh || (info->events && !fresh);
	return err;
}

int audit__add_piece(struct audit *audit, const struct piece_info *info)
{
	struct audit_row *row;
	bool is_repeated = false;
	int err;

	if (info->events && (!info->first || info->first + (info->events - 1) < info->first))
		return -EBADMSG;
	err = get_row(audit, info->host, info->run, info->source, &row);
	err = err ?: add_numbers(audit, row, info, &is_repeated);
	audit->others.left_out += err == -ENOSPC;
	if (err)
		return err;
	row->pieces++;
	if (is_repeated)
		return -EALREADY;
	row->points += info->points;
	return 0;
}

void audit__add_misnamed(struct audit *audit)
{
	audit->others.misnamed++;
}

const struct audit_others *audit__others(const struct audit *audit)
{
	return &audit->others;
}

/* ---- points of the ledger -------------------------------------------------------------------- */

static const char *label(const struct peat_point *point, const char *name)
{
	for (uint32_t i = 0; i < point->label_count; i++)
		if (!strcmp(point->labels[i].name, name))
			return point->labels[i].value;
	return NULL;
}

static int set_cause(struct audit *audit, struct audit_row *row, const char *name, uint64_t events)
{
	uint32_t i = 0;

	while (i < row->cause_count && strcmp(row->causes[i].name, name))
		i++;
	if (i == AUDIT_CAUSES || (i == row->cause_count && charge(audit, strlen(name) + 1)))
		return -ENOSPC;
	if (i == row->cause_count) {
		row->causes[i].name = strdup(name);
		if (!row->causes[i].name)
			return -ENOMEM;
		row->cause_count++;
	}
	row->causes[i].events = events;
	return 0;
}

static int get_flow(struct audit *audit, struct audit_row *row, const char *output,
		    struct audit_flow **flow)
{
	uint32_t i = 0;

	while (i < row->flow_count && strcmp(row->flows[i].output, output))
		i++;
	if (i == AUDIT_OUTPUTS || (i == row->flow_count && charge(audit, strlen(output) + 1)))
		return -ENOSPC;
	if (i == row->flow_count) {
		row->flows[i] = (struct audit_flow){ .output = strdup(output) };
		if (!row->flows[i].output)
			return -ENOMEM;
		row->flow_count++;
	}
	*flow = &row->flows[i];
	return 0;
}

static int set_flow(struct audit *audit, struct audit_row *row, const char *output,
		    const char *count, uint64_t events)
{
	static const struct {
		const char *name;
		size_t offset;
	} counts[] = {
		{ "offered", offsetof(struct audit_flow, offered) },
		{ "dropped", offsetof(struct audit_flow, dropped) },
		{ "refused", offsetof(struct audit_flow, refused) },
		{ "acknowledged", offsetof(struct audit_flow, acknowledged) },
		{ "former.offered", offsetof(struct audit_flow, former_offered) },
		{ "former.dropped", offsetof(struct audit_flow, former_dropped) },
		{ "former.refused", offsetof(struct audit_flow, former_refused) },
		{ "former.acknowledged", offsetof(struct audit_flow, former_acknowledged) },
	};
	struct audit_flow *flow;
	int err;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (strcmp(counts[i].name, count))
			continue;
		err = get_flow(audit, row, output, &flow);
		if (!err)
			*(uint64_t *)(void *)((char *)flow + counts[i].offset) = events;
		return err;
	}
	return 0;
}

static const char *after(const char *text, const char *start)
{
	size_t bytes = strlen(start);

	return strncmp(text, start, bytes) ? NULL : text + bytes;
}

/* A point of the ledger is "peat.source.COUNT" or "peat.output.COUNT". */
static int set_count(struct audit *audit, struct audit_row *row, const struct peat_point *point)
{
	const char *of_source = after(point->name, "peat.source.");
	const char *of_output = after(point->name, "peat.output.");
	const char *cause = label(point, "cause"), *output = label(point, "output");

	if (of_source && !strcmp(of_source, "delivered"))
		row->delivered = point->count;
	else if (of_source && !strcmp(of_source, "lost") && cause)
		return set_cause(audit, row, cause, point->count);
	else if (of_output && output)
		return set_flow(audit, row, output, of_output, point->count);
	return 0;
}

static int add_point(struct audit *audit, const struct piece_info *info,
		     const struct peat_point *point)
{
	const char *source = label(point, "source");
	struct audit_row *row;
	int err;

	if (point->kind != PEAT_POINT_COUNTER || !source ||
	    (!after(point->name, "peat.source.") && !after(point->name, "peat.output.")))
		return 0;
	err = get_row(audit, info->host, info->run, source, &row);
	if (err || point->time_ns < row->ledger_ns)
		return err;
	row->ledger_ns = point->time_ns;
	return set_count(audit, row, point);
}

int audit__add_points(struct audit *audit, const struct piece_info *info,
		      const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_point point = { .sz = sizeof(point) };
	int err = 0;

	while (!err && peat_batch__next_point(batch, &at, &point))
		err = add_point(audit, info, &point);
	return err;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* NULL: none, or it is not known whether one leads here. */
static const struct audit_flow *flow_of(const struct audit *audit, const struct audit_row *row)
{
	if (!audit->output)
		return row->pieces && row->flow_count == 1 ? &row->flows[0] : NULL;
	for (uint32_t i = 0; i < row->flow_count; i++)
		if (!strcmp(row->flows[i].output, audit->output))
			return &row->flows[i];
	return NULL;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t greatest(const struct audit_row *row)
{
	return row->numbers.count ? row->numbers.ranges[row->numbers.count - 1].last : 0;
}

/* The events of the row's own run alone. */
static uint64_t own_dropped(const struct audit_flow *flow)
{
	return flow ? less(flow->dropped, flow->former_dropped) : 0;
}

static uint64_t own_refused(const struct audit_flow *flow)
{
	return flow ? less(flow->refused, flow->former_refused) : 0;
}

void audit__sum(const struct audit *audit, const struct audit_row *row, struct audit_sums *sums)
{
	const struct audit_flow *flow = flow_of(audit, row);
	uint64_t known, acknowledged, offered;

	*sums = (struct audit_sums){ .arrived = row->numbers.numbers,
				     .gaps = greatest(row) - row->numbers.numbers,
				     .dropped = own_dropped(flow) + row->late_dropped,
				     .refused = own_refused(flow) + row->late_refused };
	sums->unexplained = less(sums->gaps, sums->dropped + sums->refused);
	sums->has_ledger = flow || row->late_dropped || row->late_refused;
	if (!flow)
		return;
	for (uint32_t i = 0; i < row->cause_count; i++)
		sums->lost += row->causes[i].events;
	acknowledged = less(flow->acknowledged, flow->former_acknowledged);
	offered = less(flow->offered, flow->former_offered);
	/* Flows count points, too.  Some have arrived since the ledger was sent. */
	known = sums->arrived + row->points;
	sums->lost_in_stream = less(acknowledged, known);
	known = known > acknowledged ? known : acknowledged;
	sums->waiting = less(offered, sums->dropped + sums->refused + known);
	sums->unexplained = less(sums->gaps, sums->dropped + sums->refused + sums->lost_in_stream);
}

/* ---- later runs ------------------------------------------------------------------------------ */

static int compare_runs(const void *a, const void *b)
{
	const struct audit_row *one = *(struct audit_row *const *)a;
	const struct audit_row *other = *(struct audit_row *const *)b;

	return strcmp(one->host, other->host) ?: strcmp(one->source, other->source)
		       ?: (one->run > other->run) - (one->run < other->run);
}

static bool has_same_source(const struct audit_row *one, const struct audit_row *other)
{
	return !strcmp(one->host, other->host) && !strcmp(one->source, other->source);
}

/* The flow of a run, also if no piece of it has arrived, but pieces of former runs. */
static const struct audit_flow *flow_of_later(const struct audit *audit,
					      const struct audit_row *row)
{
	return flow_of(audit, row)
		       ?: !audit->output && row->flow_count == 1 ? &row->flows[0]
								 : NULL;
}

/* Fills the gaps of the newest run first; what is left is after its last piece that arrived. */
static void spread(const struct audit *audit, struct audit_row **rows, size_t count,
		   uint64_t dropped, uint64_t refused)
{
	for (size_t i = count; i--;) {
		struct audit_sums sums;
		uint64_t share;

		audit__sum(audit, rows[i], &sums);
		share = dropped < sums.unexplained ? dropped : sums.unexplained;
		rows[i]->late_dropped = share;
		dropped -= share;
		sums.unexplained -= share;
		share = refused < sums.unexplained ? refused : sums.unexplained;
		rows[i]->late_refused = share;
		refused -= share;
	}
	rows[count - 1]->late_dropped += dropped;
	rows[count - 1]->late_refused += refused;
}

/* Runs of one source, by time. */
static void explain_runs(const struct audit *audit, struct audit_row **rows, size_t count)
{
	const struct audit_flow *newest = NULL;
	uint64_t dropped = 0, refused = 0;

	while (count && !(newest = flow_of_later(audit, rows[count - 1])))
		count--;
	if (count < 2)
		return;
	count--;
	for (size_t i = 0; i < count; i++) {
		dropped += own_dropped(flow_of(audit, rows[i]));
		refused += own_refused(flow_of(audit, rows[i]));
		rows[i]->late_dropped = rows[i]->late_refused = 0;
	}
	spread(audit, rows, count, less(newest->former_dropped, dropped),
	       less(newest->former_refused, refused));
}

int audit__explain(struct audit *audit)
{
	struct audit_row **rows;
	size_t count = 0, first = 0;

	for (struct audit_row *row = audit->first; row; row = row->next)
		count++;
	rows = calloc(count + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	count = 0;
	for (struct audit_row *row = audit->first; row; row = row->next)
		rows[count++] = row;
	qsort(rows, count, sizeof(*rows), compare_runs);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && has_same_source(rows[first], rows[i]))
			continue;
		explain_runs(audit, rows + first, i - first);
		first = i;
	}
	free(rows);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

bool audit__lacks_events(const struct audit *audit)
{
	if (audit->others.left_out || audit->others.misnamed)
		return true;
	for (const struct audit_row *row = audit->first; row; row = row->next) {
		struct audit_sums sums;

		audit__sum(audit, row, &sums);
		if (sums.gaps || sums.lost || sums.dropped || sums.refused || sums.lost_in_stream)
			return true;
	}
	return false;
}

void audit__free(struct audit *audit)
{
	if (!audit)
		return;
	for (struct audit_row *row = audit->first, *next; row; row = next) {
		next = row->next;
		free_row(row);
	}
	hash__free(&audit->hash);
	free(audit->output);
	free(audit);
}
