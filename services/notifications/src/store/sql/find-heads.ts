export const findHeads = {
  name: 'find-aggregate-heads',
  text: `
  select aggregate, version
  from aggregate_heads
  where aggregate = any($1)`,
};

export const findClocks = {
  name: 'find-marketplace-clocks',
  text: `
  select marketplace_id as id, last_occurred_at as moment
  from marketplace_clocks
  where marketplace_id = any($1)`,
};
