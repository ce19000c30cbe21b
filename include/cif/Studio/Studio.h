//===- Studio.h - Models of a folder in a browser -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The server behind `cifc --serve`: the page, the files of one folder, and
/// runs of cifc on what the page has. It listens on the loopback address only,
/// and whoever asks must know the token, which is part of the address.
///
///   page --> Server --> Actions --> Jobs --> cifc, a process of its own
///                  \--> Folder
///
/// A crash or a hang of a check is one of that process. Nothing is kept of what
/// the page edits: each request brings the texts that it is about.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_STUDIO_STUDIO_H
#define CIF_STUDIO_STUDIO_H

#include "cif/Support/LLVM.h"
#include <string>

namespace cif {

struct StudioOptions {
  std::string folder;  ///< whose models are shown
  std::string cifc;    ///< the compiler, which makes the checks
  std::string timeout; ///< of a run, in seconds, as cifc takes it
  std::string memory;  ///< of a run, as cifc takes it
};

class Studio {
public:
  virtual ~Studio() = default;

  /// Listens from here on. False: \p error says why not.
  virtual bool start(const StudioOptions &options, std::string &error) = 0;
  /// Where the page is, with its token.
  virtual std::string address() const = 0;
  /// Ends all runs and waits for the server.
  virtual void stop() = 0;
};

} // namespace cif

/// The one symbol that cifc asks the module cif-studio for. The module is
/// loaded when --serve is given: the HTTP library and what it needs would
/// double the time that every other run takes to start.
extern "C" cif::Studio *cifMakeStudio();

#endif
