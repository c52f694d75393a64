// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* doctor_needs.c: the capabilities that a source needs, and how to give them. */
#include <ctype.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/base/json_text.h"
#include "cli/doctor/doctor_needs.h"
#include "cli/doctor/doctor_source.h"

/* Linux 5.8 has both; older headers do not. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

#define CAP(number) (UINT64_C(1) << (number))

/* CAP_SYS_ADMIN first: it implies the last two, which are better. */
static const struct {
	int number;
	const char *name;
} known[] = {
	{ CAP_SYS_ADMIN, "SYS_ADMIN" },
	{ CAP_NET_ADMIN, "NET_ADMIN" },
	{ CAP_DAC_READ_SEARCH, "DAC_READ_SEARCH" },
	{ CAP_SYS_PTRACE, "SYS_PTRACE" },
	{ CAP_SYSLOG, "SYSLOG" },
	{ CAP_PERFMON, "PERFMON" },
	{ CAP_BPF, "BPF" },
};
#define KNOWN (sizeof(known) / sizeof(*known))

/* Other processes of the trial's user may have its locked memory for a moment, so one failure
 * proves nothing. */
static bool starts_with(const struct options *options, const char *name, uint64_t caps)
{
	if (doctor_source__starts(options, name, caps, NULL))
		return true;
	usleep(100000);
	return doctor_source__starts(options, name, caps, NULL);
}

/* The two capabilities are enough for most sources, and save trials of all. */
bool doctor_needs__find(const struct options *options, const char *name, uint64_t *caps)
{
	uint64_t set = CAP(CAP_BPF) | CAP(CAP_PERFMON);

	if (!starts_with(options, name, set)) {
		for (size_t i = 0; i < KNOWN; i++)
			set |= CAP(known[i].number);
		if (!starts_with(options, name, set))
			return false;
	}
	for (size_t i = 0; i < KNOWN; i++)
		if (set & CAP(known[i].number) &&
		    starts_with(options, name, set & ~CAP(known[i].number)))
			set &= ~CAP(known[i].number);
	*caps = set;
	return true;
}

const char *doctor_needs__name(uint64_t caps, unsigned i)
{
	for (size_t at = KNOWN; at--;)
		if (caps & CAP(known[at].number) && !i--)
			return known[at].name;
	return NULL;
}

/* ---- how to give them ------------------------------------------------------------------------ */

/* Writes the names, each after `before`, with `between` in between. */
static void put_names(FILE *out, uint64_t caps, const char *before, const char *between,
		      bool are_small)
{
	const char *name;

	for (unsigned i = 0; (name = doctor_needs__name(caps, i)); i++) {
		fprintf(out, "%s%s", i ? between : "", before);
		for (; *name; name++)
			fputc(are_small ? tolower((unsigned char)*name) : *name, out);
	}
}

static void put_setcap(FILE *out, uint64_t caps)
{
	char path[PATH_MAX] = "";
	ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[bytes > 0 ? bytes : 0] = 0;
	fputs("setcap ", out);
	put_names(out, caps, "cap_", ",", true);
	fprintf(out, "+ep %s", *path ? path : "peat");
}

static void put_ambient(FILE *out, uint64_t caps)
{
	fputs("AmbientCapabilities=", out);
	put_names(out, caps, "CAP_", " ", false);
}

static void put_bounding(FILE *out, uint64_t caps)
{
	fputs("CapabilityBoundingSet=", out);
	put_names(out, caps, "CAP_", " ", false);
}

#define TRACEFS "/sys/kernel/tracing"
#define CGROUPS "/sys/fs/cgroup"

/* CAP_NET_ADMIN is for programs of interfaces, which a container has only with the host's network.
 */
static bool needs_network(uint64_t caps)
{
	return caps & CAP(CAP_NET_ADMIN);
}

/* Profiles of seccomp that ask for CAP_SYS_ADMIN are common: podman 4, docker 20. */
static void put_container(FILE *out, uint64_t caps, const char *command)
{
	fprintf(out, "%s run ", command);
	put_names(out, caps, "--cap-add ", " ", false);
	fputs(" --security-opt seccomp=unconfined --pid host --cgroupns host -v " TRACEFS
	      ":" TRACEFS ":ro",
	      out);
}

static void put_docker(FILE *out, uint64_t caps)
{
	put_container(out, caps, "docker");
}

/* Capabilities of a rootless container are those of a user namespace. */
static void put_podman(FILE *out, uint64_t caps)
{
	put_container(out, caps, "sudo podman");
}

/*
 * The YAML is one line.  A pod has a cgroup namespace of its own, in which a mount of the
 * host shows all cgroups.
 */
static void put_kubernetes(FILE *out, uint64_t caps)
{
	fputs(needs_network(caps) ? "spec: {hostPID: true, hostNetwork: true, "
				  : "spec: {hostPID: true, ",
	      out);
	fputs("volumes: [{name: tracing, hostPath: {path: " TRACEFS "}}, "
	      "{name: cgroups, hostPath: {path: " CGROUPS "}}], containers: [{securityContext: "
	      "{seccompProfile: {type: Unconfined}, capabilities: {add: [",
	      out);
	put_names(out, caps, "", ", ", false);
	fputs("]}}, volumeMounts: [{name: tracing, mountPath: " TRACEFS ", readOnly: true}, "
	      "{name: cgroups, mountPath: " CGROUPS ", readOnly: true}]}]}",
	      out);
}

static const struct {
	const char *name, *heading;
	void (*put)(FILE *out, uint64_t caps);
} ways[] = {
	{ "setcap", "program", put_setcap }, { "ambient", "unit", put_ambient },
	{ "bounding", "", put_bounding },    { "docker", "docker", put_docker },
	{ "podman", "podman", put_podman },  { "kubernetes", "Kubernetes", put_kubernetes },
};

void doctor_needs__print(uint64_t caps)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		printf("  %-10s  ", ways[i].heading);
		ways[i].put(stdout, caps);
		putchar('\n');
	}
}

void doctor_needs__print_json(uint64_t caps)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		char *text = NULL;
		size_t count;
		FILE *out = open_memstream(&text, &count);

		if (!out)
			continue;
		ways[i].put(out, caps);
		if (!fclose(out))
			json_text__member(",\n ", ways[i].name, text);
		free(text);
	}
}
