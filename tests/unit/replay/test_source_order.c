// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source_order.c: recordings as a reader's events: which, in what order, and how it ends. */
#include "unit/perf_data/read/perf_tally.h"
#include "replay_fixture.h"
#include "unit/suite.h"

/* ---- layouts --------------------------------------------------------------------------------- */

static void check_some(void)
{
	CHECK_NUMBERS(0, 1, 2, 3, 4, 5);
	for (uint32_t i = 0; i < 6; i++) {
		const struct seen *seen = &replayed.at[i];

		ck_assert_int_eq(seen->kind, PEAT_EVENT_DATA);
		ck_assert_uint_eq(seen->time_ns, 10 + i);
		ck_assert_uint_eq(seen->cpu, i);
		ck_assert_uint_eq(seen->tid, 43);
		ck_assert_uint_eq(seen->type, i % 2 ? 0 : 1);
		ck_assert_str_eq(seen->name, i % 2 ? "made:first" : "made:second");
	}
	ck_assert_int_eq(replayed.end, -ENODATA);
	ck_assert_uint_eq(replayed.stats.events, 6);
	ck_assert_uint_eq(replayed.stats.event_bytes, 6 * 12);
	ck_assert_uint_eq(replayed.stats.late, 0);
	ck_assert_str_eq(replay_log, "");
}

static void check_layouts(bool swapped, bool ordered)
{
	size_t data;

	replay_opts.ordered = ordered;
	made.swapped = swapped;
	made.len = 0;
	data = begin_made_file(&made);
	for (uint64_t i = 0; i < 6; i++)
		make_event(&made, i % 2 ? 101 : 200, (struct made_at){ 10 + i, (uint32_t)i, 43 },
			   i);
	end_made_file(&made, data);
	replay_made(&made);
	check_some();
	ck_assert_uint_eq(replayed.stats.records, 6);
	made.len = 0;
	begin_made_pipe(&made);
	for (uint64_t i = 0; i < 6; i++)
		make_event(&made, i % 2 ? 100 : 200, (struct made_at){ 10 + i, (uint32_t)i, 43 },
			   i);
	replay_made(&made);
	check_some();
	ck_assert_uint_eq(replayed.stats.records, 6 + 3);
}

START_TEST(test_sorts_every_layout)
{
	for (int i = 0; i < 4; i++)
		check_layouts(i & 1, i & 2);
}
END_TEST

/* The halves of the feature words stand the other way round, and longs have 4 bytes. */
START_TEST(test_32_bits)
{
	size_t data, formats;

	made.swapped = true;
	data = begin_made_file(&made);
	make_event(&made, 100, (struct made_at){ 10, 1, 43 }, 0x1122334455667788);
	end_made_file(&made, data);
	make_over(&made, AT_FEATURES, 1 << 1, 4);
	make_over(&made, AT_FEATURES + 4, 0, 4);
	formats = made.len;
	while (memcmp(made.at + --formats, "\x17\x08\x44tracing", 10))
		;
	ck_assert_uint_eq(made.at[formats + 15], 8);
	made.at[formats + 15] = 4;
	replay_made(&made);
	CHECK_NUMBERS(0x1122334455667788);
	ck_assert_str_eq(replayed.at[0].name, "made:first");
	ck_assert_str_eq(replay_log, "");
}
END_TEST

static void pack(uint32_t type)
{
	struct maker plain = { 0 };
	ZSTD_CStream *stream = ZSTD_createCStream();
	uint8_t piece[1000];
	size_t data;

	ZSTD_initCStream(stream, 1);
	for (uint64_t i = 0; i < 40; i++)
		make_event(&plain, 100, (struct made_at){ 1000 - 10 * i, (uint32_t)i % 4, 43 }, i);
	data = begin_made_file(&made);
	for (size_t at = 0; at < plain.len; at += 100) {
		size_t each = plain.len - at < 100 ? plain.len - at : 100;
		size_t bytes = zstd_piece(stream, plain.at + at, each, piece, sizeof(piece));
		size_t start = make_header(&made, type, 0, 0);

		make_bytes(&made, piece, bytes);
		end_made(&made, start);
	}
	end_made_file(&made, data);
	ZSTD_freeCStream(stream);
	free(plain.at);
}

