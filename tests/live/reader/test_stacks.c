// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stacks.c: events with the stacks that programs take, on this machine's kernel. */
#include <sys/syscall.h>
#include <ucontext.h>

#include "ring/stack_opts.h"
#include "object/globals.h"
#include "support/load/channel_load.h"
#include "support/machine/amount.h"
#include "support/machine/mounts.h"
#include "event/bpf_frames.h"
#include "sys/kallsyms.h"

EMBED_OBJECT(burst)
EMBED_OBJECT(other)
EMBED_TWINS(stacks)
EMBED_TWINS(stacks_packets)

#define BOTH	  (PEAT_STACK_KERNEL | PEAT_STACK_USER)
#define DEPTH	  20
#define ADDRESSES 512

static struct bpf_object *object;
static struct bpf_link *links[4];

/* ---- opening --------------------------------------------------------------------------------- */

static void detach(void)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		bpf_link__destroy(links[i]);
		links[i] = NULL;
	}
}

static void teardown(void)
{
	detach();
	close_all();
}

/* Leaves out all programs but these two; NULL: none. */
static void choose(const char *name, const char *other)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object) bpf_program__set_autoload(
		program, !strcmp(bpf_program__name(program), name) ||
				 (other && !strcmp(bpf_program__name(program), other)));
}

static void open_stacks(const char *name, const char *other, const struct peat_channel_opts *opts)
{
	uint32_t pid = (uint32_t)getpid(), call = SYS_getpgid;

	pin_to(0);
	open_channel(opts);
	object = bind_object(&stacks_object);
	choose(name, other);
	ck_assert_int_eq(globals__set(object, "only_pid", &pid, 4), 0);
	ck_assert_int_eq(globals__set(object, "only_call", &call, 4), 0);
	object__load(object);
}

static struct peat_channel_opts options(uint32_t kinds)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.stacks.kinds = kinds;
	return opts;
}

