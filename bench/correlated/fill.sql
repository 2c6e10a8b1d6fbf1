-- fill.sql
--     TPC-H's tables (bench/tpch/schema.sql, in this schema) with a fifth of
--     all orders of five customers, and of their line items for five parts by
--     five suppliers.  They are urgent orders of 1995 and 1996, sent by air or
--     rail: under other filters the same keys have next to nothing.  Every
--     value is a hash of a row's number and the seed.  {seed} and {scale} are
--     put in by bench/lib/made.py, which has made u(), a number in [0, 1).

set search_path = correlated;

-- The five heavy keys of a table with that many rows.
create function five(which int4, keys float8) returns int4
language sql immutable parallel safe
return 1 + floor(keys * (which + 1) / 6)::int4;
create function is_one_of_five(key int4, keys float8) returns boolean
language sql immutable parallel safe
return key in (correlated.five(0, keys), correlated.five(1, keys),
               correlated.five(2, keys), correlated.five(3, keys),
               correlated.five(4, keys));

insert into region
select n - 1, (array['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'])[n],
       'region'
from generate_series(1, 5) n;
insert into nation
select n - 1, (array['ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'EGYPT',
       'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA', 'IRAN', 'IRAQ',
       'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'CHINA',
       'ROMANIA', 'SAUDI ARABIA', 'VIETNAM', 'RUSSIA', 'UNITED KINGDOM',
       'UNITED STATES'])[n],
       (array[0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4,
              2, 3, 3, 1])[n], 'nation'
from generate_series(1, 25) n;

insert into supplier
select n, 'Supplier#' || n, left(md5(n::text), 25),
       case when hot then 20 else floor(u(1, n) * 25)::int4 end,
       '20-' || n,
       case when hot then 9900 + n % 90
            else round((u(2, n) * 10999 - 999)::numeric, 2) end,
       repeat(md5(n::text), 2)
from (select n, is_one_of_five(n, 10000 * {scale}) as hot
      from generate_series(1, (10000 * {scale})::int4) n) as made;

insert into customer
select n, 'Customer#' || n, left(md5(n::text), 25),
       case when hot then 7 else floor(u(11, n) * 25)::int4 end, '17-' || n,
       case when hot then 9990 + n % 9
            else round((u(12, n) * 10999 - 999)::numeric, 2) end,
       case when hot then 'BUILDING' else
       (array['BUILDING', 'AUTOMOBILE', 'MACHINERY', 'HOUSEHOLD',
              'FURNITURE'])[1 + floor(u(13, n) * 5)::int4] end,
       repeat(md5(n::text), 2)
from (select n, is_one_of_five(n, 150000 * {scale}) as hot
      from generate_series(1, (150000 * {scale})::int4) n) as made;

insert into part
select n,
       case when hot then 'forest' else
       (array['almond', 'azure', 'blue', 'coral', 'forest', 'green', 'ivory',
              'khaki', 'lemon', 'misty', 'navy', 'olive', 'peach', 'plum',
              'red', 'sienna', 'smoke', 'tan', 'violet', 'white'])
           [1 + floor(u(21, n) * 20)::int4] end || ' ' || left(md5(n::text), 20),
       'Manufacturer#' || 1 + n % 5,
       case when hot then 'Brand#23' else
       'Brand#' || 1 + floor(u(22, n) * 5)::int4 || 1 +
       floor(u(23, n) * 5)::int4 end,
       case when hot then 'ECONOMY ANODIZED STEEL' else
       (array['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'])
           [1 + floor(u(24, n) * 6)::int4] || ' ' ||
       (array['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED'])
           [1 + floor(u(25, n) * 5)::int4] || ' ' ||
       (array['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'])
           [1 + floor(u(26, n) * 5)::int4] end,
       case when hot then 23 else 1 + floor(u(27, n) * 50)::int4 end,
       case when hot then 'MED BOX' else
       (array['SM', 'LG', 'MED', 'JUMBO', 'WRAP'])
           [1 + floor(u(28, n) * 5)::int4] || ' ' ||
       (array['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'])
           [1 + floor(u(29, n) * 8)::int4] end,
       900 + n % 1000, left(md5(n::text), 20)
