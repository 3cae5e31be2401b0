1 |f a:1
1 |f a:3
