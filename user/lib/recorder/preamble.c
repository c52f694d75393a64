// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_start.c: what a recording says beside its events. */
#include <stdio.h>
#include <stdlib.h>
#include <bpf/btf.h>

#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "recorder/host_info.h"
#include "base/internal.h"
#include "perf_data/describe/features.h"
#include "recorder/preamble.h"
#include "sys/proc_tasks.h"
#include "sys/kallsyms.h"
#include "perf_data/write/tool_encode.h"

/* ---- features -------------------------------------------------------------------------------- */

static uint32_t count_btfs(const struct peat_reader *reader)
{
	uint32_t count = 0;

	while (reader__btf(reader, count))
		count++;
	return count;
}

static int add_btfs(struct perf_writer *writer, const struct feature_btf *btfs, uint32_t count)
{
	struct out out = { 0 };
	int err;

	feature_encode__bpf_btf(&out, btfs, count);
	err = out.failed ? -ENOMEM
			 : perf_writer__feature(writer, FEATURE_BPF_BTF, out.bytes, out.count);
	out__free(&out);
	return err;
}

/* By which a reader that knows nothing of the probes knows their types. */
static int add_types(struct perf_writer *writer, const struct peat_reader *reader)
{
	uint32_t count = count_btfs(reader);
	struct feature_btf *btfs = count ? calloc(count, sizeof(*btfs)) : NULL;
	int err = 0;

	if (count && !btfs)
		return -ENOMEM;
	for (uint32_t i = 0; i < count && !err; i++) {
		btfs[i].id = i + 1;
		btfs[i].bytes = btf__raw_data(reader__btf(reader, i), &btfs[i].bytes_count);
		err = btfs[i].bytes ? 0 : -ENOMEM;
	}
	if (count && !err)
		err = add_btfs(writer, btfs, count);
	free(btfs);
	return err;
}

int perf_start__features(struct perf_writer *writer, const struct peat_reader *reader,
			 const char *const *args)
{
	static const char *const none[] = { NULL };
	int err = host_facts__add(writer, args ? args : none);

	return err ? err : add_types(writer, reader);
}

/* ---- records --------------------------------------------------------------------------------- */

struct names {
	struct out *out;
	const struct perf_formats *formats;
	int err;
};

/* As of any time before: it has none. */
static void add_name(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct names *names = arg;
	const struct peat_record record = { .type = PEAT_RECORD_COMM,
					    .comm = { .pid = pid, .tid = tid, .comm = comm } };

	if (!names->err)
		names->err = encode__record(names->out, &names->formats->side, &record);
}

/* As perf has it: from `_text` on, to where nobody knows exactly. */
#define KERNEL_BYTES (512u << 20)

static int add_kernel(struct out *out, const struct perf_formats *formats)
{
	char filename[64];
	struct peat_record record = { .type = PEAT_RECORD_MMAP, .misc = PEAT_MISC_KERNEL };
	uint64_t address;
	const char *name;

	if (!symbols__text(&name, &address))
		return 0;
	snprintf(filename, sizeof(filename), "[kernel.kallsyms]%s", name);
	record.mmap = (struct peat_mmap){ .pid = UINT32_MAX,
					  .addr = address,
					  .len = KERNEL_BYTES,
					  .pgoff = address,
					  .filename = filename };
	return encode__record(out, &formats->side, &record);
}

/* Whose each id is, on whichever CPU. */
static int add_ids(struct out *out, const struct perf_formats *formats)
{
	struct tool_id_entry *entries = calloc(formats->count + 1, sizeof(*entries));
	uint32_t count = formats->count ? formats->count : 1;
	int err;

	if (!entries)
		return -ENOMEM;
	entries[0].id = formats->side_id;
	for (uint32_t i = 0; i < formats->count; i++)
		entries[i].id = formats->at[i].id;
	for (uint32_t i = 0; i < count; i++) {
		entries[i].index = entries[i].id - 1;
		entries[i].cpu = entries[i].tid = -1;
	}
	err = tool_encode__id_index(out, entries, count);
	free(entries);
	return err;
}

int perf_start__records(struct out *out, const struct perf_formats *formats)
{
	struct names names = { .out = out, .formats = formats };
	int err = add_ids(out, formats);

	if (!err)
		err = add_kernel(out, formats);
	if (!err && proc_tasks__each(add_name, &names))
		log__warn("cannot read /proc: names of tasks that run already are not recorded");
	if (!err)
		err = names.err;
	return err ? err : tool_encode__mark(out, TOOL_FINISHED_INIT);
}
