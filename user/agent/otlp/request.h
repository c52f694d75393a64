/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/request.h: a batch on its way to the server.
 *
 *	otlp_request__fill()	encodes the batch
 *	otlp_request__begin()	its log records are under way, or its metrics
 *	otlp_request__end()	an answer, or an error: next part, settled, or the same once more
 */
#ifndef PEAT_OTLP_REQUEST_H
#define PEAT_OTLP_REQUEST_H

#include <curl/curl.h>

#include "otlp/answer.h"
#include "otlp/config.h"
#include "otlp/gzip.h"

/* Zeroes, but for `easy`: free. */
struct otlp_request {
	CURL *easy;
	struct peat_batch *batch; /* with a reference of ours; NULL: free */
	struct strbuf bodies[OTLP_SIGNALS];
	uint64_t counts[OTLP_SIGNALS]; /* of events and points */
	enum otlp_signal part;	       /* OTLP_SIGNALS: all are done */
	bool is_under_way;	       /* libcurl has it */
	uint64_t refused;	       /* so far */
	char why[OTLP_ANSWER_WHY];     /* they are, or the last try failed */
	struct strbuf answer;
	bool is_answer_cut;
	char error[CURL_ERROR_SIZE];
};

/* 0 or -ENOMEM. */
int otlp_request__init(struct otlp_request *request, const struct otlp_config *config);
void otlp_request__free(struct otlp_request *request);

/* Takes a reference of the batch.  0; -ENOMEM: the request stays free. */
int otlp_request__fill(struct otlp_request *request, const struct otlp_config *config,
		       struct otlp_gzip *gzip, struct peat_batch *batch);

/* Gives the batch back. */
void otlp_request__empty(struct otlp_request *request);

/* Sets `easy` up for the present part.  0 or -ENOMEM. */
int otlp_request__begin(struct otlp_request *request, const struct otlp_config *config);

/*
 * After libcurl is done.  TAKEN and REFUSED: the next part is the present one, and `refused` has
 * what was refused.  In any case, `why` has the reason.
 */
enum otlp_verdict otlp_request__end(struct otlp_request *request, CURLcode result);

/* Events and points that the server has not answered. */
uint64_t otlp_request__unanswered(const struct otlp_request *request);

#endif /* PEAT_OTLP_REQUEST_H */
