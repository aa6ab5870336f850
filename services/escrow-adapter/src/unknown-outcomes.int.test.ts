import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy, type CommitTarget } from '@holdfast/testing/postgres';
import { aCreatedContract, requestFunding } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import { openTransaction } from './store/transaction-sql.js';

const faults = ['lose-response', 'garble-response', 'lose-request'] as const satisfies readonly CommitFault[];
/** The commits of a funding. */
const commits = ['stores the intent', 'stores the envelope', 'ends the intent'] as const;
const targets: Readonly<Record<(typeof commits)[number], CommitTarget>> = {
  'stores the intent': { statement: 'insert-intent-on-contract-of-order' },
  'stores the envelope': { statement: openTransaction.name },
  'ends the intent': { commitAfter: 'close-intent-and-change-contract' },
};

/** The test of the store of transactions strikes its commit with every fault. */
const pairs = commits.flatMap((commit, nth) =>
  faults.filter((fault) => commit !== 'stores the envelope' || fault === faults[nth]).map((fault) => ({ commit, fault })),
);

describe('a commit whose outcome is unknown', () => {
  let adapter: RunningAdapter;
  let proxy: CommitProxy | undefined;
  let next: { readonly fault: CommitFault; readonly commit: (typeof commits)[number] } | undefined;

  const setFaultBefore = (commit: (typeof commits)[number]): void => {
    if (next?.commit === commit) proxy?.setFault(next.fault, targets[commit]);
  };

  beforeAll(async () => {
    adapter = await startAdapter({
      reachDatabase: async (adminUrl) => {
        proxy = await startCommitProxy(adminUrl);
        return proxy.url;
      },
      wrapProvider: (provider) => ({
        ...provider,
        buildStep: async (...args) => {
          const built = await provider.buildStep(...args);
          setFaultBefore('stores the envelope');
          return built;
        },
      }),
      wrapRpc: (rpc) => ({
        ...rpc,
        submit: async (...args) => {
          const submitted = await rpc.submit(...args);
          setFaultBefore('ends the intent');
          return submitted;
        },
      }),
    });
  });
  afterAll(async () => {
    await adapter.stop();
    await proxy?.close();
  });

  const publishedFor = ({ afterEventId }: Envelope): readonly Envelope[] =>
    adapter.published.filter(({ causationId }) => causationId === afterEventId);

  it.each(pairs)(
    'that $commit ($fault) takes effect once: funded once, published once',
    async (given) => {
      const order = await aCreatedContract(adapter);
      const before = proxy?.faultCount() ?? 0;
      next = given;
      setFaultBefore('stores the intent');
      const message = await requestFunding(adapter, order);
      await eventually(() => expect(proxy?.faultCount()).toBeGreaterThan(before));
      next = undefined;
      proxy?.setFault('none');
      expect((await adapter.waitForReply(order.orderId, 'escrow.funded', 'escrow.funding_failed')).type).toBe('escrow.funded');
      expect(publishedFor(message).map(({ aggregateVersion }) => aggregateVersion)).toEqual([2]);
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
      const rows = await adapter.database.asAdmin(
        `select state, attempts, closed_at is not null as "isClosed"
         from escrow_adapter.ledger_transactions
         join escrow_adapter.intents on intents.id = intent_id
         where intent_id = $1`,
        [message.id],
      );
      expect(rows).toEqual([{ state: 'LANDED', attempts: 0, isClosed: true }]);
    },
    60_000,
  );
});
