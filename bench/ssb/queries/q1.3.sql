-- Quantity 36 to 40, as the specification's text and filter factor have it;
-- its SQL says 26 to 35, which selects twice as many rows.
select sum(lo_extendedprice * lo_discount) as revenue
from lineorder, date
where lo_orderdate = d_datekey
  and d_weeknuminyear = 6
  and d_year = 1994
  and lo_discount between 5 and 7
  and lo_quantity between 36 and 40;
