import { selectList } from '@holdfast/shared/postgres';
import { headColumns } from '../schema.js';

export const findHeads = {
  name: 'find-aggregate-heads',
  text: `
  select ${selectList(headColumns, 'aggregate_heads')}
  from aggregate_heads
  where aggregate = any($1)`,
};
