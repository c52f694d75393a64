// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/endpoint.c: makes the URLs of log records and metrics. */
#ifdef HAVE_CURL

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "otlp/endpoint.h"

static const char *const paths[OTLP_SIGNALS] = { "/v1/logs", "/v1/metrics" };

static bool has_part(CURLU *url, CURLUPart part)
{
	char *text = NULL;
	bool has = !curl_url_get(url, part, &text, 0);

	curl_free(text);
	return has;
}

static bool is_http(CURLU *url)
{
	char *scheme = NULL;
	bool is = !curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) &&
		  (!strcmp(scheme, "http") || !strcmp(scheme, "https"));

	curl_free(scheme);
	return is;
}

/* The length of the path without a slash at its end, and without the path of a signal. */
static size_t base_length(const char *path)
{
	size_t length = strlen(path);

	while (length && path[length - 1] == '/')
		length--;
	for (unsigned i = 0; i < OTLP_SIGNALS; i++) {
		const size_t tail = strlen(paths[i]);

		if (length >= tail && !memcmp(path + length - tail, paths[i], tail))
			return length - tail;
	}
	return length;
}

static int make_url(CURLU *url, const char *base, const char *path, char **made)
{
	struct strbuf whole = { 0 };
	int err = -ENOMEM;
	char *text = NULL;

	strbuf__bytes(&whole, base, base_length(base));
	strbuf__bytes(&whole, path, strlen(path) + 1);
	if (!whole.failed && !curl_url_set(url, CURLUPART_PATH, whole.bytes, 0) &&
	    !curl_url_get(url, CURLUPART_URL, &text, 0)) {
		*made = strdup(text);
		err = *made ? 0 : -ENOMEM;
	}
	curl_free(text);
	strbuf__free(&whole);
	return err;
}

static int make_urls(CURLU *url, char *urls[OTLP_SIGNALS])
{
	char *base = NULL;
	int err = curl_url_get(url, CURLUPART_PATH, &base, 0) ? -ENOMEM : 0;

	for (unsigned i = 0; !err && i < OTLP_SIGNALS; i++)
		err = make_url(url, base, paths[i], &urls[i]);
	curl_free(base);
	return err;
}

int otlp_endpoint__urls(const char *endpoint, char *urls[OTLP_SIGNALS], const char **why)
{
	CURLU *url = curl_url();
	int err = -EINVAL;

	if (!url)
		return -ENOMEM;
	if (curl_url_set(url, CURLUPART_URL, endpoint, 0) || !is_http(url))
		*why = "expected a URL, such as http://127.0.0.1:4318";
	else if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD))
		*why = "a URL is no place for credentials: use a headers-file";
	else if (has_part(url, CURLUPART_QUERY) || has_part(url, CURLUPART_FRAGMENT))
		*why = "the URL has more than a path";
	else
		err = make_urls(url, urls);
	curl_url_cleanup(url);
	return err;
}

#endif /* HAVE_CURL */
