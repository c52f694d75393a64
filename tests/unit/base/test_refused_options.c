// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_refused_options.c: each public function that makes an object fails without a trace: the
 * caller's strings, arrays and file descriptors stay as they were, and no memory is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "unit/fail_alloc.h"
#include "unit/suite.h"

/* ---- failing calls --------------------------------------------------------------------------- */

static bool madvise_fails;

/* A live reader makes its mark of the process with it, before anything else. */
__attribute__((visibility("default"))) int madvise(void *at, size_t bytes, int advice)
{
	if (madvise_fails) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_madvise, at, bytes, advice);
}

/* ---- the caller's memory --------------------------------------------------------------------- */

/* On the heap, so that a free() of the library's is noticed. */
struct callers {
	char *word, *other, *list, *path;
	uint32_t *pids;
	char **strings;
};

static void give(struct callers *callers)
{
	*callers = (struct callers){
		.word = strdup("pid"),
		.other = strdup("size"),
		.list = strdup("0"),
		.path = strdup("/no/such/directory/file"),
		.pids = calloc(1, sizeof(*callers->pids)),
		.strings = calloc(2, sizeof(*callers->strings)),
	};
	callers->strings[0] = callers->word;
	callers->pids[0] = 1;
}

static void take_back(struct callers *callers)
{
	ck_assert_str_eq(callers->word, "pid");
	ck_assert_str_eq(callers->other, "size");
	ck_assert_str_eq(callers->list, "0");
	ck_assert_str_eq(callers->path, "/no/such/directory/file");
	ck_assert_uint_eq(callers->pids[0], 1);
	free(callers->word);
	free(callers->other);
	free(callers->list);
	free(callers->path);
	free(callers->pids);
	free(callers->strings);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void *table_of(const struct callers *mine, const char *by, const char *field,
		      uint32_t values, uint32_t reserved)
{
	struct peat_table_opts opts = { .sz = sizeof(opts),
					.by = by,
					.field = field,
					.sort = mine->other,
					.values = values,
					.reserved = reserved };

	return peat_table__new(&opts);
}

static void *table_without_field(const struct callers *mine)
{
	return table_of(mine, mine->word, NULL, PEAT_TABLE_SUM, 0);
}

static void *table_without_values(const struct callers *mine)
{
	return table_of(mine, mine->word, mine->other, 0, 0);
}

static void *table_reserved(const struct callers *mine)
{
	return table_of(mine, mine->word, mine->other, PEAT_TABLE_SUM, 1);
}

static void *table_by_nothing(const struct callers *mine)
{
	return table_of(mine, "pid,,tid", mine->other, PEAT_TABLE_SUM, 0);
}

static void *table_sorted_by_nothing(const struct callers *mine)
{
	return table_of(mine, mine->word, mine->word, PEAT_TABLE_SUM, 0);
}

static void *table_of_a_map(const struct callers *mine)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;

	opts.sort = mine->word;
	opts.unit = mine->other;
	return peat_table__open_map(-1, &opts);
}

static void *expression(const struct callers *mine)
{
	(void)mine;
	return peat_where__parse("(pid == 1");
}

/* ---- sessions and channels ------------------------------------------------------------------- */

static struct peat_session_opts session_opts(const struct callers *mine)
{
	return (struct peat_session_opts){ .sz = sizeof(struct peat_session_opts),
					   .comm = mine->word,
					   .cpus = mine->list,
					   .interfaces = mine->other };
}

static void *session_of_a_channel(const struct callers *mine)
{
	struct peat_channel_opts channel = PEAT_CHANNEL_OPTS_INIT;
	struct peat_session_opts opts = session_opts(mine);

	channel.slot_bytes = 1;
	opts.channel = &channel;
	return peat_session__new(&opts);
}

static void *session_without_btf(const struct callers *mine)
{
	struct peat_session_opts opts = session_opts(mine);

	opts.btf = mine->path;
	return peat_session__new(&opts);
}

static void *session_of_a_long_name(const struct callers *mine)
{
	struct peat_session_opts opts = session_opts(mine);

	opts.comm = mine->path;
	return peat_session__new(&opts);
}

