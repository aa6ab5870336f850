import { silentLog } from '@holdfast/testing/log';
import type { HistoryEntry, LedgerHistory } from '@holdfast/ledger-network/horizon';
import { contract, stranger, wallet } from '@holdfast/ledger-network/testing';
import { beginHistory, pollNetwork, type WatcherDeps } from './watcher.js';
import type { LedgerOperation } from '@holdfast/ledger-network/values';
import type { ClaimedTransaction, Findings, OwnPlace, WatcherStore } from './ports.js';

const places = new Map<string, OwnPlace>([
  [wallet, { place: 'wallet', ownerId: 'usr_1', marketplaceId: 'mkt_1' }],
  [contract, { place: 'contract', ownerId: 'ord_1', marketplaceId: 'mkt_1' }],
]);
const pageSize = 3;
const { signal } = new AbortController();

function anOperation(index: number, given: Partial<LedgerOperation> = {}): HistoryEntry {
  const [id, transactionHash] = [String(index), `hash-${index}`];
  const operation: LedgerOperation = {
    id,
    type: 'payment',
    transactionHash,
    isSuccessful: true,
    at: '2026-01-31T12:00:00.000000Z',
    transfers: [{ from: stranger, to: wallet, asset: 'XLM', units: 1n }],
    fee: { address: stranger, units: 100n },
    ...given,
  };
  return { position: id, transactionHash, operation };
}

function aRejected(index: number | undefined, names: string, isKnownType = false, source = stranger): HistoryEntry {
  return {
    position: index?.toString(),
    transactionHash: index === undefined ? undefined : `hash-${index}`,
    rejected: {
      id: index?.toString() ?? 'ab'.repeat(32),
      record: { source, names, index },
      reason: 'a test',
      isKnownType,
      source,
      names: [...new Set([source, names])],
    },
  };
}

const refuse = () => Promise.reject(new Error('not expected'));

function countedIn(counts: { quarantined: number; skipped: number; ends: number }): WatcherDeps['metrics'] {
  return {
    onQuarantined: (records) => void (counts.quarantined += records.length),
    onSkipped: (records) => void (counts.skipped += records),
    onEnd: () => void (counts.ends += 1),
  };
}

type Effects = { readonly merged?: bigint; readonly affected?: Readonly<Record<string, readonly string[]>> };
type Calls = { calls: number; mergeCalls: number; effectCalls: number };

function aHistoryOf(entries: readonly HistoryEntry[], { merged, affected }: Effects, counts: Calls): LedgerHistory {
  return {
    all: (from) => {
      counts.calls += 1;
      const start = entries.findLastIndex(({ position }) => position !== undefined && from !== '' && position === from) + 1;
      const after = entries.slice(start);
      return Promise.resolve({ entries: after.slice(0, pageSize), isLast: after.length < pageSize });
    },
    mergedUnits: () => {
      counts.mergeCalls += 1;
      return Promise.resolve(merged);
    },
    affectedBy: (id) => {
      counts.effectCalls += 1;
      return Promise.resolve(affected?.[id]);
    },
    latestLedger: () => Promise.resolve(1),
    ofTransaction: refuse,
    transactionsOf: refuse,
    newestOf: refuse,
  };
}

/** A network with this history, and a store that keeps what was published. */
function aNetworkWith(entries: readonly HistoryEntry[], effects: Effects = {}) {
  const published: Findings[] = [];
  const counts = { quarantined: 0, skipped: 0, ends: 0, calls: 0, mergeCalls: 0, effectCalls: 0 };
  let cursor = '';
  let conflicts = 0;
  const known = new Set<string>();
  const toProve: ClaimedTransaction[] = [];
  const store: WatcherStore = {
    cursor: () => Promise.resolve(cursor),
    begin: (_, at) => {
      cursor = at;
      return Promise.resolve();
    },
    placesOf: () => Promise.resolve((address) => places.get(address)),
    ownHashes: () => Promise.resolve(new Set(['hash-own'])),
    publish: (findings, { from, to }) => {
      if (conflicts > 0 || from !== cursor) {
        conflicts -= 1;
        return Promise.resolve(undefined);
      }
      cursor = to;
      const quarantined = findings.quarantined.filter(({ id }) => !known.has(id));
      for (const { id } of quarantined) known.add(id);
      published.push({ ...findings, quarantined });
      toProve.push(...findings.claimed);
      return Promise.resolve({ quarantined });
    },
  };
  const deps = {
    history: aHistoryOf(entries, effects, counts),
    store,
    adoptContracts: () => Promise.resolve(false),
    prove: () => Promise.resolve(toProve.splice(0).flatMap(({ deposits }) => deposits)),
    log: silentLog,
    metrics: countedIn(counts),
  };
  return {
    deps,
    counts,
    published,
    cursor: () => cursor,
    conflictOnce: () => void (conflicts = 1),
    poll: () => pollNetwork(deps)(signal),
    quarantined: () => published.flatMap(({ quarantined }) => quarantined),
    own: () => published.flatMap(({ own }) => own),
    claimed: () => published.flatMap(({ claimed }) => claimed),
  };
}

