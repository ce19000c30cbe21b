//===- Assets.h - The files of the studio's page --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Made at build time from lib/Studio/Page by utils/embed-studio.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_STUDIO_ASSETS_H
#define CIF_LIB_STUDIO_ASSETS_H

#include "cif/Support/LLVM.h"

namespace cif {

struct StudioAsset {
  StringRef name; ///< "studio.css"
  StringRef type; ///< "text/css"
  StringRef text;
};
ArrayRef<StudioAsset> studioAssets();

} // namespace cif

#endif
