/*===- pins-util.h - A stand-in for LTSmin's header, for tests --------------===*
 *
 * Part of CIF, a compiler toolchain for choreographies.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*/

#ifndef CIF_TEST_PINS_UTIL_H
#define CIF_TEST_PINS_UTIL_H

#include "pins.h"

int pins_chunk_put(model_t model, int type, const chunk bytes);
chunk pins_chunk_get(model_t model, int type, int index);

#endif
