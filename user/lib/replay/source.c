// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay_source.c: the records of a perf.data, as they stand there or by their time. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/internal.h"
#include "replay/source.h"

/* Between two looks whether somebody wants it to end. */
#define ROUND_ENTRIES 16384

/* What is held until its round has ended: two rounds of perf's, unless its rings were very large.
 */
#define HELD_BYTES (24u << 20)

/* CPUs, each of which has its records sorted, or nearly so, and one for those of none. */
#define STREAMS 257

/* ---- in the order of time -------------------------------------------------------------------- */

static uint32_t stream_of(const struct replay *replay, const struct perf_entry *entry)
{
	const struct peat_record *record = &replay->in.record;

	if (replay->has_parts)
		return entry->stream % STREAMS;
	if (!(record->has & PEAT_SAMPLE_CPU) || record->cpu == PEAT_NO_CPU)
		return STREAMS - 1;
	return record->cpu % (STREAMS - 1);
}

/* Of a record that is held: no event's. */
#define NOBODYS UINT32_MAX

/* Its bytes and whose it is: what else an event has is found in them when its turn comes. */
static int put(struct replay *replay, const struct perf_entry *entry, uint64_t sampled_ns)
{
	struct peat_event *held = &replay->to_hold;

	held->time_ns = sampled_ns;
	held->type = entry->attr ? entry->attr->index : NOBODYS;
	held->size = entry->size;
	held->data = entry->bytes;
	return order__put(&replay->order, stream_of(replay, entry), held);
}

/* A record is held as the file has it.  1: it is an event that goes at once; 0: it is held. */
static int hold(struct replay *replay, const struct perf_entry *entry)
{
	struct replay_intake *in = &replay->in;
	uint64_t sampled_ns;

	if (!replay_intake__decode(in, entry->attr, entry->layout, entry->bytes, entry->size))
		return 0;
	sampled_ns = replay_intake__sampled_ns(in);
	if (sampled_ns > replay->newest_ns)
		replay->newest_ns = sampled_ns;
	if (sampled_ns && !put(replay, entry, sampled_ns))
		return 0;
	return replay_intake__take(in, entry->attr);
}

static const struct peat_layout *layout_of_nobodys(const struct replay_intake *in,
						   const struct peat_event *held)
{
	const struct peat_layout *layout;
	uint32_t type;

	memcpy(&type, held->data, sizeof(type));
	if (in->rec.features.swapped)
		type = __builtin_bswap32(type);
	perf_attrs__owner(perf_file__attrs(in->rec.file), type, held->data, held->size, &layout);
	return layout;
}

/* Whose it is was known when it came: events may have come since, which have its ids. */
static int take_again(struct replay *replay, const struct peat_event *held)
{
	struct replay_intake *in = &replay->in;
	const struct perf_attrs *attrs = perf_file__attrs(in->rec.file);
	const struct perf_attr *attr = held->type == NOBODYS ? NULL : attrs->at[held->type];
	const struct peat_layout *layout = attr ? &attr->layout : layout_of_nobodys(in, held);

	if (!replay_intake__decode(in, attr, layout, held->data, held->size))
		return 0;
	return replay_intake__take(in, attr);
}

static bool holds_too_much(const struct replay *replay)
{
	return replay->order.held_bytes > replay->order.limit_bytes;
}

/*
 * 1 and an event; 0: none may go.  Of several that come late in one round the oldest goes first, so
 * they wait for its end, as they do in perf.
 */
static int take_held(struct replay *replay)
{
	struct peat_event held;
	int ret = 0;

	while (!ret && (replay->lets_go || holds_too_much(replay)) &&
	       order__next(&replay->order, &held))
		ret = take_again(replay, &held);
	replay->lets_go = replay->lets_go && ret > 0;
	return ret;
}

/*
 * A round is what perf took out of all rings in one go.  What comes after it can be older than what
 * is in it, but not older than what was in the round before.
 */
static void let_go(struct replay *replay, uint64_t until_ns)
{
	order__settle(&replay->order, until_ns);
	replay->lets_go = true;
}

static void end_round(struct replay *replay)
{
	let_go(replay, replay->newest_of_round_ns);
	replay->newest_of_round_ns = replay->newest_ns;
}

/* ---- the parts of a directory ---------------------------------------------------------------- */

