/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* page/document.h: the parts of a page before and after its blocks.  Pure. */
#ifndef PEAT_PAGE_DOCUMENT_H
#define PEAT_PAGE_DOCUMENT_H

#include "base/strbuf.h"

void page_document__head(struct strbuf *out, const char *title);
void page_document__tail(struct strbuf *out);

#endif /* PEAT_PAGE_DOCUMENT_H */
