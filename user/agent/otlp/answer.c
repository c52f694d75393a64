// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/answer.c: reads the answers of a server. */
#include <stdio.h>
#include <strings.h>

#include <peat/text.h>

#include "otlp/answer.h"
#include "protobuf/protobuf_read.h"

/* Field numbers of ExportLogsServiceResponse, of ExportLogsPartialSuccess, of google.rpc.Status. */
enum { PARTIAL_SUCCESS = 1 };
enum { REJECTED = 1, ERROR_MESSAGE = 2 };
enum { STATUS_MESSAGE = 2 };

#define MESSAGE_MAX 160 /* bytes of a server's message */

/* Appends ": MESSAGE", on one line. */
static void append_message(char why[OTLP_ANSWER_WHY], const void *text, size_t bytes)
{
	const size_t used = strlen(why);

	if (!bytes || used + 3 >= OTLP_ANSWER_WHY)
		return;
	memcpy(why + used, ": ", 3);
	peat_text__escape(why + used + 2, OTLP_ANSWER_WHY - used - 2, text,
			  bytes < MESSAGE_MAX ? bytes : MESSAGE_MAX);
}

static bool has_type(const struct otlp_answer *answer, const char *type)
{
	const size_t length = strlen(type);

	return answer->content_type && !strncasecmp(answer->content_type, type, length) &&
	       (!answer->content_type[length] || strchr("; ", answer->content_type[length]));
}

static struct protobuf_message body_of(const struct otlp_answer *answer)
{
	const uint8_t *body = answer->body;

	return (struct protobuf_message){ body, body + answer->bytes, false };
}

/* ---- success --------------------------------------------------------------------------------- */

static void read_partial_success(struct protobuf_message message, uint64_t *refused,
				 char why[OTLP_ANSWER_WHY])
{
	struct protobuf_field field;

	while (protobuf__next(&message, &field))
		if (field.number == REJECTED && field.wire == PROTOBUF_VARINT)
			*refused = (int64_t)field.value > 0 ? field.value : 0;
		else if (field.number == ERROR_MESSAGE && field.wire == PROTOBUF_LENGTH)
			append_message(why, field.bytes, field.count);
}

/* False: the body is none of OTLP. */
static bool read_response(const struct otlp_answer *answer, uint64_t *refused,
			  char why[OTLP_ANSWER_WHY])
{
	struct protobuf_message message = body_of(answer);
	struct protobuf_field field;

	while (protobuf__next(&message, &field))
		if (field.number == PARTIAL_SUCCESS && field.wire == PROTOBUF_LENGTH)
			read_partial_success(protobuf__inner(&field), refused, why);
	return !message.is_bad;
}

/*
 * A proxy, or another server than expected, can answer "200 OK" with a page of its own and no event
 * arrives.  JSON is not read: servers that send it mean success.
 */
static enum otlp_verdict read_success(const struct otlp_answer *answer, uint64_t *refused,
				      char why[OTLP_ANSWER_WHY])
{
	const bool is_protobuf = !answer->content_type ||
				 has_type(answer, "application/x-protobuf") ||
				 has_type(answer, "application/protobuf");

	snprintf(why, OTLP_ANSWER_WHY, "HTTP %ld", answer->status);
	if (answer->bytes && !answer->is_cut && is_protobuf &&
	    read_response(answer, refused, why)) {
		if (!*refused && !strchr(why, ':'))
			*why = 0;
		return OTLP_TAKEN;
	}
	if (!answer->bytes || has_type(answer, "application/json")) {
		*why = 0;
		return OTLP_TAKEN;
	}
	*refused = 0;
	snprintf(why, OTLP_ANSWER_WHY, "HTTP %ld, but the answer is not OTLP's", answer->status);
	if (answer->content_type)
		append_message(why, answer->content_type, strlen(answer->content_type));
	return OTLP_RETRY;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static bool is_temporary(long status)
{
	return status == 429 || status == 502 || status == 503 || status == 504;
}

static void read_error(const struct otlp_answer *answer, char why[OTLP_ANSWER_WHY])
{
	struct protobuf_message message = body_of(answer);
	struct protobuf_field field;

	snprintf(why, OTLP_ANSWER_WHY, "HTTP %ld", answer->status);
	if (has_type(answer, "text/plain") || has_type(answer, "application/json"))
		append_message(why, answer->body, answer->bytes);
	if (!has_type(answer, "application/x-protobuf"))
		return;
	while (protobuf__next(&message, &field))
		if (field.number == STATUS_MESSAGE && field.wire == PROTOBUF_LENGTH) {
			append_message(why, field.bytes, field.count);
			return;
		}
}

enum otlp_verdict otlp_answer__read(const struct otlp_answer *answer, uint64_t *refused,
				    char why[OTLP_ANSWER_WHY])
{
	*refused = 0;
	if (answer->status >= 200 && answer->status < 300)
		return read_success(answer, refused, why);
	read_error(answer, why);
	return is_temporary(answer->status) ? OTLP_RETRY : OTLP_REFUSED;
}
