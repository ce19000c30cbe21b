// Pictures: every element is drawn, whatever its name holds.
// RUN: cifc --emit=dot %s | FileCheck %s --check-prefix=DOT
// RUN: cifc --emit=svg %s | FileCheck %s --check-prefix=SVG
// RUN: cifc --lower-lts --emit=dot %s | FileCheck %s --check-prefix=LTS

// DOT: label="choreography \"quoted\"";
// DOT: [shape=box, label="cl -> 🙂 : \"<req>\""
// DOT: }

// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG-DAG: &lt;req&gt;
// SVG-DAG: 🙂
// SVG-NOT: <req>
// SVG: </svg>

// LTS: cl->🙂:
protocol "\"quoted\"" {
  initial s0  final s1
  s0 -> s1 : cl -> "🙂" : "<req>"
}
