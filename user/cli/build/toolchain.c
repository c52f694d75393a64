// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* toolchain.c: finds clang, headers and kernel types on this machine. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/build/toolchain.h"
#include "cli/base/whole_file.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

#define TICK_MS	   100
#define PIPE_BYTES 65536 /* at most in a pipe */

extern char **environ;

/* Formats a path.  False: too long. */
__attribute__((format(printf, 2, 3))) static bool join(char path[static PATH_MAX],
						       const char *format, ...)
{
	va_list args;
	int bytes;

	va_start(args, format);
	bytes = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	return bytes >= 0 && bytes < PATH_MAX;
}

bool toolchain__has_file(const char *directory, const char *name)
{
	char path[PATH_MAX];

	return join(path, "%s/%s", directory, name) && !access(path, R_OK);
}

/* ---- running --------------------------------------------------------------------------------- */

static volatile sig_atomic_t running, stop_requested;

static void on_signal(int number)
{
	(void)number;
	stop_requested = 1;
	if (running)
		kill(running, SIGTERM);
}

static pid_t spawn(char *const *argv, int out_fd, int err_fd, const sigset_t *signals)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t pid;
	int err;

	posix_spawn_file_actions_init(&actions);
	if (out_fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
	if (err_fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, err_fd, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, signals);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	err = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	errno = err;
	return err ? -1 : pid;
}

/* Whether stdout is the terminal of the line of progress. */
static bool is_same_terminal(void)
{
	struct stat out, err;

	return isatty(STDOUT_FILENO) && !fstat(STDOUT_FILENO, &out) &&
	       !fstat(STDERR_FILENO, &err) && out.st_rdev == err.st_rdev;
}

/* A pipe, whose reader never blocks, if a line of progress may be drawn; else -1. */
static void open_pipe(int fds[static 2])
{
	if (!progress__is_on() || pipe2(fds, O_CLOEXEC))
		fds[0] = fds[1] = -1;
	else
		fcntl(fds[0], F_SETFL, O_NONBLOCK);
}

/*
 * Prints everything that the pipe has now, after the end of the line of progress: the program's
 * last line may be a part of one.  False: no process will write more.
 */
static bool print_output(int pipe_fd)
{
	static char bytes[PIPE_BYTES];
	ssize_t count = read(pipe_fd, bytes, sizeof(bytes));

	if (count > 0) {
		progress__end();
		fwrite(bytes, 1, (size_t)count, stderr);
	}
	return count > 0;
}

/*
 * Waits for the end of the program.  Processes that it started may keep the pipe open longer.
 * Returns the status of waitpid().
 */
static int wait_for(pid_t pid, int pipe_fd, struct progress *progress)
{
	struct pollfd output = { .fd = pipe_fd, .events = POLLIN };
	bool is_open = pipe_fd >= 0;
	pid_t ended;
	int status = 0;

	while ((ended = waitpid(pid, &status, is_open ? WNOHANG : 0)) != pid) {
		if (ended < 0 && errno != EINTR)
			break;
		progress__report(progress);
		if (is_open && poll(&output, 1, TICK_MS) > 0)
			is_open = print_output(pipe_fd);
	}
	if (is_open)
		print_output(pipe_fd);
	return status;
}

static void catch_signals(sigset_t *caught)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction stop = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigemptyset(caught);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		sigaddset(caught, numbers[i]);
		sigaction(numbers[i], &stop, NULL);
	}
}

static void close_pipe_end(int fd)
{
	if (fd >= 0)
		close(fd);
}

int toolchain__run(char *const *argv, int out_fd, const char *verb, const char *name)
{
	struct progress progress = { .verb = verb, .name = name };
	int pipe_fds[2], status;
	sigset_t signals;
	pid_t pid;

	catch_signals(&signals);
	fflush(NULL);
	open_pipe(pipe_fds);
	if (out_fd < 0 && is_same_terminal())
		out_fd = pipe_fds[1];
	pid = spawn(argv, out_fd, pipe_fds[1], &signals);
	if (pid < 0)
		messages__print("cannot run %s: %m", argv[0]);
	close_pipe_end(pipe_fds[1]);
	if (pid < 0) {
		close_pipe_end(pipe_fds[0]);
		return 127;
	}
	running = pid;
	if (stop_requested)
		kill(pid, SIGTERM);
	status = wait_for(pid, pipe_fds[0], &progress);
	running = 0;
	close_pipe_end(pipe_fds[0]);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat file;

	return !stat(path, &file) && S_ISREG(file.st_mode) && !access(path, X_OK);
}

/* The number of clang-NN; 0: another name. */
static long clang_number(const char *name)
{
	char *end;
	long number;

	if (strncmp(name, "clang-", 6))
		return 0;
	number = strtol(name + 6, &end, 10);
	return *end ? 0 : number;
}

/* Updates `newest` and `path` if the directory has a newer clang-NN. */
static void find_newest(const char *directory, long *newest, char path[static PATH_MAX])
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	char found[PATH_MAX];

	while (entries && (entry = readdir(entries))) {
		long number = clang_number(entry->d_name);

		if (number > *newest && join(found, "%s/%s", directory, entry->d_name) &&
		    is_program(found)) {
			*newest = number;
			strcpy(path, found);
		}
	}
	if (entries)
		closedir(entries);
}

/* Searches the directories of a PATH-like list; NULL: for the newest clang-NN. */
static bool find_in(const char *callers_list, const char *name, char path[static PATH_MAX])
{
	char *list = strdup(callers_list), *rest = list;
	const char *directory;
	bool found = false;
	long newest = 0;

	while (!found && (directory = strsep(&rest, ":"))) {
		if (!*directory)
			directory = ".";
		if (name)
			found = join(path, "%s/%s", directory, name) && is_program(path);
		else
			find_newest(directory, &newest, path);
	}
	free(list);
	return found || newest;
}

