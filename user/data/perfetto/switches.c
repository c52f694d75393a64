// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/switches.c: context switches. */
#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include "field/fields.h"
#include "perfetto/packets.h"
#include "perfetto/switches.h"

/* Recordings may claim any number. */
#define CPUS_MOST 65536

/* States of tasks in sched_switch. */
#define STATE_SLEEPING	0x1
#define STATE_PREEMPTED 0x100

#define COMM_BYTES 64

/* ---- tracepoints ----------------------------------------------------------------------------- */

static bool has_suffix(const char *name, const char *suffix)
{
	size_t bytes = strlen(name), of_suffix = strlen(suffix);

	return bytes >= of_suffix && !strcmp(name + bytes - of_suffix, suffix);
}

static struct switch_fields find_switch(const struct peat_schema *schema)
{
	struct switch_fields fields = {
		.kind = SWITCH_OF_TASKS,
		.previous = fields__find(schema, "prev_pid"),
		.previous_comm = fields__find(schema, "prev_comm"),
		.previous_priority = fields__find(schema, "prev_prio"),
		.state = fields__find(schema, "prev_state"),
		.next = fields__find(schema, "next_pid"),
		.next_comm = fields__find(schema, "next_comm"),
		.next_priority = fields__find(schema, "next_prio"),
	};

	if (!fields.previous || !fields.state || !fields.next)
		fields.kind = SWITCH_NONE;
	return fields;
}

static struct switch_fields find_waking(const struct peat_schema *schema)
{
	struct switch_fields fields = {
		.kind = SWITCH_WAKING,
		.next = fields__find(schema, "pid"),
		.next_comm = fields__find(schema, "comm"),
		.next_priority = fields__find(schema, "prio"),
		.target_cpu = fields__find(schema, "target_cpu"),
	};

	/* Fields of peat's own events with the names of members of JSON have a _ at their end. */
	if (!fields.next)
		fields.next = fields__find(schema, "pid_");
	if (!fields.next_comm)
		fields.next_comm = fields__find(schema, "comm_");
	if (!fields.next || !fields.target_cpu)
		fields.kind = SWITCH_NONE;
	return fields;
}

struct switch_fields switch_fields__find(const struct peat_schema *schema)
{
	if (has_suffix(schema->name, "sched_switch"))
		return find_switch(schema);
	if (has_suffix(schema->name, "sched_waking"))
		return find_waking(schema);
	return (struct switch_fields){ .kind = SWITCH_NONE };
}

static uint64_t number_of(const struct peat_field *field, const struct peat_event *event)
{
	uint64_t number;

	return field && peat_field__number(field, event->data, event->size, &number) ? number : 0;
}

/* NULL: the event has no such text. */
static const char *text_of(const struct peat_field *field, const struct peat_event *event,
			   char text[COMM_BYTES])
{
	uint32_t count = 0;
	const char *at = field ? fields__bytes(field, event->data, event->size, &count) : NULL;

	if (!at)
		return NULL;
	count = MIN(count, COMM_BYTES - 1);
	memcpy(text, at, count);
	text[count] = 0;
	return text;
}

static void append_switch(const struct switch_fields *fields, struct strbuf *out,
			  const struct peat_event *event)
{
	char previous_comm[COMM_BYTES], next_comm[COMM_BYTES];
	const struct packet_switch context_switch = {
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.previous = (uint32_t)number_of(fields->previous, event),
		.next = (uint32_t)number_of(fields->next, event),
		.previous_priority = (int32_t)number_of(fields->previous_priority, event),
		.next_priority = (int32_t)number_of(fields->next_priority, event),
		.previous_state = (int64_t)number_of(fields->state, event),
		.previous_comm = text_of(fields->previous_comm, event, previous_comm),
		.next_comm = text_of(fields->next_comm, event, next_comm),
	};

	packet__switch(out, &context_switch);
}

static void append_waking(const struct switch_fields *fields, struct strbuf *out,
			  const struct peat_event *event)
{
	char comm[COMM_BYTES];
	const struct packet_waking waking = {
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.tid = event->tid == PEAT_NO_TASK ? 0 : event->tid,
		.woken = (uint32_t)number_of(fields->next, event),
		.priority = (int32_t)number_of(fields->next_priority, event),
		.target_cpu = (uint32_t)number_of(fields->target_cpu, event),
		.comm = text_of(fields->next_comm, event, comm),
	};

	packet__waking(out, &waking);
}

void switches__append(const struct switch_fields *fields, struct strbuf *out,
		      const struct peat_event *event)
{
	if (fields->kind == SWITCH_OF_TASKS)
		append_switch(fields, out, event);
	else
		append_waking(fields, out, event);
}

/* ---- records --------------------------------------------------------------------------------- */

static int reserve_cpu(struct switches *switches, uint32_t cpu)
{
	uint32_t count = switches->count, room = cpu + 1;
	uint32_t *running;

	if (cpu < count)
		return 0;
	running = reallocarray(switches->running, room, sizeof(*running));
	if (!running)
		return -ENOMEM;
	for (; count < room; count++)
		running[count] = PEAT_NO_TASK;
	switches->running = running;
	switches->count = room;
	return 0;
}

/* The kernel has no number for a task that ends: it is the one that ran. */
static uint32_t leaving(const struct peat_event *event, uint32_t running)
{
	if (event->tid != PEAT_NO_TASK)
		return event->tid;
	return running != PEAT_NO_TASK ? running : 0;
}

/* SWITCH has no other task: the lane is idle before and after. */
static struct packet_switch switch_of(const struct peat_event *event, uint32_t running)
{
	const struct peat_context_switch *record = &event->record->context_switch;
	struct packet_switch context_switch = { .time_ns = event->time_ns, .cpu = event->cpu };

	if (record->out) {
		context_switch.previous = leaving(event, running);
		context_switch.previous_comm = event->comm;
		context_switch.next = record->next_prev_tid;
		context_switch.previous_state =
			record->preempted ? STATE_PREEMPTED : STATE_SLEEPING;
	} else {
		context_switch.previous = record->next_prev_tid;
		context_switch.next = event->tid;
		context_switch.next_comm = event->comm;
	}
	return context_switch;
}

int switches__append_record(struct switches *switches, struct strbuf *out,
			    const struct peat_event *event)
{
	bool is_out = event->record->context_switch.out;
	struct packet_switch context_switch;
	uint32_t *running;
	int err;

	if (event->cpu >= CPUS_MOST || (!is_out && event->tid == PEAT_NO_TASK))
		return 0;
	err = reserve_cpu(switches, event->cpu);
	if (err)
		return err;
	running = &switches->running[event->cpu];
	if (!is_out && *running == event->tid)
		return 0;
	context_switch = switch_of(event, *running);
	*running = context_switch.next;
	packet__switch(out, &context_switch);
	return 1;
}

void switches__free(struct switches *switches)
{
	free(switches->running);
	*switches = (struct switches){ 0 };
}
