/* classes.c -- the classes of a learner, which appear as their labels are met. */
#include <string.h>

#include "base/list.h"
#include "learn/arithmetic.h"
#include "learn/learner.h"
#include "vec/row_many.h"

size_t learner_class(const struct learner *l, const char *label)
{
    const uint32_t id = labels_find(&l->labels, label, strlen(label));

    if (id != LABEL_NONE) return id;
    return l->rest ? 0 : CLASS_NONE;
}

/* Gives the machine one more label. */
static void make_class(struct learner *l, const struct arrival *a)
{
    struct machine *m = l->machine;
    const bool native = l->native || l->joint || m->ops->flags & MACHINE_NETWORK;

    if (l->kind == KIND_TWO && a->n == 2 && a->at == 0) machine_negate(m);
    if (l->kind == KIND_TWO && (a->n == 3 || (a->n == 2 && l->native))) {
        l->kind = native ? KIND_NATIVE : KIND_REST;
        machine_split(m, l->kind);  /* one vector w becomes two, -w and w */
        if (l->kind == KIND_REST) { /* each of the two made those updates */
            l->progress.updates *= 2;
            l->progress.pass_updates *= 2;
        }
    }
    if (l->kind != KIND_TWO && !(a->n == 2 && l->kind == KIND_NATIVE)) {
        machine_insert(m, a);
        if (m->expecting) l->progress.updates += m->unseen_updates;
        if (m->expecting && l->progress.pass_open) l->progress.pass_updates += m->unseen_updates;
    }
    if (l->keeper != NULL) l->keeper->ops->forget(l->keeper); /* it knew fewer classes */
    m->kept_is_current = false;
    m->class_changes++;
}

/* Vectors to make room for when there will be n: more than that, so that to copy all of them costs
 * no more than a few moves of each. */
static size_t room_for(const struct learner *l, size_t n)
{
    const size_t more = n + n / 8;

    if (row_many_stride(n) <= l->machine->last.stride) return n;
    return l->most >= n && more > l->most ? l->most : more;
}

perc_status learner_meet(struct learner *l, const char *label, size_t *class, size_t *at,
                         perc_error *err)
{
    const size_t n = l->labels.n + 1;
    const bool share = l->kind != KIND_REST && (n == 1 || (n == 2 && !l->native));
    struct machine *m = l->machine;
    uint32_t id;
    perc_status st = PERC_OK;

    *at = CLASS_NONE;
    if ((*class = learner_class(l, label)) != CLASS_NONE) return PERC_OK;
    if (l->closed) { /* any but the one that was picked */
        *class = 0;
        return PERC_OK;
    }
    if (l->asked == CLASSES_LISTED && labels_find(&l->listed, label, strlen(label)) == LABEL_NONE)
        return fail(err, PERC_EDATA,
                    "the label '%.60s' is not one of --classes (name it there, or leave out its "
                    "rows)",
                    label);
    if (m->ops->check_class != NULL && (st = m->ops->check_class(m, n, l->native, label, err)))
        return st;
    const size_t unseen = m->expecting ? learner_outputs(l) : NO_VECTOR;
    if ((st = labels_insert(&l->labels, label, strlen(label), &id, err))) return st;
    const struct arrival arrival = { .n = n,
                                     .at = id,
                                     .vectors = share ? 1 : n, /* two classes share one */
                                     .room = share ? 1 : room_for(l, n),
                                     .unseen = unseen,
                                     .two = l->kind == KIND_TWO };
    if (learner_room(l, row_many_stride(arrival.room) + 1) || /* and the unseen class */
        machine_reserve_class(m, &arrival)) {
        labels_remove(&l->labels, id);
        return fail_memory(err);
    }
    *at = *class = id;
    make_class(l, &arrival);
    l->known &= l->shown == 0;
    return PERC_OK;
}

/* ----- classes known from the start ---------------------------------------------------------- */

/* The parameter, "" where there is none. */
static const char *spec_of(const perc_params *p)
{
    return perc_params_get(p, "classes") != NULL ? params_text(p, "classes") : "";
}

