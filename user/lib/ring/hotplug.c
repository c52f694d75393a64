// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * hotplug.c: CPUs that come and go.  What is heard says where to look: whether events are dead is
 * seen at the events, since a CPU may be off and on again before anybody looks.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <fcntl.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>

#include "ring/hotplug.h"
#include "base/internal.h"

/* What the kernel calls the first user namespace: PROC_USER_INIT_INO. */
#define FIRST_USER_NS 0xEFFFFFFDU

/* Messages taken at once, of the many that there may be; the fd stays readable. */
#define MESSAGES_AT_ONCE 64

#define LOOK_MS 500

/* ---- hearing --------------------------------------------------------------------------------- */

/*
 * The kernel tells network namespaces that belong to the first user namespace, and binds a socket
 * in others that will never hear a word (uevent_net_init(), Linux 4.18).
 */
static bool is_told_here(void)
{
	struct stat stat = { 0 };
	int net_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int user_fd = net_fd < 0 ? -1 : ioctl(net_fd, NS_GET_USERNS);
	bool is_told = user_fd >= 0 && !fstat(user_fd, &stat) && stat.st_ino == FIRST_USER_NS;

	if (user_fd >= 0)
		close(user_fd);
	if (net_fd >= 0)
		close(net_fd);
	return is_told;
}

/* Only online@... and offline@...: other devices do not wake the reader.  Without it, they do. */
static void filter(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f6e6c69, 1, 0), /* onli */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f66666c, 0, 1), /* offl */
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		log__debug("no filter for uevents: %s", strerror(errno));
}

static int open_socket(void)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = is_told_here() ? socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
					 NETLINK_KOBJECT_UEVENT)
				: -1;

	if (fd < 0)
		return fd;
	filter(fd);
	if (!bind(fd, (struct sockaddr *)&kernel, sizeof(kernel)))
		return fd;
	close(fd);
	return -1;
}

static int open_timer(void)
{
	struct timespec tick = { LOOK_MS / 1000, LOOK_MS % 1000 * 1000000 };
	struct itimerspec spec = { .it_interval = tick, .it_value = tick };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0 || !timerfd_settime(fd, 0, &spec, NULL))
		return fd;
	close(fd);
	return -1;
}

int hotplug__open(struct hotplug *hotplug)
{
	*hotplug = (struct hotplug){ .fd = open_socket() };
	hotplug->is_told = hotplug->fd >= 0;
	if (hotplug->is_told)
		return 0;
	log__debug("the kernel does not tell of CPUs here: looking every %u ms", LOOK_MS);
	hotplug->fd = open_timer();
	return hotplug->fd < 0 ? -errno : 0;
}

void hotplug__close(struct hotplug *hotplug)
{
	if (hotplug->fd >= 0)
		close(hotplug->fd);
	hotplug->fd = -1;
	cpus__free(&hotplug->named);
	cpus__free(&hotplug->failed);
}

int hotplug__cpu_of(const char *message, size_t bytes)
{
	static const char path[] = "/devices/system/cpu/cpu";
	const char *end = message + bytes, *at = memchr(message, '@', bytes);
	int cpu = -1;

	if (!at || (size_t)(end - ++at) < sizeof(path) || memcmp(at, path, sizeof(path) - 1))
		return -1;
	for (at += sizeof(path) - 1; at < end && *at >= '0' && *at <= '9'; at++) {
		if (cpu > (int)CPUS_MAX)
			return -1;
		cpu = (cpu < 0 ? 0 : cpu) * 10 + (*at - '0');
	}
	return cpu;
}

/* Messages that found no room (ENOBUFS) may have been of any CPU. */
static void take(struct hotplug *hotplug, const char *message, ssize_t bytes)
{
	int cpu = bytes < 0 ? -1 : hotplug__cpu_of(message, (size_t)bytes);

	hotplug->any |= bytes < 0 || (cpu >= 0 && cpus__add(&hotplug->named, (uint32_t)cpu));
}

static bool heard_message(struct hotplug *hotplug)
{
	char message[64]; /* the rest is cut off */

	for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
		ssize_t bytes = recv(hotplug->fd, message, sizeof(message), 0);

		if (bytes < 0 && errno != ENOBUFS)
			break;
		take(hotplug, message, bytes);
	}
	return hotplug->any || cpus__count(&hotplug->named);
}

bool hotplug__heard(struct hotplug *hotplug)
{
	uint64_t ticks;

	if (hotplug->is_told)
		return heard_message(hotplug);
	hotplug->any |= read(hotplug->fd, &ticks, sizeof(ticks)) > 0;
	return hotplug->any;
}

/* ---- looking --------------------------------------------------------------------------------- */

static int look_at_one(struct hotplug *hotplug, struct rings *rings, uint32_t cpu)
{
	bool is_named = cpus__has(&hotplug->named, cpu);

	if (cpus__has(&hotplug->failed, cpu))
		return -EALREADY;
	return is_named || hotplug->any ? rings__renew(rings, cpu, is_named) : 0;
}

static uint32_t look_at(struct hotplug *hotplug, struct rings *rings, const struct cpus *wanted,
			const struct cpus *online)
{
	struct cpus failed = { 0 };
	uint32_t renewed = 0;

	for_each_cpu (cpu, online) {
		int result;

		if (!cpus__has(wanted, cpu) || cpu >= rings->limit)
			continue;
		result = look_at_one(hotplug, rings, cpu);
		if (result < 0 && result != -ENODEV && cpus__add(&failed, cpu))
			log__debug("no memory: CPU %u will be warned of again", cpu);
		renewed += result > 0;
	}
	cpus__free(&hotplug->failed);
	cpus__free(&hotplug->named);
	hotplug->any = false;
	hotplug->failed = failed;
	return renewed;
}

uint32_t hotplug__look(struct hotplug *hotplug, struct rings *rings, const struct cpus *wanted)
{
	struct cpus online;
	uint32_t renewed;
	int err = cpus__read(&online, "online");

	if (err) {
		log__warn("cannot read which CPUs are online: %s", strerror(-err));
		return 0;
	}
	renewed = look_at(hotplug, rings, wanted, &online);
	cpus__free(&online);
	return renewed;
}
