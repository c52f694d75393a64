// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/attach_file.c: attaches all programs of an object to a further file. */
#include "base/log.h"
#include "functions/function_probe.h"
#include "session/attach/attach_file.h"
#include "session/attach/function_links.h"
#include "session/attach/library_programs.h"
#include "session/attach/used_files.h"
#include "session/parts/session.h"

static int attach_functions(struct peat_session *session, struct part *part,
			    const struct used_file *file)
{
	char path[USED_PATH_BYTES];
	size_t differing;
	int err = function_links__attach_file(session, part, used_files__path(file, path),
					      &differing);

	if (differing)
		log__warn(
			"%s: %zu function%s of %s left out: the fields are elsewhere, or of other "
			"types, than in %s",
			function_probe__name(part->functions), differing, differing == 1 ? "" : "s",
			file->path, part->functions->path);
	return err;
}

int attach_file__run(struct peat_session *session, struct part *part, const char *name,
		     const struct used_file *file)
{
	return part->functions ? attach_functions(session, part, file)
			       : library_programs__attach_file(session, part, name, file);
}

bool attach_file__is_first(const struct part *part, const struct used_file *file)
{
	struct stat first;

	return !stat(part->functions->path, &first) && first.st_dev == file->stat.st_dev &&
	       first.st_ino == file->stat.st_ino;
}
