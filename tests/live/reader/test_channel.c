// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_channel.c: a channel from the programs to the reader, on this machine's kernel. */
#include <pthread.h>

#include "channel/channel.h"
#include "support/load/staged_load.h"
#include "support/machine/refuse.h"

EMBED_OBJECT(burst)
EMBED_OBJECT(wide)
EMBED_OBJECT(other)
EMBED_OBJECT(sleeper)

/* ---- received events ------------------------------------------------------------------------- */

static unsigned char *pattern;

#define WAITING_MAX 65536

/* Events emitted and not delivered yet, in order. */
static struct {
	uint32_t bytes, offset;
} waiting[WAITING_MAX];

static uint64_t emitted, arrived, bytes_waiting, ring_bytes_now;

static void open_copied(const struct object_file *file, uint32_t slot_bytes, uint64_t ring_bytes)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	uint32_t random = 1;

	opts.slot_bytes = slot_bytes;
	open_channel(&opts);
	object = add_object(file);
	open_channel_reader(100, memory_for(ring_bytes, slot_bytes));
	ring_bytes_now = stats_now().ring_bytes;
	pattern = object__variable(object, "pattern", 2 * STAGED_PATTERN_BYTES);
	for (size_t i = 0; i < 2 * STAGED_PATTERN_BYTES; i++) {
		random = random * 1664525 + 1013904223;
		pattern[i] = (unsigned char)(random >> 24);
	}
}

static void check_copied(const struct peat_event *event)
{
	uint64_t at = arrived++ % WAITING_MAX;

	ck_assert_uint_lt(arrived - 1, emitted);
	ck_assert_uint_eq(event->cpu, 0);
	ck_assert_uint_eq(event->pid, (uint32_t)getpid());
	ck_assert_uint_eq(event->tid, (uint32_t)getpid());
	ck_assert_uint_le(event->time_ns, now_ns());
	ck_assert_str_eq(peat_channel__type_name(channel, event->type), "sized");
	ck_assert_uint_eq(event->size, waiting[at].bytes);
	ck_assert_int_eq(memcmp(event->data, pattern + waiting[at].offset, event->size), 0);
}

/* At most half a ring of events is unread. */
static void emit_copied(uint32_t bytes)
{
	uint32_t offset = (uint32_t)(emitted * 7919 % STAGED_PATTERN_BYTES);

	waiting[emitted % WAITING_MAX].bytes = bytes;
	waiting[emitted % WAITING_MAX].offset = offset;
	emitted++;
	ck_assert_uint_eq(call(object, "copied", bytes, offset), 0);
	bytes_waiting += bytes + 24;
	if (bytes_waiting < ring_bytes_now / 4)
		return;
	drain(check_copied);
	bytes_waiting = 0;
}

static void check_copied_whole(uint64_t bytes)
{
	struct peat_reader_stats stats;

	finish_whole(emitted, check_copied);
	stats = stats_now();
	ck_assert_uint_eq(arrived, emitted);
	ck_assert_uint_eq(stats.event_bytes, bytes);
	ck_assert_uint_gt(bytes, 10 * stats.ring_bytes); /* it wrapped */
}

/* Each size from 0 to that of a slot; all bytes are compared. */
START_TEST(test_every_size)
{
	uint32_t step = 1 + STAGED_MAX / amount__at_most("PEAT_TEST_EVENTS", STAGED_MAX + 1);
	uint64_t bytes = 0;

	open_copied(&staged_object, 8192, 32768);
	for (uint32_t size = 0; size <= STAGED_MAX; size += step) {
		emit_copied(size);
		bytes += size;
	}
	check_copied_whole(bytes);
}
END_TEST

START_TEST(test_small_sizes)
{
	uint32_t events = amount__at_most("PEAT_TEST_EVENTS", 40000);
	uint64_t bytes = 0;

	if (events < 6000)
		events = 6000; /* or no ring would wrap */
	open_copied(&staged_object, 8192, 16384);
	for (uint32_t i = 0; i < events; i++) {
		emit_copied(i * 31 % 67);
		bytes += i * 31 % 67;
	}
	check_copied_whole(bytes);
}
END_TEST

