import type { LandedOperation } from '../store/records.js';
import { callByKind, type ByKind } from './operation-kinds.js';

const partiesByKind: ByKind<readonly (string | undefined)[]> = {
  create_account: ({ source, destination }) => [source, destination],
  payment: ({ source, to }) => [source, to],
  path_payment_strict_send: ({ source, to }) => [source, to],
  path_payment_strict_receive: ({ source, to }) => [source, to],
  account_merge: ({ source, into }) => [source, into],
  contract_call: ({ balanceChanges }) => balanceChanges.flatMap(({ from, to }) => [from, to]),
};

/** The addresses whose payments include the operation. As in Horizon, claimable balances and clawbacks do not count as payments. */
export function paymentParties(operation: LandedOperation): ReadonlySet<string> {
  const parties = callByKind(partiesByKind, operation) ?? [];
  return new Set(parties.filter((address) => address !== undefined));
}
