import {
  balanceCredited,
  balanceDebited,
  balanceReleased,
  balanceReserved,
  type MessageDeclaration,
} from '@holdfast/shared/contracts/messages';
import { formatUnits } from '@holdfast/shared/money';
import type { Account } from '../domain/accounts.js';
import type { Fact } from '../domain/draft.js';
import type { Hold } from '../domain/reservations.js';
import type { Told } from './ports.js';

/** The public event that tells of a fact, with the true balances before and after. */
export function eventOf(fact: Fact): Told {
  const changed = { userId: fact.after.owner, amount: formatUnits(fact.units), currency: fact.after.currency };
  switch (fact.tells) {
    case 'credited':
      return told(balanceCredited, fact.after, {
        ...changed,
        source: fact.counterpart,
        ...(fact.counterpartId === undefined ? {} : { sourceId: fact.counterpartId }),
        ...availableMoved(fact),
      });
    case 'debited':
      return told(balanceDebited, fact.after, {
        ...changed,
        destination: fact.counterpart,
        ...(fact.counterpartId === undefined ? {} : { destinationId: fact.counterpartId }),
        ...availableMoved(fact),
      });
    case 'reserved':
      return told(balanceReserved, fact.after, { ...changed, orderId: orderOf(fact.hold), ...bothMoved(fact) });
    case 'released':
      return told(balanceReleased, fact.after, {
        ...changed,
        orderId: orderOf(fact.hold),
        reason: fact.reason,
        ...bothMoved(fact),
      });
  }
}

function told(declaration: MessageDeclaration, account: Account, payload: unknown): Told {
  return { declaration, aggregateId: account.owner, aggregatePart: account.currency, aggregateVersion: account.version, payload };
}

function orderOf(hold: Hold): string | null {
  return hold.kind === 'order' ? hold.subjectId : null;
}

function availableMoved({ before, after }: Fact): object {
  return {
    previousAvailableBalance: formatUnits(before.availableUnits),
    newAvailableBalance: formatUnits(after.availableUnits),
  };
}

function bothMoved(fact: Fact): object {
  return {
    previousReservedBalance: formatUnits(fact.before.reservedUnits),
    newReservedBalance: formatUnits(fact.after.reservedUnits),
    ...availableMoved(fact),
  };
}