static void check_counts(const struct peat_event *event)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	check_copied(event);
	ck_assert_uint_eq(stats_now().events, arrived);
	ck_assert_int_eq(peat_reader__ledger(reader, 0, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, arrived);
	ck_assert_int_eq(peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, arrived);
}

/* Also in the middle of a frame. */
START_TEST(test_ledger_after_every_event)
{
	open_copied(&staged_object, 8192, 32768);
	for (uint32_t i = 0; i < 300; i++)
		emit_copied(i % 100);
	drain(check_counts);
	finish_whole(emitted, check_counts);
	ck_assert_uint_eq(arrived, emitted);
}
END_TEST

/* The largest events: two do not fit into one frame. */
START_TEST(test_large_sizes)
{
	uint64_t bytes = 0;

	open_copied(&wide_object, 65408, 262144);
	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t size = i % 8 ? i * 7907 % (WIDE_MAX + 1) : WIDE_MAX - i / 8 % 20;

		emit_copied(size);
		bytes += size;
	}
	check_copied_whole(bytes);
}
END_TEST

/* With any memory_bytes, a ring is large enough for a frame. */
START_TEST(test_smallest_ring_holds_a_frame)
{
	open_copied(&wide_object, 65408, 1);
	for (uint32_t i = 0; i < 20; i++) {
		emit_copied(WIDE_MAX - i);
		drain(check_copied);
	}
	finish_whole(20, check_copied);
}
END_TEST

static uint64_t counted(const volatile struct staged_counts *counts, uint64_t *refused)
{
	uint64_t submitted = 0;

	*refused = 0;
	for (uint32_t cpu = 0; cpu < STAGED_CPUS; cpu++) {
		submitted += counts[cpu].submitted;
		*refused += counts[cpu].refused;
	}
	return submitted;
}

/* Programs run on all CPUs while the reader collects from their slots. */
START_TEST(test_every_event_once_while_programs_run)
{
	struct cpus cpus = online_cpus();
	pthread_t threads[STAGED_CPUS];
	uint64_t submitted, refused;
	struct peat_ledger ledger;
	struct bpf_link *link;
	uint32_t count = 0;

	open_attached(&link);
	for_each_cpu (cpu, &cpus)
		if (cpu < STAGED_CPUS)
			ck_assert_int_eq(pthread_create(&threads[count++], NULL, call_getpgid,
							(void *)(uintptr_t)cpu),
					 0);
	while (__atomic_load_n(&ended, __ATOMIC_RELAXED) < count)
		if (peat_reader__wait(reader, 10) > 0)
			drain(check_numbered);
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	bpf_link__destroy(link);
	ledger = finish(check_numbered);
	submitted = counted(
		object__variable(object, "counts", STAGED_CPUS * sizeof(struct staged_counts)),
		&refused);
	/* A preempted program holds its slot, and keeps the same program from running. */
	ck_assert_uint_le(submitted + refused, count * calls());
	ck_assert_uint_ge(submitted + refused + object__misses(object, "numbered"),
			  count * calls());
	ck_assert_uint_eq(ledger.emitted, submitted + refused);
	ck_assert_uint_eq(ledger.lost_nested, refused);
	ck_assert_uint_eq(ledger.delivered + ledger.lost_ring_full, submitted);
	ck_assert_uint_eq(ledger.misuse, 0);
	cpus__free(&cpus);
}
END_TEST

/* ---- latency --------------------------------------------------------------------------------- */

/* One staged event, and no further event. */
START_TEST(test_staged_event_is_collected)
{
	open_staged(NULL);
	open_channel_reader(50, 0);
	drain(NULL);
	for (int i = 0; i < 5; i++) {
		emit_numbered(1);
		ck_assert_uint_eq(ledger_now().staged, 1);
		ck_assert_uint_eq(await(1, check_numbered), 1);
		ck_assert_uint_eq(ledger_now().staged, 0);
	}
	finish_whole(5, NULL);
}
END_TEST

