// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reserved_options.c: all structs of options refuse reserved members that are set, alike. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "unit/suite.h"

static char logged[512];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

/* Stands for the object of a function that returns a number. */
#define RESULT(err) ((err) < 0 ? NULL : (void *)logged)

static void *channel(const void *opts)
{
	return peat_channel__new(opts);
}

static void *session(const void *opts)
{
	return peat_session__new(opts);
}

static void *channel_of_session(const void *opts)
{
	struct peat_session_opts session_opts = { .sz = sizeof(session_opts), .channel = opts };

	return peat_session__new(&session_opts);
}

static void *table(const void *opts)
{
	return peat_table__new(opts);
}

static void *side_band(const void *opts)
{
	struct peat_reader_opts reader_opts = *(const struct peat_reader_opts *)opts;

	reader_opts.side_band = PEAT_SIDE_BAND_TASK;
	return peat_reader__new_side_band(&reader_opts);
}

static void *samples(const void *opts)
{
	return peat_reader__new_events("cpu-clock", opts, NULL);
}

static void *recording(const void *opts)
{
	return peat_reader__open("/no/such/file", opts);
}

static void *counters(const void *opts)
{
	return peat_counters__new(opts);
}

static void *file(const void *opts)
{
	return RESULT(peat_file__create("/no/such/file", opts));
}

static void *stacks(const void *opts)
{
	return peat_sink__new_stacks(STDERR_FILENO, PEAT_STACKS_FOLDED, opts);
}

static void *symbols(const void *opts)
{
	return peat_symbols__new(opts);
}

static void *fold(const void *opts)
{
	return RESULT(peat_recording__fold("/no/such/file", "/no/such/other", opts));
}

static void *sink(const void *opts)
{
	return peat_sink__new_text(STDERR_FILENO, opts);
}

#define STRUCT(type, make)                                                                         \
	{                                                                                          \
#type, make, sizeof(struct type), offsetof(struct type, reserved),                 \
			sizeof(((struct type *)NULL)->reserved)                                    \
	}

static const struct {
	const char *name;
	void *(*make)(const void *opts);
	size_t size, at, bytes;
} structs[] = {
	STRUCT(peat_channel_opts, channel),   STRUCT(peat_channel_opts, channel_of_session),
	STRUCT(peat_table_opts, table),	      STRUCT(peat_reader_opts, side_band),
	STRUCT(peat_sampling_opts, samples),  STRUCT(peat_replay_opts, recording),
	STRUCT(peat_counters_opts, counters), STRUCT(peat_file_opts, file),
	STRUCT(peat_stacks_opts, stacks),     STRUCT(peat_symbols_opts, symbols),
	STRUCT(peat_fold_opts, fold),	      STRUCT(peat_session_opts, session),
	STRUCT(peat_sink_opts, sink),
};

START_TEST(test_each_reserved_byte)
{
	unsigned char opts[512] __attribute__((aligned(8)));
	char words[128];

	ck_assert_uint_le(structs[_i].size, sizeof(opts));
	snprintf(words, sizeof(words), "%s: reserved is not 0: set it to 0", structs[_i].name);
	peat_set_print(note);
	for (size_t i = 0; i < structs[_i].bytes; i++) {
		memset(opts, 0, sizeof(opts));
		memcpy(opts, &structs[_i].size, sizeof(size_t));
		opts[structs[_i].at + i] = 1;
		logged[0] = '\0';
		errno = 0;
		ck_assert_ptr_null(structs[_i].make(opts));
		ck_assert_int_eq(errno, EINVAL);
		ck_assert_str_eq(logged, words);
	}
}
END_TEST

SUITE(20)
{
	tcase_add_loop_test(tests, test_each_reserved_byte, 0, sizeof(structs) / sizeof(*structs));
}
