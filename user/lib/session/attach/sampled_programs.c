// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/sampled_programs.c: finds the event and rate of programs of perf_event. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "channel/program_events.h"
#include "object/globals.h"
#include "schema/btf_tags.h"
#include "session/attach/sampled_programs.h"
#include "session/parts/session.h"

/* For objects that do not use PEAT_SAMPLED(). */
#define DEFAULT_EVENT "cpu-clock"
#define DEFAULT_FREQ  99

#define NAME_BYTES 64

bool sampled_programs__accepts(const struct bpf_program *program)
{
	return bpf_program__type(program) == BPF_PROG_TYPE_PERF_EVENT;
}

struct declaration {
	bool is_each;		/* `event` is an event, not the name of an option */
	char event[NAME_BYTES]; /* the name of an option */
	char freq[NAME_BYTES];	/* likewise */
};

static bool copy_name(char *to, const char *from, size_t bytes)
{
	while (bytes && *from == ' ') {
		from++;
		bytes--;
	}
	if (!bytes || bytes >= NAME_BYTES)
		return false;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return true;
}

/* The names of the options, "EVENT,FREQ". */
static bool split(const char *text, struct declaration *declaration)
{
	const char *comma = strchr(text, ',');

	return comma && copy_name(declaration->event, text, (size_t)(comma - text)) &&
	       copy_name(declaration->freq, comma + 1, strlen(comma + 1));
}

/* 1: declared; 0: the program has no declaration; or a negative errno. */
static int read_declaration(const struct bpf_object *object, const char *program,
			    struct declaration *declaration)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, program, BTF_KIND_FUNC) : -ENOENT, found = 0;
	struct btf_tags tags;
	const char *text;

	if (id <= 0)
		return 0;
	found = btf_tags__read(&tags, btf);
	if (found)
		return found;
	text = btf_tags__find(&tags, (uint32_t)id, TAGS_WHOLE, "each:");
	declaration->is_each = text;
	if (text)
		found = copy_name(declaration->event, text, strlen(text)) ? 1 : -EINVAL;
	else if ((text = btf_tags__find(&tags, (uint32_t)id, TAGS_WHOLE, "sampled:")))
		found = split(text, declaration) ? 1 : -EINVAL;
	btf_tags__free(&tags);
	return found;
}

static bool read_text(struct bpf_object *object, const char *name, char *text, size_t room)
{
	size_t bytes;
	const char *memory = globals__find(object, name, &bytes);

	if (!memory || strnlen(memory, bytes) >= room)
		return false;
	snprintf(text, room, "%.*s", (int)bytes, memory);
	return true;
}

static bool read_freq(struct bpf_object *object, const char *name, uint32_t *freq)
{
	size_t bytes;
	const void *memory = globals__find(object, name, &bytes);

	if (!memory || bytes != sizeof(*freq))
		return false;
	memcpy(freq, memory, sizeof(*freq));
	return true;
}

/* A software event needs a period, since the kernel adapts it to a frequency otherwise. */
static bool read_event(struct bpf_object *object, const struct declaration *declaration,
		       char *event, size_t room, uint32_t *freq)
{
	if (declaration->is_each)
		return (size_t)snprintf(event, room, "%s/period=1/", declaration->event) < room;
	return read_text(object, declaration->event, event, room) &&
	       read_freq(object, declaration->freq, freq);
}

static int attach(struct peat_session *session, struct sampled_program *sampled, char *why,
		  size_t room)
{
	struct cpus cpus = { 0 };
	int err;

	if (session->opts.cpus) {
		err = cpus__choose(&cpus, session->opts.cpus);
		if (err)
			return err;
		sampled->cpus = &cpus;
	}
	err = program_events__attach(&session->program_events, sampled, why, room);
	cpus__free(&cpus);
	return err;
}

int sampled_programs__attach(struct peat_session *session, const struct part *part,
			     const struct bpf_program *program, char *why, size_t room)
{
	struct sampled_program sampled = { program, part->name, DEFAULT_EVENT, DEFAULT_FREQ, NULL };
	const char *name = bpf_program__name(program);
	struct declaration declaration;
	char event[256];
	int found = read_declaration(part->object, name, &declaration);

	*why = '\0';
	if (session->maps.pin_path) {
		snprintf(why, room,
			 "programs of perf events cannot outlive peat, since CPUs that return need "
			 "new events: leave it out, or do not pin");
		return -EOPNOTSUPP;
	}
	if (found > 0 &&
	    !read_event(part->object, &declaration, event, sizeof(event), &sampled.freq))
		found = -EINVAL;
	if (found < 0) {
		snprintf(why, room,
			 "its PEAT_SAMPLED(EVENT, FREQ) has to name two options: a text of at most "
			 "%zu bytes, and a __u32; or its PEAT_EACH(EVENT) an event",
			 sizeof(event) - 1);
		return found;
	}
	if (found)
		sampled.event = event;
	return attach(session, &sampled, why, room);
}
