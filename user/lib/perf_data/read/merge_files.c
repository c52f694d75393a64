// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_turns.c: whose turn it is among the files of a directory. */
#include <errno.h>
#include <stdlib.h>

#include "perf_data/read/merge_files.h"

/* Each file's next record is known, and lives until the one behind it is asked for. */
struct perf_turn {
	struct perf_entry next;
	uint64_t time_ns; /* of it; 0: none */
	uint64_t at_ns;	  /* when it is its turn */
};

struct perf_place {
	uint64_t at_ns;
	uint32_t stream;
};

int perf_turns__init(struct perf_turns *turns, struct perf_file *file)
{
	*turns = (struct perf_turns){ .file = file };
	turns->of = calloc(perf_file__streams(file), sizeof(*turns->of));
	turns->heap = calloc(perf_file__streams(file), sizeof(*turns->heap));
	return turns->of && turns->heap ? 0 : -ENOMEM;
}

void perf_turns__free(struct perf_turns *turns)
{
	free(turns->of);
	free(turns->heap);
	*turns = (struct perf_turns){ 0 };
}

/* As perf sorts: neither 0 nor all ones is a time. */
static uint64_t time_of(const struct perf_entry *entry)
{
	struct peat_record rec;

	if (!entry->layout ||
	    peat_record__decode(entry->layout, entry->bytes, entry->size, &rec) <= 0 ||
	    !(rec.has & PEAT_SAMPLE_TIME) || rec.time_ns == UINT64_MAX)
		return 0;
	return rec.time_ns;
}

/* Asks for the file's next record: 1; 0: there is none. */
static int read_on(struct perf_turns *turns, uint32_t stream)
{
	struct perf_turn *turn = &turns->of[stream];
	int ret = perf_file__next_of(turns->file, stream, &turn->next);

	if (ret <= 0)
		return ret;
	turn->time_ns = time_of(&turn->next);
	if (turn->time_ns)
		turn->at_ns = turn->time_ns;
	return 1;
}

/* ---- a binary heap --------------------------------------------------------------------------- */

static void sift_down(struct perf_turns *turns, uint32_t at)
{
	struct perf_place *heap = turns->heap, moved = heap[at];
	uint32_t child;

	while ((child = 2 * at + 1) < turns->count) {
		if (child + 1 < turns->count && heap[child + 1].at_ns < heap[child].at_ns)
			child++;
		if (moved.at_ns <= heap[child].at_ns)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static int begin(struct perf_turns *turns)
{
	int more = 1;

	for (uint32_t i = 0; i < perf_file__streams(turns->file) && more >= 0; i++) {
		more = read_on(turns, i);
		if (more > 0)
			turns->heap[turns->count++] = (struct perf_place){ turns->of[i].at_ns, i };
	}
	for (uint32_t i = turns->count / 2; i--;)
		sift_down(turns, i);
	turns->has_begun = more >= 0;
	return more < 0 ? more : 0;
}

/* The first has handed out its record. */
static int pass_turn(struct perf_turns *turns)
{
	struct perf_place *first = turns->heap;
	int more = turns->count ? read_on(turns, first->stream) : 0;

	if (more < 0 || !turns->count)
		return more;
	if (more)
		first->at_ns = turns->of[first->stream].at_ns;
	else
		*first = turns->heap[--turns->count];
	if (turns->count)
		sift_down(turns, 0);
	return 0;
}

int perf_turns__next(struct perf_turns *turns, struct perf_entry *entry)
{
	int err = turns->has_begun ? pass_turn(turns) : begin(turns);
	const struct perf_turn *turn;

	if (err || !turns->count)
		return err;
	turn = &turns->of[turns->heap[0].stream];
	*entry = turn->next;
	turns->time_ns = turn->time_ns;
	if (turn->at_ns > turns->reached_ns)
		turns->reached_ns = turn->at_ns;
	return 1;
}
