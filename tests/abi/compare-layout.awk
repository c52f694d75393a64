# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# compare-layout.awk: prints how the layout of the second file differs from that of the first, in a way that programs
# notice that were compiled with the first.  A struct that begins with its size, sz, may grow; names may be added.
{ key = $1 " " $2 }
FNR == NR { old[key] = $3; next }
{ new[key] = $3 }
END {
	for (key in old) {
		split(key, part, " ")
		grows = part[1] == "size" && old["offset " part[2] ".sz"] == "0"
		if (!(key in new))
			print key " is gone"
		else if (new[key] != old[key] && !(grows && new[key] + 0 > old[key] + 0))
			print key " is " new[key] ", and was " old[key]
	}
}
