// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/preamble.c: writes the features and records before the first event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "recorder/host_info.h"
#include "base/log.h"
#include "perf_data/features.h"
#include "perf_data/note.h"
#include "recorder/mappings.h"
#include "recorder/preamble.h"
#include "reader/types.h"
#include "sys/interfaces.h"
#include "sys/kernel_id.h"
#include "sys/proc_tasks.h"
#include "perf_data/write/tool_encode.h"

/* ---- features -------------------------------------------------------------------------------- */

static uint32_t count_btfs(const struct peat_reader *reader)
{
	uint32_t count = 0;

	while (reader__btf(reader, count))
		count++;
	return count;
}

static int write_btf_feature(struct perf_writer *writer, const struct feature_btf *btfs,
			     uint32_t count)
{
	struct strbuf out = { 0 };

	feature_encode__bpf_btf(&out, btfs, count);
	return perf_writer__feature_strbuf(writer, FEATURE_BPF_BTF, &out);
}

/* Adds a BTF unless it is there already: several maps may have that of one object. */
static int add_btf(struct feature_btf *btfs, uint32_t *count, const struct btf *btf)
{
	struct feature_btf *added = &btfs[*count];

	added->id = *count + 1;
	added->bytes = btf__raw_data(btf, &added->bytes_count);
	if (!added->bytes)
		return -ENOMEM;
	for (uint32_t i = 0; i < *count; i++)
		if (btfs[i].bytes_count == added->bytes_count &&
		    !memcmp(btfs[i].bytes, added->bytes, added->bytes_count))
			return 0;
	++*count;
	return 0;
}

/* The BTF lets a reader decode the events without the probes' objects. */
static int add_btf_types(struct perf_writer *writer, const struct peat_reader *reader)
{
	uint32_t all = count_btfs(reader), count = 0;
	struct feature_btf *btfs = all ? calloc(all, sizeof(*btfs)) : NULL;
	int err = 0;

	if (all && !btfs)
		return -ENOMEM;
	for (uint32_t i = 0; i < all && !err; i++)
		err = add_btf(btfs, &count, reader__btf(reader, i));
	if (count && !err)
		err = write_btf_feature(writer, btfs, count);
	free(btfs);
	return err;
}

/* Readers name addresses of the kernel only by symbols of this kernel. */
static int add_kernel_id(struct perf_writer *writer)
{
	const uint8_t *id = kernel_id__running();
	struct strbuf out = { 0 };

	if (!id)
		return 0;
	feature_encode__kernel_id(&out, id, KERNEL_ID_BYTES);
	return perf_writer__feature_strbuf(writer, FEATURE_BUILD_ID, &out);
}

int preamble__features(struct perf_writer *writer, const struct peat_reader *reader,
		       const char *const *args)
{
	static const char *const none[] = { NULL };
	int err = host_info__add(writer, args ? args : none);

	if (!err)
		err = add_kernel_id(writer);
	return err ? err : add_btf_types(writer, reader);
}

/* ---- records --------------------------------------------------------------------------------- */

struct names {
	struct strbuf *out;
	const struct event_formats *formats;
};

/*
 * The record has no timestamp: the name is valid for all earlier times.  If memory fails, `out`
 * stays failed, and so does the record after the names.
 */
static void add_task_name(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct names *names = arg;
	const struct peat_record record = { .type = PEAT_RECORD_COMM,
					    .comm = { .pid = pid, .tid = tid, .comm = comm } };

	encode__record(names->out, &names->formats->side, &record);
}

/* Maps each id to its event, for all CPUs. */
static int add_id_index(struct strbuf *out, const struct event_formats *formats)
{
	uint32_t count = formats->count ? formats->count : 1;
	struct tool_id_entry *entries = calloc(count, sizeof(*entries));
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

int preamble__records(struct strbuf *out, const struct event_formats *formats)
{
	struct names names = { .out = out, .formats = formats };
	int err = add_id_index(out, formats);

	if (!err)
		err = mappings__add_kernel(out, formats);
	if (!err && proc_tasks__each(add_task_name, &names))
		log__warn("cannot read /proc: names of running tasks are not recorded");
	if (!err)
		mappings__add_running(out, formats);
	return err ? err : tool_encode__mark(out, TOOL_FINISHED_INIT);
}

static bool has_interfaces(struct peat_reader *reader)
{
	struct reader_type type;

	for (uint32_t i = 0; reader__type(reader, i, &type); i++)
		if (type.schema && peat_schema__find(type.schema, "ifindex", NULL))
			return true;
	return false;
}

/* Without the names, the recording is still useful. */
int preamble__interfaces(struct strbuf *out, struct peat_reader *reader)
{
	struct strbuf lines = { 0 };
	int err = 0;

	if (!has_interfaces(reader))
		return 0;
	if (interfaces__list(&lines, NOTE_MOST))
		log__warn("cannot list network interfaces: their names are not recorded");
	else if (lines.count)
		err = note__put(out, NOTE_INTERFACES, lines.bytes, lines.count);
	strbuf__free(&lines);
	return err;
}
