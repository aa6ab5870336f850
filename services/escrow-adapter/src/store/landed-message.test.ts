import { groupIntoMessages, toPayload } from './landed-message.js';
import type { Leg } from '../use-cases/custody/ports.js';

function aTransaction(hash: string, legCount: number) {
  const legs = Array.from({ length: legCount }, (_, index): Leg => ({ place: 'world', asset: 'XLM', units: BigInt(index - 1) }));
  return { hash, ledger: 7, legs };
}

describe('the messages of landed transactions', () => {
  it('hold as many transactions as fit, in order, and a too large one alone', () => {
    const transactions = [aTransaction('a', 400), aTransaction('b', 100), aTransaction('c', 2), aTransaction('d', 900)];
    const messages = groupIntoMessages([...transactions, aTransaction('e', 2)]);
    expect(messages.map((group) => group.map(({ hash }) => hash))).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
    expect(groupIntoMessages([])).toEqual([]);
  });

  it('have decimal amounts', () => {
    expect(toPayload([aTransaction('a', 3)])).toEqual({
      transactions: [
        {
          transactionHash: 'a',
          ledger: 7,
          legs: ['-0.0000001', '0.00', '0.0000001'].map((amount) => ({ place: 'world', asset: 'XLM', amount })),
        },
      ],
    });
  });
});