/* Also searches the sbin directories, which have bpftool. */
static bool find_program(const char *name, char path[static PATH_MAX])
{
	const char *list = getenv("PATH");

	if (name && strchr(name, '/'))
		return join(path, "%s", name) && is_program(path);
	return (list && find_in(list, name, path)) ||
	       find_in("/usr/local/sbin:/usr/sbin:/sbin", name, path);
}

bool toolchain__find_clang(char path[static PATH_MAX])
{
	const char *chosen = getenv("CLANG");

	if (chosen && *chosen) {
		if (find_program(chosen, path))
			return true;
		messages__print("clang not found: '%s', from the environment's CLANG", chosen);
		return false;
	}
	if (find_program("clang", path) || find_program(NULL, path))
		return true;
	messages__print("clang not found: install the package clang, or set CLANG in the "
			"environment to its path");
	return false;
}

bool toolchain__find_bpftool(char path[static PATH_MAX])
{
	return find_program("bpftool", path);
}

/* ---- headers --------------------------------------------------------------------------------- */

bool toolchain__find_headers(char directory[static PATH_MAX])
{
	/* Installed or in build/; in a directory of build/. */
	static const char *const places[] = { "../include", "../../include" };
	const char *chosen = getenv("PEAT_INCLUDE");
	char self[PATH_MAX], path[PATH_MAX];
	ssize_t bytes;

	if (chosen && *chosen) {
		if (toolchain__has_file(chosen, "peat/peat.bpf.h"))
			return join(directory, "%s", chosen);
		messages__print(
			"peat/peat.bpf.h not found in %s, from the environment's PEAT_INCLUDE",
			chosen);
		return false;
	}
	bytes = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[bytes < 0 ? 0 : bytes] = '\0';
	*(strrchr(self, '/') ? strrchr(self, '/') : self) = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (join(path, "%s/%s", self, places[i]) &&
		    toolchain__has_file(path, "peat/peat.bpf.h") && realpath(path, directory))
			return true;
	messages__print(
		"peat/peat.bpf.h not found near this program (%s): run make install, or set "
		"PEAT_INCLUDE in the environment to the directory that has it",
		self);
	return false;
}

bool toolchain__find_few_types(const char *headers, char directory[static PATH_MAX])
{
	/* Installed; in the tree. */
	static const char *const places[] = { "peat/vmlinux", "../vmlinux" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (join(path, "%s/%s", headers, places[i]) &&
		    toolchain__has_file(path, "vmlinux.h") && realpath(path, directory))
			return true;
	return false;
}

/* ---- kernel types ---------------------------------------------------------------------------- */

/* Makes a directory and its parents. */
static bool make_directory(char path[static PATH_MAX])
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	return !mkdir(path, 0755) || errno == EEXIST;
}

/* The size of the BTF distinguishes kernels of the same release that were built differently. */
static const char *find_cache(char directory[static PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct utsname name;
	struct stat btf;

	if (stat(KERNEL_BTF, &btf))
		return "this kernel has no BTF (" KERNEL_BTF ")";
	if ((!cache || *cache != '/') && (!home || *home != '/'))
		return "no cache directory: set XDG_CACHE_HOME or HOME";
	uname(&name);
	if (!join(directory, "%s%s/peat/types/%s-%lld", cache && *cache == '/' ? cache : home,
		  cache && *cache == '/' ? "" : "/.cache", name.release, (long long)btf.st_size))
		return "the path of the cache directory is too long";
	return NULL;
}

/* bpftool prints them to a file without a name. */
static const char *write_types(const char *bpftool, const char *path)
{
	char *const argv[] = { (char *)bpftool,	   (char *)"btf",    (char *)"dump", (char *)"file",
			       (char *)KERNEL_BTF, (char *)"format", (char *)"c",    NULL };
	int fd = memfd_create("types", MFD_CLOEXEC);
	const char *why = NULL;
	struct stat file;

	if (fd < 0)
		return "no memory";
	if (toolchain__run(argv, fd, "reading", "the kernel's types") || fstat(fd, &file) ||
	    !file.st_size)
		why = "bpftool failed";
	else if (whole_file__write(path, fd))
		why = "cannot write to the cache directory (XDG_CACHE_HOME)";
	close(fd);
	return why;
}

const char *toolchain__make_all_types(char directory[static PATH_MAX])
{
	char bpftool[PATH_MAX], path[PATH_MAX];
	const char *why = find_cache(directory);

	if (why)
		return why;
	if (toolchain__has_file(directory, "vmlinux.h"))
		return NULL;
	if (!toolchain__find_bpftool(bpftool))
		return "bpftool not found: install the package bpftool";
	if (!join(path, "%s/vmlinux.h", directory) || !make_directory(directory))
		return "cannot create the cache directory (XDG_CACHE_HOME)";
	return write_types(bpftool, path);
}

/* ---- the machine ----------------------------------------------------------------------------- */

const char *toolchain__machine(void)
{
	static struct utsname name;

	uname(&name);
	return name.machine;
}

const char *toolchain__arch(void)
{
	static const char *const names[][2] = {
		{ "x86_64", "x86" },	{ "i686", "x86" },	{ "aarch64", "arm64" },
		{ "armv7l", "arm" },	{ "s390x", "s390" },	{ "ppc64le", "powerpc" },
		{ "ppc64", "powerpc" }, { "riscv64", "riscv" }, { "loongarch64", "loongarch" },
		{ "mips64", "mips" },
	};
	const char *machine = toolchain__machine();

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(machine, names[i][0]))
			return names[i][1];
	return machine;
}
