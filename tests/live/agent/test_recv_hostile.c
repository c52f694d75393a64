// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_recv_hostile.c: peat recv of streams that anybody may write: hosts that claim another's
 * name, types that contradict each other, bombs, lengths that lie, and a million hosts.
 */
#include "support/machine/harness.h"

#ifdef HAVE_NATS

#include <sys/resource.h>
#include <sys/stat.h>

#include "piece/head.h"
#include "recv_run.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Publishes the bytes, and frees them. */
static void publish_bytes(const char *subject, struct strbuf *bytes)
{
	ck_assert(!bytes->failed);
	nats_server__publish(&server, subject, bytes->bytes, bytes->count);
	strbuf__free(bytes);
}

/* Events of the host, at the subject of another. */
static void publish_as(const char *subject, const char *host, uint64_t first, unsigned events)
{
	struct strbuf piece = encoded_numbers(host, first, events);

	publish_bytes(subject, &piece);
}

/* Appends the piece as one of another host and number, with the right checksums. */
static void put_as(struct strbuf *out, const struct strbuf *piece, const char *host, uint64_t first)
{
	const size_t start = out->count;
	struct piece_head head;

	ck_assert_int_eq(head__read(piece->bytes, piece->count, &head), 1);
	head.info.host = host;
	head.info.first = head.info.number = first;
	head__put(&head, out);
	strbuf__bytes(out, piece->bytes + head.bytes, piece->count - head.bytes);
	ck_assert_int_eq(head__seal(out, start), 0);
}

static void check_error(const char *text)
{
	ck_assert_msg(strstr(receiver.err_text, text), "no '%s' in: %s", text, receiver.err_text);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void publish_names(void)
{
	struct strbuf both = encoded_numbers("web1", 11, 2), claimed = encoded_numbers("db1", 1, 5);

	publish("web1", 1, 10);
	publish_as("peat.web1.test", "web2", 1, 10);
	publish_as("peat.web1.exec", "web1", 1, 10); /* the source is "test" */
	strbuf__bytes(&both, claimed.bytes, claimed.count);
	strbuf__free(&claimed);
	publish_bytes("peat.web1.test", &both);
}

START_TEST(test_claimed_names_are_refused)
{
	const char *file = scratch__path("raw.perf");
	struct stat status;

	need_stream();
	publish_names();
	RECV(1, "-j", "--all", "--end");
	check_error("message 2 of the stream: a batch is refused: it is of host web2 and source "
		    "test, and its subject is peat.web1.test");
	check_error("refused: 3");
	for (unsigned i = 1; i <= 12; i++)
		expect_event("web1", i);
	expect_end();
	RECV(1, "--count", "numbered");
	check_error("3 batches refused");
	ck_assert_str_eq(receiver.out_text, "HOST  COUNT\nweb1     12\n");
	RECV(1, "-o", file, "--end", "--host", "web2");
	ck_assert_int_eq(stat(file, &status), 0);
	ck_assert_int_eq(status.st_size, 0);
	RECV(0, "-j", "--end"); /* acknowledged */
	expect_end();
	finish();
}
END_TEST

START_TEST(test_audit_counts_claimed_names)
{
	need_stream();
	publish_names();
	RECV(1, "--audit");
	ck_assert_ptr_nonnull(strstr(receiver.out_text, "web1 test, run of "));
	ck_assert_ptr_nonnull(strstr(receiver.out_text, ": 12 events arrived, in 2 pieces"));
	ck_assert_ptr_nonnull(strstr(
		receiver.out_text, "3 pieces refused: their subject is of another host or source"));
	ck_assert_ptr_null(strstr(receiver.out_text, "web2"));
	RECV(1, "--audit", "-j");
	ck_assert_ptr_nonnull(
		strstr(receiver.out_text, "\n{\"pieces_refused\":3,\"pieces_left_out\":0}\n"));
	finish();
}
END_TEST

START_TEST(test_subjects_by_another_pattern)
{
	need_stream();
	publish_as("peat.fleet.web1", "web1", 1, 10);
	RECV(1, "-j", "--all", "--end");
	expect_end();
	check_error("name theirs");
	RECV(0, "-j", "--all", "--end", "--subject", "peat.fleet.%h");
	ck_assert_uint_eq(count_lines(), 10);
	RECV(0, "-j", "--all", "--end", "--subject", "");
	ck_assert_uint_eq(count_lines(), 10);
	RECV(64, "--subject", "peat..%h");
	check_error("a part between dots is empty");
	finish();
}
END_TEST

/* ---- types ----------------------------------------------------------------------------------- */

/* The fields of file_run_event in the other order, and a text in the place of its number. */
struct turned_event {
	char text[56];
	uint64_t number;
};

static void publish_typed(const char *host, uint64_t first, enum peat_field_kind kind)
{
	struct turned_event turned = { "turned", kind == PEAT_FIELD_STRING ? 0x41 : first };
	struct peat_field fields[] = {
		{ .name = "text", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 56 },
		{ .name = "number", .kind = kind, .span = 1, .offset = 56, .bytes = 8 },
	};
	const struct peat_schema schema = { .name = "numbered",
					    .fields = fields,
					    .count = 2,
					    .bytes = sizeof(turned),
					    .stacks_fd = -1 };
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "test",
					      .wall_clock_ns = 1700000000000000000 };
	const struct peat_event event = { .kind = PEAT_EVENT_DATA,
					  .time_ns = 4684104235064 + first * 1001,
					  .data = &turned,
					  .size = sizeof(turned),
					  .schema = &schema };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	publish_batch(host, batch, first);
	peat_batch__unref(batch);
}

