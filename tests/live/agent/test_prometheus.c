// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_prometheus.c: the output prometheus, scraped by curl, read by promtool, and attacked. */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/output.h>

#include "prometheus/address.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/prometheus/points.h"

static const struct peat_output_ops *ops;
static struct peat_output *output;
static char message[512], address[160];
static unsigned settled_count;
static uint64_t settled_refused;
static bool is_healthy; /* read by the thread of the server */

static void keep_message(enum peat_log_level level, const char *text)
{
	const char *at = strstr(text, "served on ");

	(void)level;
	snprintf(message, sizeof(message), "%s", text);
	if (at)
		snprintf(address, sizeof(address), "%s", at + strlen("served on "));
}

static void settled(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	(void)arg, (void)batch, (void)why;
	settled_count++;
	settled_refused = refused;
}

static int collect(void *arg, struct peat_batch *points)
{
	const struct peat_point point =
		POINT(PEAT_POINT_COUNTER, "peat.events.lost", .unit = "{event}",
		      .doc = "Events lost.", .count = 12, LABELS({ "cause", "ring_full" }));

	(void)arg;
	return peat_batch__add_point(points, &point);
}

static bool healthy(void *arg, char *why, size_t room)
{
	(void)arg;
	snprintf(why, room, "source exec: no permission");
	return __atomic_load_n(&is_healthy, __ATOMIC_ACQUIRE);
}

static struct peat_output *open_with(const struct peat_setting *settings, uint32_t count)
{
	const struct peat_output_opts opts = { .sz = sizeof(opts),
					       .name = "metrics",
					       .settings = settings,
					       .setting_count = count,
					       .wake_fd = -1,
					       .collect = collect,
					       .healthy = healthy,
					       .settled = settled };

	return ops->open(&opts);
}

#define OPEN(...)                                                                                  \
	open_with((struct peat_setting[]){ __VA_ARGS__ },                                          \
		  sizeof((struct peat_setting[]){ __VA_ARGS__ }) / sizeof(struct peat_setting))
#define SET(name_, value_)                                                                         \
	{                                                                                          \
		.name = (name_), .value = (value_)                                                 \
	}

static void setup(void)
{
	scratch__make();
	peat_set_print(keep_message);
	ops = peat_output__find("prometheus");
	output = NULL;
	is_healthy = true;
}

static void teardown(void)
{
	if (output)
		ops->close(output);
	scratch__remove();
}

#define need_server()                                                                              \
	do {                                                                                       \
		if (!ops)                                                                          \
			skip("peat was built without libmicrohttpd");                              \
		need_program("curl");                                                              \
	} while (0)

/* `sets` label sets of a counter, a gauge and a histogram, with a label that ends in `end`. */
static void write_points_with(const char *source, unsigned sets, const char *end)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = source };
	struct peat_batch *batch = peat_batch__new(&opts);
	char comm[4096];

	for (unsigned i = 0; i < sets; i++) {
		const struct peat_point points[] = {
			POINT(PEAT_POINT_COUNTER, "exec.run.time", .unit = "ns",
			      .doc = "A \"b\"\n\\", .count = 1500000000,
			      LABELS({ "source", source }, { "comm", comm })),
			POINT(PEAT_POINT_GAUGE, "exec.memory", .unit = "By", .value = i + 0.5,
			      LABELS({ "source", source }, { "comm", comm })),
			POINT(PEAT_POINT_HISTOGRAM, "exec.latency", .unit = "ns", .doc = "Latency.",
			      .count = 6, .value = 5e9,
			      BUCKETS({ 1000, 1 }, { 1e9, 2 }, { INFINITY, 3 }),
			      LABELS({ "source", source }, { "comm", comm })),
		};

		snprintf(comm, sizeof(comm), "\xff\"%u\\\n%s", i, end);
		for (size_t j = 0; j < 3; j++)
			ck_assert_int_eq(peat_batch__add_point(batch, &points[j]), 0);
	}
	settled_count = 0;
	ck_assert_int_eq(ops->write(output, batch), 0);
	ck_assert_uint_eq(settled_count, 1);
	ck_assert_uint_eq(settled_refused, 0);
	peat_batch__unref(batch);
}

static void write_points(const char *source, unsigned sets)
{
	write_points_with(source, sets, "");
}

