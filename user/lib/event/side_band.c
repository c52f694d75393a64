// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/side_band.c: the kinds of records: their names, record types and attr bits. */
#include <string.h>
#include <linux/perf_event.h>

#include "event/side_band_records.h"
#include "event/side_band.h"

static const struct {
	uint32_t kind;
	const char *name;
} kinds[] = {
	{ PEAT_SIDE_BAND_TASK, "task" },
	{ PEAT_SIDE_BAND_COMM, "comm" },
	{ PEAT_SIDE_BAND_MMAP, "mmap" },
	{ PEAT_SIDE_BAND_SWITCH, "switch" },
	{ PEAT_SIDE_BAND_NAMESPACES, "namespaces" },
	{ PEAT_SIDE_BAND_CGROUP, "cgroup" },
	{ PEAT_SIDE_BAND_KSYMBOL, "ksymbol" },
	{ PEAT_SIDE_BAND_BPF, "bpf" },
	{ PEAT_SIDE_BAND_TEXTPOKE, "textpoke" },
	{ PEAT_SIDE_BAND_OTHER, "other" },
	{ PEAT_SIDE_BAND_TOOL, "tool" },
};

const char *peat_lost_cause__name(enum peat_lost_cause cause)
{
	static const char *const names[] = { "unknown",	  "ring_full", "nested",
					     "no_ring",	  "too_big",   "throttled",
					     "abandoned", "other",     "corrupt" };

	return (uint32_t)cause < COUNT(names) ? names[cause] : NULL;
}

const char *peat_side_band__name(enum peat_side_band kind)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

uint32_t peat_side_band__find(const char *name)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return 0;
}

void side_band__request(uint32_t wanted, struct perf_event_attr *attr)
{
	attr->task = !!(wanted & PEAT_SIDE_BAND_TASK);
	attr->comm = attr->comm_exec = !!(wanted & PEAT_SIDE_BAND_COMM);
	attr->mmap = attr->mmap2 = !!(wanted & PEAT_SIDE_BAND_MMAP);
	attr->context_switch = !!(wanted & PEAT_SIDE_BAND_SWITCH);
	attr->namespaces = !!(wanted & PEAT_SIDE_BAND_NAMESPACES);
	attr->cgroup = !!(wanted & PEAT_SIDE_BAND_CGROUP);
	attr->ksymbol = !!(wanted & PEAT_SIDE_BAND_KSYMBOL);
	attr->bpf_event = !!(wanted & PEAT_SIDE_BAND_BPF);
	attr->text_poke = !!(wanted & PEAT_SIDE_BAND_TEXTPOKE);
}

static const struct kind_row *find_row(uint32_t record_type)
{
	if (record_type >= KIND_ROWS)
		return NULL;
	if (side_band_records[record_type].schema)
		return &side_band_records[record_type];
	return side_band_others[record_type].schema ? &side_band_others[record_type] : NULL;
}

uint32_t side_band__of(uint32_t record_type)
{
	const struct kind_row *row = find_row(record_type);

	return row ? row->kind : 0;
}

const struct peat_schema *side_band__fill(const struct peat_record *record, void *data,
					  uint32_t room, uint32_t *bytes)
{
	const struct kind_row *row = find_row(record->type);
	struct kind_event event = { .data = data, .room = room };

	if (row && row->fill)
		row->fill(&event, record);
	else if (row) /* the union's members begin at one address */
		kind_event__add(&event, &record->task, row->schema->bytes);
	*bytes = event.bytes;
	return row ? row->schema : NULL;
}

/* Types of one kind may share a schema.  From THROTTLE on, round: so FORK comes before EXIT. */
const struct peat_schema *peat_side_band__schema(enum peat_side_band kind, uint32_t i)
{
	const struct peat_schema *last = NULL;

	for (uint32_t n = 0; n < KIND_ROWS; n++) {
		const struct kind_row *row = find_row((PEAT_RECORD_THROTTLE + n) % KIND_ROWS);

		if (!row || row->kind != kind || row->schema == last)
			continue;
		if (i-- == 0)
			return row->schema;
		last = row->schema;
	}
	return NULL;
}