START_TEST(test_sorts_compressed_records)
{
	pack(TOOL_COMPRESSED);
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 40);
	for (uint64_t i = 0; i < 40; i++)
		ck_assert_uint_eq(replayed.at[i].number, 39 - i);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------- */

/* Records after a round may be older than records in it, but not than those in the round before. */
START_TEST(test_rounds_bound_disorder)
{
	begin_made_pipe(&made);
	add(100, 0, 0);
	add(90, 1, 1);
	make_round(&made); /* nothing goes yet */
	add(95, 2, 2);
	add(200, 0, 3);
	make_round(&made); /* up to 100 goes */
	add(150, 1, 4);
	add(100, 1, 5);
	add(300, 0, 6);
	make_round(&made); /* up to 200 */
	add(199, 1, 7);	   /* late, and nothing else is */
	add(250, 2, 8);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 0, 5, 4, 3, 7, 8, 6);
	for (uint32_t i = 0; i < replayed.count; i++)
		ck_assert(replayed.at[i].late == (replayed.at[i].number == 7));
	ck_assert_uint_eq(replayed.stats.late, 1);
	ck_assert_int_eq(replayed.end, -ENODATA);
	replay_opts.ordered = false;
	replay_made(&made);
	CHECK_NUMBERS(0, 1, 2, 3, 4, 5, 6, 7, 8);
	ck_assert_uint_eq(replayed.stats.late, 0);
}
END_TEST

/* One round alone says nothing of what may still come: what goes waits for the second. */
START_TEST(test_when_rounds_let_go)
{
	struct peat_reader *reader;
	const struct peat_event *event;
	char path[64];
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	begin_made_pipe(&made);
	add(100, 0, 0);
	make_round(&made);
	ck_assert_int_eq(write(fds[1], made.at, made.len), (ssize_t)made.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	reader = peat_reader__open(path, &replay_opts);
	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
	made.len = 0;
	add(101, 0, 1);
	make_round(&made);
	ck_assert_int_eq(write(fds[1], made.at, made.len), (ssize_t)made.len);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	ck_assert_uint_eq(event->time_ns, 100);
	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
	close(fds[1]);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	ck_assert_uint_eq(event->time_ns, 101);
	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
	ck_assert_int_eq(peat_reader__wait(reader, 0), -ENODATA);
	peat_reader__free(reader);
	close(fds[0]);
}
END_TEST

/* Several that are late are sorted all the same, within their round. */
START_TEST(test_late_of_one_round)
{
	begin_made_pipe(&made);
	add(100, 0, 0);
	make_round(&made);
	add(200, 0, 1);
	make_round(&made); /* up to 100 goes */
	add(90, 1, 2);
	add(300, 0, 3);
	add(80, 2, 4);
	make_round(&made); /* up to 200 */
	add(70, 1, 5);
	replay_made(&made);
	CHECK_NUMBERS(0, 4, 2, 1, 5, 3);
	for (uint32_t i = 0; i < replayed.count; i++)
		ck_assert(replayed.at[i].late == (replayed.at[i].time_ns < 100));
	ck_assert_uint_eq(replayed.stats.late, 3);
}
END_TEST

/* Without rounds all is held, if there is room. */
START_TEST(test_no_rounds)
{
	size_t data = begin_made_file(&made);

	for (uint64_t i = 0; i < 2000; i++)
		add(10000 + i * 777 % 2000, (uint32_t)i % 300, i * 777 % 2000);
	end_made_file(&made, data);
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 2000);
	for (uint64_t i = 0; i < 2000; i++)
		ck_assert_uint_eq(replayed.at[i].number, i);
	ck_assert_uint_eq(replayed.stats.late, 0);
}
END_TEST

