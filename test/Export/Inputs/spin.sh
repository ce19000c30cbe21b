# spin.sh FOLDER FILE...: Spin finds an invalid end state just where we find a
# deadlock, for every file on every network.
at=$1
shift
mkdir -p $at && cd $at || exit 1
for file in "$@"; do
  for network in sync rsc "bag --bound=1" "inbox --bound=2" "fifo-pair --bound=1"; do
    cif-lts explore -q --network=$network "$file" -o x.cif || exit 1
    ours=$(cif-lts info x.cif | sed -n 's/^deadlocks: //p')
    cifc -q --emit=promela --network=$network "$file" -o x.pml || exit 1
    spin -a x.pml >/dev/null && gcc -O0 -w -DSAFETY -DNOREDUCE -DNOFAIR -o pan pan.c || exit 1
    spins=$(./pan -n | sed -n 's/.*errors: //p')
    [ "$ours" = 0 ]; a=$?
    [ "$spins" = 0 ]; b=$?
    echo "$(basename "$file") $network: $([ $a = 0 ] && echo none || echo deadlock)"
    [ $a = $b ] || { echo "Spin says otherwise: $spins"; exit 1; }
  done
done
