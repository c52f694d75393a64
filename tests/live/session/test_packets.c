// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_packets.c: programs of tc and XDP on interfaces, and the packets in their events. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include <peat/peat.h>

#include "session/attach/clsact.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(payload)
EMBED_OBJECT(appended)
EMBED_OBJECT(followed)
EMBED_OBJECT(old_sections)

#define LO	   1	/* index of the loopback interface, in every namespace */
#define ETHERNET   14	/* length of its header, which packets of the loopback have too */
#define SNAP_MAX   2048 /* maximum length that the probe captures */
#define BYTES_MAX  3000
#define SIZES	   8
#define PEAT	   command__peat()
#define FILE_PATHS 64

static const size_t sizes[SIZES] = { 0, 1, 7, 8, 63, 512, 1472, BYTES_MAX };

static unsigned char bytes[BYTES_MAX];

/* Room for the headers of a packet, and all bytes that a test sends, as hexadecimal digits. */
static char hex[2 * (BYTES_MAX + 100) + 1];

static bool has_clsact;

static void setup(void)
{
	int err;

	netns__enter();
	process__pin();
	for (size_t i = 0; i < BYTES_MAX; i++)
		bytes[i] = (unsigned char)(i * 31 + 7);
	err = clsact__add(LO);
	ck_assert_msg(err == 1 || err == -ENOENT, "clsact: %s", strerror(-err));
	has_clsact = err == 1;
	clsact__remove(LO);
}

#define need_clsact()                                                                              \
	do {                                                                                       \
		if (!has_clsact)                                                                   \
			skip("this kernel has no clsact");                                         \
	} while (0)

/* Checks that nothing is attached: a clsact with filters would still be there. */
static void check_clean(void)
{
	uint32_t xdp_id = 1;

	ck_assert_int_eq(clsact__add(LO), 1);
	clsact__remove(LO);
	ck_assert_int_eq(bpf_xdp_query_id(LO, 0, &xdp_id), 0);
	ck_assert_uint_eq(xdp_id, 0);
}

static const char *hex_of(const unsigned char *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sprintf(hex + 2 * i, "%02x", from[i]);
	hex[2 * count] = '\0';
	return hex;
}

static const char *option(const char *format, unsigned number)
{
	static char text[4][128];
	static unsigned next;
	char *chosen = text[next++ % 4];

	snprintf(chosen, sizeof(text[0]), format, number);
	return chosen;
}