/* Names that came too late are no events, and make none late. */
START_TEST(test_late_records)
{
	begin_made_pipe(&made);
	add(100, 0, 0);
	make_name(&made, (struct made_at){ 300, 0, 43 }, "young");
	make_round(&made);
	make_round(&made);
	make_name(&made, (struct made_at){ 50, 0, 43 }, "late");
	add(150, 0, 2);
	add(200, 0, 1);
	make_round(&made);
	replay_made(&made);
	CHECK_NUMBERS(0, 2, 1);
	ck_assert_uint_eq(replayed.stats.late, 0);
	replay_opts.side_band = PEAT_SIDE_BAND_COMM;
	replay_made(&made);
	CHECK_NUMBERS(0, 0, 0, 2, 1);
	ck_assert(!replayed.at[1].late && replayed.at[2].late && replayed.at[4].late);
	ck_assert_uint_eq(replayed.stats.late, 3);
}
END_TEST

/* More than memory_bytes are not held: the oldest go, and what is older than those is late. */
START_TEST(test_memory_bounds_held_events)
{
	size_t data = begin_made_file(&made);
	uint64_t newest = 0, late = 0;

	for (uint64_t i = 0; i < 2000; i++)
		add(i < 1000 ? 1000 + i : 1000 - i / 2, (uint32_t)i % 4, i);
	end_made_file(&made, data);
	replay_opts.memory_bytes = 10000;
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 2000);
	for (uint32_t i = 0; i < 2000; i++) {
		const struct seen *seen = &replayed.at[i];

		ck_assert(seen->late == (seen->time_ns < newest));
		late += seen->late;
		newest = seen->time_ns > newest ? seen->time_ns : newest;
	}
	ck_assert_uint_eq(replayed.stats.late, late);
	ck_assert_uint_gt(late, 900);
}
END_TEST

/* One that nobody knows the time of goes at once, and holds nothing up. */
START_TEST(test_no_time)
{
	begin_made_pipe(&made);
	add(100, 0, 0);
	add(0, 0, 1);
	add(UINT64_MAX, 0, 2); /* as perf has it */
	add(90, 0, 3);
	make_round(&made);
	make_round(&made);
	add(95, 0, 4);
	add(200, 0, 5);
	make_round(&made);
	add(150, 0, 6);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3, 0, 4, 6, 5);
	ck_assert(!replayed.at[0].late && !replayed.at[1].late && replayed.at[4].late);
	ck_assert_uint_eq(replayed.stats.late, 1);
}
END_TEST

/* Events of one time go as they stand in the file. */
START_TEST(test_same_time)
{
	begin_made_pipe(&made);
	for (uint64_t i = 0; i < 100; i++)
		add(5 + i / 50, (uint32_t)(i * 7 % 5), i);
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 100);
	for (uint64_t i = 0; i < 100; i++)
		ck_assert_uint_eq(replayed.at[i].number, i);
}
END_TEST

/* ---- which ----------------------------------------------------------------------------------- */

/* A filter of CPUs: what has none passes. */
START_TEST(test_filters_by_cpus)
{
	static const struct made_attr no_cpu = { 2, 112, 303, IDENTIFIED, ID_ALL };

	begin_made_pipe(&made);
	make_pipe_attr(&made, &no_cpu, 300);
	for (uint64_t i = 0; i < 6; i++)
		add(10 + i, (uint32_t)i, i);
	make_lost(&made, (struct made_at){ 20, 2, 43 }, 70);
	make_lost(&made, (struct made_at){ 21, 3, 43 }, 71);
	make_sample(&made, 300, 22);
	replay_opts.cpus = "1-2,5";
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 5, 70, 0);
	ck_assert_uint_eq(replayed.at[4].cpu, PEAT_NO_CPU);
	ck_assert_uint_eq(replayed.stats.lost, 70);
}
END_TEST