/* Runs curl with this option (NULL: none), and returns it with "STATUS TYPE" after the body. */
static struct command curl(const char *option, const char *value, const char *path)
{
	const char *argv[16] = { "curl", "-sS", "-m", "20", "-w", "%{http_code} %{content_type}" };
	struct command command;
	char url[256];
	int i = 6;

	if (!strncmp(address, "unix:", 5)) {
		argv[i++] = "--unix-socket";
		argv[i++] = address + 5;
	}
	if (option)
		argv[i++] = option;
	if (value)
		argv[i++] = value;
	snprintf(url, sizeof(url), "http://%s%s",
		 strncmp(address, "unix:", 5) != 0 ? address : "localhost", path);
	argv[i] = url;
	command__run(&command, ALL_CAPS, argv);
	return command;
}

static void check_page(const char *option, const char *value, const char *path, const char *text)
{
	struct command command = curl(option, value, path);

	ck_assert_int_eq(command.status, 0);
	ck_assert_str_eq(command.out_text, text);
	command__free(&command);
}

#define TEXT_TYPE	 "200 text/plain; version=0.0.4; charset=utf-8"
#define OPENMETRICS_TYPE "200 application/openmetrics-text; version=1.0.0; charset=utf-8"

static void check_ends(const char *text, const char *end)
{
	size_t bytes = strlen(text);

	ck_assert_uint_ge(bytes, strlen(end));
	ck_assert_str_eq(text + bytes - strlen(end), end);
}

#define LINE(metric, source, number, value)                                                        \
	"\n" metric "{source=\"" source "\",comm=\"\xef\xbf\xbd\\\"" number "\\\\\\n\"} " value "\n"

static void check_lines(const char *text)
{
	static const char *const lines[] = {
		"\npeat_events_lost_total{cause=\"ring_full\"} 12\n",
		LINE("exec_run_time_seconds_total", "a", "0", "1.500000000"),
		LINE("exec_memory_bytes", "b", "1", "1.5"),
		LINE("exec_latency_seconds_sum", "a", "0", "5"),
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(strstr(text, lines[i]), "no %s in: %s", lines[i], text);
}

START_TEST(test_scrapes_in_both_formats)
{
	struct command command;

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	ck_assert_ptr_nonnull(output);
	write_points("a", 1);
	write_points("b", 2);
	command = curl(NULL, NULL, "/metrics");
	check_lines(command.out_text);
	check_ends(command.out_text, TEXT_TYPE);
	command__free(&command);
	command = curl("-H", "Accept: application/openmetrics-text", "/metrics");
	check_lines(command.out_text);
	check_ends(command.out_text, "\n# EOF\n" OPENMETRICS_TYPE);
	command__free(&command);
	ck_assert_int_eq(ops->acknowledged(output, 1), 0);
}
END_TEST

START_TEST(test_promtool_accepts_metrics)
{
	char text[512];
	struct command command;

	need_server();
	need_program("promtool");
	output = OPEN(SET("prometheus", "[::1]:0"), SET("max-series", "10"));
	if (!output && errno == EADDRNOTAVAIL)
		skip("no IPv6 on this machine");
	ck_assert_ptr_nonnull(output);
	write_points("a", 20);
	snprintf(text, sizeof(text), "curl -sS 'http://%s/metrics' | promtool check metrics",
		 address);
	command__run(&command, ALL_CAPS, ARGV("sh", "-c", text));
	ck_assert_msg(command.status == 0 && !*command.err_text && !*command.out_text,
		      "status %d: %s%s", command.status, command.out_text, command.err_text);
	command__free(&command);
}
END_TEST

/* A port that was free a moment ago. */
static unsigned free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t bytes = sizeof(at);

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, bytes), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &bytes), 0);
	close(fd);
	return ntohs(at.sin_port);
}

/* Asks until the answer has a text. */
static void expect_answer(const char *url, const char *query, const char *text)
{
	struct command command;
	bool is_found = false;

	for (int i = 0; i < 300 && !is_found; i++) {
		command__run(&command, ALL_CAPS, ARGV("promtool", "query", "instant", url, query));
		is_found = strstr(command.out_text, text);
		if (!is_found)
			usleep(100000);
		if (!is_found && i == 299)
			ck_abort_msg("%s: no %s in: %s%s", query, text, command.out_text,
				     command.err_text);
		command__free(&command);
	}
}