START_TEST(test_types_that_contradict_are_apart)
{
	need_stream();
	publish("web1", 7, 1);
	publish_typed("web2", 7, PEAT_FIELD_UNSIGNED);
	publish_typed("web1", 8, PEAT_FIELD_UNSIGNED); /* a later message of the same host */
	publish("web1", 9, 1);
	publish_typed("web1", 10, PEAT_FIELD_STRING);
	RECV(0, "-j", "--all", "--end");
	expect_event("web1", 7);
	expect_event("web2", 7);
	expect_event("web1", 8);
	expect_event("web1", 9);
	ck_assert_str_eq(json_event__text(next_line(), "number"), "A");
	expect_end();
	RECV(0, "--count", "numbered", "--by", "number", "--sort", "number");
	check_error("is of another kind");
	check_error("1 events not counted: their types contradict others");
	ck_assert_str_eq(receiver.out_text, "NUMBER  COUNT\n"
					    "     7      2\n"
					    "     8      1\n"
					    "     9      1\n");
	receive(0, ARGV(command__peat(), "replay", "-j", "--unordered", NATS_SERVER_URL));
	ck_assert_uint_eq(count_lines(), 5);
	ck_assert_ptr_null(strstr(receiver.out_text, "\"number\":65"));
	finish();
}
END_TEST

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The most memory that a program which has ended had, in MiB. */
static long peak_memory(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
	return usage.ru_maxrss >> 10;
}

/* Sanitizers need memory of their own. */
static void check_memory(long most)
{
#ifdef __SANITIZE_ADDRESS__
	most *= 6;
#endif
	ck_assert_msg(peak_memory() < most, "%ld MiB", peak_memory());
}

/* Some kilobytes, 200 MiB when they are decompressed. */
static struct strbuf encode_bomb(void)
{
	static char zeroes[60000];
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "test",
					      .bytes = UINT64_MAX };
	const struct peat_event event = { .kind = PEAT_EVENT_DATA,
					  .time_ns = 1,
					  .data = zeroes,
					  .size = sizeof(zeroes),
					  .schema = &file_run_schema };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct strbuf piece;

	for (unsigned i = 0; i < (200u << 20) / sizeof(zeroes); i++)
		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	piece = encoded_piece("web2", batch, 1);
	ck_assert_uint_lt(piece.count, 1000000);
	peat_batch__unref(batch);
	return piece;
}

START_TEST(test_bombs_are_refused)
{
	struct strbuf bomb;

	need_stream();
	bomb = encode_bomb();
	publish_bytes("peat.web2.test", &bomb);
	publish("web1", 1, 10);
	RECV(1, "-j", "--end");
	check_error("message 1 of the stream is too large");
	for (unsigned i = 1; i <= 10; i++)
		expect_event("web1", i);
	expect_end();
	check_memory(300);
	RECV(1, "--count", "*");
	check_error("message 1 of the stream is too large");
	ck_assert_str_eq(receiver.out_text, "HOST  COUNT\nweb1     10\n");
	finish();
}
END_TEST

