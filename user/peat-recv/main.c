// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-recv/main.c: peat-recv: its options. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "program.h"

#define DEFAULT_SERVERS	 "nats://127.0.0.1:4222"
#define DEFAULT_CONSUMER "peat-recv"
#define DEFAULT_DELAY_MS 1000
#define HOSTS_MAX	 32

enum {
	OPTION_ALL = 256,
	OPTION_AUDIT,
	OPTION_BY,
	OPTION_CA,
	OPTION_CERT,
	OPTION_CONSUMER,
	OPTION_COUNT,
	OPTION_CREDENTIALS,
	OPTION_DELAY,
	OPTION_END,
	OPTION_HOST,
	OPTION_KEY,
	OPTION_OUTPUT,
	OPTION_PASSWORD,
	OPTION_RAW,
	OPTION_SUBJECT,
	OPTION_TOKEN,
	OPTION_USER,
	OPTION_WHERE
};

static const struct argp_option rows[] = {
	{ NULL, 0, NULL, 0, "The stream:", 1 },
	{ "stream", 's', "NAME", 0, "the name of the stream; default: PEAT", 0 },
	{ "consumer", OPTION_CONSUMER, "NAME", 0,
	  "durable consumer: receivers with one name share its messages; "
	  "default: " DEFAULT_CONSUMER,
	  0 },
	{ "all", OPTION_ALL, NULL, 0,
	  "all messages that are stored, without a consumer; acknowledges none", 0 },
	{ "subject", OPTION_SUBJECT, "PATTERN", 0,
	  "subjects of the agents' messages: batches of another host or source are refused; "
	  "default: peat.%h.%s",
	  0 },
	{ "end", OPTION_END, NULL, 0, "end after the message that is the newest now", 0 },
	{ "credentials-file", OPTION_CREDENTIALS, "FILE", 0, "credentials, of mode 0600", 0 },
	{ "user", OPTION_USER, "NAME", 0, "a user with a password", 0 },
	{ "password-file", OPTION_PASSWORD, "FILE", 0, "the password, of mode 0600", 0 },
	{ "token-file", OPTION_TOKEN, "FILE", 0, "a token, of mode 0600", 0 },
	{ "ca-file", OPTION_CA, "FILE", 0, "who may sign the server's certificate", 0 },
	{ "cert-file", OPTION_CERT, "FILE", 0, "our own certificate", 0 },
	{ "key-file", OPTION_KEY, "FILE", 0, "its key, of mode 0600", 0 },
	{ NULL, 0, NULL, 0, "The events:", 2 },
	{ "host", OPTION_HOST, "PATTERN", 0, "hosts of these names alone: 'web*'; several times",
	  0 },
	{ "where", OPTION_WHERE, "EXPRESSION", 0, "events that match", 0 },
	{ "delay", OPTION_DELAY, "MS", 0,
	  "milliseconds that an event waits for older ones of other hosts; default: 1000", 0 },
	{ NULL, 0, NULL, 0, "The output:", 3 },
	{ "json", 'j', NULL, 0, "print JSON, also measurements", 0 },
	{ "output-file", 'o', "PATH", 0,
	  "write recordings: a new file, or a directory that gets a file for each host", 0 },
	{ "raw", OPTION_RAW, NULL, 0, "write a recording to standard output", 0 },
	{ "count", OPTION_COUNT, "EVENT", 0, "count the events of this name that are stored", 0 },
	{ "by", OPTION_BY, "FIELDS", 0, "the fields that are counted: host,filename; default: host",
	  0 },
	{ "audit", OPTION_AUDIT, NULL, 0,
	  "print which events are missing, and where they were lost", 0 },
	{ "agent-output", OPTION_OUTPUT, "NAME", 0,
	  "audit: the agents' output that leads here; default: the only one", 0 },
	{ "quiet", 'q', NULL, 0, "print no summary", 0 },
	{ "verbose", 'v', NULL, 0, "print more messages, twice: all", 0 },
	{ "help", 'h', NULL, 0, "print this help", -1 },
	{ "version", 'V', NULL, 0, "print the version", -1 },
	{ 0 },
};