static void *channel_of_small_slots(const struct callers *mine)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	(void)mine;
	opts.slot_bytes = 1;
	return peat_channel__new(&opts);
}

/* ---- readers --------------------------------------------------------------------------------- */

static struct peat_reader_opts reader_opts(const struct callers *mine)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.cpus = mine->list;
	return opts;
}

static void *reader_of_no_map(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);

	return peat_reader__new_raw(-1, &opts);
}

static void *reader_of_no_maps(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);

	return peat_reader__new_maps(NULL, 0, &opts);
}

static void *reader_of_no_kind(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);

	return peat_reader__new_side_band(&opts);
}

static void *reader_of_no_cpu(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);

	opts.cpus = mine->word;
	opts.side_band = PEAT_SIDE_BAND_TASK;
	return peat_reader__new_side_band(&opts);
}

static void *reader_without_a_mark(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);
	void *reader;

	opts.side_band = PEAT_SIDE_BAND_TASK;
	madvise_fails = true;
	reader = peat_reader__new_side_band(&opts);
	madvise_fails = false;
	return reader;
}

/* No object was bound to the channel, so it has no maps. */
static void *reader_of_an_empty_channel(const struct callers *mine)
{
	struct peat_reader_opts opts = reader_opts(mine);
	struct peat_channel *channel = peat_channel__new(NULL);
	void *reader = channel ? peat_reader__new(channel, &opts) : NULL;
	int err = errno;

	peat_channel__free(channel);
	errno = err;
	return reader;
}

static void *samples_of_no_event(const struct callers *mine)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	struct peat_reader_opts reader = reader_opts(mine);

	opts.pids = opts.tids = mine->pids;
	opts.pid_count = opts.tid_count = 1;
	return peat_reader__new_events("no-such-event", &opts, &reader);
}

static void *samples_of_no_cgroup(const struct callers *mine)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;

	opts.cgroup = mine->path;
	return peat_reader__new_events("page-faults", &opts, NULL);
}

static void *samples_twice_chosen(const struct callers *mine)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;

	opts.pids = mine->pids;
	opts.pid_count = 1;
	opts.cgroup = mine->path;
	return peat_reader__new_events("page-faults", &opts, NULL);
}

static void *recording(const struct callers *mine)
{
	return peat_reader__open(mine->path, NULL);
}

static void *counters(const struct callers *mine)
{
	struct peat_counters_opts opts = PEAT_COUNTERS_OPTS_INIT;

	opts.events = mine->path;
	opts.cpus = mine->list;
	return peat_counters__new(&opts);
}

/* ---- sinks and symbols ----------------------------------------------------------------------- */

static void *text_sink(const struct callers *mine)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = mine->word };

	return peat_sink__new_text(-1, &opts);
}

static void *json_sink(const struct callers *mine)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = mine->word };

	return peat_sink__new_json(-1, &opts);
}

static void *pcapng_sink(const struct callers *mine)
{
	(void)mine;
	return peat_sink__new_pcapng(NULL, -1, NULL);
}

static void *perf_sink(const struct callers *mine)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;

	opts.args = (const char *const *)mine->strings;
	return peat_sink__new_perf(NULL, 1, &opts);
}

static void *stacks_sink(const struct callers *mine)
{
	struct peat_stacks_opts opts = { .sz = sizeof(opts) };

	opts.events = (const char *const *)mine->strings;
	opts.weight = mine->word;
	opts.title = mine->other;
	return peat_sink__new_stacks(-1, PEAT_STACKS_FOLDED, &opts);
}

static void *symbols(const struct callers *mine)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;

	opts.debug_dirs = (const char *const *)mine->strings;
	opts.sz = sizeof(opts.sz);
	return peat_symbols__new(&opts);
}

static void *object(const struct callers *mine)
{
	return peat_object__open(mine->path, strlen(mine->path), mine->word);
}

static void *object_file(const struct callers *mine)
{
	return peat_object__open_file(mine->path);
}

/* ---- all ------------------------------------------------------------------------------------- */

