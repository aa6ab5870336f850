import { selectList, updateMany } from '@holdfast/postgres';
import { projects } from '../schema.js';
import { isStopped } from './is-stopped.js';

export const setOrdersOfProjects = updateMany({ ...projects, name: 'set-orders-of-projects', key: ['id'], set: ['orderId'] });

/** The orders of the projects are read by a second statement: a join would return them as they were before the lock was granted. */
export const lockProjects = {
  name: 'lock-projects',
  text: `
  select ${projects.selected},
    ${isStopped} as "isStopped"
  from projects
  where id = any($1)
  order by id
  for update`,
};

const ofOwner = `
  from project_states
  where marketplace_id = $1
    and owner_id = $2
    and ($3::text is null or status = $3)`;

export const listProjects = {
  name: 'list-projects',
  text: `
  select ${selectList(projects.columns, 'project_states')}, status
  ${ofOwner}
  order by created_at desc, id desc
  limit $4
  offset $5`,
};

export const countProjects = {
  name: 'count-projects',
  text: `
  select count(*)::integer as total
  ${ofOwner}`,
};
