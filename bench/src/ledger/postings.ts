import { externalAccount, byManualRequest, type Posting } from '@holdfast/ledger-balance';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';

/** The balance operations by the names of their routes. */
export type Operation = 'balances.credit' | 'balances.debit' | 'balances.reserve' | 'balances.release';

/** What the use case of the operation hands to the poster. */
export function postingOf(operation: Operation, userId: UserId, amount: Money): Posting {
  return { ...instructionOf(operation, userId, amount), marketplaceId: defaultMarketplaceId, requestId: 'bench' };
}

function instructionOf(operation: Operation, userId: UserId, amount: Money): Pick<Posting, 'type' | 'instruction'> {
  const outside = externalAccount('manual', amount.currency);
  switch (operation) {
    case 'balances.credit':
      return { type: 'CREDIT', instruction: { does: 'credit', userId, amount, from: outside, source: 'manual' } };
    case 'balances.debit':
      return { type: 'DEBIT', instruction: { does: 'debit', userId, amount, to: outside, destination: 'manual' } };
    case 'balances.reserve':
      return { type: 'RESERVE', instruction: { does: 'reserve', userId, amount, reservedFor: byManualRequest } };
    case 'balances.release':
      return { type: 'RELEASE', instruction: { does: 'free', userId, amount, reservedFor: byManualRequest, ...released } };
  }
}

const released = { reason: 'released', exceeded: 'RESERVATION_EXCEEDED' } as const;
