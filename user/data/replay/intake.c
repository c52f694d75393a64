// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/intake.c: turns records of a perf.data into events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "event/side_band.h"
#include "field/appended.h"
#include "replay/intake.h"

/* Limits: names replaced or of ended tasks; ids of tasks that Linux can have. */
#define OLD_NAMES_MAX 65536
#define CGROUPS_MAX   8192
#define TIDS_MAX      (4u << 20)

int replay_intake__resolve_types(struct replay_intake *in)
{
	return replay_types__resolve_overrides(&in->types, perf_file__attrs(in->rec.file));
}

/* Makes the event that peat recorded.  False: its payload is damaged. */
static bool restore_event(struct replay_intake *in, const struct replay_type *type)
{
	const struct peat_sample *sample = &in->record.sample;
	struct peat_event *event = &in->reader->event;
	int size = payload__restore(type->payload, sample->raw, sample->raw ? sample->raw_bytes : 0,
				    in->from.data, FROM_RECORD_BYTES);

	if (size < 0)
		return false;
	event->kind = PEAT_EVENT_DATA;
	event->data = in->from.data;
	event->size = (uint32_t)size;
	event->schema = type->schema;
	return true;
}

/* A period that all samples share is only in the attr. */
static void set_fixed_period(struct peat_record *record, const struct perf_attr *attr)
{
	uint64_t period = perf_attr__fixed_period(attr);

	if (record->has & PEAT_SAMPLE_PERIOD || !period)
		return;
	record->sample.period = period;
	record->has |= PEAT_SAMPLE_PERIOD;
}

/* Numbers of the other byte order are swapped if a format describes them. */
static int fill_sample(struct replay_intake *in, const struct perf_attr *attr)
{
	const struct peat_sample *sample = &in->record.sample;
	struct peat_event *event = &in->reader->event;
	const struct replay_type *type;
	int err = replay_intake__resolve_types(in);

	if (err)
		return err;
	type = replay_types__of(&in->types, attr);
	if (!type)
		return -ENOMEM;
	event->type = attr->index;
	set_fixed_period(&in->record, attr);
	if (type->payload && restore_event(in, type))
		return 1;
	from_record__sample(&in->from, event, sample);
	if (type->is_noted) {
		event->schema = type->schema;
		event->size = noted_types__size(event->data, event->size);
		return 1;
	}
	event->schema = type->payload ? type->format->schema : type->schema;
	event->size = appended__trim(event->schema, event->data, event->size);
	if (event->size && type->format && attr->layout.swapped)
		format_parse__to_host(type->format, sample->raw, event->size, in->from.data);
	return 1;
}

static void check_kernel(struct replay_intake *in)
{
	in->recorded.same_kernel =
		replay_kernel__is_running(&in->header.kernel, in->header.release);
	replay_types__set_kernel(&in->types, in->recorded.same_kernel);
}

/*
 * perf synthesizes records for tasks that already ran: their sample ids are zero, and the task is
 * in the record's body.
 */
static void set_task(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->reader->event;
	bool is_synthesized = (record->has & PEAT_SAMPLE_TIME) && !record->time_ns && !record->id;

	if (record->type == PEAT_RECORD_MMAP || record->type == PEAT_RECORD_MMAP2) {
		event->pid = record->mmap.pid;
		event->tid = record->mmap.tid;
		if (replay_kernel__read_map(&in->header.kernel, &record->mmap))
			check_kernel(in);
	} else if (record->type == PEAT_RECORD_COMM) {
		event->pid = record->comm.pid;
		event->tid = record->comm.tid;
	} else if (record->type == PEAT_RECORD_NAMESPACES) {
		event->pid = record->namespaces.pid;
		event->tid = record->namespaces.tid;
	} else if (is_synthesized) {
		event->pid = event->tid = PEAT_NO_TASK;
	}
	if (is_synthesized)
		event->cpu = PEAT_NO_CPU;
	if (event->pid == PEAT_NO_TASK)
		event->tid = PEAT_NO_TASK;
}

/*
 * At the end, perf writes the LOST_SAMPLES of each counter, with its id and zeroes for the other
 * fields.  The counter's CPU is known from the ID_INDEX.  LOST is written by whichever event finds
 * room next, so it names no event.
 */