static const char *file_of(const struct object_file *object)
{
	static char path[FILE_PATHS];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-%s-%d.bpf.o", object->name, (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(object->bytes, *object->count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

/* ---- the probe ------------------------------------------------------------------------------- */

static void send_all_sizes(const struct netns_pair *pair)
{
	for (size_t i = 0; i < SIZES; i++)
		netns__send(pair, bytes, sizes[i]);
}

static void check_data(const char *event, size_t headers, size_t size)
{
	size_t length = headers + size, shown = length < SNAP_MAX ? length : SNAP_MAX;
	const char *data = json_lines__text(event, "data");

	expect_number(event, "bytes", (long long)length);
	ck_assert_uint_eq(strlen(data), 2 * shown);
	ck_assert_str_eq(data + 2 * headers, hex_of(bytes, shown - headers));
}

/* Each datagram has two events: when it is sent and when it is received. */
static void check_datagrams(const struct tracing *tracing, const struct netns_pair *pair,
			    size_t headers, const char *address)
{
	size_t seen[2] = { 0 };

	ck_assert_uint_eq(tracing->events.count, 2 * SIZES);
	for (size_t i = 0; i < tracing->events.count; i++) {
		const char *event = tracing->events.lines[i];
		bool goes_out = !strcmp(json_lines__text(event, "direction"), "out");

		expect_text(event, "type", "packet");
		expect_text(event, "protocol", "udp");
		expect_number(event, "ifindex", LO);
		expect_number(event, "tcp_flags", 0);
		expect_text(event, "from.address", address);
		expect_text(event, "to.address", address);
		expect_number(event, "from.port", pair->from_port);
		expect_number(event, "to.port", pair->to_port);
		check_data(event, headers, sizes[seen[goes_out]++]);
	}
	ck_assert_uint_eq(seen[0], SIZES);
	ck_assert_uint_eq(seen[1], SIZES);
}

static void trace_datagrams(int family, size_t headers, const char *ethertype, const char *address)
{
	struct netns_pair pair = netns__pair(family);
	struct tracing tracing;

	tracing__start(&tracing, TRACE("packet,snap=2048", "--if", "lo"));
	send_all_sizes(&pair);
	tracing__stop(&tracing);
	check_datagrams(&tracing, &pair, headers, address);
	expect_text(tracing.events.lines[0], "ethertype", ethertype);
	tracing__free(&tracing);
	netns__close(&pair);
	check_clean();
}

START_TEST(test_traces_ipv4)
{
	need_clsact();
	trace_datagrams(AF_INET, ETHERNET + 20 + 8, "IPv4", "127.0.0.1");
}
END_TEST

START_TEST(test_traces_ipv6)
{
	need_clsact();
	trace_datagrams(AF_INET6, ETHERNET + 40 + 8, "IPv6", "::1");
}
END_TEST

/* The captured part is as long as requested. */
START_TEST(test_snap_bounds_data)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE("packet", "--if", "lo"));
	netns__send(&pair, bytes, 100);
	tracing__stop(&tracing);
	expect_member(tracing.events.lines[0], "data", "null");
	tracing__free(&tracing);
	tracing__start(&tracing, TRACE("packet,snap=45", "--if", "lo"));
	netns__send(&pair, bytes, 100);
	tracing__stop(&tracing);
	expect_number(tracing.events.lines[0], "bytes", ETHERNET + 20 + 8 + 100);
	ck_assert_str_eq(json_lines__text(tracing.events.lines[0], "data") +
				 (ptrdiff_t)(2 * (ETHERNET + 20 + 8)),
			 hex_of(bytes, 45 - ETHERNET - 20 - 8));
	tracing__free(&tracing);
}
END_TEST

static bool has_frame(const char *event, const char *function)
{
	char path[32];

	for (int i = 0; i < 128; i++) {
		const char *symbol;

		snprintf(path, sizeof(path), "stack[%d].symbol", i);
		symbol = json_lines__text(event, path);
		if (symbol && !strcmp(symbol, function))
			return true;
	}
	return false;
}

/* The sender's stack; or that of a task of the kernel, which receives packets that had to wait. */
static void check_stack(const char *event)
{
	bool is_in = !strcmp(json_lines__text(event, "direction"), "in");

	ck_assert_msg(has_frame(event, "udp_sendmsg") || (is_in && has_frame(event, "kthread")),
		      "%s", event);
}

/* Programs of tc may not walk stacks: the kernel samples them, with whole packets too. */
START_TEST(test_packet_stacks)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE("packet,snap=2048", "--if", "lo", "--stacks", "kernel"));
	send_all_sizes(&pair);
	tracing__stop(&tracing);
	check_datagrams(&tracing, &pair, ETHERNET + 20 + 8, "127.0.0.1");
	for (size_t i = 0; i < tracing.events.count; i++)
		check_stack(tracing.events.lines[i]);
	tracing__free(&tracing);
	netns__close(&pair);
	check_clean();
}
END_TEST

