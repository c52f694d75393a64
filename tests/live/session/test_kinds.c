// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kinds.c: programs of each kind that may emit events, on this machine's kernel. */
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>

#include "support/load/channel_load.h"
#include "support/machine/mounts.h"
#include "object/globals.h"

EMBED_TWINS(kinds)
EMBED_TWINS(packets)

static struct bpf_object *object;
static struct bpf_program *program;
static struct bpf_link *attachment;

static void teardown(void)
{
	bpf_link__destroy(attachment);
	close_all();
}

static void choose(const char *name)
{
	struct bpf_program *other;

	program = bpf_object__find_program_by_name(object, name);
	ck_assert_msg(program, "no program %s", name);
	bpf_object__for_each_program(other, object)
		bpf_program__set_autoload(other, other == program);
}

static void open_kind(const struct object_file *file, const char *name,
		      const struct peat_channel_opts *opts)
{
	uint32_t pid = (uint32_t)getpid();

	pin_to(0);
	open_channel(opts);
	object = bind_object(file);
	choose(name);
	if (file == &kinds_object)
		ck_assert_int_eq(globals__set(object, "only_pid", &pid, 4), 0);
}

static void load_kind(const struct object_file *file, const char *name)
{
	open_kind(file, name, NULL);
	object__load(object);
	open_channel_reader(50, 0);
}

static void attached(struct bpf_link *made)
{
	ck_assert_msg(made, "attaching %s: %s", bpf_program__name(program), strerror(errno));
	attachment = made;
}

/* ---- received events ------------------------------------------------------------------------- */

static uint64_t came;
static uint32_t wanted_pid;

static void check_kind(const struct peat_event *event)
{
	ck_assert_str_eq(peat_channel__type_name(channel, event->type), "kind");
	ck_assert_uint_eq(event->size, 8);
	ck_assert_uint_eq(event->pid, wanted_pid);
	ck_assert_uint_le(event->time_ns, now_ns());
	came++;
}

static uint64_t counted(const char *name)
{
	return *(const volatile uint64_t *)object__variable(object, name, 8);
}

/* Detaches the programs.  Checks that all events they counted have arrived, `least` or more. */
static void check_came(uint64_t least)
{
	struct peat_ledger ledger;

	bpf_link__destroy(attachment);
	attachment = NULL;
	ledger = finish(check_kind);
	ck_assert_uint_ge(came, least);
	ck_assert_uint_eq(came, counted("submitted"));
	ck_assert_uint_eq(ledger.emitted, counted("submitted") + counted("refused"));
	ck_assert_uint_eq(ledger.lost_nested, counted("refused"));
	ck_assert_uint_eq(ledger.misuse, 0);
	ck_assert_uint_eq(ledger.lost_abandoned, 0);
}

/* The program sees system calls of this process, which makes exactly this number of one of them. */
static void call_and_check(void)
{
	wanted_pid = (uint32_t)getpid();
	for (int i = 0; i < 1000; i++)
		ck_assert_int_ge(syscall(SYS_getpgid, getpid()), 0);
	check_came(1000);
}

/* ---- tracing programs ------------------------------------------------------------------------ */

START_TEST(test_raw_tp)
{
	load_kind(&kinds_object, "of_raw_tp");
	attached(bpf_program__attach(program));
	call_and_check();
}
END_TEST

START_TEST(test_tp_btf)
{
	load_kind(&kinds_object, "of_tp_btf");
	attached(bpf_program__attach(program));
	call_and_check();
}
END_TEST

START_TEST(test_runs_tp)
{
	mounts__need_tracefs();
	load_kind(&kinds_object, "of_tp");
	attached(bpf_program__attach(program));
	call_and_check();
}
END_TEST

static bool has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe", F_OK);
}

static void attach_to_getpgid(bool on_return)
{
	LIBBPF_OPTS(bpf_ksyscall_opts, opts, .retprobe = on_return);

	attached(bpf_program__attach_ksyscall(program, "getpgid", &opts));
	call_and_check();
}

START_TEST(test_runs_kprobe)
{
	load_kind(&kinds_object, "of_kprobe");
	if (!has_kprobes())
		skip("loaded, not attached: this kernel has no kprobes");
	attach_to_getpgid(false);
}
END_TEST

START_TEST(test_runs_kretprobe)
{
	load_kind(&kinds_object, "of_kretprobe");
	if (!has_kprobes())
		skip("loaded, not attached: this kernel has no kprobes");
	attach_to_getpgid(true);
}
END_TEST

/* The name of getpgid(2) in the kernel. */
static const char *const getpgid_symbol =
#if defined(__x86_64__)
	"__x64_sys_getpgid";
#elif defined(__aarch64__)
	"__arm64_sys_getpgid";
