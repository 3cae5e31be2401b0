. "$CASES/common"
# Columns of text and hashed features, as somebody with a table of mails would use them.
cat > mails.csv <<'END'
id,subject,body,from,length,label
1,Win a FREE prize!!!,"Click here now, click click. Win $1000 cash, free",promo.biz,12,spam
2,Meeting tomorrow,"Can we move the meeting to 3pm? Thanks, Anna",work.org,8,ham
3,,"Cheap pills, free shipping. Click",pharm.biz,6,spam
4,Re: lunch,"Sure, lunch at noon. See you tomorrow",friend.net,4,ham
5,Invoice 42,Please find the invoice attached. Thanks,work.org,7,ham
6,You have WON,"Claim your prize now: ""cash"", cash, cash",promo.biz,9,spam
7,Käse und Brot,Wir brauchen noch Käse für morgen,friend.net,3,ham
8,Offer,NA,promo.biz,1,spam
END
weights() { perceptron inspect "$@" | grep -e hashing -e '^[a-z]*[:=]' -e '^length'; }
facts() { grep -e '^features' -e '^nonzeros' -e hashing -e '^note' -e '^index base'; }

echo "# words, each a feature"
perceptron train mails.csv -a perceptron --text subject,body --ignore id -o words | facts
weights words --top 8
perceptron predict words mails.csv | paste -s -d ' ' -
printf 'from,body,length,subject\nwork.org,"Free cash! Cash for all of us",5,\n' > new.csv
perceptron predict words new.csv

echo "# hashed"
perceptron train mails.csv -a perceptron --text subject,body --ignore id --hash 4 -o four | facts
perceptron train mails.csv -a perceptron --text subject,body --ignore id --hash 16 --scale none -o hashed | facts
weights hashed --top 4
perceptron predict hashed mails.csv | paste -s -d ' ' -
perceptron predict hashed new.csv
for t in 1 2 3 8; do
    perceptron train mails.csv -a perceptron --text subject,body --ignore id --hash 16 --scale none -q \
        --threads $t -o again && same hashed again
done
perceptron train mails.csv -a perceptron --text subject,body --ignore id --hash 16 --json -q -o again |
    grep -o '"hashed":[0-9]*,"collisions":[0-9]*'
perceptron inspect hashed --json | grep -o '"hash":[0-9]*'

echo "# converted"
perceptron convert mails.csv mails.blocks --text subject,body --ignore id --hash 16 -q
perceptron train mails.blocks -a perceptron -q -o again && same hashed again
perceptron predict hashed mails.blocks | paste -s -d ' ' -
perceptron convert mails.csv small.csv --text subject --ignore id,body,from --hash 2 -q
head -n 3 small.csv
perceptron convert mails.csv small.svm --text subject --ignore id,body,from --hash 2 -q
head -n 2 small.svm

echo "# LIBSVM text: its indices are hashed"
printf '1 3:1 4000000000:2\n-1 5:1 77:0.5\n1 3:2\n-1 77:1 78:1\n' > a.svm
perceptron train a.svm -a perceptron --hash 10 -o sparse | facts
perceptron predict sparse a.svm | paste -s -d ' ' -
perceptron train a.svm -a perceptron --hash 1 -o one --epochs 3 | facts

echo "# what is refused"
try perceptron train mails.csv --text boddy
try perceptron train mails.csv --text body --categorical body
try perceptron train mails.csv --text body --ignore body
try perceptron train mails.csv --text body,length --weight length
try perceptron train mails.csv --text label --label label
try perceptron train mails.csv --text body --hash 32
try perceptron train mails.csv --text body --hash many
try perceptron train a.svm --text body
try perceptron train mails.blocks --hash 8
try perceptron predict hashed mails.csv --hash 16
try perceptron test words mails.csv --text body
try perceptron predict hashed a.svm
try perceptron predict sparse mails.csv
try perceptron predict words mails.blocks
try perceptron train a.svm --resume sparse --hash 9 -o again