/* Both ends of a datagram, once sent and once received, in the text that a command printed. */
static void check_text_of_ends(const char *format, const char *what)
{
	struct netns_pair ipv4 = netns__pair(AF_INET), ipv6 = netns__pair(AF_INET6);
	struct command peat;
	char where[128], ends[128];

	snprintf(where, sizeof(where), "to == 127.0.0.1:%u || to == [::1]:%u && bytes > 1000",
		 ipv4.to_port, ipv6.to_port);
	command__start(&peat, ALL_CAPS,
		       !strcmp(what, "trace")
			       ? ARGV(PEAT, "trace", "-v", "packet", "--if", "lo", "--where", where)
			       : ARGV(PEAT, "count", "-v", "packet", "--if", "lo", "--where", where,
				      "--by", "from,to"));
	command__expect(peat.err, "the programs test all of to == 127");
	if (!strcmp(what, "count"))
		command__expect(peat.err, "counted by the programs");
	command__expect(peat.err, "attached");
	netns__send(&ipv6, bytes, 10); /* too small */
	netns__send(&ipv4, bytes, 20);
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	snprintf(ends, sizeof(ends), format, ipv4.from_port, ipv4.to_port);
	ck_assert_msg(strstr(peat.out_text, ends), "no %s in %s", ends, peat.out_text);
	ck_assert_msg(!strstr(peat.out_text, "::"), "%s", peat.out_text);
	command__free(&peat);
	netns__close(&ipv4);
	netns__close(&ipv6);
}

/* An endpoint is one column; programs compare and count it. */
START_TEST(test_endpoints_are_one_column)
{
	need_clsact();
	check_text_of_ends("  127.0.0.1:%u  127.0.0.1:%u ", "trace");
	check_text_of_ends("127.0.0.1:%u  127.0.0.1:%u      2\n", "count");
}
END_TEST

START_TEST(test_filters_by_port)
{
	struct netns_pair wanted = netns__pair(AF_INET), other = netns__pair(AF_INET6);
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE(option("packet,port=%u", wanted.to_port), "--if", "lo"));
	for (int i = 0; i < 5; i++) {
		netns__send(&other, bytes, 10);
		netns__send(&wanted, bytes, 20);
	}
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 10);
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_number(tracing.events.lines[i], "to.port", wanted.to_port);
	tracing__free(&tracing);
}
END_TEST

/* The protocol by name and by number.  A refused connection has two packets, each seen twice. */
START_TEST(test_filters_by_protocol)
{
	static const char *const sources[] = { "packet,proto=tcp", "packet,proto=6" };
	static const char *const flags[] = { "SYN", "SYN", "RST|ACK", "RST|ACK" };
	struct netns_pair other = netns__pair(AF_INET);

	need_clsact();
	for (size_t s = 0; s < 2; s++) {
		struct tracing tracing;
		uint16_t port;

		tracing__start(&tracing, TRACE(sources[s], "--if", "lo"));
		netns__send(&other, bytes, 10);
		port = netns__be_refused();
		tracing__stop(&tracing);
		ck_assert_uint_eq(tracing.events.count, 4);
		for (size_t i = 0; i < 4; i++) {
			const char *event = tracing.events.lines[i];

			expect_text(event, "protocol", "tcp");
			expect_text(event, "tcp_flags", flags[i]);
			expect_number(event, i < 2 ? "to.port" : "from.port", port);
		}
		tracing__free(&tracing);
	}
}
END_TEST

/* Each fragment has the protocol, only the first has the ports. */
static void trace_fragments(int family, size_t headers)
{
	struct netns_pair pair = netns__pair(family);
	size_t with_ports = 0, payload = 0;
	struct tracing tracing;

	tracing__start(&tracing, TRACE("packet,proto=udp", "--if", "lo"));
	netns__send(&pair, bytes, BYTES_MAX);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2 * 3);
	for (size_t i = 0; i < tracing.events.count; i++) {
		const char *event = tracing.events.lines[i];
		long long port = json_lines__number(event, "to.port");

		payload += (size_t)json_lines__number(event, "bytes") - headers;
		with_ports += port == pair.to_port;
		ck_assert(port == pair.to_port || !port);
	}
	ck_assert_uint_eq(with_ports, 2);
	ck_assert_uint_eq(payload, 2 * (8 + BYTES_MAX));
	tracing__free(&tracing);
	netns__close(&pair);
}

