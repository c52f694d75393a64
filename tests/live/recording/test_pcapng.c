// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pcapng.c: real packets as pcapng, read here and by tshark. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "session/attach/clsact.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"
#include "support/perf/stock_perf.h"
#include "support/recording/pcapng_read.h"

EMBED_OBJECT(own_packets)

#define LO	   1
#define HEADERS	   (14 + 20 + 8) /* Ethernet, IPv4, UDP */
#define SNAP_MAX   2048
#define BLOCKS_MAX 1024
#define SIZES	   5
#define PACKETS	   (2 * SIZES) /* each datagram is sent and received */

static const size_t sizes[SIZES] = { 0, 1, 63, 512, 3000 };

static char program[4096];
static unsigned char sent[3000];
static unsigned char file[1 << 20];
static struct pcapng_block blocks[BLOCKS_MAX];
static size_t block_count;

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	stock_perf__setup();
	netns__enter();
	process__pin();
	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (unsigned char)(i * 31 + 7);
}

static bool has_clsact(void)
{
	int err = clsact__add(LO);

	ck_assert_msg(err == 1 || err == -ENOENT, "clsact: %s", strerror(-err));
	clsact__remove(LO);
	return err == 1;
}

#define need_clsact()                                                                              \
	do {                                                                                       \
		if (!has_clsact())                                                                 \
			skip("this kernel has no clsact");                                         \
	} while (0)

#define need_tshark()                                                                              \
	do {                                                                                       \
		if (access("/usr/bin/tshark", X_OK))                                               \
			skip("no tshark on this machine");                                         \
	} while (0)

/* ---- running peat ---------------------------------------------------------------------------- */

#define PCAP(...) ARGV(program, "trace", "-v", __VA_ARGS__, "--if", "lo", "-o", "x.pcapng")

static void start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
}

static void stop(struct command *peat, int status)
{
	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(peat->status == status, "status %d: %s", peat->status, peat->err_text);
}

static void send_all(const struct netns_pair *pair)
{
	for (size_t i = 0; i < SIZES; i++)
		netns__send(pair, sent, sizes[i]);
}

/* Runs peat while all datagrams are sent. */
static struct netns_pair run(struct command *peat, const char *const *argv)
{
	struct netns_pair pair = netns__pair(AF_INET);

	start(peat, argv);
	send_all(&pair);
	stop(peat, 0);
	netns__close(&pair);
	return pair;
}

static void check_fails(const char *const *argv, const char *why)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 1, "status %d: %s", peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, why), "no '%s' in %s", why, peat.err_text);
	command__free(&peat);
}

/* ---- reading the file ------------------------------------------------------------------------ */

/* Reads whole blocks; the bytes after them. */
static size_t read_part(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = read(fd, file, sizeof(file));
	size_t at = 0;

	ck_assert_int_ge(count, 0);
	ck_assert_uint_lt(count, sizeof(file));
	close(fd);
	block_count = 0;
	while (block_count < BLOCKS_MAX &&
	       pcapng_read(file, (size_t)count, &at, &blocks[block_count]))
		block_count++;
	return (size_t)count - at;
}

static void read_file(const char *path)
{
	ck_assert_uint_eq(read_part(path), 0);
	ck_assert_uint_gt(block_count, 0);
	ck_assert_uint_eq(blocks[0].type, SECTION);
}

/* The n-th block of the type, from 0; NULL: there is none. */
static const struct pcapng_block *find(uint32_t type, size_t n)
{
	for (size_t i = 0; i < block_count; i++)
		if (blocks[i].type == type && !n--)
			return &blocks[i];
	return NULL;
}

static size_t count(uint32_t type)
{
	size_t n = 0;

	while (find(type, n))
		n++;
	return n;
}

static const char *text(const struct pcapng_block *block, unsigned code)
{
	static char found[256];
	size_t bytes;
	const uint8_t *value = pcapng_option(block, code, 0, &bytes);

	snprintf(found, sizeof(found), "%.*s", value ? (int)bytes : 0, (const char *)value);
	return found;
}

