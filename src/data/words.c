/* words.c -- the words of a text: see words.h for what a word is. */
#include "data/words.h"

#include <string.h>

void words_init(struct words *w, const struct env *e)
{
    *w = (struct words){ .e = *e };
}

void words_free(struct words *w)
{
    mem_free(&w->e, w->text, w->cap, 1);
    *w = (struct words){ .e = w->e };
}

/* The byte as it appears in a word; 0: it separates words. */
static char fold_byte(unsigned char c)
{
    if (c >= 'A' && c <= 'Z') return (char)(c | 0x20);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80 ? (char)c : '\0';
}

bool words_of(struct words *w, const char *text, size_t len)
{
    void *p = w->text;

    if (len == SIZE_MAX || !mem_grow(&w->e, &p, &w->cap, len + 1, 1)) return false;
    w->text = p;
    for (size_t i = 0; i < len; i++) w->text[i] = fold_byte((unsigned char)text[i]);
    w->text[len] = '\0';
    w->p = w->text;
    w->end = w->text + len;
    return true;
}

const char *words_next(struct words *w, size_t *len)
{
    while (w->p < w->end && *w->p == '\0') w->p++;
    if (w->p == w->end) return NULL;
    const char *word = w->p;
    *len = strlen(word);
    w->p = word + *len;
    return word;
}