/* By the time of the event, wherever in the file the name stands. */
START_TEST(test_names_tasks_by_time)
{
	begin_made_pipe(&made);
	make_name(&made, (struct made_at){ 5, 0, 43 }, "first");
	add(10, 0, 0);
	add(30, 1, 1);
	make_name(&made, (struct made_at){ 20, 0, 43 }, "second");
	make_fork(&made, (struct made_at){ 40, 0, 43 }, 44);
	make_event(&made, 100, (struct made_at){ 50, 1, 44 }, 2);
	make_name(&made, (struct made_at){ 60, 0, 44 }, "third");
	make_event(&made, 100, (struct made_at){ 70, 1, 44 }, 3);
	make_event(&made, 100, (struct made_at){ 71, 3, 0 }, 4);
	make_event(&made, 100, (struct made_at){ 72, 3, 9999 }, 5);
	make_event(&made, 100, (struct made_at){ 0, 3, 43 }, 6);
	replay_made(&made);
	ck_assert_str_eq(replayed.at[1].comm, "?");
	replay_opts.names = true;
	replay_made(&made);
	CHECK_NUMBERS(6, 0, 1, 2, 3, 4, 5);
	ck_assert_str_eq(replayed.at[1].comm, "first");
	ck_assert_str_eq(replayed.at[2].comm, "second");
	ck_assert_str_eq(replayed.at[3].comm, "second");
	ck_assert_str_eq(replayed.at[4].comm, "third");
	ck_assert_str_eq(replayed.at[5].comm, "swapper/3");
	ck_assert_str_eq(replayed.at[6].comm, "?");
	ck_assert_str_eq(replayed.at[0].comm, "?"); /* went before a name was known */
}
END_TEST

START_TEST(test_returns_chosen_kinds)
{
	begin_made_pipe(&made);
	make_name(&made, (struct made_at){ 5, 0, 43 }, "first");
	make_fork(&made, (struct made_at){ 6, 0, 43 }, 44);
	add(7, 0, 1);
	make_round(&made);
	replay_made(&made);
	CHECK_NUMBERS(1);
	replay_opts.side_band = PEAT_SIDE_BAND_COMM;
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 2);
	ck_assert_int_eq(replayed.at[0].kind, PEAT_EVENT_RECORD);
	ck_assert_str_eq(replayed.at[0].name, "@comm");
	replay_opts.side_band = PEAT_SIDE_BAND_TASK;
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 2);
	ck_assert_str_eq(replayed.at[0].name, "@fork");
	replay_opts.side_band = PEAT_SIDE_BAND_TOOL; /* two events, their formats, the round */
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 5);
	ck_assert_int_eq(replayed.at[3].kind, PEAT_EVENT_TOOL);
	ck_assert_uint_eq(replayed.at[3].type, TOOL_FINISHED_ROUND);
	ck_assert_uint_eq(replayed.stats.events, 1);
}
END_TEST

/* The flags of mmap() have other numbers on some machines. */
START_TEST(test_machine_of_mappings)
{
	static const struct {
		const char *arch;
		bool as_here;
	} machines[] = { { "s390x", true }, { "mips64", false }, { "", false } };

	replay_opts.side_band = PEAT_SIDE_BAND_MMAP;
	for (size_t i = 0; i < 3; i++) {
		char arch[4 + 8] = { 0 };
		uint32_t bytes = 8;

		memcpy(arch, &bytes, sizeof(bytes));
		strcpy(arch + 4, machines[i].arch);
		made.len = 0;
		begin_made_pipe(&made);
		if (*machines[i].arch)
			make_feature(&made, 6, arch, sizeof(arch));
		make_mapping(&made, (struct made_at){ 5, 0, 43 });
		make_round(&made);
		replay_made(&made);
		ck_assert_uint_eq(replayed.count, 1);
		ck_assert_str_eq(replayed.at[0].name, "@mmap");
		ck_assert(replayed.at[0].as_here == machines[i].as_here);
	}
}
END_TEST

