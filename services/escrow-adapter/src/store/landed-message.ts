import type { custodyTransactionsLanded, Payload } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Leg } from '../use-cases/custody/ports.js';

type Landed = { readonly hash: string; readonly ledger: number; readonly legs: readonly Leg[] };

/** A leg has about 120 bytes, so a message stays far below the size limit of the broker. */
const legsPerMessageMax = 500;

/** Groups transactions into messages, in order, with as many legs as fit. */
export function groupIntoMessages<Transaction extends Landed>(
  transactions: readonly Transaction[],
): readonly [Transaction, ...Transaction[]][] {
  const messages: [Transaction, ...Transaction[]][] = [];
  let room = 0;
  for (const transaction of transactions) {
    const current = messages.at(-1);
    if (current === undefined || transaction.legs.length > room) {
      messages.push([transaction]);
      room = legsPerMessageMax;
    } else {
      current.push(transaction);
    }
    room -= transaction.legs.length;
  }
  return messages;
}

export function toPayload(transactions: readonly Landed[]): Payload<typeof custodyTransactionsLanded> {
  return {
    transactions: transactions.map(({ hash, ledger, legs }) => ({
      transactionHash: hash,
      ledger,
      legs: legs.map(({ units, ...leg }) => ({ ...leg, amount: formatUnits(units) })),
    })),
  };
}
