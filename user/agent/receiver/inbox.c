// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/inbox.c: keeps messages until they are written. */
#include <stdlib.h>

#include "base/errors.h"
#include "receiver/inbox.h"

static bool has(const struct inbox *inbox, const struct stream_message *message)
{
	if (message->delivered < 2)
		return false;
	for (const struct inbox_message *at = inbox->first; at; at = at->next)
		if (at->message.sequence == message->sequence)
			return true;
	return false;
}

static struct inbox_message *refuse(const struct stream_message *message, int err)
{
	struct stream_message copy = *message;

	stream__release(&copy);
	return fail_null(err);
}

struct inbox_message *inbox__add(struct inbox *inbox, const struct stream_message *message)
{
	struct inbox_message *added;

	if (has(inbox, message))
		return refuse(message, -EALREADY);
	added = calloc(1, sizeof(*added));
	if (!added)
		return refuse(message, -ENOMEM);
	added->message = *message;
	if (inbox->last)
		inbox->last->next = added;
	else
		inbox->first = added;
	inbox->last = added;
	return added;
}

int inbox__acknowledge(struct inbox *inbox)
{
	struct inbox_message **at = &inbox->first, *message;
	int err = 0;

	inbox->last = NULL;
	while ((message = *at)) {
		if (message->waiting) {
			inbox->last = message;
			at = &message->next;
			continue;
		}
		*at = message->next;
		if (stream__acknowledge(inbox->stream, &message->message))
			err = -EIO;
		free(message);
	}
	return err;
}

void inbox__return(struct inbox *inbox)
{
	struct inbox_message *message, *next;

	for (message = inbox->first; message; message = next) {
		next = message->next;
		stream__return(inbox->stream, &message->message);
		free(message);
	}
	inbox->first = inbox->last = NULL;
}