/* Losses are events always, and the two sums are never added. */
START_TEST(test_losses_are_events)
{
	begin_made_pipe(&made);
	add(7, 0, 1);
	make_lost(&made, (struct made_at){ 6, 0, 43 }, 1000);
	make_lost_samples(&made, (struct made_at){ 8, 1, 43 }, 2000);
	make_lost_samples(&made, (struct made_at){ 9, 1, 43 }, 3000);
	replay_made(&made);
	CHECK_NUMBERS(1000, 1, 2000, 3000);
	ck_assert_int_eq(replayed.at[0].kind, PEAT_EVENT_LOST);
	ck_assert_int_eq(replayed.at[2].kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(replayed.at[2].cpu, 1);
	ck_assert_uint_eq(replayed.stats.lost_records, 1000);
	ck_assert_uint_eq(replayed.stats.lost_samples, 5000);
	ck_assert_uint_eq(replayed.stats.lost, 5000);
}
END_TEST

/* An ID_INDEX of the counter 200 on CPU 3, and of 300, which is no event's. */
static void make_id_index(void)
{
	static const uint64_t entries[][4] = { { 200, 1, 3, UINT64_MAX },
					       { 300, 7, 4, UINT64_MAX },
					       { 100, 0, UINT64_MAX, 43 } };
	size_t start = make_header(&made, TOOL_ID_INDEX, 0, 0);

	make(&made, 3, 8);
	for (size_t i = 0; i < 3; i++)
		for (size_t word = 0; word < 4; word++)
			make(&made, entries[i][word], 8);
	end_made(&made, start);
}

/* A LOST_SAMPLES that perf wrote at the end: with an id and zeroes. */
static void make_counted_loss(uint16_t misc, uint64_t id, uint64_t lost)
{
	size_t start = make_header(&made, PEAT_RECORD_LOST_SAMPLES, misc, 0);

	make(&made, lost, 8);
	make_zeroes(&made, 24);
	make(&made, id, 8);
	end_made(&made, start);
}

static void check_loss(uint32_t i, uint64_t lost, uint32_t type, uint32_t cpu)
{
	ck_assert_int_eq(replayed.at[i].kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(replayed.at[i].number, lost);
	ck_assert_uint_eq(replayed.at[i].type, type);
	ck_assert_uint_eq(replayed.at[i].cpu, cpu);
	ck_assert_uint_eq(replayed.at[i].tid, cpu == 1 ? 43 : PEAT_NO_TASK);
}

/* Losses counted at the end have the event and the CPU of their counter, not CPU 0. */
START_TEST(test_losses_of_counters)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		made.swapped = swapped;
		begin_made_pipe(&made);
		make_id_index();
		make_lost(&made, (struct made_at){ 6, 1, 43 }, 1000);
		make_lost_samples(&made, (struct made_at){ 9, 1, 43 }, 10);
		make_counted_loss(0, 200, 2000);
		make_counted_loss(0, 100, 3000);
		make_counted_loss(0, 300, 4000);
		make_counted_loss(PEAT_MISC_LOST_SAMPLES_BPF, 200, 5000);
		replay_opts.ordered = false;
		replay_made(&made);
		ck_assert_uint_eq(replayed.count, 5);
		check_loss(0, 1000, PEAT_NO_EVENT, 1);
		check_loss(1, 10, 0, 1);
		check_loss(2, 2000, 1, 3);
		check_loss(3, 3000, 0, PEAT_NO_CPU);
		check_loss(4, 4000, PEAT_NO_EVENT, PEAT_NO_CPU);
		ck_assert_uint_eq(replayed.stats.lost_records, 1000);
		ck_assert_uint_eq(replayed.stats.lost_samples, 9010);
		made.len = 0;
	}
}
END_TEST

/* Records that no one knows, samples of nobody's, and what makes no sense. */
START_TEST(test_unknown_and_corrupt)
{
	static const struct made_attr other = { 2, 112, 303, IDENTIFIED, ID_ALL };
	size_t short_one;

	begin_made_pipe(&made);
	make_pipe_attr(&made, &other, 300); /* so that a layout has to be looked up */
	add(7, 0, 1);
	make_header(&made, 55, 0, 8 + 32);
	make_trailer(&made, (struct made_at){ 8, 0, 43 }, 100);
	make_event(&made, 999, (struct made_at){ 9, 0, 43 }, 2);
	short_one = make_header(&made, 9, 1, 0); /* it ends in front of its CPU */
	make(&made, 100, 8);
	make(&made, 0, 8);
	make(&made, 10, 8);
	end_made(&made, short_one);
	add(11, 0, 3);
	for (int ordered = 0; ordered < 2; ordered++) {
		replay_opts.ordered = ordered;
		replay_made(&made);
		CHECK_NUMBERS(1, 3);
		ck_assert_uint_eq(replayed.stats.unknown, 2);
		ck_assert_uint_eq(replayed.stats.corrupt, 1);
		ck_assert_int_eq(replayed.end, -ENODATA);
	}
}
END_TEST

