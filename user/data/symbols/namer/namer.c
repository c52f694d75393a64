// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer.c: reads files in children without rights. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "symbols/namer/namer.h"
#include "symbols/namer/namer_accounts.h"
#include "symbols/namer/namer_worker.h"

#define MS_NS	  UINT64_C(1000000)
#define SECOND_NS (1000 * MS_NS)

/* A caller that empties rings waits for so many files in each second. */
#define FILES_PER_SECOND 5

/* A child that dies costs at least so much of the time of the file's owner: five in 10 seconds. */
#define DEATH_NS (400 * MS_NS)

/* Callers that want a file ask for it again within this time. */
#define ABANDONED_NS SECOND_NS

/* For parts of one kind. */
struct namer_set {
	struct namer_worker of_root, of_others;
	struct namer_accounts accounts;
};

struct namer {
	char *program;
	struct namer_set symbols, lines;
	uint64_t second_ns, waited_ns; /* of callers in a hurry, since then */
	struct namer_end end;
	bool is_started, are_others_started;
	bool is_warned;
};

struct namer *namer__new(const char *program)
{
	struct namer *namer = calloc(1, sizeof(*namer));

	if (!namer)
		return NULL;
	namer_end__init(&namer->end);
	namer->lines.of_root.is_for_lines = namer->lines.of_others.is_for_lines = true;
	namer->program = strdup(program);
	if (namer->program)
		return namer;
	free(namer);
	return NULL;
}

static void end_set(struct namer_set *set)
{
	namer_worker__end(&set->of_root);
	namer_worker__end(&set->of_others);
}

void namer__free(struct namer *namer)
{
	if (!namer)
		return;
	namer__kill(namer); /* all, then they end together */
	end_set(&namer->symbols);
	end_set(&namer->lines);
	free(namer->program);
	free(namer);
}

static void kill_set(const struct namer_set *set)
{
	namer_process__kill(&set->of_root.process);
	namer_process__kill(&set->of_others.process);
}

void namer__kill(const struct namer *namer)
{
	if (!namer)
		return;
	kill_set(&namer->symbols);
	kill_set(&namer->lines);
}

void namer__start(struct namer *namer)
{
	if (namer->is_started)
		return;
	namer->is_started = true;
	namer_worker__start(&namer->symbols.of_root, namer->program);
}

/* The other child becomes ready while the first one reads: starting a process takes a while. */
static void start_others(struct namer *namer)
{
	if (!namer->is_started || namer->are_others_started)
		return;
	namer->are_others_started = true;
	namer_worker__start(&namer->symbols.of_others, namer->program);
}

static struct namer_set *set_of(struct namer *namer, const struct namer_request *request)
{
	return request->part == NAMER_LINES ? &namer->lines : &namer->symbols;
}

static struct namer_worker *worker_of(struct namer *namer, const struct namer_request *request)
{
	struct namer_set *set = set_of(namer, request);