/* UINT64_MAX: there is no such option. */
static uint64_t number(const struct pcapng_block *block, unsigned code)
{
	size_t bytes;
	const uint8_t *value = pcapng_option(block, code, 0, &bytes);

	return value ? little(value, bytes) : UINT64_MAX;
}

enum { FLAGS = 2, INBOUND = 1, OUTBOUND = 2 };

static uint32_t captured(const struct pcapng_block *packet)
{
	return (uint32_t)little(packet->body + 12, 4);
}

static uint32_t length(const struct pcapng_block *packet)
{
	return (uint32_t)little(packet->body + 16, 4);
}

/* ---- trace ----------------------------------------------------------------------------------- */

/* The datagrams in the order of time: each goes out, and comes in. */
static void check_datagrams(uint32_t snap)
{
	ck_assert_uint_eq(count(PACKET), PACKETS);
	for (size_t i = 0; i < PACKETS; i++) {
		const struct pcapng_block *packet = find(PACKET, i);
		uint32_t whole = HEADERS + (uint32_t)sizes[i / 2], wanted = whole;

		if (wanted > snap)
			wanted = snap;
		ck_assert_uint_eq(length(packet), whole);
		ck_assert_uint_eq(captured(packet), wanted);
		if (wanted > HEADERS)
			ck_assert_mem_eq(packet->body + 20 + HEADERS, sent, wanted - HEADERS);
		ck_assert_uint_eq(number(packet, FLAGS), i % 2 ? INBOUND : OUTBOUND);
	}
}

/* Before Linux 6.10, programs of tc cannot read the ids of the task. */
static void check_tasks(bool wanted)
{
	char task[64];

	snprintf(task, sizeof(task), "pid %d (", (int)getpid());
	for (size_t i = 0; i < PACKETS; i++)
		ck_assert_msg(wanted && i % 2 == 0
				      ? !strncmp(text(find(PACKET, i), 1), task, strlen(task))
				      : !*text(find(PACKET, i), 1),
			      "packet %zu: '%s'", i, text(find(PACKET, i), 1));
}

