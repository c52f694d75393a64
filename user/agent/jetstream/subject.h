/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/subject.h: subjects by a pattern, such as "peat.%h.%s": %h is the host, %s the source.
 */
#ifndef PEAT_JETSTREAM_SUBJECT_H
#define PEAT_JETSTREAM_SUBJECT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Why the pattern makes no subject; NULL: it does. */
const char *subject__find_fault(const char *pattern);

/* Appends the text with _ in the place of characters that a token cannot have. */
void subject__append_token(struct strbuf *out, const char *text);

/* Appends the subject of a source, and a NUL. */
void subject__append(struct strbuf *out, const char *pattern, const char *host, const char *source);

/* Appends the subjects of all hosts and sources, "peat.*.*", and a NUL. */
void subject__append_wildcards(struct strbuf *out, const char *pattern);

/* Whether a stream with the subject `stream` takes all of `subject`; both may have wildcards. */
bool subject__covers(const char *stream, const char *subject);

#endif /* PEAT_JETSTREAM_SUBJECT_H */
