// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_bpf_frames.c: frames of BPF programs at the top of stacks, as kernels have them. */
#include "event/bpf_frames.h"
#include "unit/suite.h"

#define CHECK(wanted, ...)                                                                         \
	do {                                                                                       \
		const char *const names[] = { __VA_ARGS__ };                                       \
		ck_assert_uint_eq(bpf_frames__count_names(names, sizeof(names) / sizeof(*names)),  \
				  wanted);                                                         \
	} while (0)

START_TEST(test_raw_tracepoints)
{
	CHECK(3, "bpf_prog_1", "bpf_prog_1", "bpf_trace_run2", "syscall_trace_enter.isra.0");
	CHECK(2, "bpf_prog_1", "bpf_trace_run2", "syscall_trace_enter");
	CHECK(4, "bpf_prog_1", "bpf_trace_run2", "__bpf_trace_sys_enter", "__traceiter_sys_enter",
	      "do_syscall_64");
	CHECK(3, "bpf_prog_1", "bpf_trace_run2", "__traceiter_sys_enter", "do_syscall_64");
}
END_TEST

/* As on s390x, with a function of the program. */
START_TEST(test_frames_of_interpreter)
{
	CHECK(6, "___bpf_prog_run", "__bpf_prog_run_args64", "___bpf_prog_run", "__bpf_prog_run64",
	      "bpf_trace_run2", "__traceiter_sys_enter", "trace_syscall_enter", "__do_syscall");
	CHECK(3, "bpf_skb_event_output", "___bpf_prog_run", "__bpf_prog_run64", "bpf_test_run");
}
END_TEST

/* Without names of programs: none, or those of neighbors. */
START_TEST(test_programs_without_names)
{
	CHECK(3, NULL, NULL, "bpf_trace_run2", "syscall_trace_enter");
	CHECK(3, "nft_do_chain", "nft_do_chain", "bpf_trace_run2", "syscall_trace_enter");
	CHECK(2, "bpf_skb_event_output", "nft_do_chain", "cls_bpf_classify");
	CHECK(3, "bpf_skb_event_output", "bpf_skb_event_output", NULL, "cls_bpf_classify");
}
END_TEST

START_TEST(test_other_programs)
{
	CHECK(2, "perf_syscall_enter", "__traceiter_sys_enter", "do_syscall_64");
	CHECK(1, "perf_syscall_enter", "do_syscall_64");
	CHECK(1, "perf_trace_sched_switch", "schedule");
	CHECK(2, "bpf_prog_1", "bpf_trampoline_6442", "vfs_read");
	CHECK(3, "bpf_skb_event_output", "bpf_prog_1_F", "bpf_prog_2_main", "cls_bpf_classify");
	CHECK(2, "____bpf_skb_event_output", "bpf_prog_1", "cls_bpf_classify");
	CHECK(2, "bpf_xdp_event_output", "bpf_prog_1", "veth_xdp_rcv_skb");
}
END_TEST

START_TEST(test_stacks_without_machinery)
{
	CHECK(0, "vfs_read", "ksys_read", "do_syscall_64");
	CHECK(0, "bpf_map_update_value", "__sys_bpf");
	CHECK(0, NULL, NULL);
	CHECK(0, "vfs_read", "a", "b", "c", "d", "bpf_trace_run2"); /* deeper: another program's */
	ck_assert_uint_eq(bpf_frames__count_names(NULL, 0), 0);
}
END_TEST

START_TEST(test_only_machinery)
{
	CHECK(2, "bpf_prog_1", "bpf_trace_run2");
	CHECK(1, "bpf_skb_event_output");
}
END_TEST

START_TEST(test_other_events)
{
	static struct bpf_frames machinery;
	struct peat_address address = { 1, PEAT_SPACE_KERNEL };
	struct peat_event event = { .kind = PEAT_EVENT_DATA };

	ck_assert_uint_eq(bpf_frames__count(&machinery, &event, &address, 1), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_raw_tracepoints);
	tcase_add_test(tests, test_frames_of_interpreter);
	tcase_add_test(tests, test_programs_without_names);
	tcase_add_test(tests, test_other_programs);
	tcase_add_test(tests, test_stacks_without_machinery);
	tcase_add_test(tests, test_only_machinery);
	tcase_add_test(tests, test_other_events);
}
