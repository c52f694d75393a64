// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/document.c: the parts of a page before and after its blocks. */
#include "base/escape.h"
#include "page/document.h"

/* Compiled in.  Their symbols are global for the same reason as in probe.c. */
#define EMBED(name)                                                                                \
	".globl peat_page_" name "\n.hidden peat_page_" name "\n"                                  \
	"peat_page_" name ": .incbin \"user/share/page/" name "\"\n.byte 0\n"
__asm__(".pushsection .rodata\n" EMBED("page.css") EMBED("body.html") EMBED("data.js")
		EMBED("view.js") EMBED("tooltip.js") EMBED("tracks.js") EMBED("timeline.js")
			EMBED("flames.js") EMBED("panels.js") EMBED("page.js") ".popsection\n");

extern const char style[] __asm__("peat_page_page.css");
extern const char body[] __asm__("peat_page_body.html");
extern const char data_script[] __asm__("peat_page_data.js");
extern const char view_script[] __asm__("peat_page_view.js");
extern const char tooltip_script[] __asm__("peat_page_tooltip.js");
extern const char tracks_script[] __asm__("peat_page_tracks.js");
extern const char timeline_script[] __asm__("peat_page_timeline.js");
extern const char flames_script[] __asm__("peat_page_flames.js");
extern const char panels_script[] __asm__("peat_page_panels.js");
extern const char page_script[] __asm__("peat_page_page.js");

/* Nothing from the network, and no code but the page's own. */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

void page_document__head(struct strbuf *out, const char *title)
{
	strbuf__text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			  "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
			  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	escape__xml(out, title, strlen(title));
	strbuf__text(out, "</title>\n<style>\n");
	strbuf__text(out, style);
	strbuf__text(out, "</style>\n</head>\n<body>\n");
	strbuf__text(out, body);
}

static void put_script(struct strbuf *out, const char *script)
{
	strbuf__text(out, "<script>\n");
	strbuf__text(out, script);
	strbuf__text(out, "</script>\n");
}

void page_document__tail(struct strbuf *out)
{
	static const char *const scripts[] = { data_script,   view_script,     tooltip_script,
					       tracks_script, timeline_script, flames_script,
					       panels_script, page_script };

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		put_script(out, scripts[i]);
	strbuf__text(out, "</body>\n</html>\n");
}