static uint64_t counted(const char *name)
{
	return *(const volatile uint64_t *)object__variable(object, name, 8);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void *return_site; /* the address that recursive calls return to */
static const char *local; /* in the frame that makes the system call */

#define MAGIC 0x7065617473746163ULL

/* The uprobe is here: its first instruction must not be a return. */
__attribute__((noinline)) int probed_by_test_stacks(int number);
int probed_by_test_stacks(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number + 1;
}

/*
 * Calls itself `depth` times, then makes the system call that programs wait for.  AddressSanitizer
 * would put the local variable elsewhere (detect_stack_use_after_return: gcc 14's and newer clang's
 * default).
 */
__attribute__((noinline, no_sanitize("address"))) static void descend(int depth)
{
	volatile uint64_t magic = MAGIC;

	if (depth > 1) {
		descend(depth - 1);
	} else {
		return_site = __builtin_return_address(0);
		local = (const char *)&magic;
		syscall(SYS_getpgid, 0);
		probed_by_test_stacks(1);
	}
	__asm__ volatile("" : : "r"(&magic) : "memory");
}

/* ---- checks ---------------------------------------------------------------------------------- */

static struct peat_address addresses[ADDRESSES];
static uint32_t count, kernel, user, own; /* of the last event */
static struct peat_user_state state;
static char stack[PEAT_STACK_MEMORY_MAX]; /* a copy, since the event's is gone */
static bool has_state;
static uint64_t came;
static struct bpf_frames machinery;
static uint32_t dropped; /* addresses at the top of the last event */

static void look(const struct peat_event *event)
{
	kernel = user = own = 0;
	count = peat_event__addresses(event, addresses, ADDRESSES);
	ck_assert_uint_le(count, ADDRESSES);
	for (uint32_t i = 0; i < count; i++) {
		kernel += addresses[i].space == PEAT_SPACE_KERNEL;
		user += addresses[i].space == PEAT_SPACE_USER;
		own += addresses[i].address == (uintptr_t)return_site;
		/* The kernel's come first. */
		ck_assert(addresses[i].space != PEAT_SPACE_KERNEL || !user);
	}
	ck_assert_uint_eq(kernel + user, count);
	ck_assert_uint_eq(peat_event__addresses(event, addresses, 1), count);
	dropped = bpf_frames__count(&machinery, event, addresses, count);
	state.sz = sizeof(state);
	has_state = peat_event__user_state(event, &state);
	if (has_state) {
		ck_assert_uint_le(state.stack_bytes, sizeof(stack));
		memcpy(stack, state.stack, state.stack_bytes);
	}
	came++;
}

/* Without frame pointers, the kernel finds no callers in user space. */
static bool has_frame_pointers(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

static void check_user(bool wanted)
{
	ck_assert_int_eq(user > 0, wanted);
	if (wanted && has_frame_pointers())
		ck_assert_uint_ge(own, DEPTH - 2);
}

/* The first frame that is left has `wanted` in its name. */
static void check_name_after(const char *wanted)
{
	char names[2048] = "";
	size_t used = 0;
	uint64_t offset;

	for (uint32_t i = 0; i < kernel; i++) {
		const char *name = kallsyms__name(addresses[i].address, SYMBOLS_ALL, &offset);

		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s",
					 name ? name : "?");
		ck_assert_uint_lt(used, sizeof(names));
		if (i == dropped)
			ck_assert_msg(name && strstr(name, wanted), "dropped %u:%s", dropped,
				      names);
	}
	ck_assert_msg(dropped && dropped < kernel, "dropped %u of:%s", dropped, names);
	ck_assert_uint_le(dropped, PEAT_STACK_MACHINERY);
	if (getenv("PEAT_TEST_VERBOSE"))
		printf("dropped %u of:%s\n", dropped, names);
}

static void check_machinery(void)
{
	check_name_after("syscall");
}

static uint64_t reg(uint32_t number)
{
	uint64_t below = state.regs.mask & ((1ULL << number) - 1);

	ck_assert(state.regs.mask >> number & 1);
	return peat_words__at(&state.regs.values, (uint64_t)__builtin_popcountll(below));
}

#if defined(__x86_64__)
#define SP 7
#define IP 8
#elif defined(__aarch64__)
#define SP 31
#define IP 32
#else
#define SP 15
#define IP 33
#endif

/* The copied memory has the local variable of the frame, where that is. */
static void check_state(uint64_t least_bytes, uint64_t most_bytes)
{
	uint64_t at, magic;

	ck_assert(has_state);
	ck_assert_uint_eq(state.regs.abi, PEAT_REGS_ABI_64);
	ck_assert_uint_eq(state.regs.values.count, (uint64_t)__builtin_popcountll(state.regs.mask));
	ck_assert_uint_ge(state.stack_bytes, least_bytes);
	ck_assert_uint_le(state.stack_bytes, most_bytes);
	at = (uintptr_t)local - reg(SP);
	ck_assert_uint_le(at, state.stack_bytes - sizeof(magic));
	memcpy(&magic, stack + at, sizeof(magic));
	ck_assert_uint_eq(magic, MAGIC);
	ck_assert_uint_ne(reg(IP), 0);
}

static void check_all_came(uint64_t least)
{
	struct peat_ledger ledger;

	detach();
	ledger = finish(look);
	ck_assert_uint_ge(came, least);
	ck_assert_uint_eq(came, counted("submitted"));
	ck_assert_uint_eq(ledger.emitted, counted("submitted") + counted("refused"));
	ck_assert_uint_eq(ledger.misuse, 0);
	ck_assert_uint_eq(ledger.lost_abandoned, 0);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void attach(const char *name)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .func_name = "probed_by_test_stacks");

	if (!strcmp(name, "of_perf_event"))
		links[0] = object__attach_clock(object, name, 0, 1000);
	else if (!strcmp(name, "of_uprobe"))
		links[0] = bpf_program__attach_uprobe_opts(
			bpf_object__find_program_by_name(object, name), 0, "/proc/self/exe", 0,
			&opts);
	else
		links[0] = object__attach(object, name);
	ck_assert_msg(links[0], "attaching %s: %s", name, strerror(errno));
}

