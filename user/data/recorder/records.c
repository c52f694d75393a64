// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/records.c: events become the records of a recording. */
#include <errno.h>

#include <peat/identity.h>

#include "record/encode.h"
#include "recorder/mappings.h"
#include "recorder/perf_sink.h"
#include "recorder/samples.h"
#include "recorder/stack_sample.h"

/*
 * Encodes a record at the end of the block.  1; 0: no room in the queue or no memory, nothing is
 * counted; -ENOTSUP or -E2BIG: the record cannot be encoded; or the write error.
 */
static int put_in_block(struct perf_sink *sink, const struct peat_record *record)
{
	int ret = perf_sink__ensure_block(sink);
	struct strbuf *out;
	size_t before;

	if (ret <= 0)
		return ret;
	out = &sink->block->bytes;
	before = out->count;
	ret = encode__record(out, &sink->formats.side, record);
	if (ret == -ENOMEM)
		out->failed = false; /* memory may be free again later */
	if (ret)
		return ret == -ENOMEM ? 0 : ret;
	sink->stats.raw_bytes += out->count - before;
	rounds__add(&sink->rounds, record->time_ns);
	return 1;
}

/*
 * Counts a record as written, lost or skipped, by the result of put_in_block().  0 or the error.
 */
static int count_result(struct perf_sink *sink, int ret, uint64_t *written, uint64_t *lost)
{
	if (ret > 0) {
		++*written;
	} else if (!ret) {
		++*lost;
	} else if (ret == -ENOTSUP || ret == -E2BIG) {
		sink->stats.skipped++;
	} else {
		return ret;
	}
	return 0;
}

/* ---- events of programs ---------------------------------------------------------------------- */

/* Writes a LOST_SAMPLES if there is room, also for events lost because the queue was full. */
static int put_losses(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = event->time_ns,
				      .cpu = event->cpu,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = sink->unrecorded };
	int ret = put_in_block(sink, &record);

	if (ret > 0)
		sink->unrecorded = 0;
	return ret < 0 ? ret : 0;
}

/* The bytes of a sample of the kernel; as sample_plan__put(). */
static int put_copy(struct perf_sink *sink, const struct event_format *format)
{
	struct strbuf *out = &sink->block->bytes;
	int err = samples__append(out, format->id, sink->reader->sample_bytes);

	if (err == -ENOMEM)
		out->failed = false;
	return !err ? 1 : err == -ENOMEM ? 0 : -ENOTSUP;
}

static int put_in_plan(struct perf_sink *sink, const struct event_format *format,
		       const struct peat_event *event)
{
	struct strbuf *out;
	size_t before;
	int ret = perf_sink__ensure_block(sink);

	if (ret <= 0)
		return ret;
	out = &sink->block->bytes;
	before = out->count;
	ret = format->sampled ? put_copy(sink, format)
	      : format->plan.has_stack
		      ? stack_sample__put(&format->plan, &sink->machinery, event, out)
		      : sample_plan__put(&format->plan, event, out);
	if (ret <= 0)
		return ret;
	sink->stats.raw_bytes += out->count - before;
	sink->stats.cut += ret > 1;
	rounds__add(&sink->rounds, event->time_ns);
	perf_sink__note_sample_time(sink, event->time_ns);
	return ret;
}

static int put_sample(struct perf_sink *sink, const struct peat_event *event)
{
	const struct event_format *format = perf_sink__format(sink, event->type);
	int ret;

	if (!format) {
		sink->stats.skipped++;
		return 0;
	}
	ret = put_in_plan(sink, format, event);
	sink->unrecorded += !ret;
	return count_result(sink, ret, &sink->stats.events, &sink->stats.lost);
}

/* If there is no room, it is tried again at the thread's next event. */
static int put_comm(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = {
		.type = PEAT_RECORD_COMM,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.pid = event->pid,
		.tid = event->tid,
		.id = sink->formats.side_id,
		.comm = { .pid = event->pid, .tid = event->tid, .comm = event->comm },
	};
	int ret = put_in_block(sink, &record);

	named_threads__set(&sink->names, event->tid, ret > 0 ? event->comm : NULL, event->time_ns);
	return ret < 0 ? ret : 0;
}

int perf_sink__put_name(struct perf_sink *sink, const struct peat_event *event)
{
	bool has_name = !event->comm ||
			named_threads__has(&sink->names, event->tid, event->comm, event->time_ns);

	return has_name ? 0 : put_comm(sink, event);
}

/*
 * The path is written before the first event of its cgroup, without a time: readers that sort by
 * time read it at once.  If there is no room, it is tried again at the next event.
 */
static int put_cgroup(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = {
		.type = PEAT_RECORD_CGROUP,
		.id = sink->formats.side_id,
		.cgroup = { .id = event->cgroup, .path = event->identity->path },
	};
	int ret = put_in_block(sink, &record);

	if (ret > 0)
		return identities__add(&sink->cgroups, event->cgroup, event->identity->path);
	sink->stats.skipped += ret == -ENOTSUP || ret == -E2BIG;
	return ret == -ENOTSUP || ret == -E2BIG ? 0 : ret;
}

