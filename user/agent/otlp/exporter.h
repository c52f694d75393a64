/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/exporter.h: requests under way, and those that wait to be sent again. */
#ifndef PEAT_OTLP_EXPORTER_H
#define PEAT_OTLP_EXPORTER_H

#include "output/backoff.h"
#include "otlp/request.h"

/* Zeroes: none. */
struct otlp_exporter {
	const struct otlp_config *config;
	const char *name; /* for messages */
	int wake_fd;
	void (*settled)(void *arg, struct peat_batch *batch, uint64_t refused, const char *why);
	void *arg;
	CURLM *multi;
	struct otlp_gzip gzip;
	struct otlp_request *requests; /* config->window */
	struct backoff backoff;
	bool was_full;		       /* a batch was not taken */
	bool is_failing;	       /* the log says so */
	char refusal[OTLP_ANSWER_WHY]; /* the last one that was logged */
};

/* The caller has set the first five members.  0 or -ENOMEM; free it in any case. */
int otlp_exporter__init(struct otlp_exporter *exporter);

/* 0; -EAGAIN: it was not taken. */
int otlp_exporter__send(struct otlp_exporter *exporter, struct peat_batch *batch);

/* Has the contract of peat_output_ops.acknowledged(). */
int otlp_exporter__run(struct otlp_exporter *exporter, int timeout_ms);

/* Gives up all batches. */
void otlp_exporter__free(struct otlp_exporter *exporter);

#endif /* PEAT_OTLP_EXPORTER_H */
