// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/kinds.c: the kinds of records: their names, record types and attr bits. */
#include <string.h>
#include <linux/perf_event.h>

#include "event/kind_records.h"
#include "event/kinds.h"

static const struct {
	uint32_t kind;
	const char *name;
} kinds[] = {
	{ PEAT_KIND_TASK, "task" },
	{ PEAT_KIND_COMM, "comm" },
	{ PEAT_KIND_MMAP, "mmap" },
	{ PEAT_KIND_SWITCH, "switch" },
	{ PEAT_KIND_NAMESPACES, "namespaces" },
	{ PEAT_KIND_CGROUP, "cgroup" },
	{ PEAT_KIND_KSYMBOL, "ksymbol" },
	{ PEAT_KIND_BPF, "bpf" },
	{ PEAT_KIND_TEXTPOKE, "textpoke" },
	{ PEAT_KIND_OTHER, "other" },
	{ PEAT_KIND_TOOL, "tool" },
};

const char *peat_lost_cause__name(enum peat_lost_cause cause)
{
	static const char *const names[] = { "unknown",	  "ring_full", "nested",
					     "no_ring",	  "too_big",   "throttled",
					     "abandoned", "other",     "corrupt" };

	return (uint32_t)cause < COUNT(names) ? names[cause] : NULL;
}

const char *peat_kind__name(enum peat_kind kind)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

uint32_t peat_kind__find(const char *name)
{
	for (uint32_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return 0;
}

void kinds__request(uint32_t wanted, struct perf_event_attr *attr)
{
	attr->task = !!(wanted & PEAT_KIND_TASK);
	attr->comm = attr->comm_exec = !!(wanted & PEAT_KIND_COMM);
	attr->mmap = attr->mmap2 = !!(wanted & PEAT_KIND_MMAP);
	attr->context_switch = !!(wanted & PEAT_KIND_SWITCH);
	attr->namespaces = !!(wanted & PEAT_KIND_NAMESPACES);
	attr->cgroup = !!(wanted & PEAT_KIND_CGROUP);
	attr->ksymbol = !!(wanted & PEAT_KIND_KSYMBOL);
	attr->bpf_event = !!(wanted & PEAT_KIND_BPF);
	attr->text_poke = !!(wanted & PEAT_KIND_TEXTPOKE);
}

static const struct kind_row *find_row(uint32_t record_type)
{
	if (record_type >= KIND_ROWS)
		return NULL;
	if (kind_records[record_type].schema)
		return &kind_records[record_type];
	return kind_others[record_type].schema ? &kind_others[record_type] : NULL;
}

uint32_t kinds__of(uint32_t record_type)
{
	const struct kind_row *row = find_row(record_type);

	return row ? row->kind : 0;
}

const struct peat_schema *kinds__fill(const struct peat_record *record, void *data, uint32_t room,
				      uint32_t *bytes)
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
const struct peat_schema *peat_kind__schema(enum peat_kind kind, uint32_t i)
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