static bool lacks_cgroup(const struct perf_sink *sink, const struct peat_event *event)
{
	return event->identity && *event->identity->path &&
	       !identities__find(&sink->cgroups, event->cgroup);
}

static int put_named_sample(struct perf_sink *sink, const struct peat_event *event)
{
	int err = perf_sink__put_name(sink, event);

	if (!err && lacks_cgroup(sink, event))
		err = put_cgroup(sink, event);
	return err ? err : put_sample(sink, event);
}

/* ---- records of the kernel ------------------------------------------------------------------- */

/* A record that is lost is not an event: it is in no LOST_SAMPLES and no equation of events. */
static int put_side(struct perf_sink *sink, struct peat_record *record, uint64_t time_ns)
{
	record->id = sink->formats.side_id;
	record->time_ns = time_ns;
	return count_result(sink, put_in_block(sink, record), &sink->stats.records,
			    &sink->stats.lost_records);
}

/*
 * Delayed EXITs get the newest time so far, since readers sort by time.  But no newer one than the
 * safe time: the thread's id may be in use again by then, and that FORK not have been returned yet.
 */
static uint64_t time_of_exits(const struct perf_sink *sink)
{
	uint64_t safe_ns = perf_sink__safe_time(sink, false);

	return safe_ns < sink->rounds.newest_ns ? safe_ns : sink->rounds.newest_ns;
}

int perf_sink__put_exits(struct perf_sink *sink, bool all)
{
	uint64_t time_ns = all ? sink->rounds.newest_ns : time_of_exits(sink);
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && (all ? delayed_exits__pop(&sink->exits, &record)
			    : delayed_exits__pop_old(&sink->exits, &record)))
		err = put_side(sink, &record,
			       time_ns > record.task.time_ns ? time_ns : record.task.time_ns);
	delayed_exits__age(&sink->exits);
	return err;
}

/* If too many are delayed, writes the oldest. */
static int delay_exit(struct perf_sink *sink, struct peat_record *record)
{
	struct peat_record oldest = { 0 };
	int err = 0;

	if (delayed_exits__add(&sink->exits, record))
		return 0;
	if (delayed_exits__pop(&sink->exits, &oldest))
		err = put_side(sink, &oldest, record->time_ns);
	if (err || delayed_exits__add(&sink->exits, record))
		return err;
	return put_side(sink, record, record->time_ns);
}

/*
 * An EXIT is not delayed if the thread has got a newer name: its id may be in use again, and the
 * EXIT must be sorted before that.
 */
static int put_exit(struct perf_sink *sink, struct peat_record *record)
{
	if (named_threads__since(&sink->names, record->task.tid) > record->time_ns)
		return put_side(sink, record, record->time_ns);
	return delay_exit(sink, record);
}

/* Writes a thread's EXIT before the record that gives its id to another thread. */
static int put_exit_of_tid(struct perf_sink *sink, uint32_t tid, uint64_t time_ns)
{
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && delayed_exits__pop_tid(&sink->exits, tid, time_ns, &record))
		err = put_side(sink, &record, time_ns);
	return err;
}

/* A new thread has its parent's name: readers copy it at the FORK. */
static void note_thread_name(struct perf_sink *sink, const struct peat_record *record)
{
	if (record->type == PEAT_RECORD_FORK)
		named_threads__copy(&sink->names, record->task.tid, record->task.ptid,
				    record->time_ns);
	else if (record->type == PEAT_RECORD_COMM)
		named_threads__set(&sink->names, record->comm.tid, record->comm.comm,
				   record->time_ns);
}

static int put_record(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = *event->record;
	int err = 0;

	record.cpu = event->cpu;
	record.pid = event->pid;
	record.tid = event->tid;
	record.time_ns = event->time_ns;
	samples__set_throttled(&sink->formats, event->type, &record);
	if (mappings__are_named(&sink->formats))
		mappings__identify(&sink->mapped_ids, &record);
	if (record.type == PEAT_RECORD_EXIT)
		return put_exit(sink, &record);
	if (record.type == PEAT_RECORD_FORK)
		err = put_exit_of_tid(sink, record.task.tid, event->time_ns);
	else if (record.type == PEAT_RECORD_COMM)
		err = put_exit_of_tid(sink, record.comm.tid, event->time_ns);
	if (!err)
		note_thread_name(sink, &record);
	return err ? err : put_side(sink, &record, event->time_ns);
}

/* ---------------------------------------------------------------------------------------------- */

int perf_sink__put_event(struct perf_sink *sink, const struct peat_event *event)
{
	int err = 0;

	if (event->kind == PEAT_EVENT_DATA && !sink->unrecorded)
		return put_named_sample(sink, event);
	if (event->kind == PEAT_EVENT_LOST) {
		sink->unrecorded += event->lost;
		sink->lost_by_reader += event->lost;
	}
	if (sink->unrecorded)
		err = put_losses(sink, event);
	if (err || event->kind == PEAT_EVENT_LOST)
		return err;
	if (event->kind == PEAT_EVENT_DATA)
		return put_named_sample(sink, event);
	if (event->kind == PEAT_EVENT_RECORD && event->record)
		return put_record(sink, event);
	sink->stats.skipped++;
	return 0;
}
