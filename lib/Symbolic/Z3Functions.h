//===- Z3Functions.h - Z3's functions, when they are needed -----*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Few runs ask a solver, and to load Z3 takes as long as a small run: so it is
/// loaded when the first solver is made. What derives from Z3Functions calls
/// the functions by their names, which hide those of z3.h. As the library is
/// not linked, a function that is missing here is an error when a program is.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SYMBOLIC_Z3FUNCTIONS_H
#define CIF_LIB_SYMBOLIC_Z3FUNCTIONS_H

#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <z3.h>

// clang-format off
#define CIF_Z3_FUNCTIONS(X)                                                    \
  X(app_to_ast) X(apply_result_dec_ref) X(apply_result_get_num_subgoals)       \
  X(apply_result_get_subgoal) X(apply_result_inc_ref) X(del_config)            \
  X(del_context) X(get_app_arg) X(get_app_decl) X(get_app_num_args)            \
  X(get_ast_id) X(get_bool_value) X(get_decl_kind) X(get_error_code)           \
  X(get_error_msg) X(get_numeral_int64) X(get_version) X(global_param_set)     \
  X(goal_assert) X(goal_dec_ref) X(goal_formula) X(goal_inc_ref) X(goal_size)  \
  X(is_app) X(mk_add) X(mk_and) X(mk_bool_sort) X(mk_config) X(mk_const)       \
  X(mk_context) X(mk_distinct) X(mk_div) X(mk_eq) X(mk_false)                  \
  X(mk_forall_const) X(mk_ge) X(mk_goal) X(mk_gt) X(mk_implies) X(mk_int64)    \
  X(mk_int_sort) X(mk_le) X(mk_lt) X(mk_mod) X(mk_mul) X(mk_not) X(mk_or)      \
  X(mk_params) X(mk_simple_solver) X(mk_string_symbol) X(mk_sub) X(mk_tactic)  \
  X(mk_true) X(mk_unary_minus) X(mk_uninterpreted_sort) X(model_dec_ref)       \
  X(model_eval) X(model_inc_ref) X(params_dec_ref) X(params_inc_ref)           \
  X(params_set_uint) X(set_error_handler) X(solver_assert) X(solver_check)     \
  X(solver_dec_ref) X(solver_get_model) X(solver_get_reason_unknown)           \
  X(solver_inc_ref) X(solver_pop) X(solver_push) X(solver_set_params)          \
  X(tactic_and_then) X(tactic_apply) X(tactic_dec_ref) X(tactic_inc_ref)       \
  X(tactic_try_for) X(to_app)
// clang-format on

namespace cif {

struct Z3Functions {
#define CIF_Z3_FUNCTION(name) static inline decltype(&::Z3_##name) Z3_##name;
  CIF_Z3_FUNCTIONS(CIF_Z3_FUNCTION)
#undef CIF_Z3_FUNCTION

  /// Loads them, the first time. Not empty: why that is not possible.
  static const std::string &load() {
    static const std::string problem = loadAll();
    return problem;
  }

private:
  /// Whether the library, of some 25 MB, fits into what the process may have.
  static bool isRoom() {
    constexpr size_t size = 40 << 20;
    void *made =
        mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return made != MAP_FAILED && munmap(made, size) == 0;
  }
#define CIF_Z3_REMEDY "; install it (Debian: libz3-4)"
  static std::string loadAll() {
    void *library = dlopen(CIF_Z3_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
      return isRoom() ? dlerror() + std::string(CIF_Z3_REMEDY)
                      : "there is too little memory for it";
#define CIF_Z3_FUNCTION(name)                                                  \
  Z3_##name =                                                                  \
      reinterpret_cast<decltype(Z3_##name)>(dlsym(library, "Z3_" #name));      \
  if (!Z3_##name)                                                              \
    return CIF_Z3_LIBRARY " has no function Z3_" #name CIF_Z3_REMEDY;
    CIF_Z3_FUNCTIONS(CIF_Z3_FUNCTION)
#undef CIF_Z3_FUNCTION
#undef CIF_Z3_REMEDY
    return "";
  }
};

} // namespace cif

#endif