static void set_lost_counter(struct replay_intake *in, const struct perf_attr *attr)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->reader->event;

	if (record->type != PEAT_RECORD_LOST && record->type != PEAT_RECORD_LOST_SAMPLES)
		return;
	event->type = PEAT_NO_EVENT;
	if (record->type == PEAT_RECORD_LOST)
		return;
	if (attr)
		event->type = attr->index;
	if (!(record->has & PEAT_SAMPLE_TIME) || record->time_ns)
		return;
	event->cpu = perf_attrs__cpu_of(in->recorded.attrs, record->id);
	event->pid = event->tid = PEAT_NO_TASK;
}

/* Skips ids that Linux cannot have, which would make the table arbitrarily large. */
static void update_tasks(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;
	uint64_t time_ns = from_record__time_ns(&in->record);

	if (record->type == PEAT_RECORD_COMM && record->comm.tid < TIDS_MAX)
		tasks__comm(in->from.tasks, record->comm.tid, time_ns, record->comm.comm);
	else if (record->type == PEAT_RECORD_FORK && record->task.tid < TIDS_MAX)
		tasks__fork(in->from.tasks, record->task.tid, record->task.ptid, time_ns);
	else if (record->type == PEAT_RECORD_EXIT && record->task.tid < TIDS_MAX)
		tasks__exit(in->from.tasks, record->task.tid, time_ns);
}

/* perf writes records of the cgroups before it samples them, peat before the first event. */
static void identify(struct replay_intake *in)
{
	const struct peat_record *record = &in->record;

	if (record->type == PEAT_RECORD_SAMPLE && record->has & PEAT_SAMPLE_CGROUP)
		in->reader->event.identity =
			identities__find(&in->identities, record->sample.cgroup);
}

static int fill_decoded(struct replay_intake *in, const struct perf_attr *attr)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->reader->event;
	int ret;

	if (in->from.tasks)
		update_tasks(in);
	if (record->type == PEAT_RECORD_CGROUP &&
	    identities__add(&in->identities, record->cgroup.id, record->cgroup.path))
		return -ENOMEM;
	if (record->type != PEAT_RECORD_SAMPLE) {
		set_task(in);
		set_lost_counter(in, attr);
	}
	if (in->some_cpus && event->cpu != PEAT_NO_CPU && !cpus__has(&in->cpus, event->cpu))
		return 0;
	if (record->type == PEAT_RECORD_SAMPLE)
		return fill_sample(in, attr);
	from_record__count_lost(record, &in->reader->stats);
	ret = from_record__fill(&in->from, event);
	event->schema =
		side_band__recorded(event->schema, in->recorded.arch, in->recorded.same_kernel);
	return ret;
}

int replay_intake__decode(struct replay_intake *in, const struct perf_attr *attr,
			  const struct peat_layout *layout, const void *bytes, uint32_t size)
{
	int known = layout ? peat_record__decode(layout, bytes, size, &in->record) : 0;

	if (known > 0 && in->record.type == PEAT_RECORD_SAMPLE && !attr)
		known = 0;
	in->reader->stats.corrupt += known < 0;
	in->reader->stats.unknown += !known;
	return known > 0;
}

int replay_intake__fill_event(struct replay_intake *in, const struct perf_attr *attr)
{
	struct peat_event *event = &in->reader->event;
	int ret;

	from_record__begin(event, &in->record);
	event->recorded = &in->recorded;
	ret = fill_decoded(in, attr);
	identify(in);
	if (ret > 0 && in->from.tasks && event->kind != PEAT_EVENT_LOST &&
	    event->pid != PEAT_NO_TASK)
		from_record__name_task(&in->from, event,
				       from_record__time_ns(&in->record) ?: UINT64_MAX);
	return ret;
}

/* ---- several recordings ---------------------------------------------------------------------- */

static void set_machine(struct replay_intake *in)
{
	in->recorded.wall_clock_ns = in->header.has_wall_clock ? in->header.wall_clock_ns : 0;
	in->recorded.release = *in->header.release ? in->header.release : NULL;
	in->recorded.interfaces = in->header.interfaces;
	in->recorded.interfaces_bytes = in->header.interfaces_bytes;
	in->recorded.arch = *in->header.arch ? in->header.arch : NULL;
	in->recorded.other_machine = replay_header__is_of_other_machine(&in->header);
}

