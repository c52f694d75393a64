// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/merge_files.c: merges the files of a directory by time. */
#include <errno.h>
#include <stdlib.h>

#include "perf_data/read/merge_files.h"

/* A file, with its next record, which is valid until its successor is read. */
struct merge_input {
	struct perf_entry next;
	uint64_t time_ns; /* of `next`; 0: no timestamp */
	uint64_t at_ns;	  /* of `next`, or of the last record with a timestamp */
};

struct merge_place {
	uint64_t at_ns;
	uint32_t stream;
};

int merge_files__init(struct merge_files *merge, struct perf_file *file)
{
	*merge = (struct merge_files){ .file = file };
	merge->inputs = calloc(perf_file__streams(file), sizeof(*merge->inputs));
	merge->heap = calloc(perf_file__streams(file), sizeof(*merge->heap));
	return merge->inputs && merge->heap ? 0 : -ENOMEM;
}

void merge_files__free(struct merge_files *merge)
{
	free(merge->inputs);
	free(merge->heap);
	*merge = (struct merge_files){ 0 };
}

/* Like perf: 0 and all ones are no timestamps. */
static uint64_t entry_time(const struct perf_entry *entry)
{
	struct peat_record rec;

	rec.sz = sizeof(rec);
	if (!entry->layout ||
	    peat_record__decode(entry->layout, entry->bytes, entry->size, &rec) <= 0 ||
	    !(rec.has & PEAT_SAMPLE_TIME) || rec.time_ns == UINT64_MAX)
		return 0;
	return rec.time_ns;
}

/* Reads the file's next record: 1; 0: no more. */
static int read_input(struct merge_files *merge, uint32_t stream)
{
	struct merge_input *input = &merge->inputs[stream];
	int ret = perf_file__next_of(merge->file, stream, &input->next);

	if (ret <= 0)
		return ret;
	input->time_ns = entry_time(&input->next);
	if (input->time_ns)
		input->at_ns = input->time_ns;
	return 1;
}

/* ---- a binary heap --------------------------------------------------------------------------- */

static void sift_down(struct merge_files *merge, uint32_t at)
{
	struct merge_place *heap = merge->heap, moved = heap[at];
	uint32_t child;

	while ((child = 2 * at + 1) < merge->count) {
		if (child + 1 < merge->count && heap[child + 1].at_ns < heap[child].at_ns)
			child++;
		if (moved.at_ns <= heap[child].at_ns)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static int read_first(struct merge_files *merge)
{
	int more = 1;

	for (uint32_t i = 0; i < perf_file__streams(merge->file) && more >= 0; i++) {
		more = read_input(merge, i);
		if (more > 0)
			merge->heap[merge->count++] =
				(struct merge_place){ merge->inputs[i].at_ns, i };
	}
	for (uint32_t i = merge->count / 2; i--;)
		sift_down(merge, i);
	merge->has_begun = more >= 0;
	return more < 0 ? more : 0;
}

/* The record of the first file was returned: reads its next record. */
static int replace_first(struct merge_files *merge)
{
	struct merge_place *first = merge->heap;
	int more = merge->count ? read_input(merge, first->stream) : 0;

	if (more < 0 || !merge->count)
		return more;
	if (more)
		first->at_ns = merge->inputs[first->stream].at_ns;
	else
		*first = merge->heap[--merge->count];
	if (merge->count)
		sift_down(merge, 0);
	return 0;
}

int merge_files__next(struct merge_files *merge, struct perf_entry *entry)
{
	int err = merge->has_begun ? replace_first(merge) : read_first(merge);
	const struct merge_input *input;

	if (err || !merge->count)
		return err;
	input = &merge->inputs[merge->heap[0].stream];
	*entry = input->next;
	merge->time_ns = input->time_ns;
	if (input->at_ns > merge->reached_ns)
		merge->reached_ns = input->at_ns;
	return 1;
}
