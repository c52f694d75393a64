// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* identity/identity.c: parses the paths of cgroups. */
#include <ctype.h>
#include <string.h>

#include <peat/identity.h>

#include "base/errors.h"
#include "base/opts.h"
#include "base/text.h"

#define NAME_ROOM   256 /* the kernel allows 255 bytes */
#define ID_DIGITS   64
#define POD_DIGITS  32
#define HEX_DIGITS  "0123456789abcdefABCDEF"
#define DELETED	    " (deleted)" /* appended by /proc/PID/cgroup */
#define PODMAN_POD  "libpod_pod_"
#define PODMAN_SELF "libpod_parent" /* podman's parent of pods, without systemd */

/* A name on the path, and the name before it. */
struct part {
	char name[NAME_ROOM], before[NAME_ROOM];
};

static bool ends_with(const char *text, const char *end)
{
	size_t bytes = strlen(text), end_bytes = strlen(end);

	return bytes > end_bytes && !strcmp(text + bytes - end_bytes, end);
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* The bytes of groups of hexadecimal digits with a dash between them; 0: other text. */
static size_t group_bytes(const char *text, const unsigned char *groups, size_t count)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		if (i && text[bytes++] != '-')
			return 0;
		if (strspn(text + bytes, HEX_DIGITS) != groups[i])
			return 0;
		bytes += groups[i];
	}
	return bytes;
}

/* 64 digits; ECS: 32 digits, a dash and a decimal number; Garden: 8-4-4-4-4. */
static size_t id_bytes(const char *text)
{
	static const unsigned char garden[] = { 8, 4, 4, 4, 4 };
	size_t digits = strspn(text, HEX_DIGITS), decimals;

	if (digits == ID_DIGITS)
		return digits;
	if (digits != 32 || text[32] != '-')
		return group_bytes(text, garden, sizeof(garden));
	decimals = strspn(text + 33, "0123456789");
	return decimals ? 33 + decimals : 0;
}

static void set_container(struct peat_identity *identity, const char *runtime, const char *name,
			  size_t bytes)
{
	memcpy(identity->container, name, bytes);
	identity->container[bytes] = '\0';
	identity->runtime = runtime;
}

/* An id is followed by nothing or ".scope". */
static bool parse_id(struct peat_identity *identity, const char *runtime, const char *text)
{
	size_t bytes = id_bytes(text);

	if (!bytes || (text[bytes] && strcmp(text + bytes, ".scope")))
		return false;
	set_container(identity, runtime, text, bytes);
	return true;
}

/* ---- pods ------------------------------------------------------------------------------------ */

/*
 * Copies a UID with dashes: 32 digits, with dashes or (systemd) underscores, or without.  False:
 * the text does not begin with one.
 */
static bool read_pod(const char *text, char *uid)
{
	uint32_t digits = 0;

	for (; *text && digits < POD_DIGITS; text++) {
		if (*text == '-' || *text == '_')
			continue;
		if (!isxdigit((unsigned char)*text))
			return false;
		if (digits == 8 || digits == 12 || digits == 16 || digits == 20)
			*uid++ = '-';
		*uid++ = *text;
		digits++;
	}
	*uid = '\0';
	return digits == POD_DIGITS && (!*text || *text == '.');
}

static void parse_pod(struct peat_identity *identity, const char *name)
{
	char uid[sizeof(identity->pod)] = "";
	bool is_found = false;

	while (!is_found && (name = strstr(name, "pod"))) {
		name += strlen("pod");
		is_found = read_pod(name, uid);
	}
	if (is_found)
		memcpy(identity->pod, uid, sizeof(uid));
}

/* "machine-libpod_pod_ID.slice" with systemd, otherwise "libpod_parent/ID". */
static bool parse_podman_pod(struct peat_identity *identity, const struct part *part)
{
	const char *id = strstr(part->name, PODMAN_POD);

	id = id ? id + strlen(PODMAN_POD) : part->name;
	if (id == part->name && strcmp(part->before, PODMAN_SELF))
		return false;
	if (strspn(id, HEX_DIGITS) != ID_DIGITS || (id[ID_DIGITS] && id[ID_DIGITS] != '.'))
		return false;
	memcpy(identity->pod, id, ID_DIGITS);
	identity->pod[ID_DIGITS] = '\0';
	return true;
}

/*
 * Also reads the container in "kubepods-podUID.slice:cri-containerd:ID": containerd with systemd's
 * form of names, but without systemd.
 */
static bool parse_kubernetes(struct peat_identity *identity, const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!strstr(name, "kubepods") && !begins_with(name, "pod"))
		return false;
	parse_pod(identity, name);
	return colon &&
	       parse_id(identity, strstr(name, ":crio:") ? "cri-o" : "containerd", colon + 1);
}

/* ---- containers with names ------------------------------------------------------------------- */

