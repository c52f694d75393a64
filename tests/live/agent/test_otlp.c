// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_otlp.c: two other programs read what the output sends: protoc, and a server of node with
 * protobufjs.  npm brings both the server's modules and OpenTelemetry's .proto files.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/agent/output_run.h"
#include "support/machine/command.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/otlp/otlp_events.h"

/* Beside the build of the tests, so that npm loads the packages once. */
#define MODULES_DIR "build/npm-otlp"
#define MODULES	    MODULES_DIR "/node_modules"
#define PROTOS	    MODULES "/@opentelemetry/otlp-grpc-exporter-base/build/protos"

static struct command server;

/* False: npm cannot load them; the test is skipped then. */
static bool have_modules(void)
{
	struct command npm;
	int status;

	if (!access(PROTOS, R_OK) && !access(MODULES "/protobufjs", R_OK))
		return true;
	command__run(&npm, ALL_CAPS,
		     ARGV("tests/support/npm-install", MODULES_DIR,
			  "@opentelemetry/otlp-grpc-exporter-base@0.35.0", "protobufjs@7.6.6"));
	status = npm.status;
	command__free(&npm);
	return !status;
}

#define need_server()                                                                              \
	do {                                                                                       \
		need_output("otlp");                                                               \
		need_program("node");                                                              \
		need_program("npm");                                                               \
		need_program("protoc");                                                            \
		if (!have_modules())                                                               \
			skip("npm cannot load OpenTelemetry's .proto files: no network?");         \
	} while (0)

static char *absolute(const char *path)
{
	char *whole = realpath(path, NULL);

	ck_assert_ptr_nonnull(whole);
	return whole;
}

/* Returns the port. */
static unsigned start_server(const char *cert, const char *key, const char *port)
{
	char line[128] = "", *modules = absolute(MODULES);
	unsigned number = 0;

	command__start(
		&server, ALL_CAPS,
		cert ? ARGV("node", "tests/live/agent/otlp_server.js", modules, scratch__dir(),
			    cert, key, port)
		     : ARGV("node", "tests/live/agent/otlp_server.js", modules, scratch__dir()));
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), server.out));
	ck_assert_msg(sscanf(line, "port %u", &number) == 1, "%s", line);
	free(modules);
	return number;
}

static const char *server_line(void)
{
	static char line[65536];

	ck_assert_ptr_nonnull(fgets(line, sizeof(line), server.out));
	return line;
}

static void stop_server(void)
{
	kill(server.pid, SIGKILL);
	command__finish(&server);
	command__free(&server);
}

static void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "no %s in %.2000s", wanted, text);
}

/* protoc decodes the requests. */
static char *decode(const char *signal, const char *type)
{
	struct command protoc;
	char script[1024], *text;

	snprintf(script, sizeof(script),
		 "exec protoc -I " PROTOS " --decode=opentelemetry.proto.collector.%s.v1.%s"
		 " opentelemetry/proto/collector/%s/v1/%s_service.proto < %s/%s.bin",
		 signal, type, signal, signal, scratch__dir(), signal);
	command__run(&protoc, ALL_CAPS, ARGV("sh", "-c", script));
	ck_assert_msg(!protoc.status, "%s", protoc.err_text);
	text = strdup(protoc.out_text);
	command__free(&protoc);
	return text;
}

static struct peat_batch *mixed_batch(void)
{
	const struct peat_bucket buckets[] = { { 10, 1 }, { 100, 2 }, { INFINITY, 3 } };
	struct peat_batch *batch = batch_of(1);

	add_lost(batch, 17);
	add_counter(batch, "peat.events.lost", "0", 3);
	add_counter(batch, "peat.events.lost", "1", 4);
	add_gauge(batch, 0.25);
	add_histogram(batch, "peat.write.size", buckets, 3, 777);
	add_log2_histogram(batch, 0, 2);
	return batch;
}

START_TEST(test_node_reads_logs)
{
	const char *line;

	need_server();
	output_run__open("otlp", start_server(NULL, NULL, NULL), NULL);
	output_run__send(mixed_batch());
	ck_assert_uint_eq(output_run__refused(), 0);
	line = server_line();
	check_has(line, "\"url\":\"/v1/logs\",\"gzip\":true,\"type\":\"application/x-protobuf\"");
	check_has(line, "\"key\":\"service.name\",\"value\":{\"stringValue\":\"peat\"}");
	check_has(line, "\"key\":\"os.type\",\"value\":{\"stringValue\":\"linux\"}");
	check_has(line, "\"timeUnixNano\":\"1700000001000000007\"");
	check_has(line, "\"key\":\"process.pid\",\"value\":{\"intValue\":\"41\"}");
	check_has(line, "\"key\":\"thread.name\",\"value\":{\"stringValue\":\"bash\"}");
	check_has(line, "\"key\":\"cpu.logical_number\",\"value\":{\"intValue\":\"3\"}");
	check_has(line, "\"severityNumber\":\"SEVERITY_NUMBER_WARN\"");
	check_has(line, "\"key\":\"ppid\",\"value\":{\"intValue\":\"1\"}");
	check_has(line, "\"key\":\"result\",\"value\":{\"stringValue\":\"ENOENT\"}");
	check_has(line, "\"key\":\"offset\",\"value\":{\"stringValue\":\"18446744073709551615\"}");
	check_has(line, "\"key\":\"path\",\"value\":{\"stringValue\":\"/etc/m\xc3\xb6td\"}");
	check_has(line, "\"key\":\"digest\",\"value\":{\"bytesValue\":\"3q2+7w==\"}");
	check_has(line, "\"key\":\"from\",\"value\":{\"stringValue\":\"192.0.2.1\"}");
	check_has(line, "\"key\":\"open_flags\",\"value\":{\"stringValue\":\"READ|WRITE\"}");
	check_has(line, "\"key\":\"load\",\"value\":{\"doubleValue\":1.5}");
	check_has(line, "\"key\":\"is_root\",\"value\":{\"boolValue\":true}");
	check_has(line,
		  "\"key\":\"peer\",\"value\":{\"kvlistValue\":{\"values\":[{\"key\":\"port\","
		  "\"value\":{\"intValue\":\"443\"}},{\"key\":\"level\",\"value\":{\"intValue\":"
		  "\"-7\"}}]}}");
	check_has(line,
		  "\"key\":\"sizes\",\"value\":{\"arrayValue\":{\"values\":[{\"intValue\":\"1\"},"
		  "{\"intValue\":\"2\"},{\"intValue\":\"300\"}]}}");
	check_has(line, "\"key\":\"peat.lost.count\",\"value\":{\"intValue\":\"17\"}");
	check_has(line, "\"key\":\"peat.lost.cause\",\"value\":{\"stringValue\":\"ring_full\"}");
	output_run__close();
	stop_server();
}
END_TEST