static void run(const char *name, const struct peat_channel_opts *opts)
{
	came = 0;
	open_stacks(name, NULL, opts);
	open_channel_reader(50, 0);
	attach(name);
	descend(DEPTH);
	check_all_came(1);
	close_all();
}

/* All kinds of stacks of one program; its events do not depend on it otherwise. */
static void run_kinds(const char *name, bool has_kernel)
{
	struct peat_channel_opts opts = options(0);

	run(name, &opts);
	ck_assert_uint_eq(count, 0);
	ck_assert(!has_state);

	opts = options(PEAT_STACK_USER);
	run(name, &opts);
	ck_assert_uint_eq(kernel, 0);
	check_user(true);
	ck_assert(!has_state);

	opts = options(PEAT_STACK_KERNEL);
	run(name, &opts);
	ck_assert_int_eq(kernel > 0, has_kernel);
	check_user(false);

	opts = options(BOTH);
	run(name, &opts);
	ck_assert_int_eq(kernel > 0, has_kernel);
	check_user(true);

	opts = options(PEAT_STACK_KERNEL | PEAT_STACK_DWARF);
	run(name, &opts);
	ck_assert_int_eq(kernel > 0, has_kernel);
	check_user(false);
	check_state(2048, 8192);
}

START_TEST(test_raw_tp)
{
	run_kinds("of_raw_tp", true);
	check_machinery();
}
END_TEST

START_TEST(test_tp_btf)
{
	run_kinds("of_tp_btf", true);
	check_machinery();
}
END_TEST

/* Some kernels have no kernel part for such programs. */
START_TEST(test_stacks_of_tracepoint)
{
	struct peat_channel_opts opts = options(BOTH | PEAT_STACK_DWARF);

	mounts__need_tracefs();
	run("of_tp", &opts);
	check_user(true);
	check_state(2048, 8192);
}
END_TEST

/* The probed instruction is in user space. */
START_TEST(test_stacks_of_uprobe)
{
	run_kinds("of_uprobe", false);
	ck_assert_uint_ge(reg(IP), (uintptr_t)probed_by_test_stacks);
	ck_assert_uint_lt(reg(IP), (uintptr_t)probed_by_test_stacks + 64);
}
END_TEST

static uint64_t with_user, with_kernel, with_state, all_dropped;

static void count_parts(const struct peat_event *event)
{
	look(event);
	with_user += user > 0;
	all_dropped += dropped;
	with_kernel += kernel > 0;
	with_state += has_state && state.stack_bytes;
}

/* Interrupts user space and the kernel; each event has the user's registers. */
START_TEST(test_perf_event)
{
	struct peat_channel_opts opts = options(BOTH | PEAT_STACK_DWARF);
	uint64_t deadline_ns = now_ns() + 20000000000;

	open_stacks("of_perf_event", NULL, &opts);
	open_channel_reader(50, 0);
	attach("of_perf_event");
	while ((with_user < 20 || with_kernel < 5) && now_ns() < deadline_ns) {
		for (int i = 0; i < 1000; i++)
			syscall(SYS_getpgid, 0);
		drain(count_parts);
	}
	detach();
	finish(count_parts);
	ck_assert_uint_ge(with_user, 20);
	ck_assert_uint_ge(with_kernel, 5);
	ck_assert_uint_eq(all_dropped, 0); /* the stacks begin with the interrupted code */
	ck_assert_uint_eq(with_state, came);
	ck_assert_uint_eq(came, counted("submitted"));
}
END_TEST

static const char *names[] = { "stacked", "named" };
static uint64_t came_of[2];