struct arguments {
	struct recv_options options;
	const char *hosts[HOSTS_MAX + 1];
	size_t host_count;
	bool all, raw, audit;
};

static void take_host(struct arguments *arguments, const char *pattern, struct argp_state *state)
{
	if (arguments->host_count == HOSTS_MAX)
		argp_error(state, "more than %d patterns of hosts", HOSTS_MAX);
	arguments->hosts[arguments->host_count++] = pattern;
}

static uint64_t parse_delay(const char *text, struct argp_state *state)
{
	unsigned long long ms;
	char *end;

	errno = 0;
	ms = strtoull(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || ms > 20000)
		argp_error(state, "--delay: '%s' is no number from 0 to 20000", text);
	return ms;
}

/* Options whose value is a text. */
static const char **text_of(struct arguments *arguments, int key)
{
	struct recv_options *options = &arguments->options;

	switch (key) {
	case 's':
		return &options->receiver.stream;
	case 'o':
		return &options->path;
	case OPTION_COUNT:
		return &options->receiver.count;
	case OPTION_BY:
		return &options->receiver.by;
	case OPTION_CONSUMER:
		return &options->receiver.consumer;
	case OPTION_CREDENTIALS:
		return &options->receiver.credentials_file;
	case OPTION_CA:
		return &options->receiver.ca_file;
	case OPTION_CERT:
		return &options->receiver.cert_file;
	case OPTION_KEY:
		return &options->receiver.key_file;
	case OPTION_SUBJECT:
		return &options->receiver.subject;
	case OPTION_USER:
		return &options->receiver.user;
	case OPTION_PASSWORD:
		return &options->receiver.password_file;
	case OPTION_TOKEN:
		return &options->receiver.token_file;
	case OPTION_WHERE:
		return &options->receiver.where;
	case OPTION_OUTPUT:
		return &options->receiver.output;
	default:
		return NULL;
	}
}

/* Options without a value. */
static bool *flag_of(struct arguments *arguments, int key)
{
	switch (key) {
	case 'j':
		return &arguments->options.json;
	case 'q':
		return &arguments->options.quiet;
	case OPTION_ALL:
		return &arguments->all;
	case OPTION_AUDIT:
		return &arguments->audit;
	case OPTION_END:
		return &arguments->options.receiver.to_end;
	case OPTION_RAW:
		return &arguments->raw;
	default:
		return NULL;
	}
}

