// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/config.c: reads the settings of the output. */
#ifdef HAVE_CURL

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "otlp/config.h"
#include "otlp/endpoint.h"
#include "otlp/headers.h"
#include "otlp/resource.h"
#include "output/settings.h"

#define WINDOW_MAX 64

#define ROW(name, kind, member, least, most)                                                       \
	{                                                                                          \
		name, SETTING_##kind, offsetof(struct otlp_config, member), least, most            \
	}

static const struct setting_row rows[] = {
	ROW("otlp", TEXT, endpoint, 0, 0),
	ROW("headers-file", TEXT, headers_file, 0, 0),
	ROW("ca-file", TEXT, ca_file, 0, 0),
	ROW("cert-file", TEXT, cert_file, 0, 0),
	ROW("key-file", TEXT, key_file, 0, 0),
	ROW("compression", TEXT, compression, 0, 0),
	ROW("resource", TEXT, attributes, 0, 0),
	ROW("timeout", MS, timeout_ms, 100, 600000),
	ROW("window", NUMBER, window, 1, WINDOW_MAX),
};

static int read_endpoint(struct otlp_config *config, const struct peat_output_opts *opts)
{
	const char *why;
	int err = otlp_endpoint__urls(config->endpoint ?: "", config->urls, &why);

	return err == -EINVAL ? settings__refuse_value(opts, "otlp", why) : err;
}

static int read_compression(struct otlp_config *config, const struct peat_output_opts *opts)
{
	const char *name = config->compression ?: "gzip";

	config->is_compressed = !strcmp(name, "gzip");
	if (config->is_compressed || !strcmp(name, "none"))
		return 0;
	return settings__refuse_value(opts, "compression", "expected gzip or none");
}

/* libcurl reads these files for each connection, so renewed certificates are used. */
static int check_file(const struct peat_output_opts *opts, const char *name, const char *path)
{
	char why[128];

	if (!path || !access(path, R_OK))
		return 0;
	snprintf(why, sizeof(why), "cannot be read: %s", strerror(errno));
	return settings__refuse_value(opts, name, why);
}

static int check_files(const struct otlp_config *config, const struct peat_output_opts *opts)
{
	int err = check_file(opts, "ca-file", config->ca_file);

	err = err ?: check_file(opts, "cert-file", config->cert_file);
	err = err ?: check_file(opts, "key-file", config->key_file);
	if (!err && config->key_file && !config->cert_file)
		err = settings__refuse_value(opts, "key-file", "it needs a cert-file");
	return err;
}

static int add_header(void *arg, const char *header)
{
	struct otlp_config *config = arg;
	struct curl_slist *headers = curl_slist_append(config->headers, header);

	if (!headers)
		return -ENOMEM;
	config->headers = headers;
	return 0;
}

/* An empty "Expect:" keeps libcurl from waiting for "100 Continue". */
static int make_headers(struct otlp_config *config, const struct peat_output_opts *opts)
{
	char why[OTLP_HEADERS_WHY] = "";
	int err = add_header(config, "Content-Type: application/x-protobuf");

	err = err ?: add_header(config, "Expect:");
	if (!err && config->is_compressed)
		err = add_header(config, "Content-Encoding: gzip");
	if (!err && config->headers_file) {
		err = otlp_headers__read(config->headers_file, add_header, config, why);
		if (err && *why)
			err = settings__refuse_value(opts, "headers-file", why);
	}
	return err;
}

static int make_resource(struct otlp_config *config, const struct peat_output_opts *opts)
{
	const char *attributes = config->attributes ?: getenv("OTEL_RESOURCE_ATTRIBUTES");
	int err = otlp_resource__append(&config->resource, attributes);

	return err == -EINVAL ? settings__refuse_value(opts, "resource",
						       "expected \"NAME=VALUE,NAME=VALUE\"")
			      : err;
}

int otlp_config__read(struct otlp_config *config, const struct peat_output_opts *opts)
{
	int err;

	config->timeout_ms = 10000;
	config->window = 2;
	err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), config);
	err = err ?: read_endpoint(config, opts);
	err = err ?: read_compression(config, opts);
	err = err ?: check_files(config, opts);
	err = err ?: make_headers(config, opts);
	return err ?: make_resource(config, opts);
}

void otlp_config__free(struct otlp_config *config)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].kind == SETTING_TEXT)
			free(*(char **)((char *)config + rows[i].offset));
	for (unsigned i = 0; i < OTLP_SIGNALS; i++)
		free(config->urls[i]);
	curl_slist_free_all(config->headers);
	strbuf__free(&config->resource);
}

#endif /* HAVE_CURL */