/* Events collected from a slot do not overtake frames written to the ring before. */
START_TEST(test_stream_stays_in_order)
{
	uint32_t rounds = amount__at_most("PEAT_TEST_ROUNDS", 200);
	struct cpus cpus = online_cpus();
	uint64_t total = 0;

	open_staged(NULL);
	open_channel_reader(1, 0);
	for (uint32_t i = 1; i <= rounds; i++)
		for_each_cpu (cpu, &cpus) {
			pin_to(cpu);
			emit_numbered(i);
			total += i;
			if (i % 2)
				drain(check_numbered);
			else
				drain_all(check_numbered);
		}
	finish_whole(total, check_numbered);
	for_each_cpu (cpu, &cpus) /* nothing else ran, so it was one slot all the time */
		ck_assert_uint_eq(seen[cpu].next[0], total / cpus__count(&cpus));
	cpus__free(&cpus);
}
END_TEST

/* ---- too big --------------------------------------------------------------------------------- */

static void check_trimmed(const struct peat_event *event)
{
	ck_assert_uint_eq(event->size, arrived++);
	for (uint32_t i = 0; i < event->size; i++)
		ck_assert_uint_eq(((const unsigned char *)event->data)[i], 0x5a);
}

START_TEST(test_too_large_events_are_counted)
{
	struct peat_ledger ledger;

	open_default();
	for (uint64_t bytes = 0; bytes <= 2 * sizeof(struct numbered); bytes++)
		call(object, "trimmed", bytes, 0);
	ck_assert_uint_eq(call(object, "trimmed", UINT64_MAX, 0), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(call(object, "oversized", 0, 0), 1);
	ledger = finish(check_trimmed);
	ck_assert_uint_eq(ledger.delivered, sizeof(struct numbered) + 1);
	ck_assert_uint_eq(ledger.lost_too_big, sizeof(struct numbered) + 1 + 3);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + ledger.lost_too_big);
}
END_TEST

static void check_shortened(const struct peat_event *event)
{
	ck_assert_uint_eq(as_numbered(event)->number, arrived++);
}

START_TEST(test_submit_less_than_reserved)
{
	open_default();
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(call(object, "shortened", i, 0), 0);
	finish_whole(1000, check_shortened);
}
END_TEST

/* The message has a sufficient slot_bytes, which works. */
START_TEST(test_object_with_too_large_events_is_refused)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *wide = keep_object(object__open(&wide_object));
	const char *remedy;

	opts.slot_bytes = 8192;
	open_staged(&opts);
	ck_assert_int_eq(peat_channel__bind(channel, wide), -E2BIG);
	ck_assert_int_eq(errno, E2BIG);
	remedy = strstr(messages, "slot_bytes");
	ck_assert_msg(strstr(messages, "wide") && remedy, "%s", messages);
	ck_assert_int_eq(sscanf(remedy, "slot_bytes %u", &opts.slot_bytes), 1);
	peat_channel__free(channel);

	open_channel(&opts);
	ck_assert_msg(!peat_channel__bind(channel, wide), "%s", messages);
	object__load(wide);
}
END_TEST

/* The verifier would refuse it as well; it is accepted if it is not loaded. */
START_TEST(test_sleepable_program_is_refused)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *sleeper = keep_object(object__open(&sleeper_object));

	open_channel(&opts);
	ck_assert_int_eq(peat_channel__bind(channel, sleeper), -EINVAL);
	ck_assert_msg(strstr(messages, "sleepable"), "%s", messages);
	bpf_program__set_autoload(bpf_object__find_program_by_name(sleeper, "sleeper"), false);
	ck_assert_int_eq(peat_channel__bind(channel, sleeper), 0);
	object__load(sleeper);
}
END_TEST

/* ---- objects --------------------------------------------------------------------------------- */

static uint64_t numbered_came, others_came;

static void check_mixed(const struct peat_event *event)
{
	const char *name = peat_channel__type_name(channel, event->type);
	uint32_t id;

	ck_assert_ptr_nonnull(name);
	if (!strcmp(name, "numbered")) {
		ck_assert_ptr_eq(peat_channel__type(channel, event->type, &id), objects[0]);
		ck_assert_uint_eq(event->pid, (uint32_t)getpid());
		ck_assert_uint_eq(as_numbered(event)->number, numbered_came++);
		return;
	}
	ck_assert_str_eq(name, "other");
	ck_assert_ptr_eq(peat_channel__type(channel, event->type, &id), objects[1]);
	ck_assert_uint_eq(event->pid, 0);
	ck_assert_uint_eq(event->tid, 0);
	ck_assert_uint_eq(event->size, 8);
	ck_assert_uint_eq(*(const uint64_t *)event->data, others_came++);
}

