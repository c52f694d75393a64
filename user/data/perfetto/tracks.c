// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/tracks.c: the tracks of threads and CPUs. */
#include <stdio.h>
#include <stdlib.h>

#include <peat/identity.h>

#include "base/sip_hash.h"
#include "perfetto/nesting.h"
#include "perfetto/tracks.h"

/* Enough for names of containers and pods. */
#define NAME_BYTES 1024

struct track_key {
	bool is_process;
	uint32_t pid, tid; /* tid 0: the idle task; PEAT_NO_TASK: none */
	uint32_t cpu;	   /* of the idle task, and of events without a task; else 0 */
};

struct track_lane {
	uint64_t number; /* of its track */
	struct nesting lane;
};

struct track {
	struct hash_link link;
	struct track *newer, *older; /* by use */
	struct track_key key;
	uint64_t number;
	char comm[16];	/* of the last description */
	bool is_named;	/* `comm` is known */
	bool has_main;	/* of a process: the name is that of its first thread */
	uint32_t count; /* of lanes */
	struct track_lane **lanes;
};

/* ---- the table ------------------------------------------------------------------------------- */

static bool is_same(const struct track_key *a, const struct track_key *b)
{
	return a->is_process == b->is_process && a->pid == b->pid && a->tid == b->tid &&
	       a->cpu == b->cpu;
}

static uint64_t code_of(const struct track_key *key)
{
	const uint32_t words[] = { key->is_process, key->pid, key->tid, key->cpu };

	return sip_hash__key(words, sizeof(words));
}

static void unlink_track(struct tracks *tracks, struct track *track)
{
	*(track->newer ? &track->newer->older : &tracks->newest) = track->older;
	*(track->older ? &track->older->newer : &tracks->oldest) = track->newer;
}

static void link_newest(struct tracks *tracks, struct track *track)
{
	track->newer = NULL;
	track->older = tracks->newest;
	*(track->older ? &track->older->newer : &tracks->oldest) = track;
	tracks->newest = track;
}

static void free_track(struct track *track)
{
	for (uint32_t i = 0; i < track->count; i++)
		free(track->lanes[i]);
	free(track->lanes);
	free(track);
}

static void forget_oldest(struct tracks *tracks)
{
	struct track *track = tracks->oldest;

	if (tracks->last == track)
		tracks->last = NULL;
	hash__remove(&tracks->by_key, &track->link);
	unlink_track(tracks, track);
	free_track(track);
}

static struct track *find_track(struct tracks *tracks, const struct track_key *key, uint64_t code)
{
	struct hash_link *link = hash__first(&tracks->by_key, code);

	while (link && !is_same(&HASH_ENTRY(link, struct track, link)->key, key))
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct track, link) : NULL;
}

static struct track *add_track(struct tracks *tracks, const struct track_key *key, uint64_t code)
{
	struct track *track = calloc(1, sizeof(*track));

	if (!track)
		return NULL;
	if (tracks->by_key.count >= TRACKS_MOST)
		forget_oldest(tracks);
	track->key = *key;
	if (hash__add(&tracks->by_key, &track->link, code)) {
		free(track);
		return NULL;
	}
	track->number = ++tracks->count;
	link_newest(tracks, track);
	return track;
}

/* Finds a track, or adds it and sets *is_new. */
static struct track *take_track(struct tracks *tracks, const struct track_key *key, bool *is_new)
{
	uint64_t code = code_of(key);
	struct track *track = find_track(tracks, key, code);

	*is_new = !track;
	if (!track)
		return add_track(tracks, key, code);
	unlink_track(tracks, track);
	link_newest(tracks, track);
	return track;
}

void tracks__free(struct tracks *tracks)
{
	while (tracks->oldest)
		forget_oldest(tracks);
	hash__free(&tracks->by_key);
	*tracks = (struct tracks){ 0 };
}

/* ---- names ----------------------------------------------------------------------------------- */

/* True: the track has no name yet, or another one. */
static bool set_comm(struct track *track, const char *comm)
{
	if (!comm || (track->is_named && !strncmp(track->comm, comm, sizeof(track->comm) - 1)))
		return false;
	snprintf(track->comm, sizeof(track->comm), "%s", comm);
	track->is_named = true;
	return true;
}

/* "web", or the beginning of the container's id, as docker ps prints it; NULL: no container. */
static const char *container_of(const struct peat_identity *identity, char text[13])
{
	if (!identity || !*identity->container)
		return NULL;
	if (*identity->container_name)
		return identity->container_name;
	snprintf(text, 13, "%.12s", identity->container);
	return text;
}

