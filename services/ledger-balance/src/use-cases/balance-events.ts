import {
  balanceCredited,
  balanceDebited,
  balanceReleased,
  balanceReserved,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { BalanceChange } from '../domain/book-changes.js';
import type { ReservedFor } from '../domain/reservations.js';
import type { OutgoingMessage } from './ports.js';

/**
 * The public event about a balance change, with the balances before and after it. A field that is undefined here is absent from
 * the published JSON.
 */
export function eventOf(change: BalanceChange): OutgoingMessage {
  switch (change.kind) {
    case 'credited':
      return messageOf(balanceCredited, change.after, {
        userId: change.after.owner,
        amount: formatUnits(change.units),
        currency: change.after.currency,
        source: change.counterpart,
        sourceId: change.counterpartId,
        previousAvailableBalance: formatUnits(change.before.availableUnits),
        newAvailableBalance: formatUnits(change.after.availableUnits),
      });
    case 'debited':
      return messageOf(balanceDebited, change.after, {
        userId: change.after.owner,
        amount: formatUnits(change.units),
        currency: change.after.currency,
        destination: change.counterpart,
        destinationId: change.counterpartId,
        previousAvailableBalance: formatUnits(change.before.availableUnits),
        newAvailableBalance: formatUnits(change.after.availableUnits),
      });
    case 'reserved':
      return messageOf(balanceReserved, change.after, reservedPayload(change, change.reservedFor, undefined));
    case 'freed':
      return messageOf(balanceReleased, change.after, reservedPayload(change, change.reservedFor, change.reason));
  }
}

function messageOf(declaration: MessageDeclaration, account: Account, payload: unknown): OutgoingMessage {
  return { declaration, aggregateId: account.owner, aggregatePart: account.currency, aggregateVersion: account.version, payload };
}

function orderOf(reservedFor: ReservedFor): string | null {
  return reservedFor.kind === 'order' ? reservedFor.subjectId : null;
}

function withdrawalOf({ kind, subjectId }: ReservedFor): string | undefined {
  return kind === 'withdrawal' && subjectId !== null ? subjectId : undefined;
}

function reservedPayload({ before, after, units }: BalanceChange, reservedFor: ReservedFor, reason: string | undefined): object {
  return {
    userId: after.owner,
    amount: formatUnits(units),
    currency: after.currency,
    orderId: orderOf(reservedFor),
    withdrawalId: withdrawalOf(reservedFor),
    reason,
    previousReservedBalance: formatUnits(before.reservedUnits),
    newReservedBalance: formatUnits(after.reservedUnits),
    previousAvailableBalance: formatUnits(before.availableUnits),
    newAvailableBalance: formatUnits(after.availableUnits),
  };
}
