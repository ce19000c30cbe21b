peer "*/ od \\* (* -- % \"x\"" { initial 0 final 1 0 -> 1 : "end; do é"!"<a & b>" }
peer "end; do é" { initial 0 final 1 0 -> 1 : "*/ od \\* (* -- % \"x\""?"<a & b>" }