/* It asks for OpenMetrics, and scrapes nothing if it finds an error. */
START_TEST(test_prometheus_scrapes_metrics)
{
	char config[256], file[256], data[256], listen[64], url[64];
	struct command server;

	need_server();
	need_program("prometheus");
	need_program("promtool");
	output = OPEN(SET("prometheus", "127.0.0.1:0"), SET("max-series", "10"));
	write_points("a", 20);
	snprintf(config, sizeof(config),
		 "scrape_configs:\n- job_name: peat\n  scrape_interval: 1s\n  static_configs:\n"
		 "  - targets: ['%s']\n",
		 address);
	close(scratch__file("config.yml", config));
	snprintf(file, sizeof(file), "--config.file=%s", scratch__path("config.yml"));
	snprintf(data, sizeof(data), "--storage.tsdb.path=%s", scratch__path("data"));
	snprintf(listen, sizeof(listen), "--web.listen-address=127.0.0.1:%u", free_port());
	snprintf(url, sizeof(url), "http://%s", strchr(listen, '=') + 1);
	command__start(&server, ALL_CAPS, ARGV("prometheus", file, data, listen));
	expect_answer(url, "sum(exec_run_time_seconds_total)", "=> 30 @");
	expect_answer(url, "sum(exec_latency_seconds_bucket{le=\"1.0\"})", "=> 60 @");
	expect_answer(url, "peat_events_lost_total", "cause=\"ring_full\"");
	kill(server.pid, SIGTERM);
	command__finish(&server);
	command__free(&server);
}
END_TEST

/* The sums over all label sets, of the metrics and of the answer. */
START_TEST(test_sums_with_many_label_sets)
{
	double run_time = 0;
	uint64_t count = 0;
	struct command command;
	unsigned lines = 0;

	need_server();
	output = OPEN(SET("prometheus", "0"), SET("max-series", "100"));
	write_points("a", 5000);
	write_points("b", 5000);
	command = curl(NULL, NULL, "/metrics");
	for (char *line = command.out_text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		lines++;
		if (!strncmp(line, "exec_run_time_seconds_total{", 28))
			run_time += strtod(strstr(line, "} ") + 2, NULL);
		if (!strncmp(line, "exec_latency_seconds_count{", 27))
			count += strtoull(strstr(line, "} ") + 2, NULL, 10);
	}
	ck_assert_uint_lt(lines, 1000);
	ck_assert_double_eq(run_time, 15000);
	ck_assert_uint_eq(count, 60000);
	command__free(&command);
}
END_TEST

START_TEST(test_pages_and_methods)
{
	struct command command;

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
	check_page(NULL, NULL, "/readyz", "ok\n200 text/plain; charset=utf-8");
	__atomic_store_n(&is_healthy, false, __ATOMIC_RELEASE);
	check_page(NULL, NULL, "/readyz",
		   "source exec: no permission\n503 text/plain; charset=utf-8");
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
	check_page(NULL, NULL, "/",
		   "no such page: there are /metrics, /healthz and /readyz\n"
		   "404 text/plain; charset=utf-8");
	check_page("-XDELETE", NULL, "/metrics",
		   "only GET and HEAD are answered\n405 text/plain; charset=utf-8");
	check_page("-d", "a=b", "/metrics",
		   "only GET and HEAD are answered\n405 text/plain; charset=utf-8");
	command = curl("-I", NULL, "/metrics");
	ck_assert_ptr_eq(strstr(command.out_text, "HTTP/1.1 200 OK\r\n"), command.out_text);
	check_ends(command.out_text, "\r\n\r\n" TEXT_TYPE);
	command__free(&command);
}
END_TEST

START_TEST(test_unix_socket)
{
	char value[160];
	struct command command;
	struct stat file;

	need_server();
	snprintf(value, sizeof(value), "unix:%s", scratch__path("metrics.sock"));
	output = OPEN(SET("prometheus", value));
	ck_assert_ptr_nonnull(output);
	ck_assert_int_eq(stat(scratch__path("metrics.sock"), &file), 0);
	ck_assert_uint_eq(file.st_mode, S_IFSOCK | 0660);
	command = curl(NULL, NULL, "/metrics");
	check_ends(command.out_text, TEXT_TYPE);
	command__free(&command);
	ck_assert_ptr_null(OPEN(SET("prometheus", value)));
	ck_assert_int_eq(errno, EADDRINUSE);
	ck_assert_ptr_nonnull(strstr(message, "another process uses this socket"));
	ops->close(output);
	output = NULL;
	ck_assert_int_eq(access(scratch__path("metrics.sock"), F_OK), -1);
}
END_TEST

