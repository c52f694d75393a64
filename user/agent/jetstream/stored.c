// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/stored.c: reads the last message of a subject, and finds its batches by its id. */
#ifdef HAVE_NATS

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jetstream/stored.h"
#include "nats/options.h"

/* ---- ids ------------------------------------------------------------------------------------- */

void stored__append_id(struct strbuf *out, const char *name, const struct peat_origin *first,
		       const struct peat_origin *last)
{
	const uint64_t numbers[] = { first->run, first->number, last->number };

	strbuf__text(out, name);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		strbuf__char(out, '.');
		strbuf__unsigned(out, numbers[i]);
	}
	strbuf__char(out, 0);
}

/* The number after the last dot of the `count` bytes, which then are those before the dot. */
static bool cut_number(const char *id, size_t *count, uint64_t *number)
{
	size_t at = *count;
	char *end;

	while (at && id[at - 1] >= '0' && id[at - 1] <= '9')
		at--;
	if (at == *count || !at || id[at - 1] != '.')
		return false;
	errno = 0;
	*number = strtoull(id + at, &end, 10);
	*count = at - 1;
	return !errno;
}

void stored__parse_id(struct stored *stored, const char *id)
{
	size_t count = strlen(id);
	uint64_t first;

	strbuf__cut(&stored->name, 0);
	if (!cut_number(id, &count, &stored->last) || !cut_number(id, &count, &first) ||
	    !cut_number(id, &count, &stored->run))
		return;
	strbuf__bytes(&stored->name, id, count);
	strbuf__char(&stored->name, 0);
}

bool stored__has(const struct stored *stored, const char *name, const struct peat_origin *origin)
{
	return stored->sequence && stored->name.count && stored->run == origin->run &&
	       origin->number <= stored->last && !strcmp(stored->name.bytes, name);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* The server does not answer then, and sends this error of the connection. */
static bool is_forbidden(natsConnection *nats)
{
	const char *text = NULL;

	natsConnection_GetLastError(nats, &text);
	return text && strcasestr(text, "permissions violation");
}

static enum stored_answer read_message(natsMsg *message, struct stored *stored, struct news *failed)
{
	const char *id = NULL;

	if (natsMsgHeader_Get(message, "Nats-Msg-Id", &id))
		id = NULL;
	stored->sequence = natsMsg_GetSequence(message);
	stored__parse_id(stored, id ?: "");
	if (!stored->name.failed)
		return STORED_READ;
	strbuf__free(&stored->name);
	failed->status = NATS_NO_MEMORY;
	return STORED_UNKNOWN;
}

enum stored_answer stored__read(const struct connection *connection,
				const struct jetstream_config *config, const char *subject,
				struct stored *stored, struct news *failed)
{
	enum stored_answer answer = STORED_READ;
	natsMsg *message = NULL;
	jsErrCode code = 0;
	natsStatus status =
		js_GetLastMsg(&message, connection->stream, config->stream, subject, NULL, &code);

	stored->sequence = 0;
	strbuf__cut(&stored->name, 0);
	if (!status) {
		answer = read_message(message, stored, failed);
		natsMsg_Destroy(message);
	} else if (code != JSNoMessageFoundErr) {
		answer = is_forbidden(connection->nats) ? STORED_FORBIDDEN : STORED_UNKNOWN;
		failed->status = status;
		failed->code = code;
		snprintf(failed->why, sizeof(failed->why), "%s", nats_options__error(status));
	}
	return answer;
}

#endif /* HAVE_NATS */
