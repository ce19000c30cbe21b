# counts.sh FILE EXPLORE.PY FOLDER OPTIONS...: the states of the file's system as
# we explore it, and as the exported models have them, must be equal. Formats
# that cannot express it are left out.
file=$1 script=$2 at=$3
shift 3
cif-lts explore "$@" "$file" -o $at.aut 2>/dev/null || exit 1
set -- "$file" "$script" "$at" "$(sed -n '1s/des (0,\(.*\),\(.*\))/\2 states, \1 transitions/p' $at.aut)" "$@"
want=$4
shift 4
echo "$want"
cifc -q --emit=mcrl2 "$@" "$file" -o $at.mcrl2 || exit 1
[ "$(python3 "$script" $at.mcrl2)" = "$want" ] || { echo "mcrl2 differs"; exit 1; }
mkdir -p $at.tla_files
cifc -q --emit=tla "$@" "$file" -o $at.tla_files/Model.tla || exit 1
[ "$(python3 "$script" $at.tla_files/Model.tla)" = "$want" ] || { echo "tla differs"; exit 1; }
grep -q '^NEXT Next$' $at.tla_files/Model.cfg || { echo "no configuration"; exit 1; }
cifc -q --emit=lnt "$@" "$file" -o $at.tla_files/Model.lnt || exit 1
[ "$(python3 "$script" $at.tla_files/Model.lnt)" = "$want" ] || { echo "lnt differs"; exit 1; }
if cifc -q --emit=pnml "$@" "$file" -o $at.pnml 2>/dev/null; then
  cif-lts explore $at.pnml -o $at.net.aut || exit 1
  cif-lts compare $at.aut $at.net.aut -q || { echo "pnml differs"; exit 1; }
  echo "a net"
fi
exit 0
