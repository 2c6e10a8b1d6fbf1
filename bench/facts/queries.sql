-- queries.sql
--     Twenty queries over two and three facts.  A line with a name alone
--     begins each.

-- f1
select i_brand, count(*), sum(sl_profit), sum(rt_amount)
from sales, returns, item, calendar
where rt_ticket = sl_ticket and rt_item = sl_item and sl_item = i_key
  and sl_date = d_key and d_year = 2012 and d_month = 4
  and i_category = 'Music'
group by i_brand order by 3, 1;
-- f2
select i_key, s_state, sum(sl_quantity), sum(rt_quantity), sum(ws_quantity)
from sales, returns, web_sales, calendar d1, calendar d2, calendar d3,
     item, store
where sl_ticket = rt_ticket and sl_item = rt_item
  and rt_customer = ws_customer and rt_item = ws_item
  and sl_date = d1.d_key and rt_date = d2.d_key and ws_date = d3.d_key
  and d1.d_year = 2011 and d1.d_quarter = 1
  and d2.d_year = 2011 and d2.d_quarter in (1, 2, 3)
  and d3.d_year in (2011, 2012) and i_key = sl_item and s_key = sl_store
group by i_key, s_state order by 1, 2;
-- f3
select c_key, c_name, sum(sl_paid), sum(ws_paid)
from customer, sales, web_sales, item
where c_key = sl_customer and c_key = ws_customer and sl_item = ws_item
  and i_key = sl_item and c_preferred = 'Y' and i_color = 'ivory'
group by c_key, c_name order by 3 desc, 1;
-- f4
select i_class, count(*) from sales, item
where sl_item = i_key and i_category = 'Shoes'
  and exists (select from returns where rt_ticket = sl_ticket
              and rt_item = sl_item and rt_reason = 30)
group by i_class order by 1;
-- f5
with bought as (
    select sl_customer as customer, sum(sl_paid) as paid
    from sales, calendar where sl_date = d_key and d_year = 2013
    group by 1),
surfed as (
    select ws_customer as customer, sum(ws_paid) as paid
    from web_sales, calendar where ws_date = d_key and d_year = 2013
    group by 1)
select c_state, count(*), sum(surfed.paid - bought.paid)
from bought, surfed, customer
where bought.customer = surfed.customer and c_key = bought.customer
  and surfed.paid > bought.paid * 2
group by c_state order by 1;
-- f6
select h_name, i_key, avg(iv_quantity), sum(ws_quantity)
from inventory, web_sales, item, warehouse, calendar
where iv_item = ws_item and iv_warehouse = ws_warehouse
  and i_key = iv_item and h_key = iv_warehouse and d_key = iv_date
  and ws_date between iv_date and iv_date + 27
  and d_year = 2012 and i_manager = 7 and iv_quantity < 20
group by h_name, i_key order by 1, 2;
-- f7
select d_week, count(*), sum(sl_quantity) from sales, inventory, calendar
where sl_item = iv_item and sl_date between iv_date and iv_date + 6
  and iv_date = d_key and d_date between date '2014-02-01'
  and date '2014-03-31' and iv_warehouse = 3 and iv_quantity is null
group by d_week order by 1;
-- f8
select c_state, count(distinct c_key) from customer
where c_income > 150
  and exists (select from sales, calendar where sl_customer = c_key
              and sl_date = d_key and d_year = 2010 and d_month = 2)
  and not exists (select from web_sales, calendar where ws_customer = c_key
                  and ws_date = d_key and d_year = 2010)
group by c_state order by 1;
-- f9
select s_name, count(*), sum(rt_amount) from returns, store, calendar, customer
where rt_store = s_key and rt_date = d_key and rt_customer = c_key
  and d_season = 'winter' and d_year = 2014 and c_state = 'KY'
  and rt_item in (select ws_item from web_sales, site
                  where ws_site = w_key and w_kind = 'auction'
                    and ws_profit < -300)
group by s_name order by 1;
-- f10
select i_brand, d_year, sum(sl_paid) as paid from (
    select sl_item, sl_date, sl_paid from sales
    union all select ws_item, ws_date, ws_paid from web_sales) as both_sold,
     item, calendar
