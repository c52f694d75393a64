# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Comments of several lines that a formatter has torn: prints "file:line: comments: ..." for a line
# whose star touches a word.

FNR == 1 { open = 0 }

open && /^[ \t]*[*][[:alnum:]`"'(]/ { print FILENAME ":" FNR ": comments: the star touches a word: the line is torn" }

/^[ \t]*\/[*]/ { open = 1 }

/[*]\// { open = 0 }
