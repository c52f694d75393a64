// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_where.c: programs reject the events that do not match an expression. */
#include <sys/prctl.h>
#include <bpf/btf.h>

#include <peat/where.h>

#include "channel/channel.h"
#include "channel/stage.h"
#include "live/bpf/select.bpf.h"
#include "object/kernel_atomics.h"
#include "support/load/channel_load.h"
#include "support/machine/amount.h"
#include "support/where/where_random.h"

EMBED_OBJECT(select)

static struct peat_where *where;

/* ---- setting up ------------------------------------------------------------------------------ */

static struct bpf_object *begin_with(const char *text, struct peat_channel_opts opts)
{
	struct bpf_object *object;

	pin_to(0);
	peat_set_print(keep_messages);
	where = peat_where__parse(text);
	ck_assert_msg(where, "%s", messages);
	opts.where = where;
	open_channel(&opts);
	object = add_object(&select_object);
	open_channel_reader(50, 0);
	return object;
}

static struct bpf_object *begin(const char *text)
{
	return begin_with(text, (struct peat_channel_opts)PEAT_CHANNEL_OPTS_INIT);
}

static void end(void)
{
	close_all();
	peat_where__free(where);
}

static uint64_t keys_seen; /* a bit per key of a struct keyed */

static void note_key(const struct peat_event *event)
{
	const struct keyed *keyed = event->data;

	if (event->size == sizeof(*keyed))
		keys_seen |= 1ULL << (keyed->key & 63);
}

/* Calls a program with the keys 0 to 9: which of them pass, and how many were `transported`. */
static void check_keys(const char *text, uint64_t expected, uint64_t transported)
{
	struct bpf_object *object = begin(text);
	struct peat_ledger ledger;

	keys_seen = 0;
	for (uint64_t key = 0; key < 10; key++)
		call(object, "key_and_number", key, key * key);
	ledger = finish(note_key);
	ck_assert_msg(keys_seen == expected, "%s: %#llx", text, (unsigned long long)keys_seen);
	ck_assert_uint_eq(ledger.emitted, 10);
	ck_assert_uint_eq(ledger.delivered, (uint64_t)__builtin_popcountll(expected));
	ck_assert_uint_eq(ledger.filtered, 10 - ledger.delivered);
	ck_assert_uint_eq(stats_now().filtered, ledger.filtered);
	ck_assert_msg(count_transported(object) == transported, "%s: %llu were transported", text,
		      (unsigned long long)count_transported(object));
	end();
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_matches_expressions)
{
	check_keys("key == 3", 1 << 3, 1);
	check_keys("key > 3 && key <= 5", 3 << 4, 2);
	check_keys("key in (1, 7, 42) || number == 16", 1 << 1 | 1 << 7 | 1 << 4, 3);
	check_keys("!(key & 1)", 0x155, 5);
	check_keys("number >= 25", 0x3e0, 5);
	check_keys("key == 3000", 0, 0);
	check_keys("key != 3000", 0x3ff, 10);
}
END_TEST

/* What a program cannot decide, the reader does: the same events pass, the same are filtered. */
START_TEST(test_parts_for_the_reader)
{
	check_keys("name ~ \"*x\" || key == 3", 1 << 3, 10);
	check_keys("time > 0 && key < 2", 3, 2);
	check_keys("!(time > 0 && key < 2)", 0x3fc, 10);
}
END_TEST

START_TEST(test_operands_of_all_events)
{
	char text[128];

	ck_assert_int_eq(prctl(PR_SET_NAME, "where-test"), 0);
	snprintf(text, sizeof(text), "pid == %d && cpu == 0 && size == %zu && key == 2", getpid(),
		 sizeof(struct keyed));
	check_keys(text, 1 << 2, 1);
	snprintf(text, sizeof(text), "tid != %d || key == 1", gettid());
	check_keys(text, 1 << 1, 1);
	check_keys("cpu > 0", 0, 0);
}
END_TEST

/* The clock is read last: the events have times all the same, in order. */
static uint64_t last_ns;

static void check_time(const struct peat_event *event)
{
	ck_assert_uint_gt(event->time_ns, last_ns);
	ck_assert_uint_le(event->time_ns, now_ns());
	last_ns = event->time_ns;
	note_key(event);
}

