# A line of 100 MB is refused, or read, but never a crash or a hang.
. "$CASES/common"
{ printf '+1 1:1\n-1 1:'; head -c 100000000 /dev/zero | tr '\0' '1'; echo; } > long
timeout 600 perceptron train long -o m
echo "exit status $?"
{ printf '+1 1:1\n-1 '; head -c 100000000 /dev/zero | tr '\0' 'x'; echo; } > long
timeout 600 perceptron train long -o m
echo "exit status $?"
rm long