START_TEST(test_traces_fragments)
{
	need_clsact();
	netns__set_mtu(1500);
	trace_fragments(AF_INET, ETHERNET + 20);
	trace_fragments(AF_INET6, ETHERNET + 40 + 8);
}
END_TEST

START_TEST(test_one_direction)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE("packet", "--if", "lo", "--no-prog", "on_ingress"));
	netns__send(&pair, bytes, 10);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	expect_text(tracing.events.lines[0], "direction", "out");
	tracing__free(&tracing);
	check_clean();
}
END_TEST

/* ---- probes from files ----------------------------------------------------------------------- */

/*
 * Checks the data of each packet from byte `from` on, in `times` events per packet.  Longer packets
 * come first, so bytes left over in a buffer would be noticed.
 */
static void trace_payload(const char *without, unsigned from, size_t times)
{
	const size_t headers = ETHERNET + 20 + 8;
	struct netns_pair pair = netns__pair(AF_INET);
	const char *path = file_of(&payload_object);
	struct tracing tracing;
	char source[FILE_PATHS + 32];

	snprintf(source, sizeof(source), "%s,from=%u", path, from);
	tracing__start(&tracing, TRACE(source, "--if", "lo", "--no-prog", without));
	for (size_t i = SIZES; i--;)
		netns__send(&pair, bytes, sizes[i]);
	tracing__stop(&tracing);
	unlink(path);
	ck_assert_uint_eq(tracing.events.count, times * SIZES);
	for (size_t i = 0; i < tracing.events.count; i++) {
		const char *event = tracing.events.lines[i];
		size_t length = headers + sizes[SIZES - 1 - i / times];
		size_t copied = length > from ? length - from : 0;
		const char *data = json_lines__text(event, "data");

		expect_number(event, "copied", (long long)copied);
		ck_assert_uint_eq(strlen(data), 2 * copied);
		if (from <= headers)
			ck_assert_str_eq(data + 2 * (headers - from),
					 hex_of(bytes, length - headers));
	}
	tracing__free(&tracing);
	netns__close(&pair);
	check_clean();
}

START_TEST(test_payload_of_xdp)
{
	trace_payload("on_tc", 0, 1);
	trace_payload("on_tc", 42, 1);
	trace_payload("on_tc", 60, 1);
}
END_TEST

/* SEC("tc") without a direction attaches to both. */
START_TEST(test_payload_of_tc)
{
	need_clsact();
	trace_payload("on_xdp", 0, 2);
	trace_payload("on_xdp", 42, 2);
	trace_payload("on_xdp", 60, 2);
}
END_TEST

/* ---- raw ------------------------------------------------------------------------------------- */

static struct peat_session *start_appended(void)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .interfaces = "lo" };
	struct peat_session *session = peat_session__new(&opts);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "appended", appended_object.bytes,
					   *appended_object.count),
			 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	return session;
}

static struct peat_schema *appended_schema(void)
{
	struct bpf_object *object = object__open(&appended_object);
	struct btf *btf = bpf_object__btf(object);
	int id = btf__find_by_name_kind(btf, "appended", BTF_KIND_STRUCT);
	struct peat_schema *schema;

	ck_assert_int_gt(id, 0);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	bpf_object__close(object);
	return schema;
}

static void check_appended(const struct peat_event *event, size_t size)
{
	const size_t headers = ETHERNET + 20 + 8;
	size_t length = headers + size, appended = length < 100 ? length : 100;
	const struct peat_field *data;
	char text[512];
	uint32_t offset;

	ck_assert_uint_eq(*(const uint32_t *)event->data, length);
	ck_assert_uint_ge(event->size, 8 + appended); /* the kernel pads it */
	data = peat_schema__find(event->schema, "data", &offset);
	ck_assert_uint_eq(peat_field__text(data, event->data, event->size, text, sizeof(text)),
			  2 * appended);
	ck_assert_str_eq(text + 2 * headers, hex_of(bytes, appended - headers));
}