/* Two objects on one channel, with ids and without: their events share frames. */
START_TEST(test_two_objects)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *second;
	uint64_t alone = PEAT_HEAD_ALONE;
	uint32_t id;

	open_staged(&opts);
	second = bind_object(&other_object);
	ck_assert_int_eq(globals__set(second, "peat_head_bytes", &alone, 8), 0);
	object__load(second);
	open_channel_reader(100, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		emit_numbered(1);
		ck_assert_uint_eq(call(second, "another", i, 0), 0);
	}
	finish_whole(2000, check_mixed);
	ck_assert_uint_eq(numbered_came, 1000);
	ck_assert_uint_eq(others_came, 1000);
	ck_assert_uint_lt(ledger_now().frames, 100);
	ck_assert_ptr_null(peat_channel__type(channel, 0x7fff, &id));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_null(peat_channel__type_name(channel, 0x7fff));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* ---- objects opened by the channel ----------------------------------------------------------- */

static void check_other(const struct peat_event *event)
{
	ck_assert_str_eq(peat_channel__type_name(channel, event->type), "other");
	ck_assert_uint_eq(event->size, 8);
	ck_assert_uint_eq(*(const uint64_t *)event->data, others_came++);
}

/* The object is loaded, and the channel has a reader. */
static void check_delivery(struct bpf_object *opened)
{
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(call(opened, "another", i, 0), 0);
	finish_whole(1000, check_other);
	ck_assert_uint_eq(others_came, 1000);
}

static void check_opened(struct bpf_object *opened, const char *name)
{
	ck_assert_msg(opened, "%s", messages);
	ck_assert_str_eq(bpf_object__name(keep_object(opened)), name);
	object__load(opened);
	open_channel_reader(100, 0);
	check_delivery(opened);
}

START_TEST(test_open_memory)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "named");

	open_channel(NULL);
	check_opened(peat_channel__open(channel, other_object.bytes, *other_object.count, &opts),
		     "named");
}
END_TEST

static void write_file(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

/* The object's name is that of libbpf, on all kernels: 15 characters before a dot. */
START_TEST(test_open_file)
{
	char directory[] = "/tmp/peat-open-XXXXXX", path[64];
	struct bpf_object *opened;

	open_channel(NULL);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/other_with_long_name.bpf.o", directory);
	write_file(path, other_object.bytes, *other_object.count);
	opened = peat_channel__open_file(channel, path, NULL);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(directory), 0);
	check_opened(opened, "other_with_long");
}
END_TEST

/* As bpftool would generate it. */
struct skeleton {
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *object;
	struct bpf_program *program;
	struct bpf_link *link;
};

static void make_skeleton(struct skeleton *made, const char *name, const void *bytes, size_t count)
{
	struct bpf_object_skeleton *skeleton = calloc(1, sizeof(*skeleton));

	*made = (struct skeleton){ .skeleton = skeleton };
	ck_assert_ptr_nonnull(skeleton);
	skeleton->sz = sizeof(*skeleton);
	skeleton->name = name;
	skeleton->obj = &made->object;
	skeleton->data = bytes;
	skeleton->data_sz = count;
	skeleton->prog_cnt = 1;
	skeleton->prog_skel_sz = sizeof(*skeleton->progs);
	skeleton->progs = calloc(1, sizeof(*skeleton->progs));
	ck_assert_ptr_nonnull(skeleton->progs);
	skeleton->progs[0].name = "another";
	skeleton->progs[0].prog = &made->program;
	skeleton->progs[0].link = &made->link;
}

START_TEST(test_open_skeleton)
{
	struct skeleton made;

	open_channel(NULL);
	make_skeleton(&made, "other", other_object.bytes, *other_object.count);
	ck_assert_msg(!peat_channel__open_skeleton(channel, made.skeleton, NULL), "%s", messages);
	ck_assert_ptr_eq(made.skeleton->data, other_object.bytes);
	ck_assert_str_eq(bpf_object__name(made.object), "other");
	ck_assert_str_eq(bpf_program__name(made.program), "another");
	ck_assert_int_eq(bpf_object__load_skeleton(made.skeleton), 0);
	open_channel_reader(100, 0);
	check_delivery(made.object);
	bpf_object__destroy_skeleton(made.skeleton);
}
END_TEST

