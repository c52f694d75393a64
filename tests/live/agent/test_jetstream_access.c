// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_jetstream_access.c: servers of NATS that want credentials and encryption.  Events wait while
 * they are refused, and a new file is used without a restart.
 */
#include "live/agent/output_run.h"

#ifdef HAVE_NATS

#include <sys/stat.h>

#include "live/agent/nats_servers.h"

#define TLS_FIRST "tls://127.0.0.1:4221"

static void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "no \"%s\" in \"%s\"", wanted, text);
}

/* Lets the output work until its last warning has this text. */
static void wait_for_warning(const char *text)
{
	while (!strstr(output_run__warning(), text))
		output_run__wait(100);
}

static void run_script(const char *script)
{
	struct command shell;

	command__run(&shell, ALL_CAPS, ARGV("sh", "-c", script, "sh", scratch__dir()));
	ck_assert_msg(!shell.status, "%s", shell.err_text);
	command__free(&shell);
}

static void make_accounts(const char *seconds)
{
	struct command node;

	command__run(&node, ALL_CAPS,
		     ARGV("node", "tests/live/agent/nats_accounts.js", NATS_MODULES, scratch__dir(),
			  seconds));
	ck_assert_msg(!node.status, "%s", node.err_text);
	command__free(&node);
}

/* The file in use gets the contents of another one. */
static void use_credentials(const char *name)
{
	char script[256];

	snprintf(script, sizeof(script), "cd \"$1\" && cp -p %s.creds new && mv new agent.creds",
		 name);
	run_script(script);
}

static void use_accounts(const char *name)
{
	char script[256];

	snprintf(script, sizeof(script), "cd \"$1\" && cp %s auth_used.conf", name);
	run_script(script);
}

/* The server has a stream, as the user of right.creds makes it. */
static void start_with_accounts(void)
{
	use_accounts("auth.conf");
	nats__start(0, false, "include ./auth_used.conf");
	use_credentials("right");
	ck_assert_msg(
		!nats__set_up(NATS_FIRST, "credentials-file", scratch__path("agent.creds"), NULL),
		"%s", nats_line);
}

static void open_output(void)
{
	output_run__open_at("jetstream", NATS_FIRST, "credentials-file",
			    scratch__path("agent.creds"), NULL);
}

START_TEST(test_wrong_credentials_until_right)
{
	need_nats();
	make_accounts("3600");
	start_with_accounts();
	use_credentials("wrong");
	ck_assert_int_eq(
		nats__set_up(NATS_FIRST, "credentials-file", scratch__path("agent.creds"), NULL),
		-EIO);
	open_output();
	output_run__write(nats__batch("exec", 1, 10));
	wait_for_warning("Authorization Violation");
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	use_credentials("right");
	output_run__wait_settled(1);
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_public_credentials)
{
	need_nats();
	make_accounts("3600");
	start_with_accounts();
	open_output();
	output_run__send(nats__batch("exec", 1, 10));
	ck_assert_int_eq(chmod(scratch__path("agent.creds"), 0644), 0);
	nats__stop(0);
	nats__start(0, false, "include ./auth_used.conf");
	output_run__write(nats__batch("exec", 11, 10));
	wait_for_warning("credentials-file: other users");
	ck_assert_uint_eq(output_run__settled(), 1);
	ck_assert_int_eq(chmod(scratch__path("agent.creds"), 0600), 0);
	output_run__wait_settled(2);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_revoked_credentials)
{
	need_nats();
	make_accounts("3600");
	start_with_accounts();
	use_credentials("revoked");
	open_output();
	output_run__send(nats__batch("exec", 1, 10));
	use_accounts("revoked.conf");
	nats__stop(0);
	nats__start(0, false, "include ./auth_used.conf");
	output_run__write(nats__batch("exec", 11, 10));
	wait_for_warning("Authorization Violation");
	ck_assert_uint_eq(output_run__settled(), 1);
	use_credentials("right");
	output_run__wait_settled(2);
	ck_assert_uint_eq(output_run__arrived(), 20);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_expired_credentials)
{
	need_nats();
	make_accounts("8"); /* a busy machine sends its first batch late */
	start_with_accounts();
	use_credentials("short");
	open_output();
	output_run__send(nats__batch("exec", 1, 10));
	wait_for_warning("xpired");
	output_run__wait(1100); /* the server accepts them until the end of the second */
	output_run__write(nats__batch("exec", 11, 10));
	output_run__wait(700);
	ck_assert_uint_eq(output_run__settled(), 1);
	use_credentials("right");
	output_run__wait_settled(2);
	output_run__close();
	nats__stop(0);
}
END_TEST