static int next_of_parts(struct replay *replay, struct perf_entry *entry)
{
	int ret = perf_turns__next(&replay->turns, entry);

	let_go(replay, replay->turns.reached_ns);
	return ret;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static int take_entry(struct replay *replay, const struct perf_entry *entry)
{
	struct replay_intake *in = &replay->in;

	in->stats.records++;
	if (entry->type >= TOOL_HEADER_ATTR) {
		if (entry->type == TOOL_FINISHED_ROUND && replay->is_ordered && !replay->has_parts)
			end_round(replay);
		return replay_intake__take_tool(in, entry);
	}
	if (!replay->is_ordered)
		return replay_intake__decode(in, entry->attr, entry->layout, entry->bytes,
					     entry->size)
			       ? replay_intake__take(in, entry->attr)
			       : 0;
	return hold(replay, entry);
}

static int end(struct replay *replay)
{
	replay->at_end = true;
	perf_recording__note_end(&replay->in.rec);
	perf_recording__note(&replay->in.rec, &replay->in.header.end);
	if (replay->is_ordered)
		let_go(replay, UINT64_MAX);
	return replay_intake__settle(&replay->in);
}

static const char *why_of(int err)
{
	return err == -EMFILE ? "ordered, all files of a directory are open together, and it has "
				"more than a process may have: ulimit -n raises that"
			      : NULL;
}

/* 1: an entry was taken in, and replay->event may be one; 0: there is none now. */
static int read_on(struct replay *replay, bool *has_event)
{
	struct perf_entry entry;
	int ret;

	if (replay->at_end || !replay->left_of_round || perf_file__would_wait(replay->in.rec.file))
		return 0;
	replay->left_of_round--;
	ret = replay->has_parts ? next_of_parts(replay, &entry)
				: perf_file__next(replay->in.rec.file, &entry);
	if (ret < 0)
		return perf_recording__explain(&replay->in.rec, ret, why_of(ret));
	if (!ret) {
		ret = end(replay);
		return ret ? ret : 1;
	}
	ret = take_entry(replay, &entry);
	*has_event = ret > 0;
	return ret < 0 ? ret : 1;
}

static int next(struct replay *replay)
{
	bool has_event = false;
	int more = 1;

	while (more > 0) {
		if (replay->is_ordered && (more = take_held(replay)))
			return more;
		more = read_on(replay, &has_event);
		if (has_event)
			return 1;
	}
	return more;
}

/* Late by what was handed out: many records are no events, or not wanted. */
static void mark_late(struct replay *replay)
{
	struct peat_event *event = &replay->in.event;

	if (!event->time_ns || !replay_intake__sampled_ns(&replay->in))
		return;
	event->late = event->time_ns < replay->last_ns;
	replay->in.stats.late += event->late;
	if (!event->late)
		replay->last_ns = event->time_ns;
}

static void count(struct replay *replay)
{
	const struct peat_event *event = &replay->in.event;

	if (replay->is_ordered)
		mark_late(replay);
	if (event->kind != PEAT_EVENT_DATA)
		return;
	replay->in.stats.events++;
	replay->in.stats.event_bytes += event->size;
}

/* What was read out of a pipe already, the pipe tells of no more. */
static void mark_ready(struct replay *replay, bool is_ready)
{
	uint64_t count = 1;

	if (is_ready == replay->is_marked)
		return;
	replay->is_marked = is_ready;
	if (is_ready ? write(replay->ready_fd, &count, sizeof(count)) < 0
		     : read(replay->ready_fd, &count, sizeof(count)) < 0)
		replay->is_marked = !is_ready; /* which cannot be: nobody else has it */
}

static void end_turn(struct replay *replay)
{
	replay->left_of_round = ROUND_ENTRIES;
	replay->in.stats.rounds++;
	if (perf_file__fd(replay->in.rec.file) >= 0)
		mark_ready(replay, !replay->at_end && !perf_file__would_wait(replay->in.rec.file));
}

int replay__next(struct replay *replay, const struct peat_event **event)
{
	int more = replay->err ? replay->err : next(replay);

	*event = more > 0 ? &replay->in.event : NULL;
	if (more > 0) {
		count(replay);
	} else if (!more) {
		end_turn(replay);
	} else {
		replay->err = more;
	}
	return more;
}

/* Nothing is read before all of that was handed out. */
void replay__flush(struct replay *replay)
{
	if (!replay->is_ordered)
		return;
	let_go(replay, UINT64_MAX);
	replay->left_of_round = 0;
}

const struct peat_schema *replay__type(struct replay *replay, uint32_t i)
{
	const struct perf_attrs *attrs = perf_file__attrs(replay->in.rec.file);
	const struct replay_event *event =
		i < attrs->count ? replay_events__of(&replay->in.events, attrs->at[i]) : NULL;

	return event ? event->schema : NULL;
}

void replay__fill_stats(const struct replay *replay, struct peat_reader_stats *stats)
{
	*stats = replay->in.stats;
	stats->hurried = replay->order.hurried;
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
}

/* ---- waiting --------------------------------------------------------------------------------- */

int replay__fd(const struct replay *replay)
{
	return replay->epoll_fd;
}

void replay__break(const struct replay *replay)
{
	uint64_t one = 1;
	int saved_errno = errno;

	/* It fails only when the count would pass 2^64 - 2, and then it is set already. */
	if (write(replay->break_fd, &one, sizeof(one)) < 0)
		errno = saved_errno;
}

static bool was_broken(const struct replay *replay)
{
	uint64_t count;

	return read(replay->break_fd, &count, sizeof(count)) > 0;
}

/* Once all was handed out: how it ended. */
static int verdict(const struct replay *replay)
{
	return replay->in.rec.end.how == PERF_END_WHOLE ? -ENODATA : -EBADMSG;
}

int replay__wait(struct replay *replay, int timeout_ms)
{
	struct epoll_event event;
	int ready;

	if (was_broken(replay))
		return -ECANCELED;
	if (replay->err)
		return replay->err;
	if (replay->at_end && !(replay->is_ordered && order__is_ready(&replay->order)))
		return verdict(replay);
	if (replay->at_end || !perf_file__would_wait(replay->in.rec.file))
		return 1;
	ready = epoll_wait(replay->epoll_fd, &event, 1, timeout_ms);
	if (ready < 0)
		return -errno;
	return ready && was_broken(replay) ? -ECANCELED : ready;
}

static int watch(const struct replay *replay, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(replay->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* A file is always ready, and no epoll takes one: an eventfd that nobody reads stands for it. */
static int open_waiting(struct replay *replay)
{
	int pipe_fd = perf_file__fd(replay->in.rec.file), err;

	replay->is_marked = pipe_fd < 0;
	replay->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	replay->break_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	replay->ready_fd = eventfd(replay->is_marked, EFD_CLOEXEC | EFD_NONBLOCK);
	if (replay->epoll_fd < 0 || replay->break_fd < 0 || replay->ready_fd < 0)
		return -errno;
	err = watch(replay, replay->ready_fd);
	if (!err)
		err = watch(replay, replay->break_fd);
	return err || pipe_fd < 0 ? err : watch(replay, pipe_fd);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_order(struct replay *replay, const struct peat_reader_opts *opts)
{
	replay->is_ordered = opts->ordered;
	replay->to_hold.kind = PEAT_EVENT_RECORD;
	if (!opts->ordered)
		return 0;
	replay->has_parts = perf_file__streams(replay->in.rec.file) > 1;
	if (replay->has_parts && perf_turns__init(&replay->turns, replay->in.rec.file))
		return -ENOMEM;
	return order__init(&replay->order, STREAMS,
			   opts->memory_bytes ? opts->memory_bytes : HELD_BYTES);
}

static int open_all(struct replay *replay, const struct peat_reader_opts *opts)
{
	struct perf_recording *rec = &replay->in.rec;
	int err = perf_recording__open(rec, replay->path);

	if (!err)
		err = replay_intake__open(&replay->in, opts);
	if (err)
		return err;
	replay->left_of_round = ROUND_ENTRIES;
	err = open_order(replay, opts);
	if (!err)
		err = open_waiting(replay);
	return err ? perf_recording__explain(rec, err, NULL) : 0;
}

int replay__open(struct replay **opened, const char *path, const struct peat_reader_opts *opts)
{
	struct replay *replay = calloc(1, sizeof(*replay));
	int err = -ENOMEM;

	*opened = NULL;
	if (!replay)
		return err;
	replay->epoll_fd = replay->break_fd = replay->ready_fd = -1;
	replay->path = strdup(path);
	if (replay->path)
		err = open_all(replay, opts);
	if (err)
		replay__close(replay);
	else
		*opened = replay;
	return err;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void replay__close(struct replay *replay)
{
	if (!replay)
		return;
	close_fd(replay->epoll_fd);
	close_fd(replay->break_fd);
	close_fd(replay->ready_fd);
	order__free(&replay->order);
	replay_intake__close(&replay->in);
	perf_turns__free(&replay->turns);
	free(replay->path);
	free(replay);
}
