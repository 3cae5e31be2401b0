+1 |f a:1 b:2
-1 |f a:3
|f a:1 b:2
+1 |f b:1