START_TEST(test_times_are_in_order)
{
	struct bpf_object *object = begin("key & 1");
	uint64_t begun_ns = now_ns();

	last_ns = begun_ns;
	for (uint64_t key = 0; key < 1000; key++)
		call(object, "key_and_number", key, 0);
	ck_assert_uint_eq(drain_all(check_time), 500);
	end();
}
END_TEST

/* An event that comes 4.3 seconds after those in its slot begins a frame of its own. */
START_TEST(test_old_events_in_the_slot)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *object = begin_with("key < 64", opts);
	struct peat_slot *slot;
	size_t slot_bytes;

	keys_seen = 0;
	call(object, "key_and_number", 1, 0);
	call(object, "key_and_number", 2, 0);
	slot = (void *)map_stage(object, &slot_bytes);
	ck_assert_uint_eq(slot->count, 2);
	slot->time_ns -= 5000000000;
	last_ns = slot->time_ns - 1;
	call(object, "key_and_number", 3, 0);
	ck_assert_uint_eq(slot->count, 1);
	call(object, "key_and_number", 4, 0);
	finish_whole(4, check_time);
	ck_assert_uint_eq(keys_seen, 0x1e);
	ck_assert_uint_ge(now_ns() - last_ns, 0);
	ck_assert_uint_lt(now_ns() - last_ns, 4000000000);
	munmap(slot, slot_bytes * possible_cpus() * PEAT_SLOTS);
	end();
}
END_TEST

/* The sum of the slots' progress. */
static uint64_t progress_of_slots(void)
{
	uint32_t slots = possible_cpus() * PEAT_SLOTS;
	struct peat_slot copy;
	struct stage stage;
	uint64_t progress = 0;

	ck_assert_int_eq(stage__map(&stage, channel->stage_fd, slots, channel->slot_bytes), 0);
	for (uint32_t index = 0; index < slots; index++) {
		stage__read(&stage, index, &copy);
		progress += stage__progress(&copy);
	}
	stage__unmap(&stage);
	return progress;
}

/*
 * Only events that match count against the limit.  Each event is progress of its slot: a slot that
 * makes none is reclaimed.
 */
START_TEST(test_rate_limit)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *object;
	struct peat_ledger ledger;

	opts.max_rate = 5;
	object = begin_with("key == 7", opts);
	for (int i = 0; i < 100; i++)
		call(object, "key_and_number", 1, 0);
	for (int i = 0; i < 20; i++)
		call(object, "key_and_number", 7, 0);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.filtered, 100);
	ck_assert_uint_ge(ledger.delivered, 5); /* a second may have ended */
	ck_assert_uint_eq(ledger.lost_throttled, 20 - ledger.delivered);
	ck_assert_uint_eq(progress_of_slots(), 120);
	end();
}
END_TEST

/* An event that ends before a field does not match, whoever tests it. */
START_TEST(test_short_events)
{
	struct bpf_object *object = begin("u32 == 0");
	struct peat_ledger ledger;

	call(object, "select_one", sizeof(struct selected), 0);
	call(object, "select_one", offsetof(struct selected, u32) + 4, 0);
	call(object, "select_one", offsetof(struct selected, u32) + 3, 0);
	call(object, "select_one", 0, 0);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.delivered, 2);
	ck_assert_uint_eq(ledger.filtered, 2);
	end();
}
END_TEST

/* Events that end with a text, up to its NUL: the programs decide. */
static void check_last_text(const char *text, uint64_t matching)
{
	static const char *const texts[] = { "/etc/passwd", "/etc/passwd-", "/etc", "/tmp/x", "" };
	struct bpf_object *object = begin(text);
	struct selected *next = object__variable(object, "select_next", sizeof(*next));
	struct peat_ledger ledger;

	for (size_t i = 0; i < 5; i++) {
		memset(next->last, 'x', sizeof(next->last));
		snprintf(next->last, sizeof(next->last), "%s", texts[i]);
		call(object, "select_one", offsetof(struct selected, last) + strlen(texts[i]) + 1,
		     0);
	}
	ledger = finish(NULL);
	ck_assert_msg(ledger.delivered == matching, "%s: %llu", text,
		      (unsigned long long)ledger.delivered);
	ck_assert_uint_eq(ledger.filtered, 5 - matching);
	ck_assert_uint_eq(count_transported(object), matching);
	end();
}

