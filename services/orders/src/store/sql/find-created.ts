/** The ids that exist. Each id has the prefix of its kind, so at most one of the tables has it. */
export const findCreated = {
  name: 'find-created',
  text: `
  select id from orders where id = any($1)
  union all
  select id from saga_runs where id = any($1)
  union all
  select id from disputes where id = any($1)
  union all
  select id from dispute_comments where id = any($1)`,
};
