-- Q1.2 with one more restriction on date, which Chen et al. (2016), section
-- 7.5, call Q1.2n.
select sum(lo_extendedprice * lo_discount) as revenue
from lineorder, date
where lo_orderdate = d_datekey
  and d_yearmonthnum = 199401
  and d_weeknuminyear = 1
  and lo_discount between 4 and 6
  and lo_quantity between 26 and 35;