static void check_two(const struct peat_event *event)
{
	const char *name = peat_channel__type_name(channel, event->type);
	int second = !strcmp(name, names[1]);

	look(event);
	check_user(true);
	came_of[second]++;
	if (second)
		ck_assert_str_eq((const char *)event->data + 4, "test_stacks");
	ck_assert_str_eq(name, names[second]);
	ck_assert_uint_eq(event->pid, (uint32_t)getpid());
}

START_TEST(test_two_events_at_once)
{
	struct peat_channel_opts opts = options(BOTH);

	open_stacks("of_two", NULL, &opts);
	open_channel_reader(50, 0);
	attach("of_two");
	for (int i = 0; i < 100; i++)
		descend(DEPTH);
	detach();
	finish_whole(200, check_two);
	ck_assert_uint_eq(came_of[0], 100);
	ck_assert_uint_eq(came_of[1], 100);
}
END_TEST

/* Without stacks, the second event ends with its name. */
static void check_sizes(const struct peat_event *event)
{
	const char *name = peat_channel__type_name(channel, event->type);

	ck_assert_uint_eq(event->size, !strcmp(name, "named") ? 20 : 8);
	came++;
}

START_TEST(test_none_are_shorter)
{
	open_stacks("of_two", NULL, NULL);
	open_channel_reader(50, 0);
	attach("of_two");
	descend(1);
	detach();
	finish_whole(2, check_sizes);
	ck_assert_uint_eq(came, 2);
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(test_depth_bounds_stacks)
{
	struct peat_channel_opts opts = options(BOTH);

	opts.stacks.depth = 3;
	run("of_raw_tp", &opts);
	ck_assert_uint_eq(user, has_frame_pointers() ? 3 : 1);
	ck_assert_uint_ge(kernel, 2);
	ck_assert_uint_le(kernel, 3 + PEAT_STACK_MACHINERY);
}
END_TEST

START_TEST(test_deeper_than_the_limit)
{
	struct peat_channel_opts opts = options(BOTH);

	open_stacks("of_raw_tp", NULL, &opts);
	open_channel_reader(50, 0);
	attach("of_raw_tp");
	descend(300);
	check_all_came(1);
	if (has_frame_pointers())
		ck_assert_uint_eq(user, 127);
}
END_TEST

static ucontext_t here, there;

static void on_other_stack(void)
{
	descend(1);
}

/* On a stack of two pages that ends before memory without access. */
START_TEST(test_end_of_the_stack)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct peat_channel_opts opts = options(PEAT_STACK_DWARF);
	char *memory = mmap(NULL, 9 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	ck_assert_int_eq(mprotect(memory, 8 * page, PROT_READ | PROT_WRITE), 0);
	opts.stacks.memory_bytes = 16384;
	open_stacks("of_raw_tp", NULL, &opts);
	open_channel_reader(50, 0);
	attach("of_raw_tp");
	ck_assert_int_eq(getcontext(&there), 0);
	there.uc_stack.ss_sp = memory;
	there.uc_stack.ss_size = 8 * page;
	there.uc_link = &here;
	makecontext(&there, on_other_stack, 0);
	ck_assert_int_eq(swapcontext(&here, &there), 0);
	check_all_came(1);
	check_state(8, 16384);
	ck_assert_uint_eq(reg(SP) + state.stack_bytes, (uintptr_t)memory + 8 * page);
	munmap(memory, 9 * page);
}
END_TEST

/* ---- under load ------------------------------------------------------------------------------ */

static void make_calls(uint64_t events)
{
	for (uint64_t i = 0; i < events; i++)
		syscall(SYS_getpgid, 0);
}

/* Nobody reads the rings meanwhile: they overflow. */
START_TEST(test_full_speed)
{
	uint64_t calls = 500 + amount__at_most("PEAT_TEST_EVENTS", 20000);
	struct peat_channel_opts opts = options(BOTH | PEAT_STACK_DWARF);
	struct peat_ledger ledger;

	open_stacks("of_raw_tp", NULL, &opts);
	open_channel_reader(50, memory_for(65536, 65536));
	attach("of_raw_tp");
	make_calls(calls);
	drain(look);
	make_calls(calls);
	detach();
	ledger = finish(look);
	ck_assert_uint_eq(ledger.emitted, 2 * calls);
	ck_assert_uint_eq(ledger.delivered, came);
	ck_assert_uint_gt(ledger.lost_ring_full, 0);
	ck_assert_uint_gt(came, 0);
}
END_TEST

/* A program that interrupts the other while that takes its stacks. */
START_TEST(test_nested_programs_take_stacks)
{
	struct peat_channel_opts opts = options(BOTH);
	uint64_t end_ns = now_ns() + amount__ns(1);
	struct peat_ledger ledger;

	open_stacks("of_raw_tp", "of_perf_event", &opts);
	open_channel_reader(50, 0);
	attach("of_raw_tp");
	links[1] = object__attach_clock(object, "of_perf_event", 0, 20000);
	while (now_ns() < end_ns) {
		for (int i = 0; i < 100; i++)
			descend(DEPTH);
		drain(look);
	}
	detach();
	ledger = finish(look);
	ck_assert_uint_eq(ledger.emitted, counted("submitted") + counted("refused"));
	ck_assert_uint_eq(ledger.delivered, came);
	ck_assert_uint_eq(ledger.misuse, 0);
}
END_TEST

/* ---- stacks that the kernel samples -----------------------------------------------------------
 */

static void check_both(const struct peat_event *event)
{
	look(event);
	ck_assert_uint_gt(kernel, dropped);
	check_user(true);
	ck_assert(!has_state);
}

/* A program that knows nothing of peat. */
START_TEST(test_raw_events)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	uint32_t pid = (uint32_t)getpid(), call = SYS_getpgid;
	const struct bpf_map *map;

	pin_to(0);
	peat_set_print(keep_messages);
	object = keep_object(object__open(&burst_object));
	ck_assert_int_eq(globals__set(object, "only_pid", &pid, 4), 0);
	ck_assert_int_eq(globals__set(object, "getpgid_number", &call, 4), 0);
	map = bpf_object__find_map_by_name(object, "events");
	bpf_map__set_max_entries((struct bpf_map *)map, possible_cpus());
	object__load(object);
	opts.stacks.kinds = BOTH;
	reader = peat_reader__new_raw(bpf_map__fd(map), &opts);
	ck_assert_msg(reader, "%s", messages);
	links[0] = object__attach(object, "burst");
	descend(DEPTH);
	detach();
	ck_assert_uint_eq(drain_all(check_both), 1);
	check_machinery();
	close_reader();

	opts.stacks.kinds = PEAT_STACK_KERNEL | PEAT_STACK_DWARF;
	opts.stacks.memory_bytes = 1024;
	reader = peat_reader__new_raw(bpf_map__fd(map), &opts);
	ck_assert_msg(reader, "%s", messages);
	links[0] = object__attach(object, "burst");
	descend(DEPTH);
	detach();
	ck_assert_uint_eq(drain_all(look), 1);
	ck_assert_uint_eq(user, 0);
	ck_assert_uint_gt(kernel, 0);
	check_state(512, 1024);
	close_reader();

	opts.sample = PEAT_SAMPLE_CALLCHAIN;
	ck_assert_ptr_null(peat_reader__new_raw(bpf_map__fd(map), &opts));
	ck_assert_msg(strstr(messages, "these are the stacks"), "%s", messages);
}
END_TEST