	return request->is_of_root ? &set->of_root : &set->of_others;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static bool may_begin(struct namer *namer, const struct namer_request *request)
{
	return request->is_of_root ||
	       namer_accounts__is_open(&set_of(namer, request)->accounts,
				       request->search.program.st_uid, monotonic_ns());
}

static void charge(struct namer *namer, const struct namer_request *request, uint64_t used_ns)
{
	const uint32_t owner = request->search.program.st_uid;

	if (!request->is_of_root && !namer_accounts__charge(&set_of(namer, request)->accounts,
							    owner, used_ns, monotonic_ns()))
		log__warn("files of user %u take too long to read: their functions have no %s "
			  "for a minute",
			  owner, request->part == NAMER_LINES ? "source lines" : "names");
}

/* The owner of a file pays for a child that failed, and nobody else. */
static void charge_death(struct namer *namer, const struct namer_request *request, uint64_t used_ns)
{
	charge(namer, request, used_ns > DEATH_NS ? used_ns : DEATH_NS);
}

void namer__hurry(struct namer *namer, uint32_t ms)
{
	namer_end__set(&namer->end, ms);
}

static bool is_request_over(struct namer *namer, const struct namer_request *request)
{
	const uint64_t end_ns = namer_end__of(&namer->end, request->is_of_root);

	return end_ns != UINT64_MAX && monotonic_ns() >= end_ns;
}

/* Files of root are as large as they have to be: nobody makes peat wait for them. */
static enum namer_patience patience_of(struct namer *namer, const struct namer_request *request)
{
	if (is_request_over(namer, request))
		return NAMER_NOW;
	return request->is_of_root ? NAMER_WAIT : request->patience;
}

/* The time until which the caller waits. */
static uint64_t begin_wait(struct namer *namer, const struct namer_request *request,
			   uint64_t now_ns)
{
	const uint64_t file_ns = request->wait_ms * MS_NS, all_ns = FILES_PER_SECOND * file_ns;
	const enum namer_patience patience = patience_of(namer, request);
	uint64_t left_ns;

	if (patience != NAMER_SHORTLY)
		return patience == NAMER_WAIT ? UINT64_MAX : 0;
	if (now_ns - namer->second_ns > SECOND_NS) {
		namer->second_ns = now_ns;
		namer->waited_ns = 0;
	}
	left_ns = all_ns > namer->waited_ns ? all_ns - namer->waited_ns : 0;
	return now_ns + (left_ns < file_ns ? left_ns : file_ns);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int begin_request(struct namer *namer, struct namer_worker *worker,
			 const struct namer_request *request)
{
	int err = may_begin(namer, request) ? namer_worker__begin(worker, namer->program, request)
					    : -EBUSY;

	if (err && err != -EBUSY && !namer->is_warned) {
		namer->is_warned = true;
		log__warn("functions of programs and libraries have no names: %s cannot be started "
			  "to read them: %s",
			  namer->program, strerror(-err));
	}
	return err;
}

/* Lines are asked for again and again.  Whoever waits for all of them empties no rings. */
static bool is_patient_for_lines(const struct namer_request *request)
{
	return request->part == NAMER_LINES && request->patience == NAMER_WAIT;
}

/* Waits for the file in hand. */
static int await(struct namer *namer, struct namer_worker *worker,
		 const struct namer_request *request, struct namer_result *result)
{
	const uint64_t now_ns = monotonic_ns();
	int err = namer_worker__await(worker, request, begin_wait(namer, request, now_ns),
				      &namer->end, result);

	if (patience_of(namer, request) == NAMER_SHORTLY)
		namer->waited_ns += monotonic_ns() - now_ns;
	if (err == -EAGAIN)
		return err;
	if (namer_worker__is_fatal(err))
		charge_death(namer, request, worker->used_ns);
	else if (!is_patient_for_lines(request))
		charge(namer, request, worker->used_ns);
	return err;
}

/* Makes the child free for a file, if no caller waits for the file in hand any more. */
static int discard(struct namer *namer, struct namer_worker *worker,
		   const struct namer_request *request)
{
	if (!worker->is_busy || namer_worker__reads(worker, request))
		return 0;
	if (patience_of(namer, request) != NAMER_WAIT &&
	    monotonic_ns() - worker->asked_ns < ABANDONED_NS)
		return -EAGAIN;
	namer_worker__end(worker);
	return 0;
}

static int read_once(struct namer *namer, struct namer_worker *worker,
		     const struct namer_request *request, struct namer_result *result)
{
	int err = discard(namer, worker, request);

	if (!err && !worker->is_busy)
		err = begin_request(namer, worker, request);
	if (err)
		return err;
	start_others(namer);
	return await(namer, worker, request, result);
}

/* Another file may have damaged the child before, or filled its memory with lines. */
static bool is_tried_again(const struct namer_request *request, int err)
{
	return (request->is_of_root || request->part == NAMER_LINES) &&
	       namer_worker__is_fatal(err) && err != -ETIMEDOUT;
}

int namer__read(struct namer *namer, const struct namer_request *request,
		struct namer_result *result)
{
	struct namer_worker *worker = worker_of(namer, request);
	int err;

	*result = (struct namer_result){ 0 };
	err = read_once(namer, worker, request, result);
	if (is_tried_again(request, err))
		err = read_once(namer, worker, request, result);
	return err;
}

void namer__distrust(struct namer *namer, const struct namer_request *request)
{
	namer_worker__end(worker_of(namer, request));
	charge_death(namer, request, 0);
}
