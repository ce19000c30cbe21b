/*===- dlopen-api.h - A stand-in for LTSmin's header, for tests -------------===*
 *
 * Part of CIF, a compiler toolchain for choreographies.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*/

#ifndef CIF_TEST_PINS_DLOPEN_API_H
#define CIF_TEST_PINS_DLOPEN_API_H

#include "pins.h"

void ltsmin_abort(int code) __attribute__((noreturn));
typedef void (*pins_loader_t)(model_t model, const char *path);
typedef struct loader_record {
  const char *extension;
  pins_loader_t loader;
} loader_record_t;
extern char pins_plugin_name[];
extern struct loader_record pins_loaders[];
extern struct poptOption pins_options[];

#endif