where sl_item = i_key and sl_date = d_key and i_class = 'class#7'
  and d_month = 12
group by i_brand, d_year order by 1, 2;
-- f11
select p_channel, count(*), sum(sl_profit), sum(ws_profit)
from sales, web_sales, promotion
where sl_promotion = p_key and ws_promotion = p_key
  and sl_customer = ws_customer and p_cost > 2500
group by p_channel order by 1;
-- f12
select c_key, count(*) from customer, sales, returns
where c_key = sl_customer and rt_ticket = sl_ticket and rt_item = sl_item
  and c_birth_year = 1977 and sl_paid > 1500
group by c_key having count(*) > 1 order by 2 desc, 1;
-- f13
select i_category, sum(iv_quantity) / count(distinct iv_date)
from inventory, item where iv_item = i_key and i_color = 'tan'
  and i_key in (select rt_item from returns, calendar
                where rt_date = d_key and d_year = 2013 and rt_reason > 33
                group by rt_item having count(*) > 2)
group by i_category order by 1;
-- f14
select d1.d_month, count(*), avg(d2.d_date - d1.d_date)
from sales, returns, calendar d1, calendar d2, store
where sl_ticket = rt_ticket and sl_item = rt_item
  and sl_customer = rt_customer and sl_date = d1.d_key
  and rt_date = d2.d_key and d2.d_year = 2013 and d2.d_month = 8
  and sl_store = s_key and s_state = 'GA'
group by d1.d_month order by 1;
-- f15
select i_key, i_text, sum(sl_paid) from item, sales
where i_key = sl_item and i_manager between 40 and 42
  and sl_promotion is not null
  and not exists (select from web_sales where ws_item = i_key
                  and ws_promotion is not null and ws_date > 10700)
group by i_key, i_text order by 3 desc, 1;
-- f16
select ws_site, count(*), sum(ws_paid) from web_sales, calendar
where ws_ship_date = d_key and d_date between date '2012-05-01'
  and date '2012-06-30'
  and exists (select from web_sales other where other.ws_order = ws_order
              and other.ws_warehouse <> web_sales.ws_warehouse
              and other.ws_item = web_sales.ws_item)
  and not exists (select from returns where rt_customer = ws_customer
                  and rt_item = ws_item)
group by ws_site order by 1;
-- f17
select c_segment, s_state, sum(sl_quantity)
from sales join customer on sl_customer = c_key join store on sl_store = s_key
left join returns on rt_ticket = sl_ticket and rt_item = sl_item
where c_state = 'WA' and c_birth_year between 1950 and 1952
  and rt_ticket is null
group by c_segment, s_state order by 1, 2;
-- f18
select i_brand, count(*), sum(sl_price - ws_price)
from sales, web_sales, item, calendar
where sl_item = ws_item and sl_date = ws_date and sl_item = i_key
  and sl_date = d_key and d_year = 2010 and d_month in (10, 11)
  and i_brand = 'brand#150'
group by i_brand order by 1;
-- f19
with often as (
    select sl_item as item from sales, calendar
    where sl_date = d_key and d_year between 2010 and 2011
    group by sl_item, d_date having count(*) > 4)
select c_state, sum(ws_quantity * ws_price) from web_sales, customer, calendar
where ws_customer = c_key and ws_date = d_key and d_year = 2011
  and d_month = 3 and ws_item in (select item from often)
group by c_state order by 1;
-- f20
select h_state, i_class,
       sum(case when d_date < date '2013-06-01' then iv_quantity else 0 end),
       sum(case when d_date >= date '2013-06-01' then iv_quantity else 0 end)
from inventory, warehouse, item, calendar
where iv_warehouse = h_key and iv_item = i_key and iv_date = d_key
  and i_price between 0.99 and 1.49
  and d_date between date '2013-05-01' and date '2013-06-30'
  and i_key in (select sl_item from sales where sl_profit > 1200)
group by h_state, i_class order by 1, 2;