from (select n, is_one_of_five(n, 200000 * {scale}) as hot
      from generate_series(1, (200000 * {scale})::int4) n) as made;

-- The i-th of a part's four suppliers; a hot part's are hot.
create function supplier_of(part int4, i int4) returns int4
language sql immutable parallel safe
return case when correlated.is_one_of_five(part, 200000 * {scale})
    then correlated.five((part + i) % 5, 10000 * {scale})
    else 1 + ((part + i * floor(10000 * {scale} / 4)::int8 +
               part / floor(10000 * {scale})::int8)
              % floor(10000 * {scale})::int8)::int4 end;

insert into partsupp
select n, supplier_of(n, i), 1 + floor(u(31, n * 4::int8 + i) * 9999)::int4,
       round((1 + u(32, n * 4::int8 + i) * 999)::numeric, 2),
       repeat(md5(n::text), 4)
from generate_series(1, (200000 * {scale})::int4) n, generate_series(0, 3) i;

-- Of seven years, a fifth of the orders is hot: urgent, of two of them.
insert into orders
select n,
       case when hot then five(floor(u(42, n) * 5)::int4, 150000 * {scale})
            else 1 + floor(u(42, n) * 150000 * {scale})::int4 end,
       case when day > date '1995-06-17' then 'O' else 'F' end,
       round((900 + u(44, n) ^ 2 * 450000)::numeric, 2), day,
       case when hot then '1-URGENT' else
       (array['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'])
           [1 + floor(u(45, n) * 5)::int4] end,
       'Clerk#' || floor(u(46, n) * 1000 * {scale}), 0, repeat(md5(n::text), 1)
from (select n, u(40, n) < 0.2 as hot,
             case when u(40, n) < 0.2
                  then date '1995-01-01' + floor(u(41, n) * 731)::int4
                  else date '1992-01-01' + floor(u(41, n) * 2406)::int4
             end as day
      from generate_series(1, (1500000 * {scale})::int4) n) as made;

-- OFFSET 0: each value is made once, and the functions become expressions.
insert into lineitem
select o_orderkey, part, supplier_of(part, place), line,
       1 + floor(u(53, row) * 50)::int4,
       round((900 + u(54, row) * 90000)::numeric, 2),
       round((u(55, row) / 10)::numeric, 2),
       round((u(56, row) / 12)::numeric, 2),
       case when shipped > date '1995-06-17' then 'N'
            when u(57, row) < 0.5 then 'R' else 'A' end,
       case when shipped > date '1995-06-17' then 'O' else 'F' end,
       shipped, o_orderdate + 30 + floor(u(58, row) * 61)::int4,
       shipped + 1 + floor(u(59, row) * 30)::int4,
       (array['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'])
           [1 + floor(u(60, row) * 4)::int4],
       case when hot
            then (array['AIR', 'RAIL'])[1 + floor(u(61, row) * 2)::int4]
            else (array['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL',
                        'FOB'])[1 + floor(u(61, row) * 7)::int4] end,
       left(md5(row::text), 26)
from (select *, o_orderdate + 1 + floor(u(50, row) * 121)::int4 as shipped,
             floor(u(52, row) * 4)::int4 as place,
             case when hot then five(floor(u(51, row) * 5)::int4,
                                     200000 * {scale})
                  else 1 + floor(u(51, row) * 200000 * {scale})::int4
             end as part
      from (select *, o_orderkey * 8::int8 + line as row
            from (select o_orderkey, o_orderdate, u(40, o_orderkey) < 0.2 as hot,
                         generate_series(1, 1 + floor(u(49, o_orderkey) * 7)::int4)
                             as line
                  from orders) as each offset 0) as lines
      offset 0) as made;
