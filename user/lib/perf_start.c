// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_start.c: what a recording says beside its events. */
#include <stdio.h>
#include <stdlib.h>
#include <bpf/btf.h>

#include "encode.h"
#include "feature_encode.h"
#include "host_facts.h"
#include "internal.h"
#include "perf_features.h"
#include "perf_start.h"
#include "proc_tasks.h"
#include "symbols.h"
#include "tool_encode.h"

#define BTFS_MOST 64 /* objects */

/* ---- features -------------------------------------------------------------------------------- */

/* By which a reader that knows nothing of the probes knows their types. */
static int add_btf(struct perf_writer *writer, const struct peat_reader *reader)
{
	struct feature_btf btfs[BTFS_MOST];
	const struct btf *btf;
	struct out out = { 0 };
	uint32_t count = 0;
	int err;

	while (count < BTFS_MOST && (btf = reader__btf(reader, count))) {
		btfs[count].id = count + 1;
		btfs[count].bytes = btf__raw_data(btf, &btfs[count].bytes_count);
		if (!btfs[count].bytes)
			return -ENOMEM;
		count++;
	}
	if (!count)
		return 0;
	feature_encode__bpf_btf(&out, btfs, count);
	err = out.failed ? -ENOMEM
			 : perf_writer__feature(writer, FEATURE_BPF_BTF, out.bytes, out.count);
	out__free(&out);
	return err;
}

int perf_start__features(struct perf_writer *writer, const struct peat_reader *reader,
			 const char *const *args)
{
	static const char *const none[] = { NULL };
	int err = host_facts__add(writer, args ? args : none);

	return err ? err : add_btf(writer, reader);
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

/* ---- the ledger ------------------------------------------------------------------------------ */

static void append(struct out *text, const char *name, uint64_t count)
{
	out__text(text, name);
	out__char(text, ' ');
	out__unsigned(text, count);
	out__char(text, '\n');
}

#define APPEND(text, ledger, member) append(text, #member, (ledger)->member)

static void append_ledger(struct out *text, const struct peat_ledger *ledger)
{
	APPEND(text, ledger, emitted);
	APPEND(text, ledger, delivered);
	APPEND(text, ledger, held);
	APPEND(text, ledger, staged);
	APPEND(text, ledger, in_ring);
	APPEND(text, ledger, overwritten);
	APPEND(text, ledger, corrupt);
	APPEND(text, ledger, lost_ring_full);
	APPEND(text, ledger, lost_nested);
	APPEND(text, ledger, lost_no_ring);
	APPEND(text, ledger, lost_too_big);
	APPEND(text, ledger, lost_throttled);
	APPEND(text, ledger, lost_abandoned);
	APPEND(text, ledger, lost_other);
}

uint64_t perf_start__lost(const struct peat_reader *reader)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	return peat_reader__stats(reader, &stats) || !stats.lost_is_exact ? 0 : stats.lost;
}

void perf_start__ledger(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			struct out *text)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (!peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger))
		append_ledger(text, &ledger);
	append(text, "recorded", stats->events);
	append(text, "lost_in_queue", stats->lost);
}