START_TEST(test_refuses_settings)
{
	need_server();
	ck_assert_ptr_null(OPEN(SET("prometheus", "0.0.0.0:0")));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "output metrics: prometheus: other machines can reach this "
				  "address: use one such as 127.0.0.1:9464, or set public: true");
	ck_assert_ptr_null(OPEN(SET("prometheus", "metrics")));
	ck_assert_ptr_nonnull(strstr(message, "output metrics: prometheus: no port"));
	ck_assert_ptr_null(OPEN(SET("max-series", "0")));
	ck_assert_ptr_null(OPEN(SET("serie", "0")));
	output = OPEN(SET("prometheus", "0.0.0.0:0"), SET("public", "true"));
	ck_assert_ptr_nonnull(output);
}
END_TEST

/* ---- hostile clients ------------------------------------------------------------------------- */

static int connect_to_server(void)
{
	struct address at;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_ptr_null(address__parse(address, &at));
	ck_assert_int_eq(connect(fd, &at.any, at.bytes), 0);
	return fd;
}

static void send_text(int fd, const char *text)
{
	ssize_t sent = send(fd, text, strlen(text), MSG_NOSIGNAL);

	ck_assert(sent > 0 || errno == EPIPE || errno == ECONNRESET);
}

/* Receives until the server closes; the first bytes. */
static const char *receive_answer(int fd)
{
	static char text[256];
	char rest[4096];
	size_t count = 0;
	ssize_t bytes;

	while ((bytes = recv(fd, rest, sizeof(rest), 0)) > 0)
		if (count < sizeof(text) - 1) {
			size_t part = sizeof(text) - 1 - count;

			part = part < (size_t)bytes ? part : (size_t)bytes;
			memcpy(text + count, rest, part);
			count += part;
		}
	text[count] = 0;
	return text;
}

#define MANY 200

START_TEST(test_requests_that_never_end)
{
	int fds[MANY];

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	for (int i = 0; i < MANY; i++) {
		fds[i] = connect_to_server();
		send_text(fds[i], i % 2 ? "GET /metrics HTTP/1.1\r\nHost: a\r\nX: " : "G");
	}
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
	for (int i = 0; i < MANY; i++)
		close(fds[i]);
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
}
END_TEST

/* Requests a page, and waits for the first bytes of the answer, which it leaves in the socket. */
static int request_page(char *answer, size_t room)
{
	int fd = connect_to_server();
	ssize_t bytes;

	send_text(fd, "GET /metrics HTTP/1.0\r\n\r\n");
	bytes = recv(fd, answer, room - 1, MSG_PEEK);
	ck_assert_int_gt(bytes, 0);
	answer[bytes] = 0;
	return fd;
}

/* Answers are refused if clients leave too many bytes unread. */
START_TEST(test_answers_that_nobody_reads)
{
	static char end[3000];
	char answer[64];
	int fds[20], last;

	need_server();
	memset(end, 'x', sizeof(end) - 1);
	output = OPEN(SET("prometheus", "127.0.0.1:0"), SET("max-series", "100000"));
	write_points_with("a", 1500, end);
	for (last = 0; last < 20; last++) {
		fds[last] = request_page(answer, sizeof(answer));
		if (strstr(answer, " 503 "))
			break;
		ck_assert_ptr_nonnull(strstr(answer, " 200 "));
	}
	ck_assert_int_gt(last, 0);
	ck_assert_int_lt(last, 20);
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
	for (int i = 0; i <= last; i++)
		close(fds[i]);
}
END_TEST

static void check_answer(const char *request, const char *status)
{
	int fd = connect_to_server();
	const char *text;

	send_text(fd, request);
	text = receive_answer(fd);
	ck_assert_msg(strstr(text, status), "%.40s: answer %s", request, text);
	close(fd);
}

