+1 |f a:1 b:2
-1 |f a:3
nan |f a:1
+1 |f b:1
