// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/sample_plan.c: the template of a type's samples, and one event at a time. */
#include <errno.h>
#include <string.h>

#include "field/fields.h"
#include "record/encode.h"
#include "recorder/sample_plan.h"

#define WORD 8

/* Offsets in the header, and from TID. */
#define MISC_AT 4
#define SIZE_AT 6
#define TIME_AT 8
#define CPU_AT	16
#define RAW_AT	24

#define FIELDS                                                                                     \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |           \
	 PEAT_SAMPLE_RAW)
#define STACK  (uint64_t)(PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN)
#define MEMORY (uint64_t)(PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER)

static bool are_supported(uint64_t fields)
{
	uint64_t more = fields & ~(uint64_t)(FIELDS | PEAT_SAMPLE_CGROUP);

	return (fields & FIELDS) == FIELDS &&
	       (!(more & ~(uint64_t)PEAT_SAMPLE_IP) || more == STACK || more == (STACK | MEMORY));
}

int sample_plan__init(struct sample_plan *plan, const struct peat_layout *layout, uint64_t id,
		      const struct payload_format *format)
{
	const uint32_t type = PEAT_RECORD_SAMPLE;
	const uint16_t misc = PEAT_MISC_KERNEL;

	if (!are_supported(layout->sample_type))
		return -ENOTSUP;
	*plan = (struct sample_plan){ .tid_at = 2 * WORD, .format = format };
	if (layout->sample_type & PEAT_SAMPLE_IP)
		plan->tid_at += WORD;
	plan->payload_at = plan->tid_at + RAW_AT + (uint32_t)sizeof(uint32_t);
	plan->has_stack = layout->sample_type & PEAT_SAMPLE_CALLCHAIN;
	plan->has_memory = layout->sample_type & PEAT_SAMPLE_STACK_USER;
	plan->has_cgroup = layout->sample_type & PEAT_SAMPLE_CGROUP;
	plan->raw_most = plan->has_stack ? SAMPLE_PLAN_STACK_RAW_MOST
			 : format	 ? PAYLOAD_BYTES_MAX
					 : encode__raw_most(layout);
	memcpy(plan->head, &type, sizeof(type));
	memcpy(plan->head + MISC_AT, &misc, sizeof(misc));
	memcpy(plan->head + WORD, &id, sizeof(id));
	return 0;
}

static uint32_t record_bytes(const struct sample_plan *plan, uint32_t raw_bytes)
{
	return (plan->payload_at + raw_bytes + WORD - 1) & ~(uint32_t)(WORD - 1);
}

uint32_t sample_plan__raw_bytes(const struct sample_plan *plan, uint32_t payload_bytes)
{
	uint32_t padded = (uint32_t)sizeof(uint32_t) + payload_bytes + WORD - 1;

	if (!plan->has_memory && !plan->has_cgroup)
		return payload_bytes;
	return (padded & ~(uint32_t)(WORD - 1)) - (uint32_t)sizeof(uint32_t);
}

/* `more`: bytes after RAW. */
static void store_sizes(const struct sample_plan *plan, uint32_t raw_bytes, uint32_t more,
			void *head)
{
	uint16_t size = (uint16_t)(record_bytes(plan, raw_bytes) + more);

	memcpy((char *)head + SIZE_AT, &size, sizeof(size));
	memcpy((char *)head + plan->tid_at + RAW_AT, &raw_bytes, sizeof(raw_bytes));
}

/* The event's bytes without its stacks. */
static uint32_t bytes_of(const struct sample_plan *plan, const struct peat_event *event)
{
	const struct peat_field *stack =
		plan->has_stack && event->schema ? fields__stack(event->schema) : NULL;

	return stack && event->size > stack->offset ? stack->offset : event->size;
}

