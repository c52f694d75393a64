// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracks.c: threads, processes and CPUs have tracks with names. */
#include <peat/identity.h>

#include "perfetto/tracks.h"
#include "unit/fail_alloc.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

static struct tracks tracks;

static uint64_t find(uint32_t pid, uint32_t tid, const char *comm)
{
	const struct peat_event event = {
		.kind = PEAT_EVENT_DATA, .pid = pid, .tid = tid, .cpu = 3, .comm = comm
	};
	struct track *track = tracks__find(&tracks, &out, &event);

	ck_assert_ptr_nonnull(track);
	return track__number(track);
}

static const char *thread_name(size_t i)
{
	return timeline_text(timeline_inner(packet_part(i, 60), 4, 0), 5);
}

static const char *process_name(size_t i)
{
	return timeline_text(timeline_inner(packet_part(i, 60), 3, 0), 6);
}

START_TEST(test_threads_are_described_once)
{
	uint64_t first = find(10, 11, "worker"), main;

	read_packets(2);
	ck_assert_str_eq(thread_name(0), "worker");
	ck_assert_str_eq(process_name(1), "worker");
	ck_assert_uint_eq(find(10, 11, "worker"), first);
	read_packets(0);
	main = find(10, 10, "server");
	ck_assert_uint_ne(main, first);
	read_packets(2);
	ck_assert_str_eq(process_name(1), "server"); /* that of its first thread */
	ck_assert_uint_eq(find(10, 11, "other"), first);
	read_packets(1);
	ck_assert_str_eq(thread_name(0), "other");
	ck_assert_uint_ne(find(12, 11, "other"), first); /* the tid was used again */
	read_packets(2);
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_names_may_be_unknown)
{
	uint64_t first = find(10, 10, NULL);

	read_packets(2);
	ck_assert_str_eq(thread_name(0), "");
	ck_assert_uint_eq(find(10, 10, "late"), first);
	read_packets(2);
	ck_assert_str_eq(thread_name(0), "late");
	ck_assert_str_eq(process_name(1), "late");
	ck_assert_uint_eq(find(10, 10, NULL), first);
	read_packets(0);
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_cpus_have_tracks)
{
	uint64_t idle = find(0, 0, "swapper"), none = find(PEAT_NO_TASK, PEAT_NO_TASK, NULL);

	ck_assert_uint_ne(idle, none);
	read_packets(2);
	ck_assert_str_eq(timeline_text(packet_part(0, 60), 2), "idle, CPU 3");
	ck_assert_str_eq(timeline_text(packet_part(1, 60), 2), "no task, CPU 3");
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_processes_have_containers)
{
	struct peat_identity identity = { .sz = sizeof(identity),
					  .container = "0123456789abcdef",
					  .pod = "1-2-3" };
	struct peat_event event = { .pid = 5, .tid = 5, .comm = "nginx", .identity = &identity };

	ck_assert_ptr_nonnull(tracks__find(&tracks, &out, &event));
	read_packets(2);
	ck_assert_str_eq(process_name(1), "nginx (container 0123456789ab, pod 1-2-3)");
	strcpy(identity.container_name, "web");
	strcpy(identity.pod_name, "default/web");
	event.pid = event.tid = 6;
	ck_assert_ptr_nonnull(tracks__find(&tracks, &out, &event));
	read_packets(2);
	ck_assert_str_eq(process_name(1), "nginx (container web, pod default/web)");
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_overlapping_slices_get_tracks)
{
	const struct peat_event event = { .pid = 5, .tid = 5, .comm = "a" };
	struct track *track = tracks__find(&tracks, &out, &event);
	uint64_t number = track__number(track), other;

	read_packets(2);
	ck_assert_uint_eq(tracks__place(&tracks, track, &out, 10, 20), number);
	other = tracks__place(&tracks, track, &out, 15, 25);
	ck_assert_uint_ne(other, number);
	ck_assert_uint_ne(other, 0);
	read_packets(1);
	ck_assert_uint_eq(timeline_number(packet_part(0, 60), 5), number);
	ck_assert_uint_eq(tracks__place(&tracks, track, &out, 1, 25), number);
	ck_assert_uint_eq(tracks__place(&tracks, track, &out, 24, 26), other + 1);
	ck_assert_uint_eq(tracks.overlapping, 2);
	for (uint64_t i = 3; i < TRACK_LANES; i++)
		ck_assert_uint_ne(tracks__place(&tracks, track, &out, 24, 26), 0);
	ck_assert_uint_eq(tracks__place(&tracks, track, &out, 24, 26), 0);
	read_packets(TRACK_LANES - 2);
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_oldest_tracks_are_forgotten)
{
	uint64_t first = find(1, 1, "a"), second = find(2, 2, "a");

	for (uint32_t pid = 3; tracks.by_key.count < TRACKS_MOST; pid++)
		find(pid, pid, "a");
	ck_assert_uint_eq(find(1, 1, "a"), first);
	find(1000000, 1000000, "a");
	ck_assert_uint_eq(tracks.by_key.count, TRACKS_MOST);
	ck_assert_uint_eq(find(1, 1, "a"), first);
	ck_assert_uint_gt(find(2, 2, "a"), second);
	strbuf__cut(&out, 0);
	tracks__free(&tracks);
}
END_TEST

START_TEST(test_no_memory)
{
	const struct peat_event event = { .pid = 5, .tid = 5, .comm = "a" };

	for (unsigned n = 1;; n++) {
		struct track *track;

		fail_alloc__begin(n);
		track = tracks__find(&tracks, &out, &event);
		if (track)
			tracks__place(&tracks, track, &out, 1, 2);
		tracks__free(&tracks);
		strbuf__free(&out);
		out = (struct strbuf){ 0 };
		if (!fail_alloc__end())
			break;
	}
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_threads_are_described_once);
	tcase_add_test(tests, test_names_may_be_unknown);
	tcase_add_test(tests, test_cpus_have_tracks);
	tcase_add_test(tests, test_processes_have_containers);
	tcase_add_test(tests, test_overlapping_slices_get_tracks);
	tcase_add_test(tests, test_oldest_tracks_are_forgotten);
	tcase_add_test(tests, test_no_memory);
}
