import { formatMoney, type Money } from '@holdfast/kernel/money';
import type { NewCase } from './case.js';

export type CustodyPlace =
  'treasury' | 'platform' | 'wallet' | 'contract' | 'provider_fees' | 'network_fees' | 'capital' | 'world';

export type CustodyAccount = { readonly place: CustodyPlace; readonly ownerId: string | null };

/** The case about an account that holds another amount on the ledger network than the journal says: network minus journal. */
export function custodyDifference({ place, ownerId }: CustodyAccount, amount: Money): Omit<NewCase, 'marketplaceId' | 'userId'> {
  const account = ownerId === null ? place : `${place}:${ownerId}`;
  return {
    kind: 'unexplained_difference',
    amount,
    origin: 'adjustments',
    source: 'ledger_network',
    // The amount belongs to the id, so that another difference of the same account is another case.
    sourceId: `${account}:${amount.currency}:${formatMoney(amount)}`,
    reason: 'The account holds another amount on the ledger network than the journal says.',
    relatedId: ownerId,
  };
}

/** What a source id of these cases says: the account with its currency, and how much it differs. */
export function differenceOf(sourceId: string): { readonly account: string; readonly amount: string } {
  const colon = sourceId.lastIndexOf(':');
  return { account: sourceId.slice(0, colon), amount: sourceId.slice(colon + 1) };
}

/** The case about deposits that were published and not credited: published minus booked. */
export function depositDifference(amount: Money): Omit<NewCase, 'marketplaceId' | 'userId'> {
  return {
    kind: 'unexplained_difference',
    amount,
    origin: 'adjustments',
    source: 'ledger_network',
    sourceId: `deposits:${amount.currency}:${formatMoney(amount)}`,
    reason: 'The deposits that were seen on the ledger network are not those that the journal has credited.',
    relatedId: null,
  };
}