/* Ids of threads and cgroups can be those of others. */
static int forget_tasks(struct replay_intake *in)
{
	struct tasks *tasks;

	identities__free(&in->identities);
	identities__init(&in->identities, CGROUPS_MAX);
	if (!in->from.tasks)
		return 0;
	tasks = tasks__new(in->keeps_all_names ? SIZE_MAX : OLD_NAMES_MAX);
	if (!tasks)
		return -ENOMEM;
	tasks__free(in->from.tasks);
	in->from.tasks = tasks;
	return 0;
}

int replay_intake__restart(struct replay_intake *in)
{
	int err = replay_types__restart(&in->types, perf_file__attrs(in->rec.file));

	err = err ?: forget_tasks(in);
	in->recordings = perf_file__recordings(in->rec.file);
	replay_header__restart(&in->header);
	set_machine(in);
	return err ? perf_recording__log_error(&in->rec, err,
					       err == -E2BIG ? "too many recordings with types "
							       "of their own follow each other"
							     : NULL)
		   : 0;
}

int replay_intake__begin(struct replay_intake *in, struct perf_entry *entry)
{
	struct perf_attrs *attrs = perf_file__attrs(in->rec.file);

	if (in->types.has_begun)
		return 0;
	if (replay_types__begin(&in->types, attrs))
		return perf_recording__log_error(&in->rec, -ENOMEM, NULL);
	entry->attr =
		perf_attrs__owner(attrs, entry->type, entry->bytes, entry->size, &entry->layout);
	return 0;
}

/* ---- records of perf itself ------------------------------------------------------------------ */

static int copy_tool_record(struct replay_intake *in, const struct perf_entry *entry)
{
	struct peat_recorded *recorded = &in->recorded;

	if (tool_record__parse(entry->bytes, entry->size, in->rec.features.swapped, &in->tool))
		return -EBADMSG;
	in->reader->event = (struct peat_event){
		.kind = PEAT_EVENT_TOOL,
		.cpu = PEAT_NO_CPU,
		.pid = PEAT_NO_TASK,
		.tid = PEAT_NO_TASK,
		.type = entry->type,
		.size = (uint32_t)in->tool.bytes,
		.data = in->from.data,
		.recorded = recorded,
	};
	memcpy(in->from.data, in->tool.body, in->tool.bytes);
	return 1;
}

int replay_intake__fill_tool_event(struct replay_intake *in, const struct perf_entry *entry)
{
	int err = replay_header__read_record(&in->header, entry);

	set_machine(in);
	check_kernel(in);
	if (err)
		return err;
	return in->from.side_band & PEAT_SIDE_BAND_TOOL ? copy_tool_record(in, entry) : 0;
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

int replay_intake__open(struct replay_intake *in, struct peat_reader *reader,
			const struct peat_replay_opts *opts)
{
	int err = open_cpus(in, opts->cpus);

	in->record.sz = sizeof(in->record);
	identities__init(&in->identities, CGROUPS_MAX);
	replay_types__init(&in->types, in->rec.features.swapped);
	in->header.rec = &in->rec;
	in->header.types = &in->types;
	in->recorded.names = &replay_names;
	in->recorded.attrs = perf_file__attrs(in->rec.file);
	in->recorded.changed_ns = perf_file__info(in->rec.file)->changed_ns;
	in->recorded.build_ids = &in->header.build_ids;
	in->recordings = 1;
	in->recorded.tool = &in->tool;
	in->reader = reader;
	in->from.side_band = opts->side_band;
	if (!err)
		err = from_record__init(&in->from);
	if (!err && opts->names &&
	    !(in->from.tasks = tasks__new(in->keeps_all_names ? SIZE_MAX : OLD_NAMES_MAX)))
		err = -ENOMEM;
	if (err == -ENOMEM)
		err = perf_recording__log_error(&in->rec, -ENOMEM, NULL);
	if (!err)
		err = replay_types__set_overrides(&in->types, opts->as, opts->btf);
	if (!err)
		err = replay_header__read_sections(&in->header);
	if (!err && perf_file__attrs(in->rec.file)->count)
		err = replay_intake__resolve_types(in);
	set_machine(in);
	return err;
}

void replay_intake__close(struct replay_intake *in)
{
	tasks__free(in->from.tasks);
	identities__free(&in->identities);
	from_record__free(&in->from);
	cpus__free(&in->cpus);
	replay_types__free(&in->types);
	build_ids__free(&in->header.build_ids);
	free(in->header.interfaces);
	perf_recording__close(&in->rec);
}