/* Damage with right checksums: lengths, counts, kinds and offsets lie. */
START_TEST(test_lengths_that_lie)
{
	struct strbuf good, bad = { 0 };
	struct piece_head head;
	unsigned found = 0;
	const char *line;

	need_stream();
	good = encoded_numbers("evil", 1, 5);
	ck_assert_int_eq(head__read(good.bytes, good.count, &head), 1);
	srand(39);
	for (unsigned i = 0; i < 500; i++) {
		put_as(&bad, &good, "evil", 1 + 5 * i);
		for (unsigned n = 0; n <= i % 3; n++)
			bad.bytes[head.bytes + (size_t)rand() % (good.count - head.bytes)] =
				(char)rand();
		ck_assert_int_eq(head__seal(&bad, 0), 0);
		publish_bytes("peat.evil.test", &bad);
	}
	strbuf__free(&good);
	publish("web1", 1, 10);
	RECV(1, "-j", "--end");
	while ((line = next_line()))
		found += !strncmp(line, "{\"host\":\"web1\"", 14);
	ck_assert_uint_eq(found, 10);
	check_error("further messages that are refused or damaged are counted only");
	check_memory(300);
	finish();
}
END_TEST

/* ---- a million ------------------------------------------------------------------------------- */

#define HOSTS	   150000
#define IN_MESSAGE 1000

/* Messages with pieces of hosts with these numbers. */
static void publish_hosts(unsigned first, unsigned end)
{
	struct strbuf piece = encoded_numbers("x", 1, 1), message = { 0 };
	char host[32];

	for (unsigned i = first; i < end; i++) {
		snprintf(host, sizeof(host), "host%u", i);
		put_as(&message, &piece, host, 1);
		if (i % IN_MESSAGE == IN_MESSAGE - 1 || i + 1 == end || message.count > 900000)
			publish_bytes("peat.all", &message);
	}
	strbuf__free(&piece);
}

START_TEST(test_many_hosts_are_bounded)
{
	need_stream();
	publish_hosts(0, HOSTS);
	RECV(1, "--audit", "-j", "--subject", "peat.all");
	check_error("more hosts, runs of agents or gaps than can be kept");
	ck_assert_ptr_nonnull(
		strstr(receiver.out_text, "{\"pieces_refused\":0,\"pieces_left_out\":"));
	check_memory(500);
#ifndef __SANITIZE_ADDRESS__ /* two minutes */
	RECV(0, "-j", "--count", "numbered", "--subject", "peat.all", "-r", "1");
	check_error("too many keys: the row \"others\" has the rest");
	ck_assert_ptr_nonnull(strstr(receiver.out_text, "\"events\":150000,\"rows\":[{"));
	check_memory(500);
#endif
	finish();
}
END_TEST

START_TEST(test_many_hosts_in_a_directory)
{
	const char *directory = scratch__path("hosts");
	struct command others;

	need_stream();
	publish_hosts(0, 6000);
	ck_assert_int_eq(mkdir(directory, 0755), 0);
	command__run(&receiver, ALL_CAPS,
		     ARGV("sh", "-c",
			  "ulimit -n 200; exec \"$0\" --all --end --subject peat.all -o \"$1\"",
			  program(), directory));
	check_ended(0);
	check_error("more than 100 hosts: the batches of further hosts are in a file others");
	command__run(&others, ALL_CAPS,
		     ARGV("sh", "-c", "ls \"$0\" | wc -l; cat \"$0\"/* | \"$1\" count -j -",
			  directory, command__peat()));
	ck_assert_msg(!strncmp(others.out_text, "101\n", 4), "%s", others.out_text);
	ck_assert_msg(strstr(others.out_text, "\"rows\":[{\"count\":6000}]"), "%s",
		      others.out_text);
	command__free(&others);
	finish();
}
END_TEST

static Suite *recv_hostile_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_hostile", 300, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_claimed_names_are_refused);
	tcase_add_test(tests, test_audit_counts_claimed_names);
	tcase_add_test(tests, test_subjects_by_another_pattern);
	tcase_add_test(tests, test_types_that_contradict_are_apart);
	tcase_add_test(tests, test_bombs_are_refused);
	tcase_add_test(tests, test_lengths_that_lie);
	tcase_add_test(tests, test_many_hosts_are_bounded);
	tcase_add_test(tests, test_many_hosts_in_a_directory);
	return suite;
}

#else

START_TEST(test_claimed_names_are_refused)
{
	skip("built without libnats");
}
END_TEST

static Suite *recv_hostile_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_hostile", 60, &tests);

	tcase_add_loop_test(tests, test_claimed_names_are_refused, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recv_hostile_suite };

	return harness__main(argc, argv, suites, 1);
}