START_TEST(test_appended_by_the_kernel)
{
	struct netns_pair pair = netns__pair(AF_INET);
	const struct peat_event *event;
	struct peat_session *session;
	struct peat_schema *schema;
	size_t seen = 0, padded = 0;

	need_clsact();
	session = start_appended();
	schema = appended_schema();
	ck_assert_int_eq(peat_reader__set_schema(peat_session__reader(session), 0, schema), 0);
	for (size_t size = 0; size < 64; size++)
		netns__send(&pair, bytes, size);
	peat_session__stop(session);
	while (peat_reader__next(peat_session__reader(session), &event) > 0) {
		if (event->kind != PEAT_EVENT_DATA)
			continue;
		padded += event->size > 8 + ((const uint32_t *)event->data)[1];
		check_appended(event, seen++);
	}
	ck_assert_uint_eq(seen, 64);
	ck_assert_uint_gt(padded, 0);
	peat_session__free(session);
	peat_schema__free(schema);
	check_clean();
}
END_TEST

/* Checks the packets after the structs of events: whole ones up to 100 bytes, without padding. */
static void check_followed(const struct tracing *tracing)
{
	const size_t headers = ETHERNET + 20 + 8;

	ck_assert_uint_eq(tracing->events.count, 64);
	for (size_t size = 0; size < 64; size++) {
		const char *event = tracing->events.lines[size];
		size_t length = headers + size, shown = length < 100 ? length : 100;
		const char *payload = json_lines__text(event, "payload");

		expect_number(event, "pkt_len", (long long)length);
		expect_number(event, "cap_len", (long long)shown);
		ck_assert_uint_eq(strlen(payload), 2 * shown);
		ck_assert_str_eq(payload + 2 * headers, hex_of(bytes, shown - headers));
	}
}

static void send_64_sizes(void)
{
	struct netns_pair pair = netns__pair(AF_INET);

	for (size_t size = 0; size < 64; size++)
		netns__send(&pair, bytes, size);
	netns__close(&pair);
}

static void trace_followed(struct tracing *tracing, const char *const *argv)
{
	tracing__start(tracing, argv);
	send_64_sizes();
	tracing__stop(tracing);
}

START_TEST(test_packet_after_the_struct)
{
	const char *path = file_of(&followed_object);
	struct tracing tracing;

	need_clsact();
	trace_followed(&tracing, TRACE(path, "--if", "lo"));
	check_followed(&tracing);
	tracing__free(&tracing);
	trace_followed(&tracing, TRACE(path, "--if", "lo", "--as", "packets=raw"));
	unlink(path);
	ck_assert_uint_eq(tracing.events.count, 64);
	expect_text(tracing.events.lines[0], "type", "raw");
	expect_number(tracing.events.lines[0], "size", 8 + ETHERNET + 20 + 8 + 2);
	tracing__free(&tracing);
}
END_TEST

/* A recording has the same packets. */
START_TEST(test_recorded_packet_after_the_struct)
{
	const char *path = file_of(&followed_object),
		   *file = option("/tmp/peat-%u.data", (unsigned)getpid());
	struct tracing replay = { 0 };
	struct command peat;

	need_clsact();
	command__start(&peat, ALL_CAPS, ARGV(PEAT, "record", "-v", path, "--if", "lo", "-o", file));
	command__expect(peat.err, "attached");
	send_64_sizes();
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
	command__start(&replay.peat, ALL_CAPS, ARGV(PEAT, "replay", "-j", file));
	tracing__finish(&replay);
	unlink(path);
	unlink(file);
	check_followed(&replay);
	tracing__free(&replay);
}
END_TEST

/* ---- other programs on the interface --------------------------------------------------------- */

