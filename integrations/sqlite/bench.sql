-- What a guard spares, and what it costs: sqlite3 bench.db < bench.sql, in a folder with seen_sqlite.so. Two million rows, 220 MB.
.load ./seen_sqlite
.mode list
drop table if exists visits;
create table visits(address text primary key, hits integer);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000)
  insert into visits select hex(randomblob(16)) || i, i from n;
create temp table strangers as select hex(randomblob(16)) as address from visits limit 200000;
create temp table friends as select address from visits where hits % 10 = 0;
create temp table more as select hex(randomblob(16)) as address from visits limit 100000;
.timer on
.print -- 200,000 lookups of strangers: in the table, in the guard
select count(*) from strangers s where exists (select 1 from visits v where v.address = s.address);
create virtual table known using seen_guard(visits, address);
select count(*) from strangers s where exists (select 1 from known k where k.address = s.address);
.print -- 200,000 lookups of friends: in the table, in the guard
select count(*) from friends f where exists (select 1 from visits v where v.address = f.address);
select count(*) from friends f where exists (select 1 from known k where k.address = f.address);
.print -- the strangers again, 100,000 rows later: in the guard, and after a rebuild
insert into visits select address, 0 from more;
select count(*) from strangers s where exists (select 1 from known k where k.address = s.address);
select seen_guard_rebuild('known');
select count(*) from strangers s where exists (select 1 from known k where k.address = s.address);
.print -- 100,000 rows more: with the guard, and without it
delete from visits where hits = 0;
insert into visits select address, 0 from more;
delete from visits where hits = 0;
drop table known;
insert into visits select address, 0 from more;
