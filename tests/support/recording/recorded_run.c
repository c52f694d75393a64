// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorded_run.c: runs peat record and reads its files. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "perf_data/note.h"
#include "perf_data/read/file.h"
#include "recorded_run.h"
#include "support/perf/stock_perf.h"

static char program[PATH_MAX];

void recorded_run__setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	setenv("PEAT", program, 1);
	stock_perf__setup();
}

const char *recorded_run__peat(void)
{
	return program;
}

void recorded_run__start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
}

void recorded_run__finish(struct command *peat, int status)
{
	command__finish(peat);
	ck_assert_msg(peat->status == status, "status %d, not %d: %s", peat->status, status,
		      peat->err_text);
}

void recorded_run__stop(struct command *peat, int status)
{
	kill(peat->pid, SIGINT);
	recorded_run__finish(peat, status);
}

char *recorded_run__replay(const char *path)
{
	struct command peat;
	char *text;

	command__run(&peat, 0, REPLAY("-j", "-q", path));
	ck_assert_msg(peat.status == 0, "%s: %s", path, peat.err_text);
	ck_assert_str_eq(peat.err_text, "");
	text = strdup(peat.out_text);
	command__free(&peat);
	return text;
}

unsigned recorded_run__count(const char *text, const char *part)
{
	unsigned count = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		count++;
	}
	return count;
}

void recorded_run__check_has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in: %.3000s", part, text);
}

void recorded_run__put(const struct object_file *object)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.bpf.o", object->name);
	object__write(object, path);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static uint64_t number_after(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	ck_assert_msg(at, "no %s in: %s", name, text);
	return strtoull(at + strlen(name), NULL, 10);
}

static void read_ledger(struct recorded_run *run, const struct perf_entry *entry)
{
	char text[2048] = "\n";
	struct tool_record rec;
	struct note note;

	if (tool_record__parse(entry->bytes, entry->size, false, &rec) ||
	    !note__read(&rec, &note) || note.kind != NOTE_LEDGER)
		return;
	ck_assert_uint_lt(note.count, sizeof(text) - 2);
	memcpy(text + 1, note.bytes, note.count);
	run->has_ledger = true;
	run->recorded = number_after(text, "\nrecorded ");
	run->lost_in_queue = number_after(text, "\nlost_in_queue ");
	if (!strstr(text, "\nemitted "))
		return;
	run->emitted = number_after(text, "\nemitted ");
	run->delivered = number_after(text, "\ndelivered ");
	for (const char *at = text; (at = strstr(at, "\nlost_")); at++)
		run->ledger_lost += strtoull(strchr(at, ' '), NULL, 10);
	run->ledger_lost -= run->lost_in_queue;
}

static void read_record(struct recorded_run *run, const struct perf_entry *entry)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	if (entry->type == TOOL_EVENT_TYPE)
		read_ledger(run, entry);
	if (!entry->layout || entry->type >= TOOL_HEADER_ATTR)
		return;
	ck_assert_int_ge(peat_record__decode(entry->layout, entry->bytes, entry->size, &rec), 0);
	if (rec.type == PEAT_RECORD_LOST_SAMPLES)
		run->lost += rec.lost_samples.lost;
	if (rec.type != PEAT_RECORD_SAMPLE) {
		run->records++;
		return;
	}
	run->samples++;
	if (!run->first_ns || rec.time_ns < run->first_ns)
		run->first_ns = rec.time_ns;
	if (rec.time_ns > run->last_ns)
		run->last_ns = rec.time_ns;
}

void recorded_run__read(const char *path, struct recorded_run *run)
{
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	int more;

	*run = (struct recorded_run){ 0 };
	ck_assert_msg(perf_file__open(&file, path, &why) == 0, "%s: %s", path, why);
	while ((more = perf_file__next(file, &entry)) > 0)
		read_record(run, &entry);
	ck_assert_int_eq(more, 0);
	run->is_whole = perf_file__end(file)->how == PERF_END_WHOLE;
	perf_file__close(file);
}