#define MAKER(name)                                                                                \
	{                                                                                          \
#name, name                                                                        \
	}

static const struct {
	const char *name;
	void *(*make)(const struct callers *mine);
} makers[] = {
	MAKER(table_without_field),
	MAKER(table_without_values),
	MAKER(table_reserved),
	MAKER(table_by_nothing),
	MAKER(table_sorted_by_nothing),
	MAKER(table_of_a_map),
	MAKER(expression),
	MAKER(session_of_a_channel),
	MAKER(session_without_btf),
	MAKER(session_of_a_long_name),
	MAKER(channel_of_small_slots),
	MAKER(reader_of_no_map),
	MAKER(reader_of_no_maps),
	MAKER(reader_of_no_kind),
	MAKER(reader_of_no_cpu),
	MAKER(reader_without_a_mark),
	MAKER(reader_of_an_empty_channel),
	MAKER(samples_of_no_event),
	MAKER(samples_of_no_cgroup),
	MAKER(samples_twice_chosen),
	MAKER(recording),
	MAKER(counters),
	MAKER(text_sink),
	MAKER(json_sink),
	MAKER(pcapng_sink),
	MAKER(perf_sink),
	MAKER(stacks_sink),
	MAKER(symbols),
	MAKER(object),
	MAKER(object_file),
};

/* A bit for each of the first descriptors that is open. */
static uint64_t open_fds(void)
{
	uint64_t fds = 0;

	for (int fd = 0; fd < 64; fd++)
		fds |= (uint64_t)(fcntl(fd, F_GETFD) >= 0) << fd;
	return fds;
}

static void ignore(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

static void setup(void)
{
	peat_set_print(ignore);
	if (fcntl(0, F_GETFD) < 0)
		ck_assert_int_eq(open("/dev/null", O_RDONLY), 0);
}

/* One call, in which the nth allocation fails; 0: none.  True: an allocation failed. */
static bool fails_without_a_trace(int maker, unsigned nth)
{
	struct callers mine;
	uint64_t fds = open_fds();
	long blocks;
	bool failed;
	void *made;
	int err;

	give(&mine);
	blocks = fail_alloc__blocks();
	errno = 0;
	fail_alloc__begin(nth);
	made = makers[maker].make(&mine);
	err = errno;
	failed = fail_alloc__end();
	ck_assert_msg(!made, "%s: made", makers[maker].name);
	ck_assert_msg(err, "%s: errno is 0", makers[maker].name);
	ck_assert_msg(fail_alloc__blocks() == blocks, "%s, allocation %u: %ld blocks",
		      makers[maker].name, nth, fail_alloc__blocks() - blocks);
	ck_assert_msg(open_fds() == fds, "%s, allocation %u: descriptors %#lx, were %#lx",
		      makers[maker].name, nth, (long)open_fds(), (long)fds);
	take_back(&mine);
	return failed;
}

/* The library and libc keep some memory of a first call. */
static void call_once(int maker)
{
	struct callers mine;

	give(&mine);
	ck_assert_ptr_null(makers[maker].make(&mine));
	take_back(&mine);
}

START_TEST(test_refused_without_a_trace)
{
	call_once(_i);
	fails_without_a_trace(_i, 0);
}
END_TEST

START_TEST(test_no_memory)
{
	call_once(_i);
	for (unsigned nth = 1; fails_without_a_trace(_i, nth); nth++)
		;
}
END_TEST

START_TEST(test_nothing_is_freed)
{
	peat_channel__free(NULL);
	peat_counters__free(NULL);
	peat_maps__free(NULL);
	peat_object__free(NULL);
	peat_reader__free(NULL);
	peat_rows__free(NULL);
	peat_schema__free(NULL);
	peat_session__free(NULL);
	peat_sink__free(NULL);
	peat_table__free(NULL);
	peat_where__free(NULL);
}
END_TEST

SUITE(30)
{
	int count = sizeof(makers) / sizeof(*makers);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_loop_test(tests, test_refused_without_a_trace, 0, count);
	tcase_add_loop_test(tests, test_no_memory, 0, count);
	tcase_add_test(tests, test_nothing_is_freed);
}
