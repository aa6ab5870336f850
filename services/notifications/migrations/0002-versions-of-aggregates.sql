-- compatible since 0002
-- Every event carries the number that it has among the events of its aggregate. The log counts them in `aggregate_heads`, under the type
-- and the id of the aggregate. Processes of the version before cannot append any more: their events would have no number.
alter table events add column aggregate_id text;

with numbered as (
  select position,
    appended_at,
    envelope::json ->> 'aggregateId' as aggregate_id,
    row_number() over (partition by aggregate_type, envelope::json ->> 'aggregateId' order by position) as version
  from events
)
update events
set aggregate_id = numbered.aggregate_id,
  -- The envelope ends with the metadata.
  envelope = left(events.envelope, -2) || ',"aggregateVersion":' || numbered.version || '}}'
from numbered
where events.position = numbered.position
  and events.appended_at = numbered.appended_at;

alter table events alter column aggregate_id set not null;

insert into aggregate_heads (aggregate, version)
select aggregate_type || ' ' || aggregate_id, count(*)
from events
group by aggregate_type, aggregate_id;
