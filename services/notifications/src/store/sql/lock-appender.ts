import { selectList } from '@holdfast/shared/postgres';
import { appenderColumns } from '../schema.js';

/** Every append begins here: one after the other, and only with the newest token. */
export const lockAppender = {
  name: 'lock-appender',
  text: `
  select ${selectList(appenderColumns, 'appender')}
  from appender
  where token = $1
  for update`,
};