static uint32_t digit_value(char digit)
{
	return (uint32_t)(isdigit((unsigned char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
}

/* The byte of "\x2d"; 0: other text. */
static uint32_t escaped_byte(const char *text)
{
	if (!begins_with(text, "\\x") || strspn(text + 2, HEX_DIGITS) < 2)
		return 0;
	return digit_value(text[2]) << 4 | digit_value(text[3]);
}

/* systemd writes other characters of a name as \x2d. */
static void unescape(char *to, const char *from)
{
	while (*from) {
		uint32_t byte = escaped_byte(from);

		*to++ = byte ? (char)byte : *from;
		from += byte ? 4 : 1;
	}
	*to = '\0';
}

/* "lxc.payload.NAME", "lxc.payload/NAME", before LXC 3 "lxc/NAME". */
static bool parse_lxc(struct peat_identity *identity, const struct part *part)
{
	const char *name = part->name;

	if (begins_with(name, "lxc.payload."))
		name += strlen("lxc.payload.");
	else if (strcmp(part->before, "lxc") && strcmp(part->before, "lxc.payload"))
		return false;
	if (!*name)
		return false;
	set_container(identity, "lxc", name, strlen(name));
	return true;
}

/* libvirt's "qemu-1-NAME" is a virtual machine, and its "lxc-1-NAME" no container of nspawn. */
static bool is_libvirts(const char *machine)
{
	size_t driver = begins_with(machine, "qemu-")  ? strlen("qemu-")
			: begins_with(machine, "lxc-") ? strlen("lxc-")
						       : 0;
	size_t digits = driver ? strspn(machine + driver, "0123456789") : 0;

	return digits && machine[driver + digits] == '-';
}

/* "machine-NAME.scope"; "systemd-nspawn@NAME.service", which is a unit, too. */
static bool parse_nspawn(struct peat_identity *identity, const char *name)
{
	bool is_scope = begins_with(name, "machine-") && ends_with(name, ".scope");
	char machine[NAME_ROOM];

	if (!is_scope && !(begins_with(name, "systemd-nspawn@") && ends_with(name, ".service")))
		return false;
	unescape(machine, name + strlen(is_scope ? "machine-" : "systemd-nspawn@"));
	machine[strlen(machine) - strlen(is_scope ? ".scope" : ".service")] = '\0';
	if (!*machine || is_libvirts(machine))
		return false;
	set_container(identity, "nspawn", machine, strlen(machine));
	return is_scope;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static bool parse_prefixed(struct peat_identity *identity, const char *name)
{
	static const struct {
		const char *prefix, *runtime;
	} forms[] = {
		{ "docker-", "docker" },
		{ "cri-containerd-", "containerd" },
		{ "crio-", "cri-o" },
		{ "libpod-", "podman" },
		{ "libpod-payload-", "podman" },
		{ "nerdctl-", "containerd" },
		{ "containerd-", "containerd" },
		{ "buildkit-", "buildkit" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (begins_with(name, forms[i].prefix) &&
		    parse_id(identity, forms[i].runtime, name + strlen(forms[i].prefix)))
			return true;
	return false;
}

/* Kubernetes with cgroupfs, containerd: the path does not name the runtime. */
static bool parse_plain(struct peat_identity *identity, const struct part *part)
{
	bool is_docker = !strcmp(part->before, "docker") || !strcmp(part->before, "actions_job");

	return parse_id(identity, is_docker ? "docker" : NULL, part->name);
}

static bool is_container(struct peat_identity *identity, const struct part *part)
{
	return parse_kubernetes(identity, part->name) || parse_prefixed(identity, part->name) ||
	       parse_lxc(identity, part) || parse_nspawn(identity, part->name) ||
	       parse_plain(identity, part);
}

/* systemd puts an underscore before names that the kernel's files could have. */
static void parse_unit(struct peat_identity *identity, const char *name)
{
	if (ends_with(name, ".service") || ends_with(name, ".scope"))
		strcpy(identity->unit, name + (*name == '_'));
}

static void parse_part(struct peat_identity *identity, const struct part *part)
{
	bool is_inside = *identity->container;

	if (is_inside && identity->runtime && !strcmp(identity->runtime, "nspawn") &&
	    !strcmp(part->name, "supervisor")) {
		set_container(identity, NULL, "", 0);
		return;
	}
	if (parse_podman_pod(identity, part) || is_container(identity, part) || is_inside)
		return;
	parse_unit(identity, part->name);
}

static void parse_path(struct peat_identity *identity, const char *path)
{
	size_t left = strlen(path);
	struct part part = { "", "" };

	if (ends_with(path, DELETED))
		left -= strlen(DELETED);
	while (left) {
		const char *slash = memchr(path, '/', left);
		size_t bytes = slash ? (size_t)(slash - path) : left;

		if (bytes && bytes < NAME_ROOM) {
			memcpy(part.before, part.name, sizeof(part.before));
			memcpy(part.name, path, bytes);
			part.name[bytes] = '\0';
			parse_part(identity, &part);
		}
		bytes += !!slash;
		path += bytes;
		left -= bytes;
	}
}

int peat_identity__parse(const char *path, struct peat_identity *identity)
{
	struct peat_identity ours = { .path = path };
	int err;

	parse_path(&ours, path);
	err = opts__write(identity, &ours, sizeof(ours), "peat_identity");
	return err ? fail(err) : 0;
}