/*
 * A clsact that existed before stays, and a peat that ends leaves it to another one that still uses
 * it.
 */
static void check_fails(const char *const *argv, uint64_t caps, const char *text)
{
	struct command peat;

	command__run(&peat, caps, argv);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, text), "no '%s' in: %s", text, peat.err_text);
	command__free(&peat);
}

/* ---- sections of other loaders --------------------------------------------------------------- */

/* The only program that is loaded sends one event for each packet that it sees. */
static void trace_old_section(const char *without, const char *also_without, size_t times)
{
	struct netns_pair pair = netns__pair(AF_INET);
	const char *path = file_of(&old_sections_object);
	struct tracing tracing;

	tracing__start(&tracing, TRACE(path, "--if", "lo", "--no-prog", "on_socket", "--no-prog",
				       without, "--no-prog", also_without));
	netns__send(&pair, bytes, sizes[0]);
	tracing__stop(&tracing);
	unlink(path);
	ck_assert_uint_eq(tracing.events.count, times);
	tracing__free(&tracing);
	netns__close(&pair);
	check_clean();
}

START_TEST(test_old_section_of_xdp)
{
	trace_old_section("on_both", "on_egress", 1);
}
END_TEST

/* "classifier_any" names no direction, "tc_egress" one. */
START_TEST(test_old_sections_of_tc)
{
	need_clsact();
	trace_old_section("on_xdp", "on_egress", 2);
	trace_old_section("on_xdp", "on_both", 1);
}
END_TEST

/* It is loaded; peat attaches no socket filters. */
START_TEST(test_old_section_of_sockets)
{
	const char *path = file_of(&old_sections_object);

	check_fails(ARGV(PEAT, "trace", path, "--no-prog", "on_xdp", "--no-prog", "on_both",
			 "--no-prog", "on_egress"),
		    ALL_CAPS, "peat cannot attach programs of this kind");
	unlink(path);
}
END_TEST

START_TEST(test_shared_clsact)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct tracing first, second;

	need_clsact();
	tracing__start(&first, TRACE("packet", "--if", "lo"));
	tracing__start(&second, TRACE("packet", "--if", "lo,lo", "--if", "lo"));
	netns__send(&pair, bytes, 1);
	tracing__stop(&first);
	ck_assert_int_eq(clsact__add(LO), 0);
	netns__send(&pair, bytes, 2);
	tracing__stop(&second);
	ck_assert_uint_eq(first.events.count, 2);
	ck_assert_uint_eq(second.events.count, 4);
	ck_assert_int_eq(clsact__add(LO), 0);
	clsact__remove(LO);
	check_clean();
	tracing__free(&first);
	tracing__free(&second);
}
END_TEST

static int load_other(void)
{
	const struct bpf_insn pass[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K },
					 { .code = BPF_JMP | BPF_EXIT } };
	int fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "other", "GPL", pass, 2, NULL);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Another tool removes the clsact with peat's filters, and adds its own. */
static void replace_clsact(void)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = LO,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);

	ck_assert_int_eq(bpf_tc_hook_destroy(&hook), 0);
	ck_assert_int_eq(clsact__add(LO), 1);
}

/* Filters of the other tool get the numbers that peat's had. */
START_TEST(test_replaced_filters)
{
	struct clsact_filter others[CLSACT_DIRECTIONS];
	struct tracing tracing;
	int program = load_other();

	need_clsact();
	tracing__start(&tracing, TRACE("packet", "--if", "lo"));
	replace_clsact();
	for (int i = 0; i < CLSACT_DIRECTIONS; i++)
		ck_assert_int_eq(clsact__attach(&others[i], LO, (enum clsact_direction)i, program),
				 0);
	tracing__stop(&tracing);
	for (int i = 0; i < CLSACT_DIRECTIONS; i++)
		ck_assert(clsact__detach(&others[i]));
	clsact__remove(LO);
	check_clean();
	close(program);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_replaced_clsact)
{
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE("packet", "--if", "lo"));
	replace_clsact();
	tracing__stop(&tracing);
	ck_assert_int_eq(clsact__add(LO), 0);
	clsact__remove(LO);
	check_clean();
	tracing__free(&tracing);
}
END_TEST

