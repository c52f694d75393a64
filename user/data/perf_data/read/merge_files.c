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

int merge_files__init(struct merge_files *merge, struct perf_file *file)
{
	*merge = (struct merge_files){ .file = file };
	merge->inputs = calloc(perf_file__streams(file), sizeof(*merge->inputs));
	merge->heap.entries = calloc(perf_file__streams(file), sizeof(struct time_entry));
	return merge->inputs && merge->heap.entries ? 0 : -ENOMEM;
}

void merge_files__free(struct merge_files *merge)
{
	free(merge->inputs);
	free(merge->heap.entries);
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

static int read_first(struct merge_files *merge)
{
	struct time_heap *heap = &merge->heap;
	int more = 1;

	for (uint32_t i = 0; i < perf_file__streams(merge->file) && more >= 0; i++) {
		more = read_input(merge, i);
		if (more > 0)
			heap->entries[heap->count++] =
				(struct time_entry){ merge->inputs[i].at_ns, 0, i };
	}
	time_heap__order(heap);
	merge->has_begun = more >= 0;
	return more < 0 ? more : 0;
}

/* The record of the first file was returned: reads its next record. */
static int replace_first(struct merge_files *merge)
{
	struct time_heap *heap = &merge->heap;
	struct time_entry next;
	int more;

	if (!heap->count)
		return 0;
	next = heap->entries[0];
	more = read_input(merge, next.index);
	if (more < 0)
		return more;
	next.time_ns = merge->inputs[next.index].at_ns;
	if (more)
		time_heap__renew(heap, next);
	else
		time_heap__remove(heap);
	return 0;
}

int merge_files__next(struct merge_files *merge, struct perf_entry *entry)
{
	int err = merge->has_begun ? replace_first(merge) : read_first(merge);
	const struct merge_input *input;

	if (err || !merge->heap.count)
		return err;
	input = &merge->inputs[merge->heap.entries[0].index];
	*entry = input->next;
	merge->time_ns = input->time_ns;
	if (input->at_ns > merge->reached_ns)
		merge->reached_ns = input->at_ns;
	return 1;
}
