// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/setup.c: makes or checks the stream. */
#ifdef HAVE_NATS

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <peat/text.h>

#include "base/errors.h"
#include "jetstream/connection.h"
#include "jetstream/setup.h"
#include "jetstream/subject.h"

#define NS_PER_MS 1000000

struct setup {
	const struct jetstream_config *config;
	const char *name;
	void (*print)(void *arg, const char *line);
	void *arg;
	struct connection connection;
	const char *subjects; /* of all hosts and sources */
	bool differs;
};

__attribute__((format(printf, 2, 3))) static void print_line(const struct setup *setup,
							     const char *format, ...)
{
	char text[512], line[640];
	va_list args;
	int used;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	used = snprintf(line, sizeof(line), "output %s: ", setup->name);
	peat_text__escape(line + used, sizeof(line) - (size_t)used, text, strlen(text));
	setup->print(setup->arg, line);
}

/* ---- a stream that exists -------------------------------------------------------------------- */

/* Prints two texts that differ. */
static void compare(struct setup *setup, const char *what, const char *has, const char *wanted)
{
	if (!strcmp(has, wanted))
		return;
	print_line(setup, "the stream %s has %s %s, the configuration %s", setup->config->stream,
		   what, has, wanted);
	setup->differs = true;
}

static void compare_number(struct setup *setup, const char *what, int64_t has, uint64_t wanted,
			   const char *unit)
{
	char texts[2][32];

	if (!wanted)
		return;
	if (has > 0)
		snprintf(texts[0], sizeof(texts[0]), "%lld%s", (long long)has, unit);
	else
		snprintf(texts[0], sizeof(texts[0]), "unlimited");
	snprintf(texts[1], sizeof(texts[1]), "%llu%s", (unsigned long long)wanted, unit);
	compare(setup, what, texts[0], texts[1]);
}

static bool has_subjects(const struct setup *setup, const jsStreamConfig *stream)
{
	for (int i = 0; i < stream->SubjectsLen; i++)
		if (subject__covers(stream->Subjects[i], setup->subjects))
			return true;
	return false;
}

static int check_stream(struct setup *setup, const jsStreamConfig *stream)
{
	const struct jetstream_config *config = setup->config;

	if (!has_subjects(setup, stream))
		compare(setup, "subjects such as",
			stream->SubjectsLen ? stream->Subjects[0] : "(none)", setup->subjects);
	compare_number(setup, "replicas", stream->Replicas, config->replicas, "");
	compare_number(setup, "max-age", stream->MaxAge / NS_PER_MS, config->max_age_ms, "ms");
	compare_number(setup, "max-bytes", stream->MaxBytes, config->max_bytes, "");
	compare_number(setup, "duplicate-window", stream->Duplicates / NS_PER_MS,
		       config->duplicate_window_ms, "ms");
	if (config->discard)
		compare(setup, "discard", stream->Discard == js_DiscardNew ? "new" : "old",
			config->discard);
	if (stream->NoAck)
		compare(setup, "acknowledgements", "off", "on");
	if (!setup->differs)
		print_line(setup, "the stream %s is there as configured", config->stream);
	return setup->differs ? -EEXIST : 0;
}

/* ---- a new stream ---------------------------------------------------------------------------- */

static int refuse(const struct setup *setup, const char *what, natsStatus status)
{
	print_line(setup, "cannot %s the stream %s: %s", what, setup->config->stream,
		   nats_options__error(status));
	return -EIO;
}

/* Without `discard`, a full stream takes no more, and events wait in the queue. */
static int make_stream(const struct setup *setup)
{
	const struct jetstream_config *config = setup->config;
	const bool is_new = !config->discard || !strcmp(config->discard, "new");
	jsStreamConfig stream;
	natsStatus status;

	jsStreamConfig_Init(&stream);
	stream.Name = config->stream;
	stream.Subjects = (const char *[]){ setup->subjects };
	stream.SubjectsLen = 1;
	stream.Replicas = config->replicas ? (int64_t)config->replicas : 1;
	stream.MaxAge = (int64_t)config->max_age_ms * NS_PER_MS;
	stream.MaxBytes = config->max_bytes ? (int64_t)config->max_bytes : -1;
	stream.Duplicates = (int64_t)config->duplicate_window_ms * NS_PER_MS;
	stream.Discard = is_new ? js_DiscardNew : js_DiscardOld;
	status = js_AddStream(NULL, setup->connection.stream, &stream, NULL, NULL);
	if (status)
		return refuse(setup, "create", status);
	print_line(setup, "created the stream %s: subjects %s, replicas %lld, discard %s",
		   config->stream, setup->subjects, (long long)stream.Replicas,
		   is_new ? "new" : "old");
	return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

static int make_or_check(struct setup *setup)
{
	jsStreamInfo *info = NULL;
	jsErrCode code = 0;
	natsStatus status = js_GetStreamInfo(&info, setup->connection.stream, setup->config->stream,
					     NULL, &code);
	int err;

	if (code == JSStreamNotFoundErr)
		return make_stream(setup);
	if (status)
		return refuse(setup, "read", status);
	err = check_stream(setup, info->Config);
	jsStreamInfo_Destroy(info);
	return err;
}

static bool connect_to_any(struct setup *setup)
{
	const struct jetstream_config *config = setup->config;

	for (size_t i = 0; i < config->servers.count; i++) {
		const struct server *server = &config->servers.at[i];
		char why[NEWS_WHY];
		natsConnection *nats = connection__make(config, server, 0, why);

		if (nats)
			return connection__use(&setup->connection, nats, config, 0);
		print_line(setup, "cannot connect to %s: %s", server->url, why);
	}
	return false;
}

int setup__stream(const struct jetstream_config *config, const char *name,
		  void (*print)(void *arg, const char *line), void *arg)
{
	struct setup setup = { .config = config, .name = name, .print = print, .arg = arg };
	struct strbuf subjects = { 0 };
	int err = -EIO;

	subject__append_wildcards(&subjects, config->subject);
	if (subjects.failed)
		return -ENOMEM;
	setup.subjects = subjects.bytes;
	if (connect_to_any(&setup))
		err = make_or_check(&setup);
	connection__close(&setup.connection);
	strbuf__free(&subjects);
	return err;
}

#endif /* HAVE_NATS */