START_TEST(test_node_reads_metrics)
{
	const char *line;

	need_server();
	output_run__open("otlp", start_server(NULL, NULL, NULL), "compression", "none", NULL);
	output_run__send(mixed_batch());
	ck_assert_uint_eq(output_run__refused(), 0);
	server_line();
	line = server_line();
	check_has(line, "\"url\":\"/v1/metrics\",\"gzip\":false");
	check_has(line, "\"name\":\"peat.events.lost\",\"description\":\"Events that were "
			"lost.\",\"unit\":\"{event}\",\"sum\":{\"dataPoints\":[");
	check_has(line, "\"asInt\":\"3\"");
	check_has(line, "\"asInt\":\"4\"");
	check_has(line, "\"aggregationTemporality\":\"AGGREGATION_TEMPORALITY_CUMULATIVE\","
			"\"isMonotonic\":true");
	check_has(line, "\"asDouble\":0.25");
	check_has(line, "\"sum\":777,\"bucketCounts\":[\"1\",\"2\",\"3\"],\"explicitBounds\":[10,"
			"100]");
	check_has(line, "\"exponentialHistogram\"");
	check_has(line, "\"zeroCount\":\"5\",\"positive\":{\"offset\":2,");
	output_run__close();
	stop_server();
}
END_TEST

START_TEST(test_protoc_reads_both)
{
	char *text;

	need_server();
	output_run__open("otlp", start_server(NULL, NULL, NULL), NULL);
	output_run__send(mixed_batch());
	server_line();
	server_line();
	text = decode("logs", "ExportLogsServiceRequest");
	check_has(text, "string_value: \"peat.opened\"");
	check_has(text, "12: \"peat.lost\""); /* event_name is newer than these files */
	check_has(text, "severity_number: SEVERITY_NUMBER_WARN");
	check_has(text, "bytes_value: \"\\336\\255\\276\\357\"");
	free(text);
	text = decode("metrics", "ExportMetricsServiceRequest");
	check_has(text, "is_monotonic: true");
	check_has(text, "zero_count: 5");
	check_has(text, "explicit_bounds: 100");
	free(text);
	output_run__close();
	stop_server();
}
END_TEST

/* ---- TLS ------------------------------------------------------------------------------------- */

static void make_certificate(const char *name)
{
	char script[1024];
	struct command openssl;

	snprintf(
		script, sizeof(script),
		"cd %s && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
		" -keyout %s.key -out %s.crt -days 2 -subj /CN=%s -addext "
		"subjectAltName=IP:127.0.0.1",
		scratch__dir(), name, name, name);
	command__run(&openssl, ALL_CAPS, ARGV("sh", "-c", script));
	ck_assert_msg(!openssl.status, "%s", openssl.err_text);
	command__free(&openssl);
}

START_TEST(test_wrong_certificate_until_right)
{
	char port[16];
	unsigned number;

	need_server();
	need_program("openssl");
	make_certificate("right");
	make_certificate("wrong");
	close(scratch__file("headers", "# a comment\nX-Token: secret\n"));
	ck_assert_int_eq(chmod(scratch__path("headers"), 0600), 0);
	number = start_server(scratch__path("wrong.crt"), scratch__path("wrong.key"), "0");
	output_run__open_tls("otlp", number, "ca-file", scratch__path("right.crt"), "headers-file",
			     scratch__path("headers"), NULL);
	output_run__write(batch_of(3));
	output_run__wait(1500);
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	check_has(output_run__message(), "certificate");
	stop_server();
	snprintf(port, sizeof(port), "%u", number);
	start_server(scratch__path("right.crt"), scratch__path("right.key"), port);
	output_run__wait_settled(1);
	ck_assert_uint_eq(output_run__refused(), 0);
	check_has(output_run__message(), "answers again");
	check_has(server_line(), "\"token\":\"secret\"");
	output_run__close();
	stop_server();
}
END_TEST

static Suite *otlp_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("otlp", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_node_reads_logs);
	tcase_add_test(tests, test_node_reads_metrics);
	tcase_add_test(tests, test_protoc_reads_both);
	tcase_add_test(tests, test_wrong_certificate_until_right);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { otlp_suite };

	return harness__main(argc, argv, suites, 1);
}
