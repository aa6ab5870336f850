import { transfers } from '../schema.js';

/** Read while the accounts are locked: a concurrent posting with the same cause has committed by then, or waits for the lock. */
export const findTransfersByCause = {
  name: 'find-transfers-by-cause',
  text: `
  select ${transfers.selected}
  from transfers
  where cause = any($1::text[])`,
};

export const findTransfersByReference = {
  name: 'find-transfers-by-reference',
  text: `
  select ${transfers.selected}
  from transfers
  where reference_key = any($1::text[])`,
};
