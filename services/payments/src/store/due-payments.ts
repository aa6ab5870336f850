import type { Database } from '@holdfast/postgres';
import { nextDue, readNextDue } from '@holdfast/work';
import { nextPollStatement } from './aggregate-statements.js';
import { topups, withdrawals } from './schema.js';

const nextTopupPoll = nextPollStatement(topups);
const nextWithdrawalPoll = nextPollStatement(withdrawals);
const nextConfirmation = nextDue({
  name: 'next-confirmation-of-topups',
  table: 'topups',
  where: 'next_confirmation_at is not null',
  dueAt: 'next_confirmation_at',
});

/** In how many milliseconds the next payment is read at the payment provider; undefined if none is. */
export function duePayments({ pool }: Pick<Database, 'pool'>) {
  return {
    nextTopupPoll: () => readNextDue(pool, nextTopupPoll),
    nextWithdrawalPoll: () => readNextDue(pool, nextWithdrawalPoll),
    nextConfirmation: () => readNextDue(pool, nextConfirmation),
  };
}
