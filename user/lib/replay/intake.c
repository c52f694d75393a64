// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay_intake.c: records of a perf.data become events. */
#include <stdio.h>
#include <sys/utsname.h>

#include "base/internal.h"
#include "event/kinds.h"
#include "replay/intake.h"
#include "sys/kallsyms.h"

/* Names that were replaced, and of tasks that ended; and the largest id of a task that Linux has.
 */
#define PAST_NAMES 65536
#define TIDS_MOST  (4u << 20)

/* All ones is what perf has for a time that it does not know. */
static uint64_t known(uint64_t time_ns)
{
	return time_ns == UINT64_MAX ? 0 : time_ns;
}

uint64_t replay_intake__sampled_ns(const struct replay_intake *in)
{
	return in->record.has & PEAT_SAMPLE_TIME ? known(in->record.time_ns) : 0;
}

/*
 * Some have a time of their own, should there be no other.  It is told, and no more: what stands
 * around such a record has none, and is in the order in which it happened.
 */
static uint64_t stated_time(const struct peat_record *record)
{
	if (record->has & PEAT_SAMPLE_TIME)
		return record->time_ns;
	switch (record->type) {
	case PEAT_RECORD_FORK:
	case PEAT_RECORD_EXIT:
		return record->task.time_ns;
	case PEAT_RECORD_THROTTLE:
	case PEAT_RECORD_UNTHROTTLE:
		return record->throttle.time_ns;
	default:
		return 0;
	}
}

/* Names all members: compilers clear what is left out by an instruction that takes longer. */
static void begin_event(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;
	bool has_task = record->has & PEAT_SAMPLE_TID;

	in->event = (struct peat_event){
		.kind = PEAT_EVENT_RECORD,
		.cpu = record->has & PEAT_SAMPLE_CPU ? record->cpu : PEAT_NO_CPU,
		.time_ns = known(stated_time(record)),
		.pid = has_task ? record->pid : PEAT_NO_TASK,
		.tid = has_task ? record->tid : PEAT_NO_TASK,
		.type = 0,
		.size = 0,
		.data = NULL,
		.lost = 0,
		.record = record,
		.schema = NULL,
		.comm = NULL,
		.map = NULL,
		.late = false,
		.recorded = &in->recorded,
	};
}

/* What was said of events holds from here on: before samples come, all of them have. */
int replay_intake__settle(struct replay_intake *in)
{
	return replay_events__settle(&in->events, perf_file__attrs(in->rec.file));
}

/* Numbers of the other byte order are turned where a format says where they are. */
static int take_sample(struct replay_intake *in, const struct perf_attr *attr)
{
	const struct peat_sample *sample = &in->record.sample;
	struct peat_event *event = &in->event;
	const struct replay_event *of;
	int err = replay_intake__settle(in);

	if (err)
		return err;
	of = replay_events__of(&in->events, attr);
	if (!of)
		return -ENOMEM;
	event->kind = PEAT_EVENT_DATA;
	event->type = attr->index;
	event->schema = of->schema;
	event->data = in->payload;
	event->size = sample->raw ? sample->raw_bytes : 0;
	if (event->size && of->format && attr->layout.swapped)
		trace_format__to_host(of->format, sample->raw, event->size, in->payload);
	else if (event->size)
		memcpy(in->payload, sample->raw, event->size);
	return 1;
}

static int take_loss(struct replay_intake *in, uint64_t lost, uint64_t *sum)
{
	in->event.kind = PEAT_EVENT_LOST;
	in->event.lost = lost;
	*sum += lost;
	return 1;
}

static int take_kind(struct replay_intake *in)
{
	struct peat_event *event = &in->event;
	const struct peat_schema *schema;

	if (!(in->kinds & kinds__of(in->record.type)))
		return 0;
	schema = kinds__fill(&in->record, in->payload, sizeof(in->payload), &event->size);
	event->data = in->payload;
	event->schema = kinds__recorded(schema, in->recorded.arch, in->recorded.same_kernel);
	return 1;
}

/*
 * The kernel's own code is mapped by a record that perf wrote at the start, with the address of
 * _text or _stext in `pgoff`.  Where this kernel has it at the same place, and the same release,
 * what is known of its addresses holds for the recording.
 */
static void know_kernel(struct replay_intake *in)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const struct peat_mmap *mmap = &in->record.mmap;
	struct utsname machine;

	if (mmap->pid != PEAT_NO_TASK || !begins_with(mmap->filename, kernel) || uname(&machine))
		return;
	in->recorded.same_kernel =
		!strcmp(machine.release, in->header.release) &&
		symbols__text_is_at(mmap->filename + sizeof(kernel) - 1, mmap->pgoff);
}

/*
 * Of what perf wrote by itself, for tasks that ran already, the ids are zeroes; whose it is stands
 * in the record.
 */
static void know_task(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->event;
	bool is_perfs = (record->has & PEAT_SAMPLE_TIME) && !record->time_ns && !record->id;

	if (record->type == PEAT_RECORD_MMAP || record->type == PEAT_RECORD_MMAP2) {
		event->pid = record->mmap.pid;
		event->tid = record->mmap.tid;
		know_kernel(in);
	} else if (record->type == PEAT_RECORD_COMM) {
		event->pid = record->comm.pid;
		event->tid = record->comm.tid;
	} else if (record->type == PEAT_RECORD_NAMESPACES) {
		event->pid = record->namespaces.pid;
		event->tid = record->namespaces.tid;
	} else if (is_perfs) {
		event->pid = event->tid = PEAT_NO_TASK;
	}
	if (is_perfs)
		event->cpu = PEAT_NO_CPU;
	if (event->pid == PEAT_NO_TASK)
		event->tid = PEAT_NO_TASK;
}

