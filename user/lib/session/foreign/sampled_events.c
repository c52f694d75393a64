// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/sampled_events.c: a session of events that the kernel samples. */
#include <peat/sampling.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "live/sampling.h"
#include "live/sampling_types.h"
#include "session/foreign/sampled_events.h"

int sampled_events__refuse(void)
{
	log__error("sampled events cannot be read together with BPF objects or maps: use a session "
		   "for each");
	return -EINVAL;
}

int peat_session__add_events(struct peat_session *session, const char *events,
			     const struct peat_sampling_opts *opts)
{
	int err = parts__check_not_started(session);

	if (err)
		return fail(err);
	if (session->part_count || session->maps.count || session->channel)
		return fail(sampled_events__refuse());
	if (session->sampling) {
		log__error("the session has events already: give one list of all events");
		return fail(-EBUSY);
	}
	session->sampling = sampling__new(events, opts, &session->channel_opts.stacks);
	return session->sampling ? 0 : -errno;
}

int sampled_events__choose(struct peat_session *session, const struct peat_reader_opts *callers)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int err;

	if (!session->sampling)
		return 0;
	err = opts__read(&opts, sizeof(opts), callers, "peat_reader_opts");
	return err ? err : sampling__choose(session->sampling, opts.cpus);
}

const struct peat_schema *sampled_events__schema(const struct peat_session *session, uint32_t i)
{
	struct reader_type type;

	if (!session->sampling || !sampling_types__at(session->sampling, i, &type))
		return NULL;
	return type.schema;
}

struct peat_reader *sampled_events__open_reader(struct peat_session *session,
						const struct peat_reader_opts *opts)
{
	return sampling__open_reader(session->sampling, false, opts);
}

void sampled_events__free(struct peat_session *session)
{
	sampling__free(session->sampling);
	session->sampling = NULL;
}