#else
	"__s390x_sys_getpgid";
#endif

START_TEST(test_kprobe_multi)
{
	const char *symbols[] = { getpgid_symbol };
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = symbols, .cnt = 1);
	struct bpf_link *link;

	load_kind(&kinds_object, "of_kprobe_multi");
	link = bpf_program__attach_kprobe_multi_opts(program, NULL, &opts);
	if (!link && (errno == EOPNOTSUPP || errno == EINVAL)) /* EINVAL: Linux 5.10 */
		skip("loaded, not attached: this kernel has no kprobe.multi");
	attached(link);
	call_and_check();
}
END_TEST

/* False: this kernel does not load such programs, and errno says why. */
static bool try_load(const char *name)
{
	int err;

	open_kind(&kinds_object, name, NULL);
	libbpf_set_print(NULL);
	err = bpf_object__load(object);
	if (err) {
		errno = -err;
		return false;
	}
	open_channel_reader(50, 0);
	return true;
}

/*
 * The kernel's ENOTSUPP, which no header of libc defines: no trampolines (arm64 before Linux 6.4).
 */
#define NO_TRAMPOLINES 524

static bool try_attach(void)
{
	struct bpf_link *link = bpf_program__attach(program);

	if (!link && errno == NO_TRAMPOLINES)
		return false;
	attached(link);
	return true;
}

/* The kernel's own function for such tests; a test run of a program calls it. */
static void run_test_function(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(bpf_prog_test_run_opts(bpf_program__fd(program), &opts), 0);
	wanted_pid = (uint32_t)getpid();
	check_came(1000);
}

START_TEST(test_runs_fentry)
{
	if (!try_load("of_fentry"))
		skip("this kernel does not load fentry programs: %s", strerror(errno));
	if (!try_attach())
		skip("this kernel does not attach fentry programs");
	run_test_function();
}
END_TEST

START_TEST(test_runs_fexit)
{
	if (!try_load("of_fexit"))
		skip("this kernel does not load fexit programs: %s", strerror(errno));
	if (!try_attach())
		skip("this kernel does not attach fexit programs");
	run_test_function();
}
END_TEST

/*
 * Whether the kernel was started with BPF among its security modules.  Mounts securityfs for this
 * process only.
 */
static bool asks_bpf(void)
{
	char names[256] = "";
	FILE *file;

	if (!unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	file = fopen("/sys/kernel/security/lsm", "re");
	if (!file)
		return false;
	if (!fgets(names, sizeof(names), file))
		names[0] = '\0';
	fclose(file);
	return strstr(names, "bpf");
}

START_TEST(test_runs_lsm)
{
	if (!try_load("of_lsm"))
		skip("this kernel does not load LSM programs: %s", strerror(errno));
	if (!asks_bpf())
		skip("loaded, not attached: this kernel was started without lsm=...,bpf");
	if (!try_attach())
		skip("this kernel does not attach LSM programs");
	call_and_check();
}
END_TEST

static int open_counter(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.freq = 1,
		.sample_freq = 1000,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Interrupts whatever this process runs, BPF programs included. */
static void run_on_counter(int fd)
{
	uint64_t deadline_ns = now_ns() + 20000000000;

	load_kind(&kinds_object, "of_perf_event");
	attached(bpf_program__attach_perf_event(program, fd));
	while (counted("submitted") < 20 && now_ns() < deadline_ns)
		;
	wanted_pid = (uint32_t)getpid();
	check_came(20);
}

START_TEST(test_perf_event)
{
	int fd = open_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);

	ck_assert_int_ge(fd, 0);
	run_on_counter(fd);
}
END_TEST

START_TEST(test_hardware_counter)
{
	int fd = open_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	if (fd < 0)
		skip("no hardware counter of cycles that interrupts: %s", strerror(errno));
	run_on_counter(fd);
}
END_TEST

/*
 * Found by its name in this program's symbols.  Its first instruction must not be a return: an
 * emulated s390x does not execute that when the kernel single-steps it.
 */
__attribute__((noinline)) int probed_by_test_kinds(int number);
int probed_by_test_kinds(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number + 1;
}

static void probe_function(const char *name, bool on_return)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .func_name = "probed_by_test_kinds",
		    .retprobe = on_return);

	load_kind(&kinds_object, name);
	attached(bpf_program__attach_uprobe_opts(program, 0, "/proc/self/exe", 0, &opts));
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(probed_by_test_kinds(i), i + 1);
	wanted_pid = (uint32_t)getpid();
	check_came(1000);
	ck_assert_uint_eq(came, 1000);
}

START_TEST(test_runs_uprobe)
{
	probe_function("of_uprobe", false);
}
END_TEST

