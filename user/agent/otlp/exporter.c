// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/exporter.c: sends requests, and sends them again. */
#ifdef HAVE_CURL

#include <limits.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/sip_hash.h"
#include "otlp/exporter.h"

#define NS_PER_MS 1000000

#define for_each_request(exporter, request)                                                        \
	for (struct otlp_request *request = (exporter)->requests;                                  \
	     request < (exporter)->requests + (exporter)->config->window; request++)

int otlp_exporter__init(struct otlp_exporter *exporter)
{
	int err = 0;

	exporter->multi = curl_multi_init();
	exporter->requests = calloc(exporter->config->window, sizeof(*exporter->requests));
	if (!exporter->multi || !exporter->requests)
		return -ENOMEM;
	for_each_request(exporter, request) err =
		err ?: otlp_request__init(request, exporter->config);
	return err;
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *endpoint_of(const struct otlp_exporter *exporter)
{
	return exporter->config->endpoint;
}

/* A message for each change of state, not for each try. */
static void log_failure(struct otlp_exporter *exporter, const char *why)
{
	if (!exporter->is_failing)
		log__warn("output %s: cannot send to %s, trying again: %s", exporter->name,
			  endpoint_of(exporter), why);
	exporter->is_failing = true;
}

static void log_success(struct otlp_exporter *exporter)
{
	if (exporter->is_failing)
		log__info("output %s: %s answers again", exporter->name, endpoint_of(exporter));
	exporter->is_failing = false;
}

/* For each other reason. */
static void log_refusal(struct otlp_exporter *exporter, const struct otlp_request *request)
{
	if (!*request->why || !strcmp(exporter->refusal, request->why))
		return;
	if (request->refused)
		log__warn("output %s: %s refuses events: %s", exporter->name, endpoint_of(exporter),
			  request->why);
	else
		log__warn("output %s: %s warns: %s", exporter->name, endpoint_of(exporter),
			  request->why);
	memcpy(exporter->refusal, request->why, sizeof(exporter->refusal));
}

/* ---- requests -------------------------------------------------------------------------------- */

static struct otlp_request *find_free(const struct otlp_exporter *exporter)
{
	for_each_request(exporter, request) if (!request->batch) return request;
	return NULL;
}

static bool can_take(const struct otlp_exporter *exporter)
{
	return find_free(exporter) && backoff__is_over(&exporter->backoff, monotonic_ns());
}

static void pause_sending(struct otlp_exporter *exporter, uint64_t retry_after_s)
{
	uint64_t random[2];

	sip_hash__seed(random);
	backoff__fail(&exporter->backoff, monotonic_ns(), retry_after_s, random[0]);
}

/* A request that cannot begin waits. */
static void begin_request(struct otlp_exporter *exporter, struct otlp_request *request)
{
	if (!otlp_request__begin(request, exporter->config) &&
	    !curl_multi_add_handle(exporter->multi, request->easy)) {
		request->is_under_way = true;
		return;
	}
	log_failure(exporter, "no memory for a request");
	pause_sending(exporter, 0);
}

static void settle(struct otlp_exporter *exporter, struct otlp_request *request)
{
	exporter->settled(exporter->arg, request->batch, request->refused,
			  request->refused ? request->why : NULL);
	otlp_request__empty(request);
}

/* The number of batches that were settled: 0 or 1. */
static int end_request(struct otlp_exporter *exporter, struct otlp_request *request,
		       CURLcode result)
{
	curl_off_t retry_after_s = 0;
	char refusal[OTLP_ANSWER_WHY];
	const uint64_t refused = request->refused;

	memcpy(refusal, request->why, sizeof(refusal));
	curl_easy_getinfo(request->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
	curl_multi_remove_handle(exporter->multi, request->easy);
	request->is_under_way = false;
	if (otlp_request__end(request, result) == OTLP_RETRY) {
		log_failure(exporter, request->why);
		pause_sending(exporter, retry_after_s > 0 ? (uint64_t)retry_after_s : 0);
		return 0;
	}
	backoff__succeed(&exporter->backoff);
	log_success(exporter);
	log_refusal(exporter, request);
	if (refused && request->refused == refused)
		memcpy(request->why, refusal, sizeof(refusal)); /* of the part before */
	if (request->part < OTLP_SIGNALS) {
		begin_request(exporter, request);
		return 0;
	}
	settle(exporter, request);
	return 1;
}

static void resend_waiting(struct otlp_exporter *exporter)
{
	if (!backoff__is_over(&exporter->backoff, monotonic_ns()))
		return;
	for_each_request(exporter, request) if (request->batch && !request->is_under_way)
		begin_request(exporter, request);
}

static int end_requests(struct otlp_exporter *exporter)
{
	int settled = 0, more;
	CURLMsg *message;

	while ((message = curl_multi_info_read(exporter->multi, &more))) {
		const CURLcode result = message->data.result;
		struct otlp_request *request = NULL;

		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&request);
		settled += end_request(exporter, request, result);
	}
	return settled;
}

static int make_progress(struct otlp_exporter *exporter)
{
	int running;

	resend_waiting(exporter);
	curl_multi_perform(exporter->multi, &running);
	return end_requests(exporter);
}

/* ---- the output ------------------------------------------------------------------------------ */

static int begin_batch(struct otlp_exporter *exporter, struct otlp_request *request,
		       struct peat_batch *batch)
{
	int err = otlp_request__fill(request, exporter->config, &exporter->gzip, batch), running;

	if (err) {
		log_failure(exporter, "no memory for a request");
		pause_sending(exporter, 0);
	} else if (request->part == OTLP_SIGNALS) {
		settle(exporter, request); /* there is nothing to send */
	} else {
		begin_request(exporter, request);
		curl_multi_perform(exporter->multi, &running);
	}
	return err;
}

int otlp_exporter__send(struct otlp_exporter *exporter, struct peat_batch *batch)
{
	struct otlp_request *request = can_take(exporter) ? find_free(exporter) : NULL;

	exporter->was_full = !request || begin_batch(exporter, request, batch);
	return exporter->was_full ? -EAGAIN : 0;
}

/* Rounded up, so that the time has come after a wait. */
static int ms_until(uint64_t until_ns, uint64_t now_ns)
{
	uint64_t ms = until_ns > now_ns ? (until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS : 0;

	return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* True: wake_fd is readable. */
static bool wait_for_server(struct otlp_exporter *exporter, uint64_t until_ns)
{
	struct curl_waitfd wake = { .fd = exporter->wake_fd, .events = CURL_WAIT_POLLIN };
	const uint64_t now_ns = monotonic_ns();

	if (!backoff__is_over(&exporter->backoff, now_ns) && exporter->backoff.until_ns < until_ns)
		until_ns = exporter->backoff.until_ns;
	curl_multi_poll(exporter->multi, &wake, wake.fd >= 0, ms_until(until_ns, now_ns), NULL);
	return wake.fd >= 0 && wake.revents;
}

int otlp_exporter__run(struct otlp_exporter *exporter, int timeout_ms)
{
	const uint64_t until_ns =
		timeout_ms < 0 ? UINT64_MAX : monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	int settled = make_progress(exporter);

	while (!settled && !(exporter->was_full && can_take(exporter)) &&
	       monotonic_ns() < until_ns) {
		const bool is_woken = wait_for_server(exporter, until_ns);

		settled = make_progress(exporter);
		if (is_woken)
			break;
	}
	exporter->was_full = exporter->was_full && !can_take(exporter);
	return settled;
}

static void give_up(struct otlp_exporter *exporter, struct otlp_request *request)
{
	if (request->is_under_way)
		curl_multi_remove_handle(exporter->multi, request->easy);
	if (!request->batch)
		return;
	exporter->settled(exporter->arg, request->batch,
			  request->refused + otlp_request__unanswered(request), "closed");
	otlp_request__empty(request);
}

void otlp_exporter__free(struct otlp_exporter *exporter)
{
	if (exporter->requests)
		for_each_request(exporter, request)
		{
			give_up(exporter, request);
			otlp_request__free(request);
		}
	free(exporter->requests);
	if (exporter->multi)
		curl_multi_cleanup(exporter->multi);
	otlp_gzip__free(&exporter->gzip);
}

#endif /* HAVE_CURL */