/* ---- its end --------------------------------------------------------------------------------- */

/* All that is whole goes first. */
START_TEST(test_cut_file_returns_whole_records)
{
	size_t data = begin_made_file(&made);

	add(20, 0, 0);
	add(10, 0, 1);
	add(30, 0, 2);
	end_made_file(&made, data);
	made.len = data + 2 * 56 + 10;
	replay_made(&made);
	CHECK_NUMBERS(1, 0);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "is cut at byte"));
}
END_TEST

START_TEST(test_damaged_file_returns_records_before)
{
	begin_made_pipe(&made);
	add(20, 0, 0);
	make_header(&made, 9, 1, 4);
	add(30, 0, 1);
	replay_made(&made);
	CHECK_NUMBERS(0);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "is damaged at byte"));
}
END_TEST

START_TEST(test_empty_recordings_end)
{
	size_t data = begin_made_file(&made);

	end_made_file(&made, data);
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 0);
	ck_assert_int_eq(replayed.end, -ENODATA);
	made.len = 0;
	make_pipe_header(&made);
	replay_made(&made);
	ck_assert_int_eq(replayed.end, -ENODATA);
}
END_TEST

/* ---- options and calls ----------------------------------------------------------------------- */

START_TEST(test_wrong_options_are_refused)
{
	begin_made_pipe(&made);
	replay_opts.side_band = 1U << 11;
	ck_assert_int_eq(refused(&made), EINVAL);
	replay_opts.side_band = 0;
	replay_opts.cpus = "3-1";
	ck_assert_int_eq(refused(&made), EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "'3-1' is not a list of CPUs"));
	replay_opts.cpus = "99999999";
	ck_assert_int_eq(refused(&made), ERANGE);
	replay_opts.cpus = NULL;
	replay_opts.reserved[1] = 1;
	ck_assert_int_eq(refused(&made), EINVAL);
	replay_opts.reserved[1] = 0;
	ck_assert_ptr_null(peat_reader__open("/no/such/file", &replay_opts));
	ck_assert_int_eq(errno, ENOENT);
	made.at[0] ^= 0xff;
	ck_assert_int_eq(refused(&made), EBADMSG);
	made.at[0] ^= 0xff;
	replay_made(&made);
	ck_assert_int_eq(replayed.end, -ENODATA);
}
END_TEST

START_TEST(test_calls_for_rings)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct peat_reader *reader;
	uint64_t lost;

	begin_made_pipe(&made);
	add(20, 0, 0);
	reader = open_replay(&made);
	ck_assert_int_eq(peat_reader__set_schema(reader, 0, NULL), -EINVAL);
	ck_assert_int_eq(peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger), -ENOTSUP);
	ck_assert_int_eq(peat_reader__map_lost(reader, 0, &lost), -EINVAL);
	peat_reader__flush(reader);
	peat_reader__pause(reader);
	see_all(reader);
	CHECK_NUMBERS(0);
	peat_reader__free(reader);
}
END_TEST

/* A recording has no ledger, and its stats are those of the last round. */
static void check_counts(struct peat_reader *reader)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) }, same = stats;
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__counts(reader, PEAT_ALL_CPUS, &stats, NULL), 0);
	ck_assert_int_eq(peat_reader__stats(reader, &same), 0);
	ck_assert_mem_eq(&stats, &same, sizeof(stats));
	ck_assert_int_eq(peat_reader__counts(reader, PEAT_ALL_CPUS, NULL, &ledger), -ENOTSUP);
	ck_assert_int_eq(errno, ENOTSUP);
	stats.sz = 0;
	ck_assert_int_eq(peat_reader__counts(reader, 0, &stats, NULL), -EINVAL);
}