describe('a poll of the network', () => {
  it('publishes everything over several pages, up to the end, once', async () => {
    const network = aNetworkWith(Array.from({ length: 8 }, (_, index) => anOperation(index + 1)));
    expect(await network.poll()).toHaveLength(8);
    expect([network.cursor(), network.counts.ends]).toEqual(['8', 1]);
    expect(await network.poll()).toEqual([]);
  });

  it('continues behind a page that another process has published', async () => {
    const network = aNetworkWith([anOperation(1), anOperation(2)]);
    network.conflictOnce();
    expect(await network.poll()).toHaveLength(2);
    expect(network.counts.calls).toBe(2);
  });

  it('begins after the newest ledger of a public network, once, and else at the first operation', async () => {
    const network = aNetworkWith([]);
    const begin = (ledger: number, beginning: 'first' | 'newest') =>
      beginHistory(
        { store: network.deps.store, readOpening: () => Promise.resolve({ hash: 'opening', ledger, legs: [] }) },
        beginning,
      );
    await begin(7, 'first');
    expect(network.cursor()).toBe('');
    await begin(7, 'newest');
    expect(network.cursor()).toBe(((8n << 32n) - 1n).toString());
    await begin(9, 'newest');
    expect(network.cursor()).toBe(((8n << 32n) - 1n).toString());
  });

  it('quarantines a record that names one of our addresses, and credits what follows', async () => {
    const network = aNetworkWith([anOperation(1), aRejected(2, wallet), anOperation(3), anOperation(4)]);
    expect((await network.poll()).map(({ operationId }) => operationId)).toEqual(['1', '3', '4']);
    expect(network.quarantined()).toEqual([
      { id: '2', record: expect.stringContaining(wallet), reason: 'a test', userIds: ['usr_1'], marketplaceId: 'mkt_1' },
    ]);
    expect(network.counts).toMatchObject({ quarantined: 1, skipped: 0 });
    expect(network.cursor()).toBe('4');
  });

  it('counts and skips records of strangers, but not records of known types', async () => {
    const network = aNetworkWith([aRejected(1, stranger), aRejected(2, stranger, true), anOperation(3)]);
    expect(await network.poll()).toHaveLength(1);
    expect(network.counts).toMatchObject({ quarantined: 0, skipped: 1 });
  });

  it('asks whom a record affects that only names us, and leaves us alone where it does not', async () => {
    const network = aNetworkWith([aRejected(1, wallet), aRejected(2, wallet)], {
      affected: { 1: [stranger], 2: [stranger, wallet] },
    });
    await network.poll();
    expect(network.quarantined()).toMatchObject([{ id: '2', userIds: ['usr_1'] }]);
    expect(network.counts.effectCalls).toBe(2);
  });

  it('quarantines an operation of a known type only where its source is ours, and makes no further call about it', async () => {
    const network = aNetworkWith([aRejected(1, wallet, true), aRejected(2, stranger, true, wallet)]);
    await network.poll();
    expect(network.quarantined()).toMatchObject([{ id: '2', userIds: ['usr_1'] }]);
    expect(network.counts).toMatchObject({ effectCalls: 0, skipped: 0 });
  });

  it('quarantines a record without a position once, however often it is read', async () => {
    const network = aNetworkWith([anOperation(1), aRejected(undefined, contract)]);
    for (let poll = 0; poll < 3; poll += 1) await network.poll();
    expect(network.quarantined()).toMatchObject([{ id: expect.stringMatching(/^[0-9a-f]{64}$/), userIds: [] }]);
    expect([network.cursor(), network.counts.quarantined]).toEqual(['1', 1]);
  });

  it('503 SERVICE_UNAVAILABLE for a page without any position, which is an outage', async () => {
    const network = aNetworkWith(Array.from({ length: pageSize }, () => aRejected(undefined, wallet)));
    await expect(network.poll()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(network.published).toEqual([]);
  });

  it('credits an account merge with the amount of its effects, which only our own cost a call', async () => {
    const merges = [wallet, stranger].map((into, index) =>
      anOperation(index + 1, { type: 'account_merge', transfers: [], merge: { from: stranger, into } }),
    );
    const network = aNetworkWith(merges, { merged: 7n });
    expect(await network.poll()).toMatchObject([{ operationId: '1', asset: 'XLM', units: 7n }]);
    expect(network.counts.mergeCalls).toBe(1);
  });

  it('quarantines an account merge without an amount', async () => {
    const network = aNetworkWith([anOperation(1, { transfers: [], merge: { from: stranger, into: wallet } })]);
    expect(await network.poll()).toEqual([]);
    expect(network.quarantined()).toMatchObject([{ id: '1', userIds: ['usr_1'] }]);
  });

  it('reports claimable balances and transfers of strangers into contracts, and credits no user', async () => {
    const claimable = { from: stranger, claimants: [stranger, wallet, wallet], asset: 'USDC', units: 9n } as const;
    const network = aNetworkWith([
      anOperation(1, { transfers: [], claimable }),
      anOperation(2, { transfers: [{ from: stranger, to: contract, asset: 'USDC', units: 5n }] }),
    ]);
    expect(await network.poll()).toEqual([]);
    const known = { marketplaceId: 'mkt_1', asset: 'USDC' };
    expect(network.claimed().flatMap(({ unknownDeposits }) => unknownDeposits)).toEqual([
      { ...known, operationId: '1', form: 'claimable_balance', userId: 'usr_1', orderId: null, units: 9n },
      { ...known, operationId: '2', form: 'contract_transfer', userId: null, orderId: 'ord_1', units: 5n },
    ]);
  });

  it('claims nothing about our own transactions, which it books', async () => {
    const own = anOperation(1, { transfers: [{ from: stranger, to: contract, asset: 'USDC', units: 5n }] });
    const network = aNetworkWith([{ ...own, transactionHash: 'hash-own' }]);
    expect(await network.poll()).toEqual([]);
    expect([network.own(), network.claimed()]).toMatchObject([[{ hash: 'hash-own', legs: [{}, {}] }], []]);
  });
});
