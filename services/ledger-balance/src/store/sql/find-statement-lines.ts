import { transfers } from '../schema.js';

/**
 * The transfers of an account after a position and up to the end of a period, oldest first. Versions up to the closing one never change, so
 * that pages which are read one after the other neither lose nor repeat a line.
 */
export const findStatementLines = {
  name: 'find-statement-lines',
  text: `
  select ${transfers.selected}
  from transfers
  where account_id = $1
    and (created_at, account_version) > ($2, $3)
    and created_at <= $4
    and account_version <= $5
  order by created_at, account_version
  limit $6`,
};

/** The position of a line. No row if it is not one of the period. */
export const findStatementCursor = {
  name: 'find-statement-cursor',
  text: `
  select created_at as at, account_version as version
  from transfers
  where id = $1
    and account_id = $2
    and created_at > $3
    and created_at <= $4`,
};
