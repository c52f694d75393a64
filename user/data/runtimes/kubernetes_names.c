// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* runtimes/kubernetes_names.c: the names that the kubelet gives containers, pods and their logs. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <peat/identity.h>

#include "base/text.h"
#include "runtimes/kubernetes_names.h"

#define LOGS	     "/var/log/containers"
#define LOGS_OF_PODS "/var/log/pods"

/* A part of a name, up to the next underscore or the end. */
struct part {
	const char *at;
	int bytes;
};

static struct part next_part(const char **name)
{
	struct part part = { *name, (int)strcspn(*name, "_") };

	*name += part.bytes + ((*name)[part.bytes] == '_');
	return part;
}

static void set_pod(struct peat_identity *identity, struct part namespace, struct part pod)
{
	snprintf(identity->pod_name, sizeof(identity->pod_name), "%.*s/%.*s", namespace.bytes,
		 namespace.at, pod.bytes, pod.at);
}

/* ---- names of containers --------------------------------------------------------------------- */

void kubernetes_names__split(struct peat_identity *identity)
{
	char whole[sizeof(identity->container_name)];
	const char *name = whole + strlen("k8s_");
	struct part container, pod, namespace;

	memcpy(whole, identity->container_name, sizeof(whole));
	if (!begins_with(whole, "k8s_"))
		return;
	container = next_part(&name);
	pod = next_part(&name);
	namespace = next_part(&name);
	if (!container.bytes || !pod.bytes || !namespace.bytes)
		return;
	snprintf(identity->container_name, sizeof(identity->container_name), "%.*s",
		 container.bytes, container.at);
	set_pod(identity, namespace, pod);
}

bool kubernetes_names__parse_log(const char *log, struct peat_identity *identity)
{
	size_t bytes = strlen(log), end_bytes = strlen(identity->container) + strlen("-.log");
	const char *end = bytes > end_bytes ? log + bytes - end_bytes : log;
	struct part pod = next_part(&log), namespace = next_part(&log);

	if (*end != '-' || log >= end || !begins_with(end + 1, identity->container) ||
	    strcmp(end + 1 + strlen(identity->container), ".log"))
		return false;
	snprintf(identity->container_name, sizeof(identity->container_name), "%.*s",
		 (int)(end - log), log);
	set_pod(identity, namespace, pod);
	return true;
}

/* ---- pods ------------------------------------------------------------------------------------ */

/* Static pods have a hash for their UID, without dashes, which identities have with dashes. */
static bool is_same_uid(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += *a == '-';
		b += *b == '-';
		if (*a != *b || !*a)
			return *a == *b;
	}
}

bool kubernetes_names__parse_pod(const char *folder, struct peat_identity *identity)
{
	struct part namespace = next_part(&folder), pod = next_part(&folder);

	if (!namespace.bytes || !pod.bytes || !is_same_uid(folder, identity->pod))
		return false;
	set_pod(identity, namespace, pod);
	return true;
}

/* ---- directories ----------------------------------------------------------------------------- */

static void search(const char *path,
		   bool (*parse)(const char *name, struct peat_identity *identity),
		   struct peat_identity *identity)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)) && !parse(entry->d_name, identity))
		;
	if (directory)
		closedir(directory);
}

void kubernetes_names__find(struct peat_identity *identity)
{
	if (*identity->container && !*identity->container_name)
		search(LOGS, kubernetes_names__parse_log, identity);
	if (!*identity->pod_name)
		search(LOGS_OF_PODS, kubernetes_names__parse_pod, identity);
}