static void check_types_by_name(struct peat_reader *reader)
{
	struct peat_type type = { .sz = sizeof(type) };
	uint32_t number = 99;

	ck_assert_int_eq(peat_reader__find_type(reader, "made:second", &number), 0);
	ck_assert_uint_eq(number, 1);
	ck_assert_int_eq(peat_reader__find_type(reader, "made:third", &number), -ENOENT);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(peat_reader__type_at(reader, 1, &type), 1);
	ck_assert_str_eq(type.name, "made:second");
	ck_assert_uint_eq(type.number, 1);
	ck_assert_ptr_eq(type.schema, peat_reader__type(reader, 1));
	ck_assert_int_eq(peat_reader__type_at(reader, 2, &type), 0);
	type.sz = 0;
	ck_assert_int_eq(peat_reader__type_at(reader, 1, &type), -EINVAL);
}

START_TEST(test_types_are_known_when_seen)
{
	struct peat_reader *reader;
	size_t data;

	begin_made_pipe(&made);
	add(20, 0, 0);
	reader = open_replay(&made);
	ck_assert_ptr_null(peat_reader__type(reader, 0)); /* not yet */
	see_all(reader);
	ck_assert_str_eq(peat_schema__name(peat_reader__type(reader, 0)), "made:first");
	ck_assert_str_eq(peat_schema__name(peat_reader__type(reader, 1)), "made:second");
	ck_assert_ptr_null(peat_reader__type(reader, 2));
	check_types_by_name(reader);
	check_counts(reader);
	ck_assert_ptr_null(peat_reader__type(reader, UINT32_MAX));
	peat_reader__free(reader);
	made.len = 0;
	data = begin_made_file(&made);
	end_made_file(&made, data);
	reader = open_replay(&made);
	ck_assert_str_eq(peat_schema__name(peat_reader__type(reader, 1)), "made:second");
	peat_reader__free(reader);
}
END_TEST

/* A round is over now and then, however large the recording is. */
START_TEST(test_long_rounds)
{
	const struct peat_event *event;
	struct peat_reader *reader;
	unsigned rounds = 0, events = 0;

	begin_made_pipe(&made);
	for (uint64_t i = 0; i < 100000; i++)
		add(i + 1, 0, i);
	reader = open_replay(&made);
	for (; peat_reader__wait(reader, 0) > 0; rounds++)
		while (peat_reader__next(reader, &event) > 0)
			events++;
	ck_assert_uint_eq(events, 100000);
	ck_assert_uint_gt(rounds, 5);
	ck_assert_uint_lt(rounds, 100);
	peat_reader__free(reader);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_sorts_every_layout);
	tcase_add_test(tests, test_32_bits);
	tcase_add_test(tests, test_sorts_compressed_records);
	tcase_add_test(tests, test_rounds_bound_disorder);
	tcase_add_test(tests, test_late_of_one_round);
	tcase_add_test(tests, test_when_rounds_let_go);
	tcase_add_test(tests, test_no_rounds);
	tcase_add_test(tests, test_late_records);
	tcase_add_test(tests, test_memory_bounds_held_events);
	tcase_add_test(tests, test_no_time);
	tcase_add_test(tests, test_same_time);
	tcase_add_test(tests, test_filters_by_cpus);
	tcase_add_test(tests, test_names_tasks_by_time);
	tcase_add_test(tests, test_returns_chosen_kinds);
	tcase_add_test(tests, test_machine_of_mappings);
	tcase_add_test(tests, test_losses_are_events);
	tcase_add_test(tests, test_losses_of_counters);
	tcase_add_test(tests, test_unknown_and_corrupt);
	tcase_add_test(tests, test_cut_file_returns_whole_records);
	tcase_add_test(tests, test_damaged_file_returns_records_before);
	tcase_add_test(tests, test_empty_recordings_end);
	tcase_add_test(tests, test_wrong_options_are_refused);
	tcase_add_test(tests, test_calls_for_rings);
	tcase_add_test(tests, test_types_are_known_when_seen);
	tcase_add_test(tests, test_long_rounds);
}
