// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/accept.c: reads the header Accept: of HTTP. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "prometheus/accept.h"

/* A part of the header between separators, without the blanks around it. */
struct part {
	const char *at;
	size_t bytes;
};

static struct part next_part(const char **rest, const char *end, char separator)
{
	const char *stop = memchr(*rest, separator, (size_t)(end - *rest)) ?: end;
	struct part part = { *rest, (size_t)(stop - *rest) };

	*rest = stop < end ? stop + 1 : end;
	while (part.bytes && strchr(" \t", *part.at)) {
		part.at++;
		part.bytes--;
	}
	while (part.bytes && strchr(" \t", part.at[part.bytes - 1]))
		part.bytes--;
	return part;
}

static bool is_word(struct part part, const char *word)
{
	return part.bytes == strlen(word) && !strncasecmp(part.at, word, part.bytes);
}

static bool is_parameter(struct part part, const char *name)
{
	return part.bytes >= strlen(name) && !strncasecmp(part.at, name, strlen(name));
}

/* "q=0.75" in thousandths; digits after the third are cut. */
static uint32_t read_weight(struct part part)
{
	uint32_t weight = 0, scale = 1000;

	for (size_t i = 2; i < part.bytes && scale; i++) {
		if (part.at[i] == '.' && i == 3)
			continue;
		if (part.at[i] < '0' || part.at[i] > '9')
			break;
		weight += (uint32_t)(part.at[i] - '0') * scale;
		scale /= 10;
	}
	return weight < 1000 ? weight : 1000;
}

struct weights {
	uint32_t openmetrics, text;
};

/* A media range with its parameters. */
static void weigh_range(struct part range, struct weights *weights)
{
	const char *rest = range.at, *end = range.at + range.bytes;
	struct part type = next_part(&rest, end, ';'), part;
	bool is_known_version = true;
	uint32_t weight = 1000;

	while (rest < end) {
		part = next_part(&rest, end, ';');
		if (is_parameter(part, "q="))
			weight = read_weight(part);
		else if (is_parameter(part, "version="))
			is_known_version = is_word(part, "version=1.0.0");
	}
	if (is_word(type, "application/openmetrics-text")) {
		if (is_known_version && weight > weights->openmetrics)
			weights->openmetrics = weight;
	} else if (is_word(type, "text/plain") || is_word(type, "text/*") || is_word(type, "*/*")) {
		if (weight > weights->text)
			weights->text = weight;
	}
}

bool accept__is_openmetrics(const char *header)
{
	const char *end = header ? header + strlen(header) : NULL;
	struct weights weights = { 0, 0 };

	while (header < end)
		weigh_range(next_part(&header, end, ','), &weights);
	return weights.openmetrics && weights.openmetrics >= weights.text;
}