perc_status classes_check(const perc_params *p, perc_error *err)
{
    const char *spec = spec_of(p);
    const bool network = rule_find(p->table->name)->machine == &machine_mlp;

    if (spec[0] == '\0') return PERC_OK;
    if (params_text(p, "positive")[0] != '\0')
        return fail(err, PERC_EARG,
                    "--positive makes two classes of all labels: leave out --classes %.60s", spec);
    if (strcmp(spec, "seen") == 0 && arithmetic_is_exact(p))
        return fail(err, PERC_EARG,
                    "exact arithmetic begins with all classes: leave out --classes seen (or pass "
                    "--arithmetic double)");
    if (strcmp(spec, "seen") == 0 && (network || !params_is(p, "init", "zero")))
        return fail(err, PERC_EARG, "%s begins with all its classes (leave out --classes seen)",
                    network ? "a network" : "a start other than zero");
    return PERC_OK;
}

static perc_status take_label(struct learner *l, const struct list *list, perc_error *err)
{
    const size_t before = l->listed.n;
    uint32_t id;
    perc_status st;

    if (list->len == 0)
        return fail(err, PERC_EARG, "classes: a label is missing (LABEL,LABEL,...)");
    if ((st = labels_add(&l->listed, list->name, list->len, &id, err))) return st;
    if (l->listed.n > before) return PERC_OK;
    return fail(err, PERC_EARG, "classes names the label '%.*s' twice", (int)list->len, list->name);
}

perc_status learner_ask(struct learner *l, const perc_params *p, perc_error *err)
{
    const char *spec = spec_of(p);
    struct list list;
    bool more;
    perc_status st;

    l->asked = spec[0] == '\0'             ? CLASSES_DEFAULT
               : strcmp(spec, "all") == 0  ? CLASSES_ALL
               : strcmp(spec, "seen") == 0 ? CLASSES_SEEN
                                           : CLASSES_LISTED;
    if (l->asked != CLASSES_LISTED) return PERC_OK;
    list_begin(&list, &l->listed.e, "classes", spec, '\0', err);
    while (!(st = list_next(&list, &more)) && more)
        if ((st = take_label(l, &list, err))) break;
    list_end(&list);
    if (st || l->listed.n >= 2) return st;
    return fail(err, PERC_EARG, "classes: '%.60s' is one label, and two classes are needed", spec);
}

perc_status learner_meet_all(struct learner *l, const struct labels *labels, perc_error *err)
{
    size_t class, at;
    perc_status st = PERC_OK;

    for (size_t i = 0; i < labels->n && !st; i++)
        st = learner_meet(l, labels->at[i].text, &class, &at, err);
    return st;
}

perc_status learner_know(struct learner *l, const struct labels *labels, perc_error *err)
{
    struct machine *m = l->machine;

    m->expecting = false;
    l->known = true;
    if (labels->n > l->most) l->most = labels->n;
    if (labels->n > 2 && m->ops->flags & MACHINE_WEIGHTS &&
        (linear_reserve(&m->last, labels->n) || linear_reserve(&m->sum, labels->n)))
        return fail_memory(err);
    return learner_meet_all(l, labels, err);
}

perc_status learner_know_listed(struct learner *l, perc_error *err)
{
    if (l->asked == CLASSES_ALL)
        return fail(err, PERC_EARG,
                    "--classes all is for data in memory: where rows come one by one, name the "
                    "labels (--classes LABEL,LABEL,...)");
    return l->asked == CLASSES_LISTED ? learner_know(l, &l->listed, err) : PERC_OK;
}

perc_status learner_fix_two_classes(struct learner *l, const char *negative, const char *positive,
                                    bool rest)
{
    struct labels two;
    uint32_t id;
    perc_status st;

    labels_init(&two, &l->e);
    if ((st = labels_add(&two, negative, strlen(negative), &id, NULL)) ||
        (st = labels_add(&two, positive, strlen(positive), &id, NULL))) {
        labels_free(&two);
        return st;
    }
    labels_free(&l->labels);
    l->labels = two;
    l->closed = true;
    l->rest = rest;
    l->kind = KIND_TWO;
    l->machine->expecting = false;
    return PERC_OK;
}

void learner_seal(struct learner *l)
{
    if (l->machine->expecting && l->labels.n >= 2) machine_seal(l->machine, learner_outputs(l));
}