START_TEST(test_last_text)
{
	check_last_text("last == \"/etc/passwd\"", 1);
	check_last_text("last != \"/etc/passwd\"", 4);
	check_last_text("last ~ \"/etc*\"", 3);
	check_last_text("last ~ \"/etc/*\" && last !~ \"/etc/passwd-*\"", 1);
	check_last_text("last in (\"/tmp/x\", \"/etc\")", 2);
	check_last_text("last", 4);
	check_last_text("!last", 1);
}
END_TEST

/* Events of a type that lacks a field do not match; a test of TYPE.FIELD is false for others. */
START_TEST(test_types_without_the_field)
{
	struct bpf_object *object = begin("key == 1");
	struct peat_ledger ledger;

	call(object, "key_and_number", 1, 0);
	call(object, "other_one", 1, 0);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.delivered, 1);
	end();
	object = begin("keyed.key == 1 || other.unrelated == 5");
	call(object, "key_and_number", 1, 0);
	call(object, "key_and_number", 5, 0);
	call(object, "other_one", 1, 0);
	call(object, "other_one", 5, 0);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.delivered, 2);
	ck_assert_uint_eq(ledger.filtered, 2);
	end();
}
END_TEST

/* ---- sleeping -------------------------------------------------------------------------------- */

/* The first slot of CPU 0, where the test runs. */
static uint32_t read_lock(const struct bpf_object *object)
{
	size_t slot_bytes;
	unsigned char *memory = map_stage(object, &slot_bytes);
	uint32_t lock = *(volatile uint32_t *)(void *)memory;

	munmap(memory, slot_bytes * possible_cpus() * PEAT_SLOTS);
	return lock;
}

static void fall_asleep(const struct bpf_object *object)
{
	uint64_t deadline_ns = now_ns() + 20000000000;

	while (read_lock(object) != PEAT_LOCK_ARMED && now_ns() < deadline_ns)
		if (peat_reader__wait(reader, 100) > 0)
			drain(note_key);
	ck_assert_uint_eq(read_lock(object), PEAT_LOCK_ARMED);
}

/* Events that programs reject do not wake the reader; the first that passes does. */
START_TEST(test_sleeping_reader)
{
	struct bpf_object *object = begin("key == 7");
	uint64_t rounds;

	keys_seen = 0;
	if (kernel_atomics__are_missing()) { /* it does not sleep */
		end();
		return;
	}
	fall_asleep(object);
	rounds = stats_now().rounds;
	for (int i = 0; i < 100; i++)
		call(object, "key_and_number", 1, 0);
	ck_assert_int_eq(peat_reader__wait(reader, 300), 0);
	ck_assert_uint_eq(stats_now().rounds, rounds);
	ck_assert_uint_eq(read_lock(object), PEAT_LOCK_ARMED);
	call(object, "key_and_number", 7, 0);
	ck_assert_uint_eq(read_lock(object), 0);
	ck_assert_uint_eq(await(1, note_key), 1);
	ck_assert_uint_eq(keys_seen, 1 << 7);
	fall_asleep(object);
	call(object, "select_one", sizeof(struct selected) + 1, 0); /* lost: too big */
	ck_assert_uint_eq(read_lock(object), 0);
	end();
}
END_TEST

/* ---- random expressions ---------------------------------------------------------------------- */

#define RANDOM_EVENTS 20

/* Events that are expected, in order. */
static struct {
	unsigned char bytes[sizeof(struct selected)];
	uint32_t size;
} expected[RANDOM_EVENTS];
static uint32_t expected_count, returned;
static const char *expression;

static void check_expected(const struct peat_event *event)
{
	ck_assert_msg(returned < expected_count, "%s: too many pass", expression);
	ck_assert_uint_eq(event->size, expected[returned].size);
	ck_assert_msg(!memcmp(event->data, expected[returned].bytes, event->size),
		      "%s: another event passes", expression);
	returned++;
}