START_TEST(test_silence_ends_connections)
{
	int silent, half, closed;

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	silent = connect_to_server();
	half = connect_to_server();
	closed = connect_to_server();
	send_text(half, "GET /metrics HTTP/1.1\r\nHost: a\r\n");
	send_text(closed, "GET /metrics");
	shutdown(closed, SHUT_WR);
	ck_assert_str_eq(receive_answer(silent), "");
	ck_assert_str_eq(receive_answer(half), "");
	ck_assert_str_eq(receive_answer(closed), "");
	close(silent);
	close(half);
	close(closed);
}
END_TEST

START_TEST(test_malformed_requests)
{
	static char path[64 << 10];

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	check_answer("GET /%2e%2e/%00metrics?a=%ff HTTP/1.0\r\n\r\n", " 404 ");
	check_answer("PUT /metrics HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", " 405 ");
	memset(path, 'a', sizeof(path) - 1);
	memcpy(path, "GET /", 5);
	memcpy(path + sizeof(path) - 20, " HTTP/1.0\r\n\r\n", 14);
	check_answer(path, " 41");
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
}
END_TEST

/* ---- leaks ----------------------------------------------------------------------------------- */

static long resident_kib(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%*d %ld", &pages), 1);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void scrape(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		write_points("a", 20);
		check_answer(i % 2 ? "GET /metrics HTTP/1.0\r\n\r\n"
				   : "GET /metrics HTTP/1.0\r\nAccept: "
				     "application/openmetrics-text\r\n\r\n",
			     " 200 ");
	}
}

START_TEST(test_thousand_scrapes_leave_nothing)
{
	unsigned fds;
	long kib;

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	scrape(100);
	fds = process__count_fds();
	kib = resident_kib();
	scrape(1000);
	check_page(NULL, NULL, "/healthz", "ok\n200 text/plain; charset=utf-8");
	ck_assert_uint_le(process__count_fds(), fds + 1);
#ifndef __SANITIZE_ADDRESS__
	ck_assert_int_lt(resident_kib(), kib + 1024);
#else
	(void)kib;
#endif
}
END_TEST

static void *write_all_the_time(void *arg)
{
	while (!__atomic_load_n((bool *)arg, __ATOMIC_ACQUIRE)) {
		write_points("a", 20);
		write_points("b", 20);
	}
	return NULL;
}

/* The agent's thread writes while the server's thread answers. */
START_TEST(test_scrapes_while_points_arrive)
{
	bool is_done = false;
	pthread_t thread;

	need_server();
	output = OPEN(SET("prometheus", "127.0.0.1:0"));
	ck_assert_int_eq(pthread_create(&thread, NULL, write_all_the_time, &is_done), 0);
	for (int i = 0; i < 200; i++)
		check_answer("GET /metrics HTTP/1.0\r\n\r\n", " 200 ");
	__atomic_store_n(&is_done, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}
END_TEST

START_TEST(test_close_leaves_no_fds)
{
	unsigned fds = process__count_fds();
	sigset_t before = { 0 }, after = { 0 };

	need_server();
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	for (int i = 0; i < 20; i++) {
		output = OPEN(SET("prometheus", "127.0.0.1:0"));
		ck_assert_ptr_nonnull(output);
		write_points("a", 2);
		int fd = connect_to_server();
		send_text(fd, "GET /metr");
		ops->close(output);
		close(fd);
	}
	output = NULL;
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	ck_assert_mem_eq(&before, &after, sizeof(before));
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

static Suite *prometheus_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("prometheus", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_scrapes_in_both_formats);
	tcase_add_test(tests, test_promtool_accepts_metrics);
	tcase_add_test(tests, test_prometheus_scrapes_metrics);
	tcase_add_test(tests, test_sums_with_many_label_sets);
	tcase_add_test(tests, test_pages_and_methods);
	tcase_add_test(tests, test_unix_socket);
	tcase_add_test(tests, test_refuses_settings);
	tcase_add_test(tests, test_requests_that_never_end);
	tcase_add_test(tests, test_answers_that_nobody_reads);
	tcase_add_test(tests, test_silence_ends_connections);
	tcase_add_test(tests, test_malformed_requests);
	tcase_add_test(tests, test_thousand_scrapes_leave_nothing);
	tcase_add_test(tests, test_scrapes_while_points_arrive);
	tcase_add_test(tests, test_close_leaves_no_fds);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { prometheus_suite };

	return harness__main(argc, argv, suites, 1);
}
