/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/answer.h: reads the answers of a server.  Pure: answers are anything. */
#ifndef PEAT_OTLP_ANSWER_H
#define PEAT_OTLP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OTLP_ANSWER_WHY 256

enum otlp_verdict {
	OTLP_TAKEN,   /* all but `refused` log records or data points */
	OTLP_REFUSED, /* all of them */
	OTLP_RETRY    /* send them again later */
};

struct otlp_answer {
	long status;		  /* of HTTP */
	const char *content_type; /* NULL: none */
	const void *body;
	size_t bytes;
	bool is_cut; /* the body is longer than we read */
};

/*
 * Stores the number of refused records of OTLP_TAKEN in `refused`, and the reason in `why`, safe
 * for a terminal: "HTTP 400: the server's message"; "": all are taken, and the server has no
 * warning.
 */
enum otlp_verdict otlp_answer__read(const struct otlp_answer *answer, uint64_t *refused,
				    char why[OTLP_ANSWER_WHY]);

#endif /* PEAT_OTLP_ANSWER_H */
