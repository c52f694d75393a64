// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/config.c: reads the settings of the output. */
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "jetstream/config.h"
#include "jetstream/subject.h"
#include "output/settings.h"

#define WINDOW_MAX   256
#define REPLICAS_MAX 5 /* JetStream's */
#define YEAR_MS	     (366ULL * 86400000)

#define ROW(name, kind, member, least, most)                                                       \
	{                                                                                          \
		name, SETTING_##kind, offsetof(struct jetstream_config, member), least, most       \
	}

static const struct setting_row rows[] = {
	ROW("jetstream", TEXT, servers_text, 0, 0),
	ROW("stream", TEXT, stream, 0, 0),
	ROW("subject", TEXT, subject, 0, 0),
	ROW("credentials-file", TEXT, access.credentials_file, 0, 0),
	ROW("user", TEXT, access.user, 0, 0),
	ROW("password-file", TEXT, access.password_file, 0, 0),
	ROW("token-file", TEXT, access.token_file, 0, 0),
	ROW("ca-file", TEXT, access.ca_file, 0, 0),
	ROW("cert-file", TEXT, access.cert_file, 0, 0),
	ROW("key-file", TEXT, access.key_file, 0, 0),
	ROW("timeout", MS, timeout_ms, 100, 600000),
	ROW("window", NUMBER, window, 1, WINDOW_MAX),
	ROW("level", NUMBER, level, 1, 22),
	ROW("replicas", NUMBER, replicas, 1, REPLICAS_MAX),
	ROW("max-age", MS, max_age_ms, 1000, 100 * YEAR_MS),
	ROW("max-bytes", BYTES, max_bytes, 1 << 20, INT64_MAX),
	ROW("duplicate-window", MS, duplicate_window_ms, 1000, YEAR_MS),
	ROW("discard", TEXT, discard, 0, 0),
};

static int read_servers(struct jetstream_config *config, const struct peat_output_opts *opts)
{
	const char *why = NULL;
	int err = servers__read(&config->servers, config->servers_text ?: "", &why);

	return err == -EINVAL ? settings__refuse_value(opts, "jetstream", why) : err;
}

static int set_default(char **text, const char *value)
{
	if (!*text)
		*text = strdup(value);
	return *text ? 0 : -ENOMEM;
}

static int check_names(struct jetstream_config *config, const struct peat_output_opts *opts)
{
	int err = set_default(&config->stream, "PEAT");
	const char *why;

	err = err ?: set_default(&config->subject, "peat.%h.%s");
	if (err)
		return err;
	if (!*config->stream || strpbrk(config->stream, " \t.*>/\\"))
		return settings__refuse_value(opts, "stream",
					      "a stream's name has no blanks and none of .*>/\\");
	why = subject__find_fault(config->subject);
	if (why)
		return settings__refuse_value(opts, "subject", why);
	if (config->discard && strcmp(config->discard, "new") && strcmp(config->discard, "old"))
		return settings__refuse_value(opts, "discard", "expected new or old");
	return 0;
}

/* The files are read again for each connection, so renewed files are used. */
static int check_access(const struct jetstream_config *config, const struct peat_output_opts *opts)
{
	struct strbuf secret = { 0 };
	struct nats_fault fault = { 0 };
	int err = nats_access__read(&config->access, &secret, &fault);

	strbuf__free(&secret);
	return err && err != -ENOMEM ? settings__refuse_value(opts, fault.name, fault.why) : err;
}

int jetstream_config__read(struct jetstream_config *config, const struct peat_output_opts *opts)
{
	int err;

	config->timeout_ms = 5000;
	config->window = 16;
	config->level = 1;
	err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), config);
	err = err ?: read_servers(config, opts);
	err = err ?: check_names(config, opts);
	return err ?: check_access(config, opts);
}

void jetstream_config__free(struct jetstream_config *config)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].kind == SETTING_TEXT)
			free(*(char **)((char *)config + rows[i].offset));
	servers__free(&config->servers);
}
