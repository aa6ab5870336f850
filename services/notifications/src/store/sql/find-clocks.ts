import { selectList } from '@holdfast/shared/postgres';
import { clockColumns } from '../schema.js';

export const findClocks = {
  name: 'find-marketplace-clocks',
  text: `
  select ${selectList(clockColumns, 'marketplace_clocks')}
  from marketplace_clocks
  where marketplace_id = any($1)`,
};