START_TEST(test_runs_uretprobe)
{
	probe_function("of_uretprobe", true);
}
END_TEST

/* ---- packet programs ------------------------------------------------------------------------- */

/* On Linux 6.1, these programs cannot read the current task: their events have no ids. */
static void load_packet_kind(const char *name)
{
	load_kind(&packets_object, name);
	if (libbpf_probe_bpf_helper(bpf_program__type(program), BPF_FUNC_get_current_pid_tgid,
				    NULL) == 1)
		wanted_pid = (uint32_t)getpid();
}

static void run_on_packets(const char *name, uint32_t returned)
{
	unsigned char packet[128] = { 0 }, out[256];
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet),
		    .data_out = out, .data_size_out = sizeof(out), .repeat = 1000);
	int err;

	load_packet_kind(name);
	err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);
	ck_assert_msg(!err, "running %s: %s", name, strerror(-err));
	ck_assert_uint_eq(opts.retval, returned);
	check_came(1000);
	ck_assert_uint_eq(came, 1000);
}

START_TEST(test_runs_tc)
{
	run_on_packets("of_tc", 0);
}
END_TEST

START_TEST(test_runs_xdp)
{
	run_on_packets("of_xdp", 2);
}
END_TEST

START_TEST(test_cgroup_skb)
{
	run_on_packets("of_cgroup_skb", 1);
}
END_TEST

START_TEST(test_socket_filter)
{
	int fd, ends[2];

	load_packet_kind("of_socket_filter");
	fd = bpf_program__fd(program);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	ck_assert_int_eq(setsockopt(ends[1], SOL_SOCKET, SO_ATTACH_BPF, &fd, sizeof(fd)), 0);
	for (int i = 0; i < 1000; i++) {
		char byte = 'x';

		ck_assert_int_eq(write(ends[0], &byte, 1), 1);
		ck_assert_int_eq(read(ends[1], &byte, 1), 1);
	}
	close(ends[0]);
	close(ends[1]);
	check_came(1000);
	ck_assert_uint_eq(came, 1000);
}
END_TEST

/* ---- verifier cost --------------------------------------------------------------------------- */

static uint64_t bytes_of_first, bytes_of_second, bytes_of_third;

static void check_three(const struct peat_event *event)
{
	const char *name = peat_channel__type_name(channel, event->type);

	ck_assert_ptr_nonnull(name);
	bytes_of_first += strcmp(name, "first") ? 0 : event->size;
	bytes_of_second += strcmp(name, "second") ? 0 : event->size;
	bytes_of_third += strcmp(name, "third") ? 0 : event->size;
}

/* The number of instructions that the verifier checked, since Linux 5.16; 0 before. */
static uint32_t verified_insns(void)
{
	struct bpf_prog_info info = { 0 };
	uint32_t info_bytes = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &info_bytes), 0);
	return info.verified_insns;
}

/* Two events are reserved at the same time, so they are in two slots. */
START_TEST(test_three_types_in_one_program)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.max_rate = 1000000;
	open_kind(&kinds_object, "three_types", &opts);
	object__load(object);
	ck_assert_uint_lt(verified_insns(), 10000);
	open_channel_reader(50, 0);
	for (uint64_t i = 0; i < 100; i++)
		ck_assert_uint_eq(call(object, "three_types", i, 0), 0);
	finish_whole(300, check_three);
	ck_assert_uint_eq(bytes_of_first, 100 * 24);
	ck_assert_uint_gt(bytes_of_second, 100 * 12);
	ck_assert_uint_lt(bytes_of_second, 100 * (12 + 17));
	ck_assert_uint_eq(bytes_of_third, 100 * 512);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *kinds_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("kinds", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_raw_tp);
	tcase_add_test(tests, test_tp_btf);
	tcase_add_test(tests, test_runs_tp);
	tcase_add_test(tests, test_runs_kprobe);
	tcase_add_test(tests, test_runs_kretprobe);
	tcase_add_test(tests, test_kprobe_multi);
	tcase_add_test(tests, test_runs_fentry);
	tcase_add_test(tests, test_runs_fexit);
	tcase_add_test(tests, test_runs_lsm);
	tcase_add_test(tests, test_perf_event);
	tcase_add_test(tests, test_hardware_counter);
	tcase_add_test(tests, test_runs_uprobe);
	tcase_add_test(tests, test_runs_uretprobe);
	tcase_add_test(tests, test_runs_tc);
	tcase_add_test(tests, test_runs_xdp);
	tcase_add_test(tests, test_cgroup_skb);
	tcase_add_test(tests, test_socket_filter);
	tcase_add_test(tests, test_three_types_in_one_program);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { kinds_suite };

	return harness__main(argc, argv, suites, 1);
}