/* Of a task that Linux can have: others would make the table as large as they like. */
static void follow(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;
	uint64_t time_ns = replay_intake__sampled_ns(in);

	if (record->type == PEAT_RECORD_COMM && record->comm.tid < TIDS_MOST)
		tasks__comm(in->tasks, record->comm.tid, time_ns, record->comm.comm);
	else if (record->type == PEAT_RECORD_FORK && record->task.tid < TIDS_MOST)
		tasks__fork(in->tasks, record->task.tid, record->task.ptid, time_ns);
	else if (record->type == PEAT_RECORD_EXIT && record->task.tid < TIDS_MOST)
		tasks__exit(in->tasks, record->task.tid, time_ns);
}

static const char *idle_comm(struct replay_intake *in)
{
	if (in->event.cpu == PEAT_NO_CPU)
		return "swapper";
	snprintf(in->idle_comm, sizeof(in->idle_comm), "swapper/%u", in->event.cpu);
	return in->idle_comm;
}

static void name_task(struct replay_intake *in)
{
	struct peat_event *event = &in->event;
	uint64_t time_ns = replay_intake__sampled_ns(in) ?: UINT64_MAX;

	if (event->kind == PEAT_EVENT_LOST || event->pid == PEAT_NO_TASK)
		return;
	event->comm = event->tid ? tasks__name(in->tasks, event->tid, time_ns) : idle_comm(in);
}

static int take_decoded(struct replay_intake *in, const struct perf_attr *attr)
{
	const struct peat_record *record = &in->record;
	struct peat_reader_stats *stats = &in->stats;

	if (in->tasks)
		follow(in);
	if (record->type != PEAT_RECORD_SAMPLE)
		know_task(in);
	if (in->some_cpus && in->event.cpu != PEAT_NO_CPU && !cpus__has(&in->cpus, in->event.cpu))
		return 0;
	if (record->type == PEAT_RECORD_SAMPLE)
		return take_sample(in, attr);
	if (record->type == PEAT_RECORD_LOST)
		return take_loss(in, record->lost.lost, &stats->lost_records);
	if (record->type == PEAT_RECORD_LOST_SAMPLES)
		return take_loss(in, record->lost_samples.lost, &stats->lost_samples);
	return take_kind(in);
}

int replay_intake__decode(struct replay_intake *in, const struct perf_attr *attr,
			  const struct peat_layout *layout, const void *bytes, uint32_t size)
{
	int known = layout ? peat_record__decode(layout, bytes, size, &in->record) : 0;

	if (known > 0 && in->record.type == PEAT_RECORD_SAMPLE && !attr)
		known = 0;
	in->stats.corrupt += known < 0;
	in->stats.unknown += !known;
	return known > 0;
}

int replay_intake__take(struct replay_intake *in, const struct perf_attr *attr)
{
	int ret;

	begin_event(in);
	ret = take_decoded(in, attr);
	if (ret > 0 && in->tasks)
		name_task(in);
	return ret;
}

/* ---- records of perf itself ------------------------------------------------------------------ */

static void know_machine(struct replay_intake *in)
{
	in->recorded.arch = *in->header.arch ? in->header.arch : NULL;
}

static int hand_out_tool(struct replay_intake *in, const struct perf_entry *entry)
{
	struct peat_recorded *recorded = &in->recorded;

	recorded->damage = NULL;
	tool_record__decode(entry->bytes, entry->size, in->rec.features.swapped, &in->tool,
			    &recorded->damage);
	in->event = (struct peat_event){
		.kind = PEAT_EVENT_TOOL,
		.cpu = PEAT_NO_CPU,
		.pid = PEAT_NO_TASK,
		.tid = PEAT_NO_TASK,
		.type = entry->type,
		.size = (uint32_t)in->tool.bytes,
		.data = in->payload,
		.recorded = recorded,
	};
	memcpy(in->payload, in->tool.body, in->tool.bytes);
	return 1;
}

int replay_intake__take_tool(struct replay_intake *in, const struct perf_entry *entry)
{
	int err = replay_header__learn_record(&in->header, entry);

	know_machine(in);
	if (err)
		return err;
	return in->kinds & PEAT_KIND_TOOL ? hand_out_tool(in, entry) : 0;
}

/* ---------------------------------------------------------------------------------------------- */

static int open_cpus(struct replay_intake *in, const char *list)
{
	int err = list ? cpus__parse(&in->cpus, list) : 0;

	in->some_cpus = list && !err;
	if (err)
		log__error("'%s' is not a list of CPUs such as 0-3,8: %s", list, strerror(-err));
	return err;
}

int replay_intake__open(struct replay_intake *in, const struct peat_reader_opts *opts)
{
	int err = open_cpus(in, opts->cpus);

	replay_events__init(&in->events, in->rec.features.swapped);
	in->header.rec = &in->rec;
	in->header.events = &in->events;
	in->recorded.attrs = perf_file__attrs(in->rec.file);
	in->recorded.features = &in->rec.features;
	in->recorded.tool = &in->tool;
	in->kinds = opts->kinds;
	if (!err && opts->names && !(in->tasks = tasks__new(PAST_NAMES)))
		err = perf_recording__explain(&in->rec, -ENOMEM, NULL);
	if (!err)
		err = replay_events__say(&in->events, opts->as, opts->btf);
	if (!err)
		err = replay_header__learn_sections(&in->header);
	if (!err && perf_file__attrs(in->rec.file)->count)
		err = replay_intake__settle(in);
	know_machine(in);
	return err;
}

void replay_intake__close(struct replay_intake *in)
{
	tasks__free(in->tasks);
	cpus__free(&in->cpus);
	replay_events__free(&in->events);
	perf_recording__close(&in->rec);
}