/* If attaching the XDP program fails, programs attached before are detached. */
START_TEST(test_busy_interface_is_left_clean)
{
	const char *path = file_of(&payload_object);
	struct tracing tracing;

	need_clsact();
	tracing__start(&tracing, TRACE(path, "--if", "lo", "--no-prog", "on_tc"));
	check_fails(ARGV(PEAT, "trace", path, "--if", "lo"), ALL_CAPS,
		    "lo: it has an XDP program already");
	check_fails(ARGV(PEAT, "trace", "packet", path, "--if", "lo", "--no-prog", "on_tc"),
		    ALL_CAPS, "lo: it has an XDP program already");
	tracing__stop(&tracing);
	tracing__free(&tracing);
	unlink(path);
	check_clean();
}
END_TEST

/* An ingress qdisc would accept filters of both directions, and run both on received packets. */
START_TEST(test_ingress_qdisc)
{
	need_clsact();
	netns__add_ingress();
	check_fails(ARGV(PEAT, "trace", "packet", "--if", "lo"), ALL_CAPS,
		    "lo: an ingress qdisc has the place of clsact");
	ck_assert_int_eq(clsact__add(LO), -EBUSY);
}
END_TEST

START_TEST(test_refused_interfaces)
{
	const uint64_t caps = 1ULL << 38 | 1ULL << 39; /* CAP_PERFMON, CAP_BPF */

	check_fails(ARGV(PEAT, "trace", "packet", "--if", "lo,nowhere"), ALL_CAPS,
		    "no network interface 'nowhere'");
	check_fails(ARGV(PEAT, "trace", "packet", "--if", ""), ALL_CAPS, "no network interface ''");
	check_fails(ARGV(PEAT, "trace", "packet"), ALL_CAPS, "--if");
	check_fails(ARGV(PEAT, "trace", "exec", "--if", "lo"), ALL_CAPS, "no tc or XDP program");
	check_fails(ARGV(PEAT, "trace", "packet", "--if", "lo"), caps, "CAP_NET_ADMIN is missing");
	if (has_clsact)
		check_clean();
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *packets_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("packets", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_traces_ipv4);
	tcase_add_test(tests, test_traces_ipv6);
	tcase_add_test(tests, test_snap_bounds_data);
	tcase_add_test(tests, test_packet_stacks);
	tcase_add_test(tests, test_endpoints_are_one_column);
	tcase_add_test(tests, test_filters_by_port);
	tcase_add_test(tests, test_filters_by_protocol);
	tcase_add_test(tests, test_traces_fragments);
	tcase_add_test(tests, test_one_direction);
	tcase_add_test(tests, test_payload_of_xdp);
	tcase_add_test(tests, test_payload_of_tc);
	tcase_add_test(tests, test_old_section_of_xdp);
	tcase_add_test(tests, test_old_sections_of_tc);
	tcase_add_test(tests, test_old_section_of_sockets);
	tcase_add_test(tests, test_appended_by_the_kernel);
	tcase_add_test(tests, test_packet_after_the_struct);
	tcase_add_test(tests, test_recorded_packet_after_the_struct);
	tcase_add_test(tests, test_shared_clsact);
	tcase_add_test(tests, test_replaced_filters);
	tcase_add_test(tests, test_replaced_clsact);
	tcase_add_test(tests, test_busy_interface_is_left_clean);
	tcase_add_test(tests, test_ingress_qdisc);
	tcase_add_test(tests, test_refused_interfaces);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { packets_suite };

	return harness__main(argc, argv, suites, 1);
}