static void check_not_opened(const struct bpf_object *opened, int error, const char *word)
{
	ck_assert_int_eq(errno, error);
	ck_assert_ptr_null(opened);
	ck_assert_msg(strstr(messages, word), "'%s' does not say '%s'", messages, word);
	messages[0] = '\0';
}

START_TEST(test_open_no_object)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "rubbish");
	static const uint64_t rubbish[64] = { 0x464c457f };
	struct skeleton made;

	open_channel(NULL);
	check_not_opened(peat_channel__open(channel, rubbish, sizeof(rubbish), &opts), EINVAL,
			 "rubbish");
	check_not_opened(peat_channel__open(channel, rubbish, 0, NULL), EINVAL, "the object");
	check_not_opened(peat_channel__open_file(channel, "/no/such/a.bpf.o", NULL), ENOENT,
			 "/no/such/a.bpf.o");
	make_skeleton(&made, "rubbish", rubbish, sizeof(rubbish));
	ck_assert_int_eq(peat_channel__open_skeleton(channel, made.skeleton, NULL), -EINVAL);
	check_not_opened(made.object, EINVAL, "rubbish");
	ck_assert_ptr_eq(made.skeleton->data, rubbish);
	bpf_object__destroy_skeleton(made.skeleton);
}
END_TEST

START_TEST(test_open_without_btf)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "bare");
	size_t count = *other_object.count;
	char *bytes = malloc(count), *at = bytes;

	open_channel(NULL);
	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, other_object.bytes, count);
	while ((at = memmem(at, (size_t)(bytes + count - at), ".BTF", 4)))
		memcpy(at, ".NOT", 4);
	check_not_opened(peat_channel__open(channel, bytes, count, &opts), EINVAL, "clang -g");
	free(bytes);
}
END_TEST

/*
 * The channel works with another object afterwards.  The sanitizer reports an object that is not
 * closed.
 */
START_TEST(test_open_unbindable)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "burst");
	struct skeleton made;

	open_channel(NULL);
	check_not_opened(
		peat_channel__open(channel, burst_object.bytes, *burst_object.count, &opts), EINVAL,
		"peat.bpf.h");
	make_skeleton(&made, "burst", burst_object.bytes, *burst_object.count);
	made.skeleton->progs[0].name = "burst";
	ck_assert_int_eq(peat_channel__open_skeleton(channel, made.skeleton, NULL), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, "peat.bpf.h"), "%s", messages);
	bpf_object__destroy_skeleton(made.skeleton);
	opts.object_name = "other";
	check_opened(peat_channel__open(channel, other_object.bytes, *other_object.count, &opts),
		     "other");
}
END_TEST

/* ---- options --------------------------------------------------------------------------------- */

#define RATE 100

/* A CPU's second begins with its first event: at most one more begins than have passed. */
static void check_rate(uint32_t cpu, uint64_t started_ns, uint64_t calls)
{
	struct peat_ledger ledger = ledger_of(cpu);
	uint64_t seconds = (now_ns() - started_ns) / 1000000000 + 1;

	ck_assert_uint_eq(ledger.emitted, calls);
	ck_assert_uint_eq(ledger.delivered + ledger.lost_throttled, calls);
	ck_assert_uint_ge(ledger.delivered, RATE);
	ck_assert_uint_le(ledger.delivered, seconds * RATE);
}

START_TEST(test_rate_is_limited)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct cpus cpus = online_cpus();
	uint64_t started_ns, refused = 0;
	struct peat_ledger ledger;

	opts.max_rate = RATE;
	open_staged(&opts);
	open_channel_reader(100, 0);
	started_ns = now_ns();
	for_each_cpu (cpu, &cpus) {
		pin_to(cpu);
		for (int i = 0; i < 1000; i++)
			refused += call(object, "number_one", 0, 0);
	}
	ledger = finish(check_numbered);
	ck_assert_uint_eq(ledger.lost_throttled, refused);
	for_each_cpu (cpu, &cpus)
		check_rate(cpu, started_ns, 1000);
	/* The next second has its own limit. */
	usleep(1100000);
	emit_numbered(RATE);
	ck_assert_uint_eq(finish(check_numbered).lost_throttled, refused);
	cpus__free(&cpus);
}
END_TEST

