// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/mappings.c: writes MMAP, MMAP2 and KSYMBOL records of code that was there before. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "record/encode.h"
#include "recorder/mappings.h"
#include "recorder/samples.h"
#include "sys/kallsyms.h"
#include "sys/kernel_modules.h"
#include "sys/loaded_functions.h"
#include "sys/proc_tasks.h"

/* Whether programs take stacks with their events. */
static bool have_stacks(const struct event_formats *formats)
{
	for (uint32_t i = 0; i < formats->count; i++)
		if (!formats->at[i].sampled &&
		    formats->at[i].layout.sample_type & PEAT_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static bool have_memory(const struct event_formats *formats)
{
	for (uint32_t i = 0; i < formats->count; i++)
		if (formats->at[i].layout.sample_type & PEAT_SAMPLE_STACK_USER)
			return true;
	return false;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Like perf's: from `_text` on; the exact end is not known. */
#define KERNEL_BYTES (512u << 20)

struct kernel_sink {
	struct strbuf *out;
	const struct event_formats *formats;
	int err;
};

static int add_kernel_map(struct strbuf *out, const struct event_formats *formats,
			  const char *filename, const struct peat_mmap *map)
{
	struct peat_record record = { .type = PEAT_RECORD_MMAP,
				      .misc = PEAT_MISC_KERNEL,
				      .mmap = *map };

	record.mmap.pid = UINT32_MAX;
	record.mmap.filename = filename;
	return encode__record(out, &formats->side, &record);
}

/* perf takes the name in brackets for a module of the kernel. */
static void add_module(void *arg, const struct kernel_module *module)
{
	struct kernel_sink *sink = arg;
	char filename[KERNEL_MODULE_NAME + 2];
	const struct peat_mmap map = { .addr = module->start, .len = module->bytes };

	snprintf(filename, sizeof(filename), "[%s]", module->name);
	if (!sink->err)
		sink->err = add_kernel_map(sink->out, sink->formats, filename, &map);
}

static int add_modules(struct strbuf *out, const struct event_formats *formats)
{
	struct kernel_sink sink = { .out = out, .formats = formats };
	int err = 0;

	if (mappings__are_named(formats))
		err = kernel_modules__each(add_module, &sink);
	if (err && err != -ENOENT)
		log__debug("cannot read /proc/modules: %s", strerror(-err));
	return sink.err;
}

/* As of perf: programs that are loaded later announce themselves so. */
static void add_function(void *arg, const struct loaded_function *function)
{
	struct kernel_sink *sink = arg;
	const struct peat_record record = {
		.type = PEAT_RECORD_KSYMBOL,
		.ksymbol = { .addr = function->address,
			     .len = function->bytes,
			     .ksym_type = PEAT_KSYMBOL_TYPE_BPF,
			     .name = function->name },
	};

	if (!sink->err)
		sink->err = encode__record(sink->out, &sink->formats->side, &record);
}

static int add_programs(struct strbuf *out, const struct event_formats *formats)
{
	struct kernel_sink sink = { .out = out, .formats = formats };
	int err = 0;

	if (mappings__are_named(formats))
		err = loaded_functions__each(add_function, &sink);
	if (err)
		log__debug("names of BPF programs that run already are not recorded: %s",
			   strerror(-err));
	return sink.err;
}

int mappings__add_kernel(struct strbuf *out, const struct event_formats *formats)
{
	struct peat_mmap map = { .len = KERNEL_BYTES };
	char filename[64];
	const char *name;
	int err;

	if (!kallsyms__text(&name, &map.addr))
		return 0;
	map.pgoff = map.addr;
	snprintf(filename, sizeof(filename), "[kernel.kallsyms]%s", name);
	err = add_kernel_map(out, formats, filename, &map);
	if (!err)
		err = add_modules(out, formats);
	return err ? err : add_programs(out, formats);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

struct running {
	struct strbuf *out;
	const struct event_formats *formats;
	struct mapped_ids ids;
	uint32_t mappings; /* recorded so far */
	bool has_data;	   /* files that are mapped as data are recorded, too */
};

struct process {
	struct running *running;
	uint32_t pid;
};

static void set_build_id(struct peat_record *record, const struct build_id *id)
{
	record->misc |= PEAT_MISC_MMAP_BUILD_ID;
	record->mmap.build_id = id->id;
	record->mmap.build_id_bytes = id->bytes;
}

/* As of perf: anonymous memory is "//anon". */
static void add_mapping(void *arg, const struct proc_map *map)
{
	const struct process *of = arg;
	struct peat_record record = { .type = PEAT_RECORD_MMAP2, .misc = PEAT_MISC_USER };
	int prot = (map->is_readable ? PROT_READ : 0) | (map->is_writable ? PROT_WRITE : 0) |
		   (map->is_executable ? PROT_EXEC : 0);
	const struct build_id *id;

	if (!map->is_executable && !(of->running->has_data && *map->path == '/'))
		return;
	record.misc |= map->is_executable ? 0 : PEAT_MISC_MMAP_DATA;
	id = mapped_ids__find(&of->running->ids, of->pid, 0, map);
	record.mmap = (struct peat_mmap){ .pid = of->pid,
					  .tid = of->pid,
					  .addr = map->start,
					  .len = map->end - map->start,
					  .pgoff = map->offset,
					  .maj = map->major,
					  .min = map->minor,
					  .ino = map->inode,
					  .prot = (uint32_t)prot,
					  .flags = map->is_shared ? MAP_SHARED : MAP_PRIVATE,
					  .filename = *map->path ? map->path : "//anon" };
	if (id)
		set_build_id(&record, id);
	encode__record(of->running->out, &of->running->formats->side, &record);
	of->running->mappings++;
}

/* The mappings of code of a process, with its main thread. */
static void add_process(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct process of = { .running = arg, .pid = pid };
	int err = pid == tid ? proc_maps__each(pid, add_mapping, &of) : 0;

	if (err && err != -ENOENT && err != -ESRCH)
		log__debug("cannot read the mappings of %s: %s", comm, strerror(-err));
}

void mappings__add_running(struct strbuf *out, const struct event_formats *formats)
{
	struct running running = { .out = out,
				   .formats = formats,
				   .has_data = have_memory(formats) };

	if (!samples__need_mappings(formats) && !have_stacks(formats))
		return;
	if (proc_tasks__each(add_process, &running))
		log__warn("cannot read /proc: mappings of running tasks are not recorded");
	log__info("%u mappings of running tasks recorded", running.mappings);
	mapped_ids__free(&running.ids);
}

/* ---- records of the kernel ------------------------------------------------------------------- */

bool mappings__are_named(const struct event_formats *formats)
{
	return have_stacks(formats) || (formats->count && formats->at[0].sampled);
}

void mappings__identify(struct mapped_ids *ids, struct peat_record *record)
{
	const struct peat_mmap *mmap = &record->mmap;
	const struct proc_map map = { .start = mmap->addr,
				      .end = mmap->addr + mmap->len,
				      .inode = mmap->ino,
				      .major = mmap->maj,
				      .minor = mmap->min,
				      .path = mmap->filename };
	const struct build_id *id;

	if (record->type != PEAT_RECORD_MMAP2 || record->misc & PEAT_MISC_MMAP_BUILD_ID)
		return;
	id = mapped_ids__find(ids, mmap->pid, mmap->ino_generation, &map);
	if (id)
		set_build_id(record, id);
}