START_TEST(test_trace_writes_pcapng)
{
	struct utsname host;
	struct command peat;
	char os[128];

	need_clsact();
	run(&peat, PCAP("packet"));
	ck_assert_msg(strstr(peat.err_text, "10 packets in x.pcapng"), "%s", peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
	read_file("x.pcapng");
	check_datagrams(SNAP_MAX);
	uname(&host);
	snprintf(os, sizeof(os), "Linux %s", host.release);
	ck_assert_str_eq(text(&blocks[0], 2), host.machine);
	ck_assert_str_eq(text(&blocks[0], 3), os);
	ck_assert_uint_eq(count(INTERFACE), 1);
	ck_assert_str_eq(text(find(INTERFACE, 0), 2), "lo");
	ck_assert_uint_eq(little(find(INTERFACE, 0)->body, 2), 1); /* Ethernet */
	ck_assert_uint_eq(count(STATISTICS), 1);
	ck_assert_uint_eq(number(find(STATISTICS, 0), 4), PACKETS);
	ck_assert_uint_eq(number(find(STATISTICS, 0), 5), 0);
}
END_TEST

/* The user's own value wins over the largest one. */
START_TEST(test_snap_bounds_packets)
{
	struct command peat;

	need_clsact();
	run(&peat, PCAP("packet,snap=60"));
	ck_assert_msg(strstr(peat.err_text, "6 of them cut"), "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
	check_datagrams(60);
	run(&peat, PCAP("packet,snap=0"));
	ck_assert_msg(strstr(peat.err_text, "the packets have no bytes"), "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
	check_datagrams(0);
}
END_TEST

/* A probe with the same members has packets, too. */
START_TEST(test_own_probe)
{
	FILE *object = fopen("own.bpf.o", "we");
	struct command peat;

	need_clsact();
	ck_assert_uint_eq(fwrite(own_packets_object.bytes, *own_packets_object.count, 1, object),
			  1);
	ck_assert_int_eq(fclose(object), 0);
	run(&peat, PCAP("./own.bpf.o"));
	command__free(&peat);
	read_file("x.pcapng");
	ck_assert_uint_eq(count(PACKET), SIZES);
	ck_assert_uint_eq(little(find(INTERFACE, 0)->body, 2), 228);
	for (size_t i = 0; i < SIZES; i++) {
		const struct pcapng_block *packet = find(PACKET, i);

		ck_assert_uint_eq(length(packet), HEADERS - 14 + sizes[i]);
		ck_assert_uint_eq(captured(packet), length(packet) < 64 ? length(packet) : 64);
		ck_assert_uint_eq(packet->body[20], 0x45);
		ck_assert_uint_eq(number(packet, FLAGS), UINT64_MAX);
	}
}
END_TEST

START_TEST(test_no_packets)
{
	struct command peat;

	need_clsact();
	check_fails(ARGV(program, "trace", "exec", "-o", "x.pcapng", "--", "true"),
		    "no event has the members data, bytes and ifindex");
	command__run(&peat, ALL_CAPS,
		     ARGV(program, "record", "packet", "--if", "lo", "-o", "x.pcapng"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_msg(strstr(peat.err_text, "use peat trace"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* Other events are left out, and counted. */
START_TEST(test_other_events)
{
	struct command peat;

	need_clsact();
	command__run(&peat, ALL_CAPS,
		     ARGV(program, "trace", "packet", "exec", "--if", "lo", "-o", "x.pcapng", "--",
			  "true"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_msg(strstr(peat.err_text, "0 packets in x.pcapng"), "%s", peat.err_text);
	ck_assert_msg(strstr(peat.err_text, " left out: no packet"), "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
	ck_assert_uint_eq(block_count, 1);
}
END_TEST

static uint64_t sum_of_comments(void)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < count(PACKET); i++) {
		const char *comment = text(find(PACKET, i), 1);

		if (strstr(comment, " lost before this packet: throttled"))
			lost += strtoull(comment, NULL, 10);
	}
	return lost;
}

/* Each lost event is in the statistics, and in a comment if a packet follows. */
START_TEST(test_losses_are_in_statistics)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct command peat;
	uint64_t dropped, said;

	need_clsact();
	start(&peat, PCAP("packet", "--max-rate", "4"));
	for (int i = 0; i < 50; i++)
		netns__send(&pair, sent, 10);
	sleep(2); /* the limit is per second */
	netns__send(&pair, sent, 10);
	stop(&peat, 0);
	command__free(&peat);
	read_file("x.pcapng");
	dropped = number(find(STATISTICS, 0), 5);
	ck_assert_uint_eq(count(PACKET) + dropped, 2 * 51);
	ck_assert_uint_eq(number(find(STATISTICS, 0), 4), 2 * 51);
	ck_assert_uint_gt(dropped, 0);
	said = sum_of_comments();
	ck_assert_uint_gt(said, 0);
	ck_assert_uint_le(said, dropped);
	netns__close(&pair);
}
END_TEST

/* ---- link layers ----------------------------------------------------------------------------- */

/* Sends a frame with a tag, or two, through the loopback. */
static void send_frame(const char *tags, size_t tag_bytes)
{
	static const char ip[] = "\x08\0"
				 "\x45\0\0\x21\0\0\x40\0\x40\x11\0\0\x7f\0\0\1\x7f\0\0\1"
				 "\x30\x39\x1f\x90\0\x0d\0\0hello";
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = LO };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	char frame[128] = "";
	size_t bytes = 12 + tag_bytes + sizeof(ip) - 1;

	ck_assert_int_ge(fd, 0);
	memcpy(frame + 12, tags, tag_bytes);
	memcpy(frame + 12 + tag_bytes, ip, sizeof(ip) - 1);
	ck_assert_int_eq(sendto(fd, frame, bytes, 0, (struct sockaddr *)&to, sizeof(to)), bytes);
	close(fd);
}

/* The kernel removes the outer tag before tc sees an incoming packet: it has to be there again. */
START_TEST(test_vlan_tags_are_restored)
{
	static const char one[] = "\x81\0\x60\x07", two[] = "\x88\xa8\0\x11\x81\0\x60\x07";
	struct command peat;

	need_clsact();
	start(&peat, PCAP("packet"));
	send_frame(one, 4);
	send_frame(two, 8);
	stop(&peat, 0);
	command__free(&peat);
	read_file("x.pcapng");
	ck_assert_uint_eq(count(PACKET), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct pcapng_block *packet = find(PACKET, i);
		size_t tags = i < 2 ? 4 : 8;

		ck_assert_uint_eq(number(packet, FLAGS), i % 2 ? INBOUND : OUTBOUND);
		ck_assert_uint_eq(length(packet), 47 + tags);
		ck_assert_uint_eq(captured(packet), 47 + tags);
		ck_assert_mem_eq(packet->body + 20 + 12, i < 2 ? one : two, tags);
		ck_assert_mem_eq(packet->body + 20 + 42 + tags, "hello", 5);
	}
}
END_TEST

/* Returns the fd of a new interface without a link layer, which is up; -1: this kernel has none. */
static int open_tun(void)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI, .ifr_name = "tun7" };
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC), control;

	if (fd < 0)
		return -1;
	control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(ioctl(fd, TUNSETIFF, &request), 0);
	request.ifr_flags = IFF_UP;
	ck_assert_int_eq(ioctl(control, SIOCSIFFLAGS, &request), 0);
	close(control);
	return fd;
}

static uint32_t link_of(const char *name)
{
	for (size_t i = 0; i < count(INTERFACE); i++)
		if (!strcmp(text(find(INTERFACE, i), 2), name))
			return (uint32_t)little(find(INTERFACE, i)->body, 2);
	return 0;
}

/* The kernel itself sends packets, too, if it has IPv6. */
static bool has_packet(const char *bytes, size_t size)
{
	for (size_t i = 0; i < count(PACKET); i++)
		if (length(find(PACKET, i)) == size &&
		    !memcmp(find(PACKET, i)->body + 20, bytes, size))
			return true;
	return false;
}

/* The packets of two interfaces of different types in one file; a recording knows both. */
START_TEST(test_two_interfaces)
{
	static const char ip[] = "\x45\0\0\x18\0\0\0\0\x40\xfd\0\0\x7f\0\0\1\x7f\0\0\1ping";
	struct netns_pair pair = netns__pair(AF_INET);
	int fd = open_tun();
	struct command peat;

	need_clsact();
	if (fd < 0)
		skip("this kernel has no tun");
	start(&peat,
	      ARGV(program, "record", "-v", "packet,snap=100", "--if", "lo,tun7", "-o", "x.data"));
	netns__send(&pair, sent, 5);
	ck_assert_int_eq(write(fd, ip, sizeof(ip) - 1), sizeof(ip) - 1);
	stop(&peat, 0);
	command__free(&peat);
	close(fd); /* and the interface is gone */
	command__run(&peat, 0, ARGV(program, "convert", "x.data", "-o", "x.pcapng"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
	ck_assert_uint_eq(count(INTERFACE), 2);
	ck_assert_uint_eq(link_of("lo"), 1);
	ck_assert_uint_eq(link_of("tun7"), 101);
	ck_assert(has_packet(ip, sizeof(ip) - 1));
	netns__close(&pair);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

static void record(const char *source)
{
	struct command peat;

	run(&peat, ARGV(program, "record", "-v", source, "--if", "lo", "-o", "x.data"));
	command__free(&peat);
}

static void convert(int status, const char *from, const char *why)
{
	struct command peat;

	command__run(&peat, 0, ARGV(program, "convert", from, "-o", "x.pcapng"));
	ck_assert_msg(peat.status == status, "status %d: %s", peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, why), "no '%s' in %s", why, peat.err_text);
	command__free(&peat);
}

/* The time of day in JSON, as nanoseconds since 1970. */
static uint64_t json_time(const char *event)
{
	const char *time = json_lines__text(event, "time");
	struct tm tm = { 0 };
	const char *rest = strptime(time, "%Y-%m-%dT%H:%M:%S.", &tm);

	ck_assert_ptr_nonnull(rest);
	return (uint64_t)timegm(&tm) * 1000000000 + strtoull(rest, NULL, 10);
}

/* Each packet is an event of the recording: time, lengths, bytes. */
START_TEST(test_recording_becomes_pcapng)
{
	struct json_lines events;
	struct command peat;

	need_clsact();
	record("packet,snap=600");
	convert(0, "x.data", "10 packets in x.pcapng, 2 of them cut");
	read_file("x.pcapng");
	check_datagrams(600);
	command__run(&peat, 0, ARGV(program, "replay", "-j", "-T", "x.data"));
	ck_assert_int_eq(peat.status, 0);
	events = json_lines__split(peat.out_text);
	ck_assert_uint_eq(events.count, PACKETS);
	check_tasks(json_lines__number(events.lines[0], "pid") == getpid());
	for (size_t i = 0; i < PACKETS; i++) {
		const struct pcapng_block *packet = find(PACKET, i);
		const char *event = events.lines[i];

		ck_assert_uint_eq(little(packet->body + 4, 4) << 32 | little(packet->body + 8, 4),
				  json_time(event));
		expect_number(event, "bytes", length(packet));
		ck_assert_uint_eq(strlen(json_lines__text(event, "data")), 2 * captured(packet));
	}
	ck_assert_str_eq(text(find(INTERFACE, 0), 2), "lo");
	json_lines__free(&events);
	command__free(&peat);
}
END_TEST

START_TEST(test_selected_packets_are_written)
{
	struct command peat;

	need_clsact();
	record("packet,snap=600");
	command__run(
		&peat, 0,
		ARGV(program, "replay", "x.data", "--where", "direction == out", "-o", "x.pcapng"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
	ck_assert_uint_eq(count(PACKET), SIZES);
	for (size_t i = 0; i < SIZES; i++)
		ck_assert_uint_eq(number(find(PACKET, i), FLAGS), OUTBOUND);
}
END_TEST

START_TEST(test_recordings_without)
{
	struct command peat;

	need_clsact();
	record("packet");
	convert(0, "x.data",
		"the packets have no bytes, only lengths: record them with "
		"packet,snap=2048");
	read_file("x.pcapng");
	check_datagrams(0);
	command__run(&peat, ALL_CAPS,
		     ARGV(program, "record", "exec", "-o", "exec.data", "--", "true"));
	command__free(&peat);
	convert(1, "exec.data", "no packets for pcapng");
}
END_TEST

/* All intact packets are converted, and the exit status is 1. */
START_TEST(test_cut_recording)
{
	struct command peat;
	char size[32];

	need_clsact();
	record("packet,snap=2048");
	command__run(&peat, 0, ARGV("sh", "-c", "wc -c < x.data"));
	snprintf(size, sizeof(size), "%ld", atol(peat.out_text) / 100 * 97);
	command__free(&peat);
	process__run("/bin/sh", ARGV("sh", "-c", "head -c $0 x.data > cut.data", size));
	command__run(&peat, 0, ARGV(program, "convert", "cut.data", "-o", "x.pcapng"));
	ck_assert_msg(peat.status == 1, "status %d: %s", peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, "cut.data is cut"), "%s", peat.err_text);
	command__free(&peat);
	read_file("x.pcapng");
}
END_TEST

/* ---- output ---------------------------------------------------------------------------------- */

START_TEST(test_full_disk)
{
	need_clsact();
	record("packet,snap=2048");
	check_fails(ARGV(program, "convert", "x.data", "--to", "pcapng", "-o", "/dev/full"),
		    "cannot write to /dev/full: No space left on device");
	if (sysconf(_SC_PAGESIZE) > 4096)
		return; /* the packets fit into the smallest file system */
	ck_assert_int_eq(mkdir("small", 0700), 0);
	ck_assert_int_eq(mount("none", "small", "tmpfs", 0, "size=4k"), 0);
	check_fails(ARGV(program, "convert", "x.data", "-o", "small/x.pcapng"),
		    "cannot write to small/x.pcapng: No space left on device");
	ck_assert_uint_gt(read_part("small/x.pcapng"), 0); /* the last block is cut */
	ck_assert_uint_gt(count(PACKET), 0);
	ck_assert_int_eq(umount("small"), 0);
}
END_TEST

/* No error: the reader of the pipe has seen enough. */
START_TEST(test_closed_pipe)
{
	struct command peat;
	char line[5000];

	need_clsact();
	record("packet,snap=2048");
	snprintf(line, sizeof(line),
		 "{ while ! test -e closed; do :; done; %s convert x.data --to pcapng -o - "
		 "2>err; echo $? >code; } | { exec <&-; touch closed; }; cat code err",
		 program);
	command__run(&peat, 0, ARGV("sh", "-c", line));
	ck_assert_msg(!strncmp(peat.out_text, "0\n", 2), "%s", peat.out_text);
	ck_assert_msg(!strstr(peat.out_text, "cannot"), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

/* ---- tshark ---------------------------------------------------------------------------------- */

#define FIELDS                                                                                     \
	"-T fields -e frame.len -e frame.cap_len -e frame.packet_flags_direction "                 \
	"-e frame.interface_name -e udp.srcport -e udp.dstport"

static void check_rows(char *rows, const struct netns_pair *pair)
{
	char *row = strtok(rows, "\n");

	for (size_t i = 0; i < PACKETS; i++, row = strtok(NULL, "\n")) {
		size_t whole = HEADERS + sizes[i / 2];
		char wanted[128];

		snprintf(wanted, sizeof(wanted), "%zu\t%zu\t0x0000000%d\tlo\t%u\t%u", whole,
			 whole < SNAP_MAX ? whole : (size_t)SNAP_MAX, i % 2 ? INBOUND : OUTBOUND,
			 pair->from_port, pair->to_port);
		ck_assert_ptr_nonnull(row);
		ck_assert_str_eq(row, wanted);
	}
	ck_assert_ptr_null(row);
}

START_TEST(test_tshark_reads_files)
{
	struct netns_pair pair;
	struct command peat;
	char *rows, *comments, *infos;

	need_clsact();
	need_tshark();
	pair = run(&peat, PCAP("packet"));
	command__free(&peat);
	rows = stock_perf__shell("tshark -r x.pcapng " FIELDS);
	check_rows(rows, &pair);
	comments = stock_perf__shellf(
		"tshark -r x.pcapng -T fields -e frame.comment | grep -c '^pid %d (' || true",
		(int)getpid());
	read_file("x.pcapng");
	ck_assert_int_eq(atoi(comments), *text(find(PACKET, 0), 1) ? SIZES : 0);
	infos = stock_perf__shell("capinfos x.pcapng");
	ck_assert_msg(strstr(infos, "Capture application: peat"), "%s", infos);
	ck_assert_msg(strstr(infos, "Name = lo\n"), "%s", infos);
	ck_assert_msg(strstr(infos, "Time precision = nanoseconds (9)"), "%s", infos);
	ck_assert_msg(strstr(infos, "Number of stat entries = 1"), "%s", infos);
	ck_assert_msg(strstr(infos, "Strict time order:   True"), "%s", infos);
	free(rows);
	free(comments);
	free(infos);
}
END_TEST

/* A live pipe: tshark prints while peat runs. */
START_TEST(test_tshark_reads_pipes)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct command both;
	char line[5000];

	need_clsact();
	need_tshark();
	snprintf(line, sizeof(line),
		 "%s trace -v packet --if lo --to pcapng -n %d | tshark -l -r - " FIELDS
		 " 2>/dev/null",
		 program, PACKETS);
	start(&both, ARGV("sh", "-c", line));
	send_all(&pair);
	command__finish(&both);
	ck_assert_msg(both.status == 0, "%s", both.err_text);
	check_rows(both.out_text, &pair);
	command__free(&both);
	netns__close(&pair);
}
END_TEST

/* ---- plaintext ------------------------------------------------------------------------------- */

#define REQUEST_HEX "474554202f706c61696e20485454502f312e300d0a0d0a6100ff62"

static const char request[] = "GET /plain HTTP/1.0\r\n\r\na\0\377b";

static const char tls_session[] =
	"openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj "
	"/CN=localhost\n"
	"openssl s_server -accept 4433 -key key -cert cert -www & server=$!\n"
	"for i in $(seq 100); do\n"
	"	printf 'GET /plain HTTP/1.0\\r\\n\\r\\na\\0\\377b' |\n"
	"		openssl s_client -connect 127.0.0.1:4433 -quiet -ign_eof && break\n"
	"	sleep 0.1\n"
	"done\n"
	"kill $server\n";

#define TAGS_BYTES 32

static void check_plaintext(void)
{
	const struct pcapng_block *packet = find(PACKET, 0);
	size_t bytes = sizeof(request) - 1;

	ck_assert_uint_eq(count(INTERFACE), 1);
	ck_assert_str_eq(text(find(INTERFACE, 0), 2), "plaintext");
	ck_assert_uint_eq(little(find(INTERFACE, 0)->body, 2), 252);
	ck_assert_ptr_nonnull(packet);
	ck_assert_uint_eq(captured(packet), TAGS_BYTES + bytes);
	ck_assert_uint_eq(length(packet), TAGS_BYTES + bytes);
	ck_assert_mem_eq(packet->body + 20 + TAGS_BYTES, request, bytes);
	ck_assert_uint_eq(number(packet, FLAGS), OUTBOUND);
	ck_assert_ptr_nonnull(strstr(text(packet, 1), " (openssl)"));
	packet = find(PACKET, 1);
	ck_assert_ptr_nonnull(packet);
	ck_assert_mem_eq(packet->body + 20 + TAGS_BYTES, "HTTP/1.0 200", 12);
	ck_assert_uint_eq(number(packet, FLAGS), INBOUND);
	ck_assert_ptr_nonnull(strstr(text(packet, 1), " (openssl)"));
}

static void check_plaintext_in_tshark(void)
{
	char *bytes = stock_perf__shell(
		"tshark -r x.pcapng -c 1 -T fields -e exported_pdu.exported_pdu 2> /dev/null");
	char *http = stock_perf__shell("tshark -r x.pcapng -d tls.port==0,http -c 1 -T fields "
				       "-e http.request.uri 2> /dev/null");

	ck_assert_str_eq(bytes, REQUEST_HEX "\n");
	ck_assert_str_eq(http, "/plain\n");
	free(bytes);
	free(http);
}

#define SESSION "--", "bash", "-c", tls_session

/* Also from a recording, and with bytes after a NUL. */
START_TEST(test_plaintext_is_written)
{
	const char *const *const steps[] = {
		ARGV(program, "trace", "ssl", "-o", "x.pcapng", SESSION),
		ARGV(program, "record", "ssl", "-o", "x.data", SESSION),
		ARGV(program, "convert", "x.data", "-o", "x.pcapng"),
	};

	if (access("/usr/bin/openssl", X_OK))
		skip("no openssl on this machine");
	need_tshark();
	for (size_t i = 0; i < 3; i++) {
		struct command peat;

		command__run(&peat, ALL_CAPS, steps[i]);
		ck_assert_msg(peat.status == 0, "%s", peat.err_text);
		command__free(&peat);
		if (i == 1)
			continue;
		read_file("x.pcapng");
		check_plaintext();
		check_plaintext_in_tshark();
		unlink("x.pcapng");
	}
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *pcapng_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("pcapng", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_trace_writes_pcapng);
	tcase_add_test(tests, test_snap_bounds_packets);
	tcase_add_test(tests, test_own_probe);
	tcase_add_test(tests, test_no_packets);
	tcase_add_test(tests, test_other_events);
	tcase_add_test(tests, test_losses_are_in_statistics);
	tcase_add_test(tests, test_vlan_tags_are_restored);
	tcase_add_test(tests, test_two_interfaces);
	tcase_add_test(tests, test_recording_becomes_pcapng);
	tcase_add_test(tests, test_selected_packets_are_written);
	tcase_add_test(tests, test_recordings_without);
	tcase_add_test(tests, test_cut_recording);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_closed_pipe);
	tcase_add_test(tests, test_tshark_reads_files);
	tcase_add_test(tests, test_tshark_reads_pipes);
	tcase_add_test(tests, test_plaintext_is_written);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { pcapng_suite };

	return harness__main(argc, argv, suites, 1);
}