/* Verbs that read the stream use the credentials of the environment. */
START_TEST(test_receiver_with_credentials)
{
	struct command replay;

	need_nats();
	make_accounts("3600");
	start_with_accounts();
	open_output();
	output_run__send(nats__batch("exec", 1, 10));
	output_run__close();
	setenv("NATS_CREDS", scratch__path("agent.creds"), 1);
	command__run(&replay, ALL_CAPS, ARGV(command__peat(), "replay", "-j", NATS_FIRST));
	ck_assert_msg(!replay.status, "%s", replay.err_text);
	check_has(replay.out_text, "{\"type\":\"opened\"");
	command__free(&replay);
	use_credentials("wrong");
	command__run(&replay, ALL_CAPS, ARGV(command__peat(), "replay", "-j", NATS_FIRST));
	ck_assert_int_eq(replay.status, 1);
	check_has(replay.err_text, "Authorization Violation");
	command__free(&replay);
	nats__stop(0);
}
END_TEST

/* ---- passwords and tokens -------------------------------------------------------------------- */

START_TEST(test_password_until_right)
{
	need_nats();
	nats__start(0, false, "authorization { user: peat, password: \"s3cret one\" }");
	ck_assert_msg(!nats__set_up(NATS_FIRST, "user", "peat", "password-file",
				    scratch__replace("secret", "s3cret one\n"), NULL),
		      "%s", nats_line);
	output_run__open_at("jetstream", NATS_FIRST, "user", "peat", "password-file",
			    scratch__replace("secret", "s3cret two"), NULL);
	output_run__write(nats__batch("exec", 1, 10));
	wait_for_warning("Authorization Violation");
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	ck_assert_ptr_null(strstr(output_run__warning(), "s3cret"));
	scratch__replace("secret", "s3cret one");
	output_run__wait_settled(1);
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_token_that_changes)
{
	need_nats();
	nats__start(0, false, "authorization { token: s3cret }");
	ck_assert_msg(
		!nats__set_up(NATS_FIRST, "token-file", scratch__replace("secret", "s3cret"), NULL),
		"%s", nats_line);
	output_run__open_at("jetstream", NATS_FIRST, "token-file", scratch__path("secret"), NULL);
	output_run__send(nats__batch("exec", 1, 10));
	nats__stop(0);
	nats__start(0, false, "authorization { token: another }");
	output_run__write(nats__batch("exec", 11, 10));
	wait_for_warning("Authorization Violation");
	ck_assert_uint_eq(output_run__settled(), 1);
	ck_assert_ptr_null(strstr(output_run__warning(), "s3cret"));
	scratch__replace("secret", "another");
	output_run__wait_settled(2);
	ck_assert_uint_eq(output_run__arrived(), 20);
	output_run__close();
	nats__stop(0);
}
END_TEST

/* ---- TLS ------------------------------------------------------------------------------------- */

#define MAKE_CERTIFICATE                                                                           \
	"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "

static void make_certificates(void)
{
	run_script("cd \"$1\" && umask 077 &&" MAKE_CERTIFICATE
		   "-keyout right.key -out right.crt -subj /CN=right -addext "
		   "subjectAltName=IP:127.0.0.1 2>&1 &&" MAKE_CERTIFICATE
		   "-keyout other.key -out other.crt -subj /CN=other -addext "
		   "subjectAltName=DNS:other.example 2>&1");
}

