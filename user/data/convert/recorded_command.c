// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/recorded_command.c: the command line that a recording's header has. */
#include "base/cursor.h"
#include "base/strbuf.h"
#include "convert/recorded_command.h"
#include "perf_data/features.h"

/* The number of words, then each with its length. */
char *recorded_command__decode(const uint8_t *bytes, size_t count, bool swapped)
{
	struct cursor cur = { bytes, bytes + count, NULL, swapped, false };
	uint32_t words = cursor__u32(&cur);
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < words && !cur.bad; i++) {
		uint32_t length = cursor__u32(&cur);
		const char *word = cursor__bytes(&cur, length);

		if (i)
			strbuf__char(&text, ' ');
		if (word)
			strbuf__bytes(&text, word, strnlen(word, length));
	}
	strbuf__char(&text, 0);
	if (cur.bad || text.failed || !words) {
		strbuf__free(&text);
		return NULL;
	}
	return text.bytes;
}

char *recorded_command__text(struct perf_file *file)
{
	struct perf_feature feature = { 0 };

	while (perf_file__next_feature(file, &feature) > 0)
		if (feature.bit == FEATURE_CMDLINE)
			return feature.bytes
				       ? recorded_command__decode(feature.bytes,
								  feature.bytes_count,
								  perf_file__info(file)->swapped)
				       : NULL;
	return NULL;
}