static error_t take_other(struct arguments *arguments, int key, char *value,
			  struct argp_state *state)
{
	switch (key) {
	case OPTION_HOST:
		take_host(arguments, value, state);
		return 0;
	case OPTION_DELAY:
		arguments->options.receiver.delay_ms = parse_delay(value, state);
		return 0;
	case 'v':
		arguments->options.verbose++;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->options;
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		puts("peat-recv " PEAT_VERSION);
		exit(0);
	case ARGP_KEY_ARG:
		if (arguments->options.receiver.servers)
			argp_error(state, "several servers of a cluster have commas between them");
		arguments->options.receiver.servers = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t take(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	const char **text = text_of(arguments, key);
	bool *flag = flag_of(arguments, key);

	if (text)
		*text = value;
	else if (flag)
		*flag = true;
	else
		return take_other(arguments, key, value, state);
	return 0;
}

/* Refuses options that exclude each other.  False: the reason is printed. */
static bool check(const struct arguments *arguments)
{
	const struct recv_options *options = &arguments->options;
	const bool pieces = arguments->raw || options->path;
	const bool is_question = arguments->audit || options->receiver.count;

	if (arguments->raw + !!options->path + arguments->audit + !!options->receiver.count > 1)
		messages__print("--raw, -o, --count, --top and --audit exclude each other");
	else if ((arguments->all || is_question) && options->receiver.consumer)
		messages__print("--all, --count, --top and --audit read without a consumer: leave "
				"out --consumer");
	else if (pieces && options->json)
		messages__print("-j prints lines: leave out --raw and -o");
	else if ((pieces || arguments->audit) && options->receiver.where)
		messages__print("--where is for lines: recordings are filtered when they are "
				"replayed");
	else if (options->receiver.output && !arguments->audit)
		messages__print("--agent-output is for --audit: -o writes a file");
	else
		return count_options__check(options);
	return false;
}

static enum peat_receive_as choose_output(const struct arguments *arguments)
{
	if (arguments->audit)
		return PEAT_RECEIVE_AUDIT;
	if (arguments->options.receiver.count)
		return PEAT_RECEIVE_COUNTS;
	if (arguments->raw || arguments->options.path)
		return PEAT_RECEIVE_PIECES;
	return arguments->options.json ? PEAT_RECEIVE_JSON : PEAT_RECEIVE_TEXT;
}

/* NULL also for an empty text. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/*
 * The variables of the command nats, so that verbs that read a stream as a recording have them,
 * too.  Without a password, NATS_USER is a token.  An option replaces all variables of its kind.
 */
static void use_environment(struct peat_receiver_opts *receiver)
{
	receiver->servers = receiver->servers ?: environment("NATS_URL");
	receiver->ca_file = receiver->ca_file ?: environment("NATS_CA");
	if (!receiver->cert_file && !receiver->key_file) {
		receiver->cert_file = environment("NATS_CERT");
		receiver->key_file = environment("NATS_KEY");
	}
	if (receiver->credentials_file || receiver->user || receiver->password_file ||
	    receiver->token_file)
		return;
	receiver->credentials_file = environment("NATS_CREDS");
	receiver->token = environment("NATS_TOKEN");
	receiver->password = environment("NATS_PASSWORD");
	if (receiver->password)
		receiver->user = environment("NATS_USER");
	else
		receiver->token = receiver->token ?: environment("NATS_USER");
}

/* Audits and counts read the whole stream, and leave the consumers alone. */
static void finish_options(struct arguments *arguments)
{
	struct recv_options *options = &arguments->options;
	struct peat_receiver_opts *receiver = &options->receiver;

	if (arguments->host_count)
		receiver->hosts = arguments->hosts;
	use_environment(receiver);
	receiver->servers = receiver->servers ?: DEFAULT_SERVERS;
	receiver->as = choose_output(arguments);
	if (arguments->audit)
		receiver->to_end = true;
	else if (receiver->count)
		count_options__finish(options, arguments->all);
	else if (!arguments->all && !receiver->consumer)
		receiver->consumer = DEFAULT_CONSUMER;
}

int main(int argc, char **argv)
{
	const struct argp_child children[] = {
		{ .argp = &count_options__argp, .header = "Tables:", .group = 4 }, { 0 }
	};
	const struct argp argp = {
		.options = rows,
		.children = children,
		.parser = take,
		.args_doc = "[SERVERS]",
		.doc = "Receives the events that agents send to a stream of NATS JetStream, prints "
		       "them by time or records them, and acknowledges those that are written.\v"
		       "SERVERS: nats://HOST:PORT, several with commas; default: $NATS_URL, "
		       "or " DEFAULT_SERVERS ".",
	};
	struct arguments arguments = {
		.options.receiver = { .sz = sizeof(struct peat_receiver_opts),
				      .delay_ms = DEFAULT_DELAY_MS },
	};

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &arguments))
		return EXIT_USAGE;
	messages__set_verbosity(arguments.options.verbose);
	if (!check(&arguments))
		return EXIT_USAGE;
	finish_options(&arguments);
	return receive__run(&arguments.options);
}