static void start_with_tls(const char *name, const char *more)
{
	char config[512];

	snprintf(config, sizeof(config),
		 "tls { cert_file: \"%s/%s.crt\", key_file: \"%s/%s.key\" %s }", scratch__dir(),
		 name, scratch__dir(), name, more);
	nats__start(0, false, config);
}

static void set_up_with_tls(const char *cert, const char *key)
{
	ck_assert_msg(!nats__set_up(TLS_FIRST, "ca-file", scratch__path("right.crt"),
				    cert ? "cert-file" : NULL, cert, "key-file", key, NULL),
		      "%s", nats_line);
}

START_TEST(test_wrong_certificate_until_right)
{
	need_nats();
	need_program("openssl");
	make_certificates();
	start_with_tls("other", "");
	output_run__open_at("jetstream", TLS_FIRST, "ca-file", scratch__path("right.crt"), NULL);
	output_run__write(nats__batch("exec", 1, 10));
	wait_for_warning("certificate");
	ck_assert_uint_eq(output_run__settled(), 0);
	nats__stop(0);
	start_with_tls("right", "");
	set_up_with_tls(NULL, NULL);
	output_run__wait_settled(1);
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	nats__stop(0);
}
END_TEST

/* The certificate is trusted, and of another server. */
START_TEST(test_name_of_certificate)
{
	need_nats();
	need_program("openssl");
	make_certificates();
	start_with_tls("other", "");
	output_run__open_at("jetstream", TLS_FIRST, "ca-file", scratch__path("other.crt"), NULL);
	output_run__write(nats__batch("exec", 1, 10));
	wait_for_warning("mismatch");
	ck_assert_uint_eq(output_run__settled(), 0);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_server_without_encryption)
{
	need_nats();
	nats__start(0, false, "");
	output_run__open_at("jetstream", TLS_FIRST, NULL);
	output_run__write(nats__batch("exec", 1, 10));
	wait_for_warning("cannot connect to " TLS_FIRST);
	ck_assert_uint_eq(output_run__settled(), 0);
	output_run__close();
	nats__stop(0);
}
END_TEST

START_TEST(test_certificate_of_client)
{
	char more[256];

	need_nats();
	need_program("openssl");
	make_certificates();
	snprintf(more, sizeof(more), ", verify: true, ca_file: \"%s/right.crt\"", scratch__dir());
	start_with_tls("right", more);
	set_up_with_tls(scratch__path("right.crt"), scratch__path("right.key"));
	output_run__open_at("jetstream", TLS_FIRST, "ca-file", scratch__path("right.crt"),
			    "cert-file", scratch__path("right.crt"), "key-file",
			    scratch__path("right.key"), NULL);
	output_run__send(nats__batch("exec", 1, 10));
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	output_run__open_at("jetstream", TLS_FIRST, "ca-file", scratch__path("right.crt"), NULL);
	output_run__write(nats__batch("exec", 11, 10));
	wait_for_warning(TLS_FIRST);
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	output_run__close();
	nats__stop(0);
}
END_TEST

static Suite *access_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_access", 60, &tests);

	signal(SIGPIPE, SIG_IGN);
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_wrong_credentials_until_right);
	tcase_add_test(tests, test_public_credentials);
	tcase_add_test(tests, test_revoked_credentials);
	tcase_add_test(tests, test_expired_credentials);
	tcase_add_test(tests, test_receiver_with_credentials);
	tcase_add_test(tests, test_password_until_right);
	tcase_add_test(tests, test_token_that_changes);
	tcase_add_test(tests, test_wrong_certificate_until_right);
	tcase_add_test(tests, test_name_of_certificate);
	tcase_add_test(tests, test_server_without_encryption);
	tcase_add_test(tests, test_certificate_of_client);
	return suite;
}

#else

START_TEST(test_access_needs_libnats)
{
	need_output("jetstream");
}
END_TEST

static Suite *access_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_access", 60, &tests);

	tcase_add_loop_test(tests, test_access_needs_libnats, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { access_suite };

	return harness__main(argc, argv, suites, 1);
}
