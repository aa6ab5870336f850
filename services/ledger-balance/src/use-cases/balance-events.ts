import {
  balanceCredited,
  balanceDebited,
  balanceReleased,
  balanceReserved,
  type MessageDeclaration,
} from '@holdfast/shared/contracts/messages';
import { formatUnits } from '@holdfast/shared/money';
import type { Account } from '../domain/accounts.js';
import type { Fact } from '../domain/decision.js';
import type { Hold } from '../domain/reservations.js';
import type { Told } from './ports.js';

/**
 * The public event that tells of a fact, with the true balances before and after. A field that is undefined here is absent
 * from the message that travels.
 */
export function eventOf(fact: Fact): Told {
  switch (fact.tells) {
    case 'credited':
      return told(balanceCredited, fact.after, {
        userId: fact.after.owner,
        amount: formatUnits(fact.units),
        currency: fact.after.currency,
        source: fact.counterpart,
        sourceId: fact.counterpartId,
        previousAvailableBalance: formatUnits(fact.before.availableUnits),
        newAvailableBalance: formatUnits(fact.after.availableUnits),
      });
    case 'debited':
      return told(balanceDebited, fact.after, {
        userId: fact.after.owner,
        amount: formatUnits(fact.units),
        currency: fact.after.currency,
        destination: fact.counterpart,
        destinationId: fact.counterpartId,
        previousAvailableBalance: formatUnits(fact.before.availableUnits),
        newAvailableBalance: formatUnits(fact.after.availableUnits),
      });
    case 'reserved':
      return told(balanceReserved, fact.after, heldMoved(fact, fact.hold, undefined));
    case 'released':
      return told(balanceReleased, fact.after, heldMoved(fact, fact.hold, fact.reason));
  }
}

function told(declaration: MessageDeclaration, account: Account, payload: unknown): Told {
  return { declaration, aggregateId: account.owner, aggregatePart: account.currency, aggregateVersion: account.version, payload };
}

function orderOf(hold: Hold): string | null {
  return hold.kind === 'order' ? hold.subjectId : null;
}

function heldMoved({ before, after, units }: Fact, hold: Hold, reason: string | undefined): object {
  return {
    userId: after.owner,
    amount: formatUnits(units),
    currency: after.currency,
    orderId: orderOf(hold),
    reason,
    previousReservedBalance: formatUnits(before.reservedUnits),
    newReservedBalance: formatUnits(after.reservedUnits),
    previousAvailableBalance: formatUnits(before.availableUnits),
    newAvailableBalance: formatUnits(after.availableUnits),
  };
}
