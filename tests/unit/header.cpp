// header.cpp -- the public header is C++ too, and what it declares can be linked.
#include "perceptron.h"

#include <cstdio>
#include <cstring>

static int count(void *ud, const perc_event *event)
{
    *static_cast<long *>(ud) += event->pass_ended;
    return 0;
}

int main()
{
    perc_error err = perc_error();
    perc_dataset *ds = nullptr;
    perc_params *p = nullptr;
    perc_model *m = nullptr;
    perc_report r = perc_report();
    long passes = 0;
    const perc_observer o = { PERC_WATCH_COUNTS, count, &passes };

    char version[32];
    std::snprintf(version, sizeof version, "%d.%d.%d", PERC_VERSION_MAJOR, PERC_VERSION_MINOR,
                  PERC_VERSION_PATCH);

    perc_status st = perc_dataset_read(nullptr, ":and", nullptr, &ds, &err);
    if (st == PERC_OK) st = perc_params_new(nullptr, "perceptron", &p, &err);
    if (st == PERC_OK) st = perc_fit(nullptr, ds, p, &o, &m, &r, &err);
    const bool fine = st == PERC_OK && r.stop == PERC_STOP_CONVERGED && passes == r.epochs &&
                      std::strcmp(perc_version(), version) == 0;
    if (!fine) std::printf("from C++: %s\n", err.text);
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
    return fine ? 0 : 1;
}