static void check_without_time(const struct peat_event *event)
{
	as_numbered(event);
	ck_assert_uint_eq(event->time_ns, 0);
	ck_assert_uint_eq(event->pid, (uint32_t)getpid());
	ck_assert_uint_eq(event->tid, (uint32_t)getpid());
}

START_TEST(test_without_time)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.no_time = true;
	open_staged(&opts);
	open_channel_reader(100, 0);
	emit_numbered(1000);
	finish_whole(1000, check_without_time);
}
END_TEST

static void check_without_ids(const struct peat_event *event)
{
	check_numbered(event);
	ck_assert_uint_eq(event->pid, 0);
	ck_assert_uint_eq(event->tid, 0);
	ck_assert_uint_gt(event->time_ns, 0);
	ck_assert_uint_le(event->time_ns, now_ns());
}

START_TEST(test_without_ids)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.no_ids = true;
	open_staged(&opts);
	open_channel_reader(100, 0);
	emit_numbered(1000);
	finish_whole(1000, check_without_ids);
}
END_TEST

/* Each event is a frame of its own and wakes the reader. */
START_TEST(test_batch_of_one)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct peat_ledger ledger;

	opts.unstaged = true;
	open_staged(&opts);
	open_channel_reader(0, 0);
	ck_assert_str_eq(messages, "");
	ck_assert_int_eq(peat_reader__wait(reader, 0), 1);
	drain(NULL);
	for (uint32_t i = 1; i <= 100; i++) {
		emit_numbered(1);
		ledger = ledger_now();
		ck_assert_uint_eq(ledger.staged, 0);
		ck_assert_uint_eq(ledger.in_ring, 1);
		ck_assert_uint_eq(ledger.frames, i);
		ck_assert_int_eq(peat_reader__wait(reader, 0), 1);
		ck_assert_uint_eq(drain(check_numbered), 1);
	}
	finish_whole(100, NULL);
}
END_TEST

/* A batch as large as a slot: it is written when the slot is full. */
START_TEST(test_batch_of_a_slot)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	uint64_t a_frame = (8192 - PEAT_SLOT_HEAD_BYTES) / (16 + sizeof(struct numbered));

	opts.slot_bytes = 8192;
	opts.batch_bytes = 8192 - PEAT_SLOT_HEAD_BYTES;
	open_staged(&opts);
	open_channel_reader(100, 0);
	emit_numbered(10 * (uint32_t)a_frame);
	finish_whole(10 * a_frame, check_numbered);
	ck_assert_uint_le(ledger_now().frames, 10);
	ck_assert_uint_ge(ledger_now().frames, 9);
}
END_TEST

/* ---- bad arguments --------------------------------------------------------------------------- */

static void check_refused(struct peat_channel_opts opts, const char *word)
{
	messages[0] = '\0';
	ck_assert_ptr_null(peat_channel__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, word), "'%s' does not say '%s'", messages, word);
}

START_TEST(test_bad_options_are_logged)
{
	struct peat_channel_opts good = PEAT_CHANNEL_OPTS_INIT, opts;

	peat_set_print(keep_messages);
	opts = good;
	opts.slot_bytes = 4032;
	check_refused(opts, "slot_bytes");
	opts.slot_bytes = 8200;
	check_refused(opts, "slot_bytes");
	opts.slot_bytes = 65472;
	check_refused(opts, "slot_bytes");
	opts = good;
	opts.batch_bytes = 65408;
	check_refused(opts, "batch_bytes");
	opts = good;
	opts.batch_bytes = 1;
	opts.unstaged = true;
	check_refused(opts, "unstaged");
	opts = good;
	opts.reserved[3] = 1;
	check_refused(opts, "reserved");
}
END_TEST

