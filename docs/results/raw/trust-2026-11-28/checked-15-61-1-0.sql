-- loop_runs, caches: another output
diff -U3 /var/tmp/laneA-trust-15/checked/expected/loop_runs.out /var/tmp/laneA-trust-15/checked/results/loop_runs.out
--- /var/tmp/laneA-trust-15/checked/expected/loop_runs.out	2026-11-28 01:40:05.520160157 +0000
+++ /var/tmp/laneA-trust-15/checked/results/loop_runs.out	2026-11-28 12:53:11.111053566 +0000
@@ -68,8 +68,8 @@
   name   |    kind     |    scan    |     cost      
 ---------+-------------+------------+---------------
  all     | Nested Loop | Index Scan | the same
- nation  | Nested Loop | Index Scan | the same
- nations | Nested Loop | Index Scan | the same
+ nation  | Nested Loop | Index Scan | several times
+ nations | Nested Loop | Index Scan | more
  one     | Nested Loop | Index Scan | several times
  same    | Nested Loop | Index Scan | the same
  two     | Nested Loop | Index Scan | several times
