/* about_proof.h -- facts about a proof: its verdict, what it means, the plane, and the rows that
 * show a no. */
#ifndef PERC_SHOW_ABOUT_PROOF_H
#define PERC_SHOW_ABOUT_PROOF_H

#include "show/facts.h"
#include "show/witness.h"

/* A label, in quotes if it has special characters; "the rest" for NULL. Either in `buf` or a text
 * that lasts. */
enum { ABOUT_NAME = 96 };
const char *about_proof_quoted(const char *label, char buf[ABOUT_NAME]);

/* The sections of the text, in their order. */
enum { ABOUT_VERDICT, ABOUT_DATA, ABOUT_HOW, ABOUT_BOUND, ABOUT_END };

/* Which features the others determine. */
void about_proof_redundant(struct facts *f, const struct proof_words *t);
/* More than two labels: what all problems together say of multinomial regression. */
void about_proof_multinomial(struct facts *f, const struct proof_words *t);
/* Everything about one problem, as children of the open object. told: in full, for people;
 * otherwise as a row of a table. */
void about_proof_part(struct facts *f, const struct proof_words *t, const perc_part *p, bool told);
/* Words for the last fact: "1.2 <= gamma' <= 1.3 (more)", rounded outwards, so that the printed
 * numbers are bounds, too. */
void about_proof_between(struct facts *f, const char *what, double lower, double upper,
                         const char *more);
/* A list of rows, numbered from 1. */
void about_proof_rows(struct facts *f, const char *key, const uint64_t *row, size_t n);

#endif