START_TEST(test_wrong_use_is_logged)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct bpf_object *plain;

	open_channel(NULL);
	ck_assert_ptr_null(peat_reader__new(channel, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, "bind"), "%s", messages);

	plain = keep_object(object__open(&burst_object));
	ck_assert_int_eq(peat_channel__bind(channel, plain), -EINVAL);
	ck_assert_msg(strstr(messages, "burst") && strstr(messages, "peat.bpf.h"), "%s", messages);

	object = add_object(&staged_object);
	ck_assert_int_eq(peat_channel__bind(channel, object), -EINVAL);
	ck_assert_msg(strstr(messages, "loaded already"), "%s", messages);

	open_channel_reader(100, 0);
	ck_assert_int_eq(peat_reader__ledger(reader, possible_cpus(), &ledger), -EINVAL);
	ck_assert_ptr_null(peat_reader__new(channel, NULL));
	ck_assert_int_eq(errno, EBUSY);
	ck_assert_msg(strstr(messages, "has a reader already"), "%s", messages);
	close_reader();
	open_channel_reader(100, 0);
	close_reader();

	object__load(plain);
	reader = peat_reader__new_raw(object__map_fd(plain, "events"), NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(peat_reader__ledger(reader, 0, &ledger), -ENOTSUP);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

/* As before Linux 5.5, which has no maps with BPF_F_MMAPABLE. */
START_TEST(test_kernel_without_mapped_arrays)
{
	open_channel(NULL);
	object = keep_object(object__open(&staged_object));
	if (!refuse__bpf(BPF_MAP_CREATE))
		skip("no seccomp filters here");
	ck_assert_int_eq(peat_channel__bind(channel, object), -EOPNOTSUPP);
	ck_assert_msg(strstr(messages, "Linux 5.5"), "%s", messages);
}
END_TEST

/* An object that a session refuses leaves no trace in it. */
START_TEST(test_session_works_after_refused_objects)
{
	struct peat_session *session = peat_session__new(NULL);
	const struct object_file *staged = object__twin(&staged_object);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "sleeper", sleeper_object.bytes, *sleeper_object.count),
		-EINVAL);
	ck_assert_ptr_null(peat_session__type(session, 0));
	ck_assert_int_eq(peat_session__add(session, "staged", staged->bytes, *staged->count), 0);
	ck_assert_ptr_nonnull(peat_session__type(session, 0));
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	peat_session__free(session);
}
END_TEST

static Suite *channel_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("channel", 120, &tests);

	tcase_add_checked_fixture(tests, setup, close_all);
	tcase_add_test(tests, test_every_size);
	tcase_add_test(tests, test_small_sizes);
	tcase_add_test(tests, test_ledger_after_every_event);
	tcase_add_test(tests, test_large_sizes);
	tcase_add_test(tests, test_smallest_ring_holds_a_frame);
	tcase_add_test(tests, test_every_event_once_while_programs_run);
	tcase_add_test(tests, test_staged_event_is_collected);
	tcase_add_test(tests, test_stream_stays_in_order);
	tcase_add_test(tests, test_too_large_events_are_counted);
	tcase_add_test(tests, test_submit_less_than_reserved);
	tcase_add_test(tests, test_object_with_too_large_events_is_refused);
	tcase_add_test(tests, test_sleepable_program_is_refused);
	tcase_add_test(tests, test_two_objects);
	tcase_add_test(tests, test_open_memory);
	tcase_add_test(tests, test_open_file);
	tcase_add_test(tests, test_open_skeleton);
	tcase_add_test(tests, test_open_no_object);
	tcase_add_test(tests, test_open_without_btf);
	tcase_add_test(tests, test_open_unbindable);
	tcase_add_test(tests, test_kernel_without_mapped_arrays);
	tcase_add_test(tests, test_rate_is_limited);
	tcase_add_test(tests, test_without_time);
	tcase_add_test(tests, test_without_ids);
	tcase_add_test(tests, test_batch_of_one);
	tcase_add_test(tests, test_batch_of_a_slot);
	tcase_add_test(tests, test_bad_options_are_logged);
	tcase_add_test(tests, test_wrong_use_is_logged);
	tcase_add_test(tests, test_session_works_after_refused_objects);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { channel_suite };

	return harness__main(argc, argv, suites, 1);
}
