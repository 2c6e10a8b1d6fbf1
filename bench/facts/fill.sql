-- fill.sql
--     Every value is a hash of a row's number and the seed, so that the same
--     seed and scale give the same rows on any server.  {seed} and {scale} are
--     put in by bench/lib/made.py, which has made u(), a number in [0, 1).
--
--     What is not uniform: a few items and customers are in most sales; seven
--     of ten times a customer buys one of five things that are always the
--     same, in stores and on the web; sales are of five years of a calendar
--     of forty, and twice as many in the last quarter; some brands are
--     returned five times as often; what is on promotion sells in larger
--     quantities; the preferred customers live in few states.

set search_path = facts;

insert into calendar
select n + 1, d, extract(year from d), extract(month from d),
       extract(quarter from d), n / 7 + 1, extract(dow from d),
       (array['winter', 'spring', 'summer', 'autumn'])
           [extract(quarter from d)::int4]
from (select n, date '1985-01-01' + n as d
      from generate_series(0, 14609) n) as days;

insert into item
select n, 'brand#' || 1 + n % 200, 'class#' || 1 + n % 40,
       (array['Books', 'Music', 'Home', 'Sports', 'Shoes', 'Women', 'Men',
              'Children', 'Jewelry', 'Electronics'])[1 + n % 10],
       1 + round((u(1, n) ^ 2 * 200)::numeric, 2),
       (array['red', 'green', 'blue', 'white', 'black', 'plum', 'tan',
              'ivory'])[1 + floor(u(2, n) ^ 2 * 8)::int4],
       1 + floor(u(3, n) * 100)::int4, repeat(md5(n::text), 2)
from generate_series(1, (20000 * {scale})::int4) n;

insert into customer
select n, 'customer ' || n,
       (array['TN', 'CA', 'TX', 'NY', 'GA', 'OH', 'WA', 'IL', 'MI', 'KY'])
           [1 + floor(u(11, n) ^ (case when u(12, n) < 0.1 then 6 else 1 end)
                      * 10)::int4],
       1930 + floor(u(13, n) * 75)::int4, floor(u(14, n) ^ 3 * 200)::int4,
       (array['home', 'small', 'office', 'school'])
           [1 + floor(u(15, n) * 4)::int4],
       case when u(12, n) < 0.1 then 'Y' else 'N' end,
       repeat(md5(n::text), 2)
from generate_series(1, (150000 * {scale})::int4) n;

insert into store
select n, 'store ' || n,
       (array['TN', 'CA', 'TX', 'NY', 'GA', 'OH'])[1 + n % 6], 100 * n
from generate_series(1, 24) n;
insert into site
select n, 'site ' || n, (array['shop', 'auction', 'mobile'])[1 + n % 3]
from generate_series(1, 30) n;
insert into warehouse
select n, 'warehouse ' || n, (array['TN', 'CA', 'TX', 'NY', 'GA'])[n]
from generate_series(1, 5) n;
insert into promotion
select n, (array['mail', 'tv', 'web', 'event'])[1 + n % 4], n * 10
from generate_series(1, 300) n;

-- Days of 2010 to 2014: 9131 before them.
create function sold_on(n int8, stream int4) returns int4
language sql immutable parallel safe
return 9132 + 365 * floor(facts.u(stream, n) * 5)::int4 +
    case when facts.u(stream + 1, n) < 0.4
         then 273 + floor(facts.u(stream + 2, n) * 92)::int4
         else floor(facts.u(stream + 2, n) * 273)::int4 end;
create function buyer(n int8, stream int4) returns int4
language sql immutable parallel safe
return 1 + floor(facts.u(stream, n) ^ 2 * 150000 * {scale})::int4;
-- The customer's k-th thing, or one that many buy.
create function bought(customer int4, n int8, stream int4) returns int4
language sql immutable parallel safe
return 1 + floor(20000 * {scale} * case
    when facts.u(stream, n) < 0.7
    then facts.u(99, customer * 5::int8 +
                 floor(facts.u(stream + 1, n) * 5)::int8)
    else facts.u(stream + 2, n) ^ 4 end)::int4;

-- Tickets of three items.
insert into sales
select ticket, sold_on(ticket, 20), item, customer,
       1 + floor(u(24, ticket) ^ 2 * 24)::int4, promotion, quantity,
       price, round(price * share, 2), round(price * share * quantity, 2),
       round(price * (share - 0.6) * quantity, 2), left(md5(n::text), 24)
from (select n, n / 3 as ticket, buyer(n / 3, 23) as customer,
             bought(buyer(n / 3, 23), n, 25) as item,
             case when u(28, n) < 0.1
                  then 1 + floor(u(29, n) ^ 2 * 300)::int4 end as promotion,
             1 + floor(u(30, n) * case when u(28, n) < 0.1
                                       then 40 else 10 end)::int4 as quantity,
             (1 + u(31, n) ^ 2 * 200)::numeric(7,2) as price,
             (0.5 + u(32, n) / 2)::numeric(7,2) as share
      from generate_series(0::int8, (3000000 * {scale})::int8 - 1) n) as sold
order by sold_on(ticket, 20);

insert into returns
select sl_ticket, sl_date + 1 + floor(u(41, place) ^ 2 * 90)::int4, sl_item,
       sl_customer, sl_store, 1 + floor(u(42, place) * sl_quantity)::int4,
       sl_paid / 2, 1 + floor(u(43, place) ^ 2 * 35)::int4, sl_note
from (select *, sl_ticket * 100000 + sl_item as place from sales) as sold
where u(40, place) < case when sl_item % 200 < 10 then 0.35 else 0.07 end;

insert into web_sales
select n / 2, sold_on(n / 2, 50), item, customer,
       1 + floor(u(54, n / 2) ^ 2 * 30)::int4,
       1 + floor(u(55, n) ^ 2 * 5)::int4,
       sold_on(n / 2, 50) + 1 + floor(u(56, n) ^ 3 * 60)::int4,
       case when u(57, n) < 0.2 then 1 + floor(u(58, n) ^ 2 * 300)::int4 end,
       quantity, price, price * quantity,
       round(price * quantity * share, 2), left(md5(n::text), 24)
from (select n, buyer(n / 2, 53) as customer,
             bought(buyer(n / 2, 53), n, 59) as item,
             1 + floor(u(62, n) * 10)::int4 as quantity,
             (1 + u(63, n) ^ 2 * 200)::numeric(7,2) as price,
             (u(64, n) - 0.3)::numeric(7,2) as share
      from generate_series(0::int8, (1500000 * {scale})::int8 - 1) n) as sold
order by sold_on(n / 2, 50);

-- Each fourth week of the five years, each item in the warehouses that have it.
insert into inventory
select 9132 + 28 * week, item, place,
       case when u(72, n) > 0.02
            then floor(u(73, n) ^ 2 * 1000)::int4 end
from (select week, item, place,
             (week * 5::int8 + place) * 1000000 + item as n
      from generate_series(0, 64) week, generate_series(1, 5) place,
           generate_series(1, (20000 * {scale})::int4) item) as kept
where u(71, item * 5::int8 + place) < 0.6;
