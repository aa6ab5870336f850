import { custodyAccountsMax } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import type { CustodyAccount, Deps } from './ports.js';

export type CustodyAccountPage = { readonly accounts: readonly CustodyAccount[]; readonly after: string | null };

/** A page of custody accounts in the order of their ids. `after` is the id of the last account of the previous page. */
export async function listCustodyAccounts(
  deps: Deps,
  { after = '0', ledger }: { readonly after?: string | undefined; readonly ledger?: string | undefined },
): Promise<CustodyAccountPage> {
  if (!/^\d{1,18}$/.test(after)) throw new AppError('VALIDATION_ERROR', { validationErrors: ['after is not an account id'] });
  const at = ledger === undefined ? undefined : Number(ledger);
  const found = await deps.journal.custodyAccounts(BigInt(after), custodyAccountsMax + 1, at);
  const accounts = found.slice(0, custodyAccountsMax);
  const last = found.length > custodyAccountsMax ? accounts.at(-1) : undefined;
  return { accounts, after: last === undefined ? null : last.id.toString() };
}