/* "nginx", "nginx (container web, pod default/web)" */
static void name_process(const struct peat_event *event, char name[NAME_BYTES])
{
	const struct peat_identity *identity = event->identity;
	char id[13];
	const char *container = container_of(identity, id), *pod;

	if (!container) {
		snprintf(name, NAME_BYTES, "%s", event->comm);
		return;
	}
	pod = *identity->pod_name ? identity->pod_name : *identity->pod ? identity->pod : NULL;
	snprintf(name, NAME_BYTES, "%s (container %s%s%s)", event->comm, container,
		 pod ? ", pod " : "", pod ? pod : "");
}

/* A process has the name of its first thread; until that has an event, the name of another. */
static int describe_process(struct tracks *tracks, struct strbuf *out,
			    const struct peat_event *event)
{
	const struct track_key key = { .is_process = true, .pid = event->pid };
	bool is_new, is_main = event->pid == event->tid;
	struct track *process = take_track(tracks, &key, &is_new);
	char name[NAME_BYTES];

	if (!process)
		return -1;
	if ((is_main || !process->has_main) && set_comm(process, event->comm)) {
		process->has_main |= is_main;
		name_process(event, name);
		packet__process(out, process->number, event->pid, name);
	} else if (is_new) {
		packet__process(out, process->number, event->pid, NULL);
	}
	return 0;
}

static int describe_thread(struct tracks *tracks, struct track *track, struct strbuf *out,
			   const struct peat_event *event)
{
	packet__thread(out, track->number, event->pid, event->tid, event->comm);
	return describe_process(tracks, out, event);
}

static void describe_cpu(const struct track *track, struct strbuf *out)
{
	char name[64];

	if (track->key.cpu == PEAT_NO_CPU)
		snprintf(name, sizeof(name), "no task");
	else
		snprintf(name, sizeof(name), "%s, CPU %u", track->key.tid ? "no task" : "idle",
			 track->key.cpu);
	packet__track(out, track->number, 0, name);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The idle task of each CPU has the number 0. */
static bool has_thread(const struct peat_event *event)
{
	return event->tid && event->tid != PEAT_NO_TASK;
}

static struct track_key key_of(const struct peat_event *event)
{
	if (has_thread(event))
		return (struct track_key){ .pid = event->pid, .tid = event->tid };
	return (struct track_key){ .tid = event->tid, .cpu = event->cpu };
}

/* Most events have the task of the event before. */
static struct track *track_of(struct tracks *tracks, const struct peat_event *event, bool *is_new)
{
	const struct track_key key = key_of(event);

	*is_new = false;
	if (!tracks->last || !is_same(&tracks->last->key, &key))
		tracks->last = take_track(tracks, &key, is_new);
	return tracks->last;
}

struct track *tracks__find(struct tracks *tracks, struct strbuf *out,
			   const struct peat_event *event)
{
	bool is_new, is_changed;
	struct track *track = track_of(tracks, event, &is_new);

	if (!track)
		return NULL;
	if (has_thread(event)) {
		is_changed = set_comm(track, event->comm);
		if ((is_new || is_changed) && describe_thread(tracks, track, out, event))
			return NULL;
	} else if (is_new) {
		describe_cpu(track, out);
	}
	return track;
}

uint64_t track__number(const struct track *track)
{
	return track->number;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* The first lane is the track itself. */
static struct track_lane *add_lane(struct tracks *tracks, struct track *track, struct strbuf *out)
{
	struct track_lane *lane = calloc(1, sizeof(*lane));
	struct track_lane **lanes =
		realloc(track->lanes, (track->count + 1) * sizeof(*track->lanes));

	if (lanes)
		track->lanes = lanes;
	if (!lane || !lanes) {
		free(lane);
		return NULL;
	}
	lane->number = track->count ? ++tracks->count : track->number;
	if (track->count)
		packet__track(out, lane->number, track->number, "overlapping");
	track->lanes[track->count++] = lane;
	return lane;
}

uint64_t tracks__place(struct tracks *tracks, struct track *track, struct strbuf *out,
		       uint64_t begin_ns, uint64_t end_ns)
{
	struct track_lane *lane;
	uint32_t i = 0;

	while (i < track->count && !nesting__add(&track->lanes[i]->lane, begin_ns, end_ns))
		i++;
	tracks->overlapping += i > 0;
	if (i < track->count)
		return track->lanes[i]->number;
	lane = i < TRACK_LANES ? add_lane(tracks, track, out) : NULL;
	return lane && nesting__add(&lane->lane, begin_ns, end_ns) ? lane->number : 0;
}

uint64_t tracks__lost(struct tracks *tracks, struct strbuf *out)
{
	uint64_t number = ++tracks->count;

	packet__track(out, number, 0, "lost events");
	return number;
}

uint64_t tracks__counter(struct tracks *tracks, struct strbuf *out, const char *name,
			 enum packet_unit unit)
{
	uint64_t number = ++tracks->count;

	packet__counter_track(out, number, name, unit);
	return number;
}
