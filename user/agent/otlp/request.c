// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/request.c: a batch on its way to the server. */
#ifdef HAVE_CURL

#include <stdio.h>
#include <time.h>

#include <peat/peat.h>
#include <peat/text.h>

#include "base/errors.h"
#include "otlp/log_records.h"
#include "otlp/metrics.h"
#include "otlp/request.h"

#define ANSWER_MAX    (64u << 10)
#define UPLOAD_BUFFER (256L << 10)

/* ---- setup ----------------------------------------------------------------------------------- */

static size_t keep_answer(char *bytes, size_t size, size_t count, void *arg)
{
	struct otlp_request *request = arg;

	count *= size;
	if (request->answer.count + count > ANSWER_MAX) {
		request->is_answer_cut = true;
		return CURL_WRITEFUNC_ERROR;
	}
	strbuf__bytes(&request->answer, bytes, count);
	return request->answer.failed ? CURL_WRITEFUNC_ERROR : count;
}

static CURLcode set_tls(CURL *easy, const struct otlp_config *config)
{
	CURLcode err = CURLE_OK;

	if (config->ca_file)
		err = curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
	if (!err && config->cert_file)
		err = curl_easy_setopt(easy, CURLOPT_SSLCERT, config->cert_file);
	if (!err && config->key_file)
		err = curl_easy_setopt(easy, CURLOPT_SSLKEY, config->key_file);
	return err;
}

int otlp_request__init(struct otlp_request *request, const struct otlp_config *config)
{
	CURL *easy = request->easy = curl_easy_init();

	if (!easy)
		return -ENOMEM;
	return curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) ||
			       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") ||
			       curl_easy_setopt(easy, CURLOPT_USERAGENT, "peat/" PEAT_VERSION) ||
			       curl_easy_setopt(easy, CURLOPT_HTTPHEADER, config->headers) ||
			       curl_easy_setopt(easy, CURLOPT_POST, 1L) ||
			       curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, UPLOAD_BUFFER) ||
			       curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
						(long)config->timeout_ms) ||
			       curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
						(long)config->timeout_ms) ||
			       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_answer) ||
			       curl_easy_setopt(easy, CURLOPT_WRITEDATA, request) ||
			       curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, request->error) ||
			       curl_easy_setopt(easy, CURLOPT_PRIVATE, request) ||
			       set_tls(easy, config)
		       ? -ENOMEM
		       : 0;
}

void otlp_request__free(struct otlp_request *request)
{
	otlp_request__empty(request);
	curl_easy_cleanup(request->easy);
	for (unsigned i = 0; i < OTLP_SIGNALS; i++)
		strbuf__free(&request->bodies[i]);
	strbuf__free(&request->answer);
}

/* ---- encoding -------------------------------------------------------------------------------- */

static uint64_t wall_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void reset(struct strbuf *out)
{
	strbuf__cut(out, 0);
	if (out->failed)
		strbuf__free(out);
}

/* The buffers change places, so that none is allocated for each batch. */
static int compress_body(struct otlp_gzip *gzip, struct strbuf *body)
{
	const struct strbuf plain = *body;
	int err;

	reset(&gzip->spare);
	err = otlp_gzip__append(gzip, &gzip->spare, &plain);
	*body = gzip->spare;
	gzip->spare = plain;
	return err;
}

/* A batch may have losses only, which are log records, and no events. */
static void encode(struct otlp_request *request, const struct strbuf *resource,
		   const struct peat_batch *batch)
{
	struct strbuf *logs = &request->bodies[OTLP_LOGS];

	if (!otlp_log_records__append(logs, resource, batch, wall_clock_now()))
		strbuf__cut(logs, 0);
	if (peat_batch__points(batch))
		otlp_metrics__append(&request->bodies[OTLP_METRICS], resource, batch);
}

static void skip_empty_parts(struct otlp_request *request)
{
	while (request->part < OTLP_SIGNALS && !request->bodies[request->part].count)
		request->part++;
}

int otlp_request__fill(struct otlp_request *request, const struct otlp_config *config,
		       struct otlp_gzip *gzip, struct peat_batch *batch)
{
	int err = 0;

	for (unsigned i = 0; i < OTLP_SIGNALS; i++)
		reset(&request->bodies[i]);
	encode(request, &config->resource, batch);
	for (unsigned i = 0; !err && i < OTLP_SIGNALS; i++)
		if (request->bodies[i].failed)
			err = -ENOMEM;
		else if (request->bodies[i].count && config->is_compressed)
			err = compress_body(gzip, &request->bodies[i]);
	if (err)
		return err;
	request->batch = peat_batch__ref(batch);
	request->counts[OTLP_LOGS] = peat_batch__events(batch);
	request->counts[OTLP_METRICS] = peat_batch__points(batch);
	request->part = OTLP_LOGS;
	request->refused = 0;
	*request->why = 0;
	skip_empty_parts(request);
	return 0;
}

void otlp_request__empty(struct otlp_request *request)
{
	peat_batch__unref(request->batch);
	request->batch = NULL;
}

/* ---- sending --------------------------------------------------------------------------------- */

int otlp_request__begin(struct otlp_request *request, const struct otlp_config *config)
{
	const struct strbuf *body = &request->bodies[request->part];

	reset(&request->answer);
	request->is_answer_cut = false;
	*request->error = 0;
	return curl_easy_setopt(request->easy, CURLOPT_URL, config->urls[request->part]) ||
			       curl_easy_setopt(request->easy, CURLOPT_POSTFIELDS, body->bytes) ||
			       curl_easy_setopt(request->easy, CURLOPT_POSTFIELDSIZE_LARGE,
						(curl_off_t)body->count)
		       ? -ENOMEM
		       : 0;
}

static enum otlp_verdict read_answer(struct otlp_request *request, uint64_t *refused)
{
	struct otlp_answer answer = { .body = request->answer.bytes ?: "",
				      .bytes = request->answer.count,
				      .is_cut = request->is_answer_cut };
	char *content_type = NULL;

	curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &answer.status);
	curl_easy_getinfo(request->easy, CURLINFO_CONTENT_TYPE, &content_type);
	answer.content_type = content_type;
	return otlp_answer__read(&answer, refused, request->why);
}

static enum otlp_verdict read_failure(struct otlp_request *request, CURLcode result)
{
	const char *error = *request->error ? request->error : curl_easy_strerror(result);
	char text[CURL_ERROR_SIZE + 64];
	long number = 0;

	curl_easy_getinfo(request->easy, CURLINFO_OS_ERRNO, &number);
	snprintf(text, sizeof(text), number ? "%s: %s" : "%s", error, strerror((int)number));
	peat_text__escape(request->why, sizeof(request->why), text, strlen(text));
	return OTLP_RETRY;
}

enum otlp_verdict otlp_request__end(struct otlp_request *request, CURLcode result)
{
	const bool is_answer = !result || (result == CURLE_WRITE_ERROR && request->is_answer_cut);
	const uint64_t count = request->counts[request->part];
	enum otlp_verdict verdict;
	uint64_t refused = 0;

	verdict = is_answer ? read_answer(request, &refused) : read_failure(request, result);
	if (verdict == OTLP_RETRY)
		return verdict;
	if (verdict == OTLP_REFUSED || refused > count)
		refused = count;
	request->refused += refused;
	request->part++;
	skip_empty_parts(request);
	return verdict;
}

uint64_t otlp_request__unanswered(const struct otlp_request *request)
{
	uint64_t count = 0;

	for (unsigned i = request->part; i < OTLP_SIGNALS; i++)
		count += request->counts[i];
	return count;
}

#endif /* HAVE_CURL */
