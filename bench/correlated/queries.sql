-- queries.sql
--     Ten queries like TPC-H's, a with constants that select the five keys of
--     a dimension, b with others.  A line with a name alone begins each.

-- c1a
select sum(l_extendedprice * (1 - l_discount)) from lineitem, part
where p_partkey = l_partkey and p_brand = 'Brand#23'
  and p_container = 'MED BOX' and l_shipmode in ('AIR', 'RAIL');
-- c1b
select sum(l_extendedprice * (1 - l_discount)) from lineitem, part
where p_partkey = l_partkey and p_brand = 'Brand#34'
  and p_container = 'LG CAN' and l_shipmode in ('SHIP', 'MAIL');
-- c2a
select sum(l_extendedprice) / 7.0 from lineitem, part
where p_partkey = l_partkey and p_brand = 'Brand#23' and p_size = 23
  and p_container = 'MED BOX' and l_quantity <
      (select 0.2 * avg(l_quantity) from lineitem
       where l_partkey = p_partkey);
-- c2b
select sum(l_extendedprice) / 7.0 from lineitem, part
where p_partkey = l_partkey and p_brand = 'Brand#34' and p_size = 11
  and p_container = 'LG CAN' and l_quantity <
      (select 0.2 * avg(l_quantity) from lineitem
       where l_partkey = p_partkey);
-- c3a
select o_orderdate, count(*), sum(l_extendedprice)
from customer, orders, lineitem
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and c_mktsegment = 'BUILDING' and c_acctbal > 9980
  and o_orderdate between date '1995-03-01' and date '1995-05-31'
group by o_orderdate order by 1;
-- c3b
select o_orderdate, count(*), sum(l_extendedprice)
from customer, orders, lineitem
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and c_mktsegment = 'MACHINERY' and c_acctbal > 9980
  and o_orderdate between date '1993-03-01' and date '1993-05-31'
group by o_orderdate order by 1;
-- c4a
select n_name, sum(l_extendedprice * (1 - l_discount))
from customer, orders, lineitem, supplier, nation, region
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and l_suppkey = s_suppkey and s_nationkey = n_nationkey
  and n_regionkey = r_regionkey and r_name = 'MIDDLE EAST'
  and s_acctbal > 9890 and o_orderdate >= date '1996-01-01'
  and o_orderdate < date '1996-07-01' and c_nationkey = 7
group by n_name order by 2 desc;
-- c4b
select n_name, sum(l_extendedprice * (1 - l_discount))
from customer, orders, lineitem, supplier, nation, region
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and l_suppkey = s_suppkey and s_nationkey = n_nationkey
  and n_regionkey = r_regionkey and r_name = 'ASIA'
  and s_acctbal > 9890 and o_orderdate >= date '1993-01-01'
  and o_orderdate < date '1993-07-01' and c_nationkey = 12
group by n_name order by 2 desc;
-- c5a
select extract(year from l_shipdate), count(*), sum(l_extendedprice)
from supplier, lineitem, orders, customer, nation n1, nation n2
where s_suppkey = l_suppkey and o_orderkey = l_orderkey
  and c_custkey = o_custkey and s_nationkey = n1.n_nationkey
  and c_nationkey = n2.n_nationkey and n1.n_name = 'SAUDI ARABIA'
  and n2.n_name = 'GERMANY' and o_orderpriority = '1-URGENT'
group by 1 order by 1;
-- c5b
select extract(year from l_shipdate), count(*), sum(l_extendedprice)
from supplier, lineitem, orders, customer, nation n1, nation n2
where s_suppkey = l_suppkey and o_orderkey = l_orderkey
  and c_custkey = o_custkey and s_nationkey = n1.n_nationkey
  and c_nationkey = n2.n_nationkey and n1.n_name = 'FRANCE'
  and n2.n_name = 'KENYA' and o_orderpriority = '5-LOW'
group by 1 order by 1;
-- c6a
select extract(year from o_orderdate),
       sum(case when n2.n_name = 'SAUDI ARABIA' then l_extendedprice
                else 0 end) / sum(l_extendedprice)
from part, supplier, lineitem, orders, customer, nation n1, nation n2
where p_partkey = l_partkey and s_suppkey = l_suppkey
  and l_orderkey = o_orderkey and o_custkey = c_custkey
  and c_nationkey = n1.n_nationkey and n1.n_regionkey = 3
  and s_nationkey = n2.n_nationkey
  and o_orderdate between date '1995-01-01' and date '1996-12-31'
  and p_type = 'ECONOMY ANODIZED STEEL' and p_size = 23
group by 1 order by 1;
-- c6b
select extract(year from o_orderdate),
       sum(case when n2.n_name = 'PERU' then l_extendedprice
                else 0 end) / sum(l_extendedprice)
