// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent_run.h"

#define START_MS 10000

char *agent_run__path(const char *directory, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", directory, name);
	return path;
}

void agent_run__remove(const char *directory)
{
	static const char *const names[] = { "agent.yaml", "errors", "socket" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(agent_run__path(directory, names[i], path));
	rmdir(directory);
}

void agent_run__add_pipeline(FILE *config, const char *build, unsigned per_call, unsigned bytes,
			     const char *setting)
{
	fprintf(config,
		"pipelines:\n  p:\n    source: %s/bpf/flood.bpf.o\n    outputs: o\n"
		"    set: [flood_pid=%d, flood_syscall=%d, flood_per_call=%u, flood_bytes=%u]\n"
		"    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, "
		"flood_clock]\n",
		build, (int)getpid(), (int)SYS_getpgid, per_call, bytes);
	if (setting)
		fprintf(config, "    %s\n", setting);
}

/* The agent listens as soon as it is ready. */
int agent_run__start(const char *directory, const char *agent, const char *output, uint32_t cpu,
		     struct peer_process *process, const char **failed)
{
	char config[PATH_MAX], errors[PATH_MAX], socket_path[PATH_MAX];
	const char *const argv[] = { agent, "-c", agent_run__path(directory, "agent.yaml", config),
				     NULL };
	const struct peer_start how = { .argv = argv,
					.output = output,
					.errors = agent_run__path(directory, "errors", errors),
					.kept_fd = -1,
					.cpu = cpu };

	*failed = "start the agent";
	if (peer_process__start(process, &how))
		return -1;
	*failed = "wait for the agent";
	agent_run__path(directory, "socket", socket_path);
	for (int ms = 0; ms < START_MS && access(socket_path, F_OK); ms++)
		peer_process__sleep_ms(1);
	return access(socket_path, F_OK);
}

double agent_run__counted(const char *directory, const char *word)
{
	char path[PATH_MAX], line[512];
	FILE *file = fopen(agent_run__path(directory, "errors", path), "re");
	double number = 0;

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, word);

		if (at && sscanf(at + strlen(word), "%lf", &number) == 1)
			break;
	}
	if (file)
		fclose(file);
	return number;
}

void agent_run__print(const char *directory, const char *name)
{
	char path[PATH_MAX], line[512];
	FILE *file = fopen(agent_run__path(directory, name, path), "re");

	while (file && fgets(line, sizeof(line), file))
		fputs(line, stderr);
	if (file)
		fclose(file);
}

double agent_run__now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