/* ---- programs that may not take stacks --------------------------------------------------------
 */

static uint64_t next_number, with_stack;

/* Three events per packet, the second with a stack, in the order of the program. */
static void check_packet_event(const struct peat_event *event)
{
	uint64_t number;

	look(event);
	memcpy(&number, event->data, sizeof(number));
	ck_assert_uint_eq(number, next_number++);
	ck_assert_uint_eq(event->size, sizeof(number));
	if (number % 3 != 1) {
		ck_assert_uint_eq(count, 0);
		ck_assert_ptr_null(event->record);
		return;
	}
	with_stack++;
	ck_assert_ptr_nonnull(event->record);
	ck_assert_uint_gt(dropped, 0);
	ck_assert_uint_gt(kernel, dropped);
	ck_assert_uint_gt(user, 0); /* libbpf may have no frame pointers */
	check_name_after("bpf_test_run");
}

static void run_packets(const char *name, uint32_t packets)
{
	unsigned char packet[128] = { 0 }, out[256];
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet),
		    .data_out = out, .data_size_out = sizeof(out), .repeat = (int)packets);
	int err = bpf_prog_test_run_opts(object__program_fd(object, name), &opts);

	ck_assert_msg(!err, "running %s: %s", name, strerror(-err));
}

static void check_packets(const char *name, bool is_ordered)
{
	struct peat_channel_opts opts = options(BOTH);

	next_number = with_stack = 0;
	pin_to(0);
	open_channel(&opts);
	object = bind_object(&stacks_packets_object);
	choose(name, NULL);
	object__load(object);
	if (is_ordered)
		open_ordered_reader(50);
	else
		open_channel_reader(50, 0);
	run_packets(name, 100);
	finish_whole(300, check_packet_event);
	ck_assert_uint_eq(with_stack, 100);
	ck_assert_uint_eq(counted("submitted"), 300);
	close_all();
}

