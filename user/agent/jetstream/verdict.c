// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/verdict.c: reads answers to messages. */
#ifdef HAVE_NATS

#include <stdio.h>
#include <string.h>

#include <peat/text.h>

#include "jetstream/verdict.h"

/* NULL: the server's text is better. */
static const char *explain(natsStatus status, jsErrCode code)
{
	if (status == NATS_NO_RESPONDERS || code == JSStreamNotFoundErr)
		return "no stream takes the subject, or it has no leader "
		       "(peat agent --stream-setup creates it)";
	if (status == NATS_TIMEOUT)
		return "no answer in time";
	if (code == JSStreamStoreFailedErr)
		return "the stream cannot store it";
	if (code == JSStreamNotMatchErr)
		return "another stream takes the subject";
	return NULL;
}

static void write_reason(natsStatus status, jsErrCode code, const char *text, char why[NEWS_WHY])
{
	const char *reason = explain(status, code);
	char line[2 * NEWS_WHY];

	if (reason && !code)
		text = "";
	else if (!*text && !reason)
		text = natsStatus_GetText(status);
	snprintf(line, sizeof(line), "%s%s%s", reason ?: "", reason && *text ? ": " : "", text);
	peat_text__escape(why, NEWS_WHY, line, strlen(line));
}

enum verdict verdict__of(natsStatus status, jsErrCode code, const char *text, char why[NEWS_WHY])
{
	if (status == NATS_OK)
		return VERDICT_STORED;
	write_reason(status, code, text, why);
	if (code == JSStreamWrongLastSequenceErr)
		return VERDICT_OUTDATED;
	if (status == NATS_MAX_PAYLOAD || code == JSStreamMessageExceedsMaximumErr)
		return VERDICT_REFUSED;
	return code ? VERDICT_RETRY : VERDICT_ELSEWHERE;
}

#endif /* HAVE_NATS */
