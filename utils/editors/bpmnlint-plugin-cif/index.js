"use strict";

// Rules are found by their names, in the folder rules.
module.exports = {
  configs: {
    recommended: { rules: { "cif/check": "error", "cif/read": "warn" } },
    all: { rules: { "cif/check": "error", "cif/read": "error" } },
  },
};
