/* verify.h -- checks a certificate against data; both have been read already. */
#ifndef PERC_VERIFY_H
#define PERC_VERIFY_H

#include "data/dataset.h"
#include "verify/certificate.h"

/* out->valid says whether it is proved. PERC_EDATA: a row is beyond the verifier's limits;
 * PERC_EUNDECIDED: the watch, which is asked at each row and told the part, said to stop. */
perc_status verify_certificate(const struct env *e, const struct certificate *c,
                               const perc_dataset *ds, const struct watch *watch, perc_check *out,
                               perc_error *err);

#endif