static struct bpf_object *load_alone(const char *program)
{
	struct bpf_object *object = bind_object(&select_object);
	struct bpf_program *other;

	bpf_object__for_each_program(other, object)
		bpf_program__set_autoload(other, !strcmp(bpf_program__name(other), program));
	object__load(object);
	return object;
}

/* Emits an event of this expression, and keeps it if it matches. */
static void emit_random(struct where_random *random, const struct bpf_object *object,
			const struct peat_schema *schema)
{
	static uint64_t memory[sizeof(struct selected) / 8 + 2];
	struct peat_event event = { .schema = schema, .data = memory };
	void *next = object__variable((struct bpf_object *)object, "select_next",
				      sizeof(struct selected));

	event.size = where_random__event(random, memory);
	if (event.size > sizeof(struct selected))
		event.size = sizeof(struct selected);
	event.pid = (uint32_t)getpid();
	event.tid = (uint32_t)gettid();
	event.time_ns = now_ns();
	memcpy(next, memory, sizeof(struct selected));
	call((struct bpf_object *)object, "select_one", event.size, 0);
	if (!where_random__matches(random, &event))
		return;
	memcpy(expected[expected_count].bytes, memory, event.size);
	expected[expected_count++].size = event.size;
}

static uint64_t check_random(struct where_random *random)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	const struct peat_schema *schema;
	struct bpf_object *object;
	struct peat_ledger ledger;
	int id;

	where = peat_where__parse(expression);
	ck_assert_msg(where, "%s: %s", expression, messages);
	opts.where = where;
	open_channel(&opts);
	object = load_alone("select_one");
	open_channel_reader(50, 0);
	id = btf__find_by_name_kind(bpf_object__btf(object), "selected", BTF_KIND_STRUCT);
	schema = peat_channel__schema(channel, (uint32_t)id);
	expected_count = returned = 0;
	for (int i = 0; i < RANDOM_EVENTS; i++)
		emit_random(random, object, schema);
	ledger = finish(check_expected);
	ck_assert_msg(returned == expected_count, "%s: %u of %u pass", expression, returned,
		      expected_count);
	ck_assert_uint_eq(ledger.filtered, RANDOM_EVENTS - expected_count);
	end();
	return expected_count;
}

static struct peat_schema *selected_schema(void)
{
	struct bpf_object *object = object__open(&select_object);
	const struct btf *btf = bpf_object__btf(object);
	int id = btf__find_by_name_kind(btf, "selected", BTF_KIND_STRUCT);
	struct peat_schema *schema = peat_schema__new(btf, (uint32_t)id);

	ck_assert_ptr_nonnull(schema);
	bpf_object__close(object);
	return schema;
}

/* Programs, the reader behind them, and the slow evaluator agree. */
START_TEST(test_random_expressions)
{
	struct peat_schema *schema = selected_schema();
	struct where_random *random = where_random__new(schema, (uint64_t)_i + 1);
	uint64_t rounds = amount__of("PEAT_TEST_ROUNDS", 20) * 5, passed = 0;

	pin_to(0);
	if (_i)
		where_random__for_programs(random);
	for (uint64_t i = 0; i < rounds; i++) {
		do
			expression = where_random__next(random);
		while (strstr(expression, "time")); /* the program's, not known here */
		passed += check_random(random);
	}
	ck_assert_uint_gt(passed, 0);
	ck_assert_uint_lt(passed, rounds * RANDOM_EVENTS);
	where_random__free(random);
	peat_schema__free(schema);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *where_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("where", 60, &tests);

	tcase_add_test(tests, test_matches_expressions);
	tcase_add_test(tests, test_parts_for_the_reader);
	tcase_add_test(tests, test_operands_of_all_events);
	tcase_add_test(tests, test_times_are_in_order);
	tcase_add_test(tests, test_old_events_in_the_slot);
	tcase_add_test(tests, test_rate_limit);
	tcase_add_test(tests, test_short_events);
	tcase_add_test(tests, test_last_text);
	tcase_add_test(tests, test_types_without_the_field);
	tcase_add_test(tests, test_sleeping_reader);
	tcase_add_loop_test(tests, test_random_expressions, 0, 2);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { where_suite };

	return harness__main(argc, argv, suites, 1);
}