START_TEST(test_stacks_of_packets)
{
	check_packets("of_tc", false);
	check_packets("of_xdp", false);
	check_packets("of_cgroup_skb", false);
}
END_TEST

START_TEST(test_ordered_packets)
{
	check_packets("of_tc", true);
}
END_TEST

/* The ring overflows: frames of both arrays are counted. */
START_TEST(test_lost_packets)
{
	struct peat_channel_opts opts = options(BOTH | PEAT_STACK_DWARF);
	struct peat_ledger ledger;

	pin_to(0);
	open_channel(&opts);
	object = bind_object(&stacks_packets_object);
	choose("of_tc", NULL);
	object__load(object);
	open_channel_reader(50, memory_for(65536, 65536));
	run_packets("of_tc", 1000);
	drain(NULL);
	run_packets("of_tc", 1000);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.emitted, 6000);
	ck_assert_uint_gt(ledger.lost_ring_full, 0);
	ck_assert_uint_gt(ledger.delivered, 0);
}
END_TEST

/* Without stacks, all events are staged. */
START_TEST(test_packets_without_stacks)
{
	pin_to(0);
	open_channel(NULL);
	object = bind_object(&stacks_packets_object);
	choose("of_tc", NULL);
	object__load(object);
	open_channel_reader(50, 0);
	run_packets("of_tc", 10);
	finish_whole(30, look);
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(came, 30);
}
END_TEST

static void sample_events(uint32_t kinds)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;
	uint32_t pid = (uint32_t)getpid();

	pin_to(0);
	peat_set_print(keep_messages);
	opts.pids = &pid;
	opts.pid_count = 1;
	opts.period = 1;
	reader_opts.stacks.kinds = kinds;
	reader_opts.stacks.memory_bytes = 1024;
	reader = peat_reader__new_events("context-switches", &opts, &reader_opts);
	ck_assert_msg(reader, "%s", messages);
	came = 0;
	for (int i = 0; !came && i < 1000; i++) {
		usleep(1000);
		drain(look);
	}
	peat_reader__pause(reader);
	drain_all(look);
	ck_assert_uint_ge(came, 1);
	ck_assert_uint_eq(dropped, 0);
	close_reader();
}

START_TEST(test_sampled_events)
{
	sample_events(PEAT_STACK_KERNEL);
	ck_assert(kernel && !user && !has_state);
	sample_events(PEAT_STACK_USER);
	ck_assert(!kernel && user && !has_state);
	sample_events(PEAT_STACK_DWARF);
	ck_assert(!kernel && !user && has_state);
	ck_assert_uint_gt(state.stack_bytes, 64);
	sample_events(0);
	ck_assert(!count && !has_state);
}
END_TEST