uint32_t sample_plan__put_payload(const struct sample_plan *plan, const struct peat_event *event,
				  char *to)
{
	int made;

	if (plan->format) {
		made = payload__convert(plan->format, event->data, bytes_of(plan, event),
					event->tid, to, plan->raw_most);
		return made < 0 ? PAYLOAD_CUT : (uint32_t)made;
	}
	if (event->size > plan->raw_most) {
		memcpy(to, event->data, plan->raw_most);
		return plan->raw_most | PAYLOAD_CUT;
	}
	if (event->size)
		memcpy(to, event->data, event->size);
	return event->size;
}

void sample_plan__put_head(const struct sample_plan *plan, const struct peat_event *event, char *to)
{
	const uint32_t task[2] = { event->pid, event->tid };

	memcpy(to, plan->head, sizeof(plan->head));
	memcpy(to + plan->tid_at, task, sizeof(task));
	memcpy(to + plan->tid_at + TIME_AT, &event->time_ns, sizeof(event->time_ns));
	memcpy(to + plan->tid_at + CPU_AT, &event->cpu, sizeof(event->cpu));
}

void sample_plan__put_size(uint16_t misc, uint16_t size, char *to)
{
	memcpy(to + MISC_AT, &misc, sizeof(misc));
	memcpy(to + SIZE_AT, &size, sizeof(size));
}

/* The payload overwrites the end of the template. */
int sample_plan__put(const struct sample_plan *plan, const struct peat_event *event,
		     struct strbuf *out)
{
	uint32_t most = plan->format || event->size > plan->raw_most ? plan->raw_most : event->size;
	char *to = strbuf__room(out, SAMPLE_PLAN_HEAD_MAX + most + 2 * WORD);
	const uint64_t zero = 0;
	uint32_t payload, raw_bytes, bytes;

	if (!to) {
		out->failed = false; /* memory may be free again later */
		return 0;
	}
	sample_plan__put_head(plan, event, to);
	payload = sample_plan__put_payload(plan, event, to + plan->payload_at);
	memcpy(to + plan->payload_at + (payload & PAYLOAD_BYTES), &zero, sizeof(zero));
	raw_bytes = sample_plan__raw_bytes(plan, payload & PAYLOAD_BYTES);
	bytes = record_bytes(plan, raw_bytes);
	if (plan->has_cgroup)
		memcpy(to + bytes, &event->cgroup, WORD);
	store_sizes(plan, raw_bytes, plan->has_cgroup ? WORD : 0, to);
	out->count += bytes + (plan->has_cgroup ? WORD : 0);
	return payload & PAYLOAD_CUT ? 2 : 1;
}

#define WORDS_MAX 8

/* Puts the common fields of the payload into the template, except the thread. */
static void plan_words(struct sample_row *row)
{
	const struct payload_format *format = row->plan.format;
	const struct payload_run *run = format ? format->runs : NULL;
	const uint16_t id = format ? (uint16_t)format->id : 0;

	row->words = 0;
	if (!run || format->run_count != 1 || run->bytes % WORD || run->bytes > WORDS_MAX * WORD)
		return;
	row->words = run->bytes / WORD;
	row->from = run->from;
	row->to = row->plan.payload_at + run->to;
	memcpy(row->plan.head + row->plan.payload_at, &id, sizeof(id));
}

void sample_row__begin(struct sample_row *row, const struct sample_plan *plan,
		       const struct peat_event *event)
{
	uint32_t raw_bytes = event->size;

	row->plan = *plan;
	row->event_bytes = event->size;
	row->bytes = 0;
	if (plan->has_stack || plan->has_cgroup)
		return;
	if (plan->format && !payload__is_copied(plan->format, event->size, &raw_bytes))
		return;
	if (!event->size || raw_bytes > plan->raw_most)
		return;
	row->bytes = record_bytes(plan, raw_bytes);
	plan_words(row);
	memcpy(row->plan.head + plan->tid_at + CPU_AT, &event->cpu, sizeof(event->cpu));
	store_sizes(plan, raw_bytes, 0, row->plan.head);
}
