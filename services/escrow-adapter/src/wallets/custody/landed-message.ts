import type { custodyTransactionsLanded, Payload } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Leg } from './legs.js';

type Landed = { readonly hash: string; readonly legs: readonly Leg[] };

/** A leg has about 120 bytes, so that a message stays far below what a transport takes. */
const legsPerMessageMax = 500;

/** What each message tells: as many transactions as fit into one, in their order. */
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
    transactions: transactions.map(({ hash, legs }) => ({
      transactionHash: hash,
      legs: legs.map(({ units, ...leg }) => ({ ...leg, amount: formatUnits(units) })),
    })),
  };
}