from part, supplier, lineitem, orders, customer, nation n1, nation n2
where p_partkey = l_partkey and s_suppkey = l_suppkey
  and l_orderkey = o_orderkey and o_custkey = c_custkey
  and c_nationkey = n1.n_nationkey and n1.n_regionkey = 1
  and s_nationkey = n2.n_nationkey
  and o_orderdate between date '1993-01-01' and date '1994-12-31'
  and p_type = 'SMALL PLATED TIN' and p_size = 31
group by 1 order by 1;
-- c7a
select n_name, extract(year from o_orderdate),
       sum(l_extendedprice - ps_supplycost * l_quantity)
from part, supplier, lineitem, partsupp, orders, nation
where s_suppkey = l_suppkey and ps_suppkey = l_suppkey
  and ps_partkey = l_partkey and p_partkey = l_partkey
  and o_orderkey = l_orderkey and s_nationkey = n_nationkey
  and p_name like 'forest%' and p_brand = 'Brand#23' and p_size = 23
group by 1, 2 order by 1, 2;
-- c7b
select n_name, extract(year from o_orderdate),
       sum(l_extendedprice - ps_supplycost * l_quantity)
from part, supplier, lineitem, partsupp, orders, nation
where s_suppkey = l_suppkey and ps_suppkey = l_suppkey
  and ps_partkey = l_partkey and p_partkey = l_partkey
  and o_orderkey = l_orderkey and s_nationkey = n_nationkey
  and p_name like 'navy%' and p_brand = 'Brand#41' and p_size = 7
group by 1, 2 order by 1, 2;
-- c8a
select c_custkey, c_name, sum(l_extendedprice * (1 - l_discount))
from customer, orders, lineitem
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and c_nationkey = 7 and c_acctbal > 9900 and l_shipmode = 'RAIL'
  and o_orderpriority = '1-URGENT'
group by c_custkey, c_name order by 3 desc, 1;
-- c8b
select c_custkey, c_name, sum(l_extendedprice * (1 - l_discount))
from customer, orders, lineitem
where c_custkey = o_custkey and l_orderkey = o_orderkey
  and c_nationkey = 15 and c_acctbal > 9900 and l_shipmode = 'FOB'
  and o_orderpriority = '3-MEDIUM'
group by c_custkey, c_name order by 3 desc, 1;
-- c9a
select s_name, count(*) from supplier, lineitem l1, orders, nation
where s_suppkey = l1.l_suppkey and o_orderkey = l1.l_orderkey
  and o_orderstatus = 'F' and l1.l_receiptdate > l1.l_commitdate
  and s_nationkey = n_nationkey and n_name = 'SAUDI ARABIA'
  and s_acctbal > 9890
  and exists (select from lineitem l2 where l2.l_orderkey = l1.l_orderkey
              and l2.l_suppkey <> l1.l_suppkey)
  and not exists (select from lineitem l3 where l3.l_orderkey = l1.l_orderkey
                  and l3.l_suppkey <> l1.l_suppkey
                  and l3.l_receiptdate > l3.l_commitdate)
group by s_name order by 2 desc, 1;
-- c9b
select s_name, count(*) from supplier, lineitem l1, orders, nation
where s_suppkey = l1.l_suppkey and o_orderkey = l1.l_orderkey
  and o_orderstatus = 'F' and l1.l_receiptdate > l1.l_commitdate
  and s_nationkey = n_nationkey and n_name = 'CANADA'
  and s_acctbal > 9890
  and exists (select from lineitem l2 where l2.l_orderkey = l1.l_orderkey
              and l2.l_suppkey <> l1.l_suppkey)
  and not exists (select from lineitem l3 where l3.l_orderkey = l1.l_orderkey
                  and l3.l_suppkey <> l1.l_suppkey
                  and l3.l_receiptdate > l3.l_commitdate)
group by s_name order by 2 desc, 1;
-- c10a
select s_name, s_address from supplier, nation
where s_suppkey in (
    select ps_suppkey from partsupp
    where ps_partkey in (select p_partkey from part
                         where p_name like 'forest%' and p_size = 23)
      and ps_availqty > (
          select 0.5 * sum(l_quantity) / 1000 from lineitem
          where l_partkey = ps_partkey and l_suppkey = ps_suppkey
            and l_shipdate >= date '1995-01-01'
            and l_shipdate < date '1996-01-01'))
  and s_nationkey = n_nationkey and n_name = 'SAUDI ARABIA'
order by s_name;
-- c10b
select s_name, s_address from supplier, nation
where s_suppkey in (
    select ps_suppkey from partsupp
    where ps_partkey in (select p_partkey from part
                         where p_name like 'violet%' and p_size = 40)
      and ps_availqty > (
          select 0.5 * sum(l_quantity) / 1000 from lineitem
          where l_partkey = ps_partkey and l_suppkey = ps_suppkey
            and l_shipdate >= date '1993-01-01'
            and l_shipdate < date '1994-01-01'))
  and s_nationkey = n_nationkey and n_name = 'INDIA'
order by s_name;
