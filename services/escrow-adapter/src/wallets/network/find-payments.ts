import type { LandedPayment, SoughtPayments } from '../ports.js';
import type { LedgerHistory } from './ledger-history.js';

const pageSize = 200;
const pagesMax = 50;

/** Reads the history of the receiver backwards, newest first, until it is older than the payments that are sought. */
export async function findPayments(
  history: Pick<LedgerHistory, 'newestOf'>,
  { to, memoHash, since }: SoughtPayments,
): Promise<readonly LandedPayment[] | undefined> {
  const found: LandedPayment[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const operations = await history.newestOf(to, { cursor, limit: pageSize });
    const recent = operations.filter(({ at }) => at >= since);
    found.push(...recent.filter((operation) => operation.isSuccessful && operation.memoHash === memoHash));
    if (operations.length < pageSize || recent.length < operations.length) return found;
    cursor = operations.at(-1)?.id;
  }
  return undefined;
}
