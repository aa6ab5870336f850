import { silentLog } from '@holdfast/testing/log';
import type { LedgerHistory, LedgerOperation } from '../network/ledger-history.js';
import type { OwnPlace } from './legs.js';
import { pollAccount, transactionsPerAccountMax, type WatcherDeps } from './watcher.js';

const wallet: OwnPlace = { place: 'wallet', ownerId: 'usr_1', marketplaceId: 'mkt_1' };
const pageSize = 30;

function aPayment(index: number): LedgerOperation {
  return {
    id: index.toString().padStart(6, '0'),
    type: 'payment',
    transactionHash: `hash-${index}`,
    isSuccessful: true,
    at: '2026-01-31T12:00:00.000000Z',
    transfers: [{ from: 'stranger', to: 'wallet', asset: 'XLM', units: 1n }],
    fee: { address: 'stranger', units: 100n },
  };
}

/** An account that has received this many payments, and a store that keeps the cursor and what was published. */
function anAccountWith(count: number) {
  const payments = Array.from({ length: count }, (_, index) => aPayment(index));
  const loaded: string[] = [];
  const published: string[] = [];
  let cursor = '';
  const refuse = (): never => {
    throw new Error('not expected');
  };
  const history: LedgerHistory = {
    all: refuse,
    newestOf: refuse,
    ofAccount: (_, from) => {
      const after = payments.filter(({ id }) => id > from);
      return Promise.resolve({ operations: after.slice(0, pageSize), isLast: after.length <= pageSize });
    },
    ofTransaction: (hash) => {
      loaded.push(hash);
      return Promise.resolve(payments.filter(({ transactionHash }) => transactionHash === hash));
    },
  };
  const store: WatcherDeps['store'] = {
    cursor: () => Promise.resolve(cursor),
    placesOf: () => Promise.resolve((address) => (address === 'wallet' ? wallet : undefined)),
    ownHashes: () => Promise.resolve(new Set()),
    publish: (transactions, move) => {
      cursor = move?.to ?? cursor;
      published.push(...transactions.map(({ hash }) => hash));
      return Promise.resolve(transactions.flatMap(({ deposits }) => deposits));
    },
    watchedAddresses: refuse,
    unpublishedHashes: refuse,
  };
  const poll = () => pollAccount({ history, store, log: silentLog }, 'wallet', new AbortController().signal);
  return { payments, loaded, published, poll };
}

describe('a poll of an account', () => {
  it('loads a limited number of transactions, and the next polls go on where it ended', async () => {
    const { payments, loaded, published, poll } = anAccountWith(2 * transactionsPerAccountMax + 7);
    expect(await poll()).toHaveLength(transactionsPerAccountMax);
    expect(loaded).toHaveLength(transactionsPerAccountMax);
    expect(await poll()).toHaveLength(transactionsPerAccountMax);
    expect(await poll()).toHaveLength(7);
    expect(published).toEqual(payments.map(({ transactionHash }) => transactionHash));
    expect(loaded).toEqual(published);
  });

  it('publishes everything of an account with few payments', async () => {
    const { poll } = anAccountWith(45);
    expect(await poll()).toHaveLength(45);
    expect(await poll()).toHaveLength(0);
  });
});
