// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_recv_access.c: peat recv, and verbs that read a stream, with servers that want passwords,
 * tokens and certificates.  Output never has a secret.
 */
#include "support/machine/harness.h"

#ifdef HAVE_NATS

#include <stdlib.h>
#include <sys/stat.h>

#include "nats/options.h"
#include "support/agent/encoded_piece.h"
#include "support/agent/nats_server.h"
#include "support/machine/process.h"

#define SECRET	 "s3cret: one@two"
#define PASSWORD "authorization { user: peat, password: \"" SECRET "\" }\n"
#define TOKEN	 "authorization { token: \"" SECRET "\" }\n"
#define OTHER	 "authorization { user: peat, password: another }\n"
#define TLS_URL	 "tls://127.0.0.1:4222"
#define EVENTS	 10

static struct nats_server server;
static struct command command;

static void setup(void)
{
	scratch__make();
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* peat-recv ends early when it is refused */
}

#define PEAT(...)                                                                                  \
	do {                                                                                       \
		command__free(&command);                                                           \
		command__run(&command, ALL_CAPS, ARGV(command__peat(), __VA_ARGS__));              \
	} while (0)

static void check_clean(void)
{
	ck_assert_msg(!strstr(command.out_text, "s3cret"), "%s", command.out_text);
	ck_assert_msg(!strstr(command.err_text, "s3cret"), "%s", command.err_text);
}

