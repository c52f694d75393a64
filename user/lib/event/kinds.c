// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kinds.c: the kinds of records, by name, by type, and as the kernel is asked for them. */
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

void kinds__ask(uint32_t wanted, struct perf_event_attr *attr)
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

uint32_t kinds__of(uint32_t record_type)
{
	switch (record_type) {
	case PEAT_RECORD_FORK:
	case PEAT_RECORD_EXIT:
		return PEAT_KIND_TASK;
	case PEAT_RECORD_COMM:
		return PEAT_KIND_COMM;
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return PEAT_KIND_MMAP;
	case PEAT_RECORD_SWITCH:
	case PEAT_RECORD_SWITCH_CPU_WIDE:
		return PEAT_KIND_SWITCH;
	case PEAT_RECORD_NAMESPACES:
		return PEAT_KIND_NAMESPACES;
	case PEAT_RECORD_CGROUP:
		return PEAT_KIND_CGROUP;
	case PEAT_RECORD_KSYMBOL:
		return PEAT_KIND_KSYMBOL;
	case PEAT_RECORD_BPF_EVENT:
		return PEAT_KIND_BPF;
	case PEAT_RECORD_TEXT_POKE:
		return PEAT_KIND_TEXTPOKE;
	case PEAT_RECORD_THROTTLE:
	case PEAT_RECORD_UNTHROTTLE:
	case PEAT_RECORD_READ:
	case PEAT_RECORD_AUX:
	case PEAT_RECORD_ITRACE_START:
	case PEAT_RECORD_AUX_OUTPUT_HW_ID:
	case PEAT_RECORD_CALLCHAIN_DEFERRED:
		return PEAT_KIND_OTHER;
	default:
		return 0;
	}
}

const struct peat_schema *kinds__fill(const struct peat_record *record, void *data, uint32_t room,
				      uint32_t *bytes)
{
	struct kind_event event = { .data = data, .room = room };
	const struct peat_schema *schema;

	if (kinds__of(record->type) == PEAT_KIND_OTHER)
		schema = kind_others__fill(&event, record);
	else
		schema = kind_records__fill(&event, record);
	*bytes = event.bytes;
	return schema;
}

const struct peat_schema *kinds__recorded(const struct peat_schema *schema, const char *arch,
					  bool same_kernel)
{
	return kind_records__recorded(schema, arch, same_kernel);
}

const struct peat_schema *peat_kind__schema(enum peat_kind kind, uint32_t i)
{
	return kind == PEAT_KIND_OTHER ? kind_others__schema(i) : kind_records__schema(kind, i);
}
