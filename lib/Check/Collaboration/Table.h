//===- Table.h - Properties of a collaboration by network -------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_TABLE_H
#define CIF_LIB_CHECK_COLLABORATION_TABLE_H

#include "cif/IR/Fact.h"

namespace cif {

/// The verdicts of a collaboration: a row for each property, a column for each
/// network.
struct CollaborationTable {
  std::string subject;
  std::vector<std::string> networks;
  struct Row {
    std::string property;
    std::vector<Fact> facts;      ///< for each network
    std::vector<Note> difference; ///< why they are not the same
  };
  std::vector<Row> rows;
};

enum class TableFormat : uint8_t { Text, Html };

void printTable(raw_ostream &os, const CollaborationTable &table,
                TableFormat format);

} // namespace cif

#endif
