import { MoreThan } from 'typeorm';
import type { Instant } from '@holdfast/kernel/context';
import { deleteInBatches, type Database } from '@holdfast/postgres';
import type { AttemptCount, LoginDeps } from '../use-cases/login-ports.js';
import { loginAttemptCounts } from './schema.js';

/** One statement, so that concurrent attempts are counted one after the other. */
const countAttempt = {
  name: 'count-login-attempt',
  text: `
  insert into login_attempts as attempts (subject, count, window_ends_at)
  values ($1, 1, $2::timestamptz + make_interval(secs => $3))
  on conflict (subject) do update
  set count = case when attempts.window_ends_at <= $2 then 1 else attempts.count + 1 end,
    window_ends_at = case when attempts.window_ends_at <= $2 then excluded.window_ends_at else attempts.window_ends_at end
  returning count, window_ends_at as "windowEndsAt"`,
};

export function loginAttempts({ pool }: Pick<Database, 'pool'>): Omit<LoginDeps['loginAttempts'], 'perAddressMax'> {
  return {
    count: async (subject, { at, windowSeconds }) => {
      const [counted] = (await pool.query<AttemptCount>(countAttempt, [subject, at, windowSeconds])).rows;
      if (counted === undefined) throw new Error('an upsert returns its row');
      return counted;
    },
    forget: async (subject) => {
      await pool.manager.delete(loginAttemptCounts.entity, { subject });
    },
    giveBack: async (subject) => {
      await pool.manager.decrement(loginAttemptCounts.entity, { subject, count: MoreThan(0) }, 'count', 1);
    },
  };
}

/** Deletes the counts of windows that have ended. */
export async function pruneLoginAttempts(database: Pick<Database, 'lists'>, at: Instant, signal: AbortSignal): Promise<void> {
  await deleteInBatches(database, { table: 'login_attempts', where: 'window_ends_at <= $2', values: [at] }, signal);
}
