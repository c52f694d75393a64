/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_run.h: made recordings, replayed to their end, and what came out. */
#ifndef TESTS_UNIT_REPLAY_REPLAY_RUN_H
#define TESTS_UNIT_REPLAY_REPLAY_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/reader.h>

#include "support/machine/harness.h"
#include "replay_maker.h"

#define SEEN_MOST 4096

/* An event; of PEAT_EVENT_DATA the number is what make_event() was given, of a loss how many. */
struct seen {
	enum peat_event_kind kind;
	uint64_t time_ns, number;
	uint32_t cpu, tid, type;
	bool late;
	char comm[16];
	char name[64]; /* of its schema */
	bool as_here;  /* that of a live one */
};

struct replayed {
	struct seen at[SEEN_MOST];
	uint32_t count;
	int end; /* of peat_reader__wait() */
	struct peat_reader_stats stats;
};

static struct replayed replayed;
static struct peat_replay_opts replay_opts;
static char replay_log[4096];

static void keep_line(enum peat_log_level level, const char *text)
{
	size_t used = strlen(replay_log);

	if (level <= PEAT_LOG_WARN)
		snprintf(replay_log + used, sizeof(replay_log) - used, "%s\n", text);
}

/* Before each test: the options are ordered, and all else as it is by itself. */
static inline void begin_replays(void)
{
	replay_opts = (struct peat_replay_opts)PEAT_REPLAY_OPTS_INIT;
	replay_opts.ordered = true;
	*replay_log = '\0';
	peat_set_print(keep_line);
}

static inline void see(const struct peat_event *event)
{
	struct seen *seen = &replayed.at[replayed.count++];
	uint64_t number = event->lost;

	ck_assert_uint_lt(replayed.count, SEEN_MOST);
	ck_assert_ptr_nonnull(event->recorded);
	ck_assert_uint_eq((uintptr_t)event->data % 8, 0);
	if (event->kind == PEAT_EVENT_DATA && event->size >= 8)
		memcpy(&number, event->data, sizeof(number));
	*seen = (struct seen){ .kind = event->kind,
			       .time_ns = event->time_ns,
			       .number = number,
			       .cpu = event->cpu,
			       .tid = event->tid,
			       .type = event->type,
			       .late = event->late };
	seen->as_here = event->schema == peat_side_band__schema(PEAT_SIDE_BAND_MMAP, 0);
	snprintf(seen->comm, sizeof(seen->comm), "%s", event->comm ? event->comm : "?");
	snprintf(seen->name, sizeof(seen->name), "%s",
		 event->schema ? peat_schema__name(event->schema) : "?");
}

/* Takes what there is by now. */
static inline int see_round(struct peat_reader *reader)
{
	const struct peat_event *event;
	int more;

	while ((more = peat_reader__next(reader, &event)) > 0)
		see(event);
	ck_assert_ptr_null(event);
	return more;
}

static inline void see_all(struct peat_reader *reader)
{
	memset(&replayed, 0, sizeof(replayed));
	replayed.stats.sz = sizeof(replayed.stats);
	while ((replayed.end = peat_reader__wait(reader, -1)) > 0)
		ck_assert_int_ge(see_round(reader), 0);
	ck_assert_int_eq(peat_reader__wait(reader, 0), replayed.end);
	ck_assert_int_eq(errno, -replayed.end);
	ck_assert_int_eq(peat_reader__stats(reader, &replayed.stats), 0);
}

/* As a file in memory; close the fd when the reader is there. */
static inline int memory_of(const struct maker *m, char path[64])
{
	int fd = memfd_create("replay", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, m->at, m->len), (ssize_t)m->len);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static inline struct peat_reader *open_replay(const struct maker *m)
{
	struct peat_reader *reader;
	char path[64];
	int fd = memory_of(m, path);

	reader = peat_reader__open(path, &replay_opts);
	ck_assert_msg(reader, "%s", replay_log);
	close(fd);
	return reader;
}

static inline void replay_made(const struct maker *m)
{
	struct peat_reader *reader = open_replay(m);

	see_all(reader);
	peat_reader__free(reader);
}

/* The errno of peat_reader__open(), which refuses the recording. */
static inline int refused(const struct maker *m)
{
	struct peat_reader *reader;
	char path[64];
	int fd = memory_of(m, path);

	errno = 0;
	reader = peat_reader__open(path, &replay_opts);
	ck_assert_ptr_null(reader);
	close(fd);
	return errno;
}

static inline void check_numbers(const uint64_t *wanted, uint32_t count)
{
	ck_assert_uint_eq(replayed.count, count);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_msg(replayed.at[i].number == wanted[i], "%u: %lu, not %lu", i,
			      (unsigned long)replayed.at[i].number, (unsigned long)wanted[i]);
}

#define CHECK_NUMBERS(...)                                                                         \
	check_numbers((const uint64_t[]){ __VA_ARGS__ },                                           \
		      sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

#endif /* TESTS_UNIT_REPLAY_REPLAY_RUN_H */
