# What cifc says of a model in which the participants Client and Clinet are
# called otherwise: pairs.sh MODEL SCRATCH NAME:NAME...
model=$1 scratch=$2
shift 2
for pair in "$@"; do
  sed "s/Clinet/${pair#*:}/; s/Client/${pair%:*}/" "$model" > "$scratch"
  cifc "$scratch" -o /dev/null 2>&1
done
