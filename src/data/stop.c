/* stop.c -- the words that stop=english leaves out: articles, pronouns, prepositions, auxiliaries
 * and what an apostrophe leaves of them. Never to be changed: see stop.h. */
#include "data/stop.h"

#include <string.h>

static const char *const english[] = {
    "a",          "about",   "above",  "after",  "again",   "against", "ain",      "all",
    "am",         "an",      "and",    "any",    "are",     "aren",    "as",       "at",
    "be",         "because", "been",   "before", "being",   "below",   "between",  "both",
    "but",        "by",      "can",    "cannot", "could",   "couldn",  "d",        "did",
    "didn",       "do",      "does",   "doesn",  "doing",   "don",     "down",     "during",
    "each",       "either",  "else",   "ever",   "every",   "few",     "for",      "from",
    "further",    "had",     "hadn",   "has",    "hasn",    "have",    "haven",    "having",
    "he",         "her",     "here",   "hers",   "herself", "him",     "himself",  "his",
    "how",        "however", "i",      "if",     "in",      "into",    "is",       "isn",
    "it",         "its",     "itself", "just",   "ll",      "m",       "may",      "me",
    "might",      "mightn",  "more",   "most",   "must",    "mustn",   "my",       "myself",
    "needn",      "neither", "no",     "nor",    "not",     "now",     "o",        "of",
    "off",        "on",      "once",   "only",   "or",      "other",   "our",      "ours",
    "ourselves",  "out",     "over",   "own",    "per",     "re",      "s",        "same",
    "shall",      "shan",    "she",    "should", "shouldn", "since",   "so",       "some",
    "such",       "t",       "than",   "that",   "the",     "their",   "theirs",   "them",
    "themselves", "then",    "there",  "these",  "they",    "this",    "those",    "though",
    "through",    "thus",    "to",     "too",    "under",   "until",   "up",       "upon",
    "us",         "ve",      "very",   "via",    "was",     "wasn",    "we",       "were",
    "weren",      "what",    "when",   "where",  "whether", "which",   "while",    "who",
    "whom",       "whose",   "why",    "will",   "with",    "within",  "without",  "won",
    "would",      "wouldn",  "yet",    "you",    "your",    "yours",   "yourself", "yourselves",
};
enum { WORDS = sizeof english / sizeof *english };

const char *stop_english_word(size_t i)
{
    return i < WORDS ? english[i] : NULL;
}

bool stop_english(const char *word, size_t len)
{
    size_t from = 0, to = WORDS;

    while (from < to) {
        const size_t mid = from + (to - from) / 2;
        int order = strncmp(english[mid], word, len);
        if (order == 0) order = english[mid][len] != '\0';
        if (order == 0) return true;
        if (order < 0) from = mid + 1;
        else to = mid;
    }
    return false;
}