/* ---- sessions ----------------------------------------------------------------------------------
 */

/* 0 or the error of the start; the message is kept. */
static int start_session(const struct object_file *file, uint32_t kinds)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .stacks.kinds = kinds };
	struct peat_session *session;
	int err;

	messages[0] = '\0';
	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	peat_set_print(keep_messages);
	file = object__twin(file);
	ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count), 0);
	if (file == object__twin(&stacks_object)) {
		peat_session__leave_out(session, "of_uprobe");
		peat_session__leave_out(session, "of_perf_event");
		peat_session__leave_out(session, "of_tp");
	}
	err = peat_session__start(session, NULL);
	peat_session__free(session);
	return err;
}

START_TEST(test_session_without_stacks)
{
	ck_assert_msg(!start_session(&stacks_object, BOTH), "%s", messages);
	ck_assert_msg(!start_session(&other_object, 0), "%s", messages);
	ck_assert_int_eq(start_session(&other_object, BOTH), -EINVAL);
	ck_assert_msg(strstr(messages, "no event of these objects has a stack"), "%s", messages);
}
END_TEST

START_TEST(test_side_band_without_stacks)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .stacks.kinds = PEAT_STACK_USER };
	struct peat_session *session;
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;

	messages[0] = '\0';
	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	peat_set_print(keep_messages);
	reader_opts.side_band = PEAT_SIDE_BAND_TASK;
	ck_assert_int_eq(peat_session__start(session, &reader_opts), -EINVAL);
	ck_assert_msg(strstr(messages, "stacks: records of a side band have none"), "%s", messages);
	peat_session__free(session);
}
END_TEST

/* ---- options --------------------------------------------------------------------------------- */

static void refused(const struct peat_channel_opts *opts, const char *why)
{
	messages[0] = '\0';
	peat_set_print(keep_messages);
	ck_assert_ptr_null(peat_channel__new(opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, why), "%s", messages);
}

START_TEST(test_wrong_options)
{
	struct peat_channel_opts opts = options(8);

	refused(&opts, "stacks.kinds is 0x8");
	opts = options(BOTH);
	opts.stacks.depth = stack_opts__max_depth() + 1;
	refused(&opts, "stacks.depth is ");
	opts = options(PEAT_STACK_DWARF);
	opts.stacks.memory_bytes = 20;
	refused(&opts, "stacks.memory_bytes is 20");
	opts.stacks.memory_bytes = PEAT_STACK_MEMORY_MAX + 8;
	refused(&opts, "stacks.memory_bytes is 16392");
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *stacks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stacks", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_raw_tp);
	tcase_add_test(tests, test_tp_btf);
	tcase_add_test(tests, test_stacks_of_tracepoint);
	tcase_add_test(tests, test_stacks_of_uprobe);
	tcase_add_test(tests, test_perf_event);
	tcase_add_test(tests, test_two_events_at_once);
	tcase_add_test(tests, test_none_are_shorter);
	tcase_add_test(tests, test_depth_bounds_stacks);
	tcase_add_test(tests, test_deeper_than_the_limit);
	tcase_add_test(tests, test_end_of_the_stack);
	tcase_add_test(tests, test_full_speed);
	tcase_add_test(tests, test_nested_programs_take_stacks);
	tcase_add_test(tests, test_raw_events);
	tcase_add_test(tests, test_stacks_of_packets);
	tcase_add_test(tests, test_ordered_packets);
	tcase_add_test(tests, test_lost_packets);
	tcase_add_test(tests, test_packets_without_stacks);
	tcase_add_test(tests, test_sampled_events);
	tcase_add_test(tests, test_session_without_stacks);
	tcase_add_test(tests, test_side_band_without_stacks);
	tcase_add_test(tests, test_wrong_options);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stacks_suite };

	return harness__main(argc, argv, suites, 1);
}