/* All events were printed as lines. */
static void check_received(void)
{
	unsigned lines = 0;

	ck_assert_msg(!command.status, "status %d: %s", command.status, command.err_text);
	for (const char *at = command.out_text; (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_uint_eq(lines, EVENTS);
	check_clean();
}

static void check_refused(int status, const char *reason)
{
	ck_assert_msg(command.status == status, "status %d: %s", command.status, command.err_text);
	ck_assert_msg(strstr(command.err_text, reason), "no \"%s\" in: %s", reason,
		      command.err_text);
	check_clean();
}

static void publish(void)
{
	struct strbuf piece = encoded_numbers("web1", 1, EVENTS);

	nats_server__publish(&server, "peat.web1.test", piece.bytes, piece.count);
	strbuf__free(&piece);
}

/* A server with one batch, which was published with this access. */
static void begin(const char *config, const struct nats_access *access)
{
	struct servers servers = { 0 };
	char why[NATS_WHY];
	natsOptions *options;
	const char *fault;

	nats_server__start_with(&server, config);
	ck_assert_int_eq(servers__read(&servers, NATS_SERVER_URL, &fault), 0);
	options = nats_options__make(access, servers.at, 1, why);
	ck_assert_msg(options, "%s", why);
	nats_server__connect(&server, options);
	natsOptions_Destroy(options);
	servers__free(&servers);
	nats_server__add_stream(&server);
	publish();
}

static void begin_with_password(void)
{
	begin(PASSWORD, &(struct nats_access){ .user = "peat", .password = SECRET });
}

static void finish(void)
{
	command__free(&command);
	nats_server__end(&server);
}

START_TEST(test_user_with_password)
{
	need_nats_server();
	begin_with_password();
	PEAT("recv", "-j", "--all", "--end", "--user", "peat", "--password-file",
	     scratch__replace("secret", SECRET "\n"));
	check_received();
	PEAT("recv", "--all", "--end", "--user", "peat", "--password-file",
	     scratch__replace("secret", "s3cret"));
	check_refused(1, "Authorization Violation");
	PEAT("recv", "--all", "--end");
	check_refused(1, "Authorization Violation");
	PEAT("recv", "--all", "--end", "--user", "peat");
	check_refused(64, "user and password-file need each other");
	finish();
}
END_TEST

START_TEST(test_token_of_file)
{
	need_nats_server();
	begin(TOKEN, &(struct nats_access){ .token = SECRET });
	PEAT("recv", "-j", "--all", "--end", "--token-file", scratch__replace("secret", SECRET));
	check_received();
	ck_assert_int_eq(chmod(scratch__path("secret"), 0644), 0);
	PEAT("recv", "--all", "--end", "--token-file", scratch__path("secret"));
	check_refused(1, "token-file: other users can read or change it: chmod 600");
	finish();
}
END_TEST

/* Other users can read a command line. */
START_TEST(test_credentials_in_urls_are_refused)
{
	need_nats_server();
	begin_with_password();
	PEAT("recv", "--all", "--end", "nats://peat:s3cret@127.0.0.1:4222");
	check_refused(64, "a URL is no place for credentials: use a credentials-file");
	PEAT("replay", "nats://peat:s3cret@127.0.0.1:4222/PEAT");
	check_refused(1, "a URL is no place for credentials: set NATS_CREDS");
	finish();
}
END_TEST

START_TEST(test_verbs_use_the_environment)
{
	need_nats_server();
	begin_with_password();
	setenv("NATS_USER", "peat", 1);
	setenv("NATS_PASSWORD", SECRET, 1);
	PEAT("replay", "-j", NATS_SERVER_URL);
	check_received();
	PEAT("count", "-j", "--by", "comm", NATS_SERVER_URL);
	ck_assert_msg(strstr(command.out_text, "{\"comm\":\"cc1plus\",\"count\":10}"), "%s",
		      command.out_text);
	setenv("NATS_URL", NATS_SERVER_URL, 1);
	PEAT("recv", "-j", "--all", "--end");
	check_received();
	PEAT("recv", "--all", "--end", "--token-file", scratch__replace("secret", "s3cret"));
	check_refused(1, "Authorization Violation");
	setenv("NATS_PASSWORD", "s3cret", 1);
	PEAT("replay", NATS_SERVER_URL);
	check_refused(1, "Authorization Violation");
	finish();
}
END_TEST

/* A user without a password is a token, like in the command nats. */
START_TEST(test_tokens_of_the_environment)
{
	need_nats_server();
	begin(TOKEN, &(struct nats_access){ .token = SECRET });
	setenv("NATS_USER", SECRET, 1);
	PEAT("replay", "-j", NATS_SERVER_URL);
	check_received();
	unsetenv("NATS_USER");
	setenv("NATS_TOKEN", SECRET, 1);
	PEAT("replay", "-j", NATS_SERVER_URL);
	check_received();
	finish();
}
END_TEST

/* A receiver that runs ends when the server refuses it from then on. */
START_TEST(test_password_that_is_revoked)
{
	need_nats_server();
	begin_with_password();
	command__start(&command, ALL_CAPS,
		       ARGV(command__peat(), "recv", "-j", "--delay", "0", "--user", "peat",
			    "--password-file", scratch__replace("secret", SECRET)));
	command__expect(command.out, "\"number\":10");
	nats_server__stop(&server);
	nats_server__start_with(&server, OTHER);
	command__finish(&command);
	check_refused(1, "Authorization Violation");
	finish();
}
END_TEST

/* ---- TLS ------------------------------------------------------------------------------------- */

#define MAKE_CERTIFICATE                                                                           \
	"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "

static void make_certificates(void)
{
	struct command shell;

	command__run(&shell, ALL_CAPS,
		     ARGV("sh", "-c",
			  "cd \"$1\" && umask 077 && " MAKE_CERTIFICATE
			  "-keyout own.key -out own.crt -subj /CN=own -addext "
			  "subjectAltName=IP:127.0.0.1 2>&1 && " MAKE_CERTIFICATE
			  "-keyout far.key -out far.crt -subj /CN=far -addext "
			  "subjectAltName=DNS:far.example 2>&1",
			  "sh", scratch__dir()));
	ck_assert_msg(!shell.status, "%s", shell.out_text);
	command__free(&shell);
}

/* The server has this certificate, and accepts that of its clients; both are own.crt or far.crt. */
static void begin_with_tls(const char *name)
{
	char config[512], ca[128], cert[128], key[128];
	const struct nats_access access = { .ca_file = ca, .cert_file = cert, .key_file = key };

	snprintf(ca, sizeof(ca), "%s/own.crt", scratch__dir());
	snprintf(cert, sizeof(cert), "%s/%s.crt", scratch__dir(), name);
	snprintf(key, sizeof(key), "%s/%s.key", scratch__dir(), name);
	snprintf(config, sizeof(config),
		 "tls { cert_file: \"%s\", key_file: \"%s\", verify: true, ca_file: \"%s\" }\n",
		 cert, key, cert);
	if (!strcmp(name, "own"))
		begin(config, &access);
	else
		nats_server__start_with(&server, config);
}

static void use_own_certificate(void)
{
	setenv("NATS_CERT", scratch__path("own.crt"), 1);
	setenv("NATS_KEY", scratch__path("own.key"), 1);
	setenv("NATS_CA", scratch__path("own.crt"), 1);
}

START_TEST(test_certificates_of_both)
{
	need_nats_server();
	need_program("openssl");
	make_certificates();
	begin_with_tls("own");
	setenv("NATS_CA", scratch__path("own.crt"), 1);
	PEAT("replay", TLS_URL);
	ck_assert_int_eq(command.status, 1);
	use_own_certificate();
	PEAT("replay", "-j", TLS_URL);
	check_received();
	PEAT("recv", "-j", "--all", "--end", "--ca-file", scratch__path("far.crt"), TLS_URL);
	check_refused(1, "certificate");
	ck_assert_int_eq(chmod(scratch__path("own.key"), 0644), 0);
	PEAT("replay", TLS_URL);
	check_refused(1, "key-file: other users can read or change it");
	finish();
}
END_TEST

START_TEST(test_names_of_certificates)
{
	need_nats_server();
	need_program("openssl");
	make_certificates();
	begin_with_tls("far");
	setenv("NATS_CA", scratch__path("far.crt"), 1);
	PEAT("replay", TLS_URL);
	check_refused(1, "mismatch");
	command__free(&command);
	nats_server__stop(&server);
}
END_TEST

START_TEST(test_servers_with_tls_are_tried_in_turn)
{
	need_nats_server();
	need_program("openssl");
	make_certificates();
	begin_with_tls("own");
	use_own_certificate();
	PEAT("replay", "-j", "tls://127.0.0.1:4221," TLS_URL);
	check_received();
	ck_assert_ptr_nonnull(
		strstr(command.err_text, "cannot connect to tls://127.0.0.1:4221: it cannot be"));
	finish();
}
END_TEST

static Suite *recv_access_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_access", 60, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_user_with_password);
	tcase_add_test(tests, test_token_of_file);
	tcase_add_test(tests, test_credentials_in_urls_are_refused);
	tcase_add_test(tests, test_verbs_use_the_environment);
	tcase_add_test(tests, test_tokens_of_the_environment);
	tcase_add_test(tests, test_password_that_is_revoked);
	tcase_add_test(tests, test_certificates_of_both);
	tcase_add_test(tests, test_names_of_certificates);
	tcase_add_test(tests, test_servers_with_tls_are_tried_in_turn);
	return suite;
}

#else

START_TEST(test_user_with_password)
{
	skip("built without libnats");
}
END_TEST

static Suite *recv_access_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_access", 60, &tests);

	tcase_add_loop_test(tests, test_user_with_password, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recv_access_suite };

	return harness__main(argc, argv, suites, 1);
}
