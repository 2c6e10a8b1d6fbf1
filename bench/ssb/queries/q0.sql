-- Q0: the fact table alone, no join.
select sum(lo_revenue) as revenue
from lineorder;
