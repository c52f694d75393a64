// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/order.c: sorted runs of events, merged. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/order.h"

/* A buffered event, followed by its comm and its data. */
struct item {
	uint64_t time_ns;
	uint64_t arrival;
	const struct peat_record *record;
	union {
		const struct peat_schema *schema;
		uint64_t lost; /* of PEAT_EVENT_LOST, which has no schema */
	};
	uint64_t cgroup;
	uint32_t cpu, pid, tid, nspid, nstid, uid, type;
	uint32_t size;
	uint16_t comm_bytes; /* 0: NULL */
	uint8_t kind;
	bool has_owner;
	uint8_t cause; /* of PEAT_EVENT_LOST */
};

#define CHUNK_BYTES 16384
#define COMM_BYTES  32

struct order_chunk {
	struct order_chunk *next;
	size_t room, used;
	unsigned char bytes[];
};

struct order_run {
	struct order_chunk *first, *last; /* NULL: it is empty */
	size_t at;			  /* of its first event, in `first` */
	uint64_t last_ns;		  /* of its last event */
};

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static size_t item_bytes(const struct item *item)
{
	return sizeof(*item) + padded(item->comm_bytes) + padded(item->size);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static struct order_chunk *new_chunk(struct order *order, size_t bytes, size_t least)
{
	size_t room = bytes > least ? bytes : least;
	struct order_chunk *chunk = order->spare;

	if (chunk && room == CHUNK_BYTES) {
		order->spare = chunk->next;
		order->spare_count--;
	} else {
		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->room = room;
	}
	chunk->next = NULL;
	chunk->used = 0;
	return chunk;
}

static void free_chunk(struct order *order, struct order_chunk *chunk)
{
	uint64_t spare_bytes = (uint64_t)order->spare_count * CHUNK_BYTES;

	/* Keep some chunks: allocation costs as much as everything else.  Free the excess. */
	if (chunk->room != CHUNK_BYTES || spare_bytes > order->limit_bytes / 8) {
		free(chunk);
		return;
	}
	chunk->next = order->spare;
	order->spare = chunk;
	order->spare_count++;
}

/* One or two events ahead: the buffered events of a recording exceed the caches. */
static void prefetch_items(const unsigned char *at)
{
	__builtin_prefetch(at + 256);
	__builtin_prefetch(at + 320);
}

static void free_chunks(struct order_chunk *chunk)
{
	while (chunk) {
		struct order_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct item *first_item(const struct order_run *run)
{
	return (struct item *)(run->first->bytes + run->at);
}

/*
 * Reserves an item at the end of the run.  In a stream that goes backwards, such as that of an
 * overwritten ring, each event is a run of its own: so additional runs begin with room for one.
 */
static struct item *extend(struct order *order, struct order_run *run, size_t bytes)
{
	bool is_own = run < order->runs + order->streams;
	size_t least = is_own || run->last ? CHUNK_BYTES : 0;
	struct order_chunk *last = run->last;

	if (!last || last->room - last->used < bytes) {
		last = new_chunk(order, bytes, least);
		if (!last)
			return NULL;
		if (run->last)
			run->last->next = last;
		else
			run->first = last;
		run->last = last;
	}
	last->used += bytes;
	prefetch_items(last->bytes + last->used);
	return (struct item *)(last->bytes + last->used - bytes);
}

/* Removes the first event; false if the run is empty now. */
static bool remove_first(struct order *order, struct order_run *run)
{
	struct order_chunk *first = run->first;
	size_t bytes = item_bytes(first_item(run));

	order->buffered_bytes -= bytes;
	run->at += bytes;
	if (run->at < first->used) {
		prefetch_items(first->bytes + run->at);
		return true;
	}
	run->first = first->next;
	run->at = 0;
	free_chunk(order, first);
	if (!run->first)
		run->last = NULL;
	return run->first;
}

/* Overhead of a run in bytes: limits the number of runs to those that fit into the limit. */
#define RUN_BYTES 128
#define RUNS_MIN  1024

static bool stays_sorted(const struct order_run *run, uint64_t time_ns)
{
	return time_ns >= run->last_ns;
}

static uint64_t max_runs(const struct order *order)
{
	uint64_t runs = order->limit_bytes / RUN_BYTES;

	return order->streams + (runs > RUNS_MIN ? runs : RUNS_MIN);
}

static int grow_runs(struct order *order)
{
	size_t room = 2 * (size_t)order->run_room;
	struct order_run *runs = reallocarray(order->runs, room, sizeof(*runs));
	struct time_entry *heads;

	if (!runs)
		return -ENOMEM;
	order->runs = runs;
	heads = reallocarray(order->heads.entries, room, sizeof(*heads));
	if (!heads)
		return -ENOMEM;
	order->heads.entries = heads;
	order->run_room = (uint32_t)room;
	return 0;
}

static int add_run(struct order *order)
{
	int err = 0;

	if (order->run_count >= max_runs(order))
		return -ENOMEM;
	if (order->run_count == order->run_room)
		err = grow_runs(order);
	if (!err)
		order->runs[order->run_count++] = (struct order_run){ 0 };
	return err;
}

/*
 * Returns a run that stays sorted with this event at its end: its stream's own, else the first
 * additional run that can.  Because it always is the first, the last times of the additional runs
 * decrease from each to the next, even of empty ones: so a binary search finds it.
 */
static int choose_run(struct order *order, uint32_t stream, uint64_t time_ns)
{
	uint32_t low = order->streams, high = order->run_count;
	int err = 0;

	if (stays_sorted(&order->runs[stream], time_ns))
		return (int)stream;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (stays_sorted(&order->runs[middle], time_ns))
			high = middle;
		else
			low = middle + 1;
	}
	if (low == order->run_count)
		err = add_run(order);
	return err ? err : (int)low;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void pack(struct item *item, const struct peat_event *event, size_t comm_bytes)
{
	unsigned char *at = (unsigned char *)(item + 1);

	item->time_ns = event->time_ns;
	item->record = event->record;
	item->cpu = event->cpu;
	item->pid = event->pid;
	item->tid = event->tid;
	item->nspid = event->nspid;
	item->nstid = event->nstid;
	item->has_owner = event->has_owner;
	item->uid = event->uid;
	item->cgroup = event->cgroup;
	item->type = event->type;
	item->size = event->data ? event->size : 0;
	item->kind = (uint8_t)event->kind;
	item->cause = (uint8_t)event->cause;
	item->comm_bytes = (uint16_t)comm_bytes;
	if (event->kind == PEAT_EVENT_LOST)
		item->lost = event->lost;
	else
		item->schema = event->schema;
	if (comm_bytes) {
		memcpy(at, event->comm, comm_bytes - 1);
		at[comm_bytes - 1] = '\0';
	}
	if (item->size)
		memcpy(at + padded(comm_bytes), event->data, item->size);
}

/* Assigns all members: compilers clear the others with a slower instruction. */
static void unpack(const struct item *item, struct peat_event *event)
{
	const unsigned char *comm = (const unsigned char *)(item + 1);
	bool is_loss = item->kind == PEAT_EVENT_LOST;

	*event = (struct peat_event){
		.kind = (enum peat_event_kind)item->kind,
		.cpu = item->cpu,
		.time_ns = item->time_ns,
		.pid = item->pid,
		.tid = item->tid,
		.type = item->type,
		.size = item->size,
		.data = item->size || !is_loss ? comm + padded(item->comm_bytes) : NULL,
		.lost = is_loss ? item->lost : 0,
		.cause = (enum peat_lost_cause)item->cause,
		.record = item->record,
		.schema = is_loss ? NULL : item->schema,
		.comm = item->comm_bytes ? (const char *)comm : NULL,
		.map = NULL,
		.late = false,
		.recorded = NULL,
		.has_owner = item->has_owner,
		.uid = item->uid,
		.cgroup = item->cgroup,
		.nspid = item->nspid,
		.nstid = item->nstid,
	};
}

static struct time_entry head_of(const struct order_run *run, uint32_t index)
{
	const struct item *item = first_item(run);

	return (struct time_entry){ item->time_ns, item->arrival, index };
}

/* Removes the event that order__next() returned last. */
static void remove_returned(struct order *order)
{
	struct order_run *run;
	uint32_t index;

	if (!order->first_returned)
		return;
	order->first_returned = false;
	index = order->heads.entries[0].index;
	run = &order->runs[index];
	if (remove_first(order, run))
		time_heap__renew(&order->heads, head_of(run, index));
	else
		time_heap__remove(&order->heads);
}

int order__put(struct order *order, uint32_t stream, const struct peat_event *event)
{
	size_t comm_bytes = event->comm ? strnlen(event->comm, COMM_BYTES - 1) + 1 : 0;
	size_t bytes =
		sizeof(struct item) + padded(comm_bytes) + padded(event->data ? event->size : 0);
	struct order_run *run;
	struct item *item;
	bool was_empty;
	int index;

	remove_returned(order);
	index = choose_run(order, stream, event->time_ns);
	if (index < 0)
		return index;
	run = &order->runs[index];
	was_empty = !run->first;
	item = extend(order, run, bytes);
	if (!item)
		return -ENOMEM;
	pack(item, event, comm_bytes);
	item->arrival = order->arrivals++;
	run->last_ns = event->time_ns;
	order->buffered_bytes += bytes;
	if (was_empty)
		time_heap__put(&order->heads, head_of(run, (uint32_t)index));
	return 0;
}

void order__release_until(struct order *order, uint64_t until_ns)
{
	if (until_ns > order->until_ns)
		order->until_ns = until_ns;
}

void order__restart(struct order *order)
{
	order->until_ns = order->last_ns = 0;
}

bool order__is_ready(struct order *order)
{
	remove_returned(order);
	return order->heads.count && (order->heads.entries[0].time_ns <= order->until_ns ||
				      order->buffered_bytes > order->limit_bytes);
}

void order__bypass(struct order *order, struct peat_event *event)
{
	event->late = event->time_ns && event->time_ns < order->last_ns;
	order->late += event->late;
	if (event->time_ns > order->last_ns)
		order->last_ns = event->time_ns;
}

bool order__next(struct order *order, struct peat_event *event)
{
	if (!order__is_ready(order)) {
		if (!order->heads.count && order->until_ns == UINT64_MAX)
			order->until_ns = order->last_ns;
		return false;
	}
	order->hurried += order->heads.entries[0].time_ns > order->until_ns;
	unpack(first_item(&order->runs[order->heads.entries[0].index]), event);
	order__bypass(order, event);
	order->first_returned = true;
	return true;
}

/* ---------------------------------------------------------------------------------------------- */

int order__init(struct order *order, uint32_t streams, uint64_t limit_bytes)
{
	*order = (struct order){
		.runs = calloc(streams, sizeof(struct order_run)),
		.heads.entries = calloc(streams, sizeof(struct time_entry)),
		.run_count = streams,
		.run_room = streams,
		.streams = streams,
		.limit_bytes = limit_bytes,
	};
	return order->runs && order->heads.entries ? 0 : -ENOMEM;
}

void order__free(struct order *order)
{
	for (uint32_t i = 0; order->runs && i < order->run_count; i++)
		free_chunks(order->runs[i].first);
	free_chunks(order->spare);
	free(order->runs);
	free(order->heads.entries);
	*order = (struct order){ 0 };
}
