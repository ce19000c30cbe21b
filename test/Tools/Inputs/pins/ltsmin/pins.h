/*===- pins.h - A stand-in for LTSmin's header, for tests -------------------===*
 *
 * Part of CIF, a compiler toolchain for choreographies.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * The functions of LTSmin's PINS interface that cif-pins calls, with the same
 * names and parameters and nothing else in common: host.cpp implements them.
 *
 *===------------------------------------------------------------------------===*/

#ifndef CIF_TEST_PINS_H
#define CIF_TEST_PINS_H

#include <stdint.h>

/* Options, of popt. */
struct poptOption {
  const char *longName;
  char shortName;
  unsigned argInfo;
  void *arg;
  int val;
  const char *descrip, *argDescrip;
};
#define POPT_ARG_STRING 1u
#define POPT_TABLEEND                                                          \
  { 0, 0, 0, 0, 0, 0, 0 }

/* Matrices. */
typedef struct matrix {
  int rows, cols;
  unsigned char *bits;
} matrix_t;
void dm_create(matrix_t *matrix, int rows, int columns);
void dm_set(matrix_t *matrix, int row, int column);

/* Types. */
typedef struct lts_type_s *lts_type_t;
typedef enum { LTStypeDirect, LTStypeChunk, LTStypeBool } data_format_t;
lts_type_t lts_type_create(void);
int lts_type_put_type(lts_type_t type, const char *name, data_format_t format,
                      int *isNew);
void lts_type_set_state_length(lts_type_t type, int length);
void lts_type_set_state_name(lts_type_t type, int slot, const char *name);
void lts_type_set_state_typeno(lts_type_t type, int slot, int number);
void lts_type_set_edge_label_count(lts_type_t type, int count);
void lts_type_set_edge_label_name(lts_type_t type, int label, const char *name);
void lts_type_set_edge_label_typeno(lts_type_t type, int label, int number);
void lts_type_set_state_label_count(lts_type_t type, int count);
void lts_type_set_state_label_name(lts_type_t type, int label,
                                   const char *name);
void lts_type_set_state_label_typeno(lts_type_t type, int label, int number);

/* Chunks. */
typedef struct {
  uint32_t len;
  char *data;
} chunk;

/* Models. */
typedef struct grey_box_model *model_t;
typedef struct transition_info {
  int *labels;
  int group, por_proviso;
} transition_info_t;
#define GB_TI(LABELS, GROUP)                                                   \
  { (LABELS), (GROUP), 0 }
typedef void (*TransitionCB)(void *context, transition_info_t *info,
                             int *target, int *copied);
void GBsetContext(model_t model, void *context);
void *GBgetContext(model_t model);
void GBsetLTStype(model_t model, lts_type_t type);
void GBsetDMInfo(model_t model, matrix_t *matrix);
void GBsetDMInfoRead(model_t model, matrix_t *matrix);
void GBsetDMInfoMayWrite(model_t model, matrix_t *matrix);
void GBsetDMInfoMustWrite(model_t model, matrix_t *matrix);
void GBsetStateLabelInfo(model_t model, matrix_t *matrix);
void GBsetInitialState(model_t model, int *state);
typedef int (*next_method_grey_t)(model_t model, int group, int *source,
                                  TransitionCB callback, void *context);
void GBsetNextStateLong(model_t model, next_method_grey_t method);
typedef int (*next_method_black_t)(model_t model, int *source,
                                   TransitionCB callback, void *context);
void GBsetNextStateAll(model_t model, next_method_black_t method);
typedef int (*get_label_method_t)(model_t model, int label, int *source);
void GBsetStateLabelLong(model_t model, get_label_method_t method);
typedef void (*get_label_all_method_t)(model_t model, int *source, int *labels);
void GBsetStateLabelsAll(model_t model, get_label_all_method_t method);

#endif
