import { fileURLToPath } from 'node:url';
import type { Envelope } from '@holdfast/contracts/messages';
import { intentOf, intentsMigrations } from '@holdfast/intents';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { eventually } from '@holdfast/testing/eventually';
import { escrowAdapter } from './service.js';
import { intentRequestStore } from './store/intent-request-store.js';
import {
  aFundedContract,
  requestContract,
  requestSettlement,
  settlementReplies,
  aCreatedContract,
  requestFunding,
} from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import type { LedgerRpc } from './use-cases/network-ports.js';
import { intentKinds, type EscrowProvider } from './use-cases/ports.js';

const forEver = (): Promise<never> => new Promise(() => undefined);

/** A process that hangs stands for a dead one: it renews no lease and polls for no intent. */
const never = 3_600_000;
const dying = {
  leaseMs: 600,
  workerLimits: { renewEveryMs: never, pollMs: never, drainTimeoutMs: 50 },
  accountLeases: { leaseMs: 600, renewEveryMs: never },
} as const;
const survivor = { leaseMs: 600, workerLimits: { renewEveryMs: 100, pollMs: 100 } } as const;

type Death = { readonly provider?: Partial<EscrowProvider>; readonly rpc?: (rpc: LedgerRpc) => Partial<LedgerRpc> };

/** A dead process looks nothing up any more. */
const blind = { evidenceOf: forEver, evidenceOfOvertaken: forEver };

/** The points at which a process dies. */
const deaths: Readonly<Record<string, Death>> = {
  'between the stored envelope and its submission': { rpc: () => ({ ...blind, submit: forEver }) },
  'between the submission and the commit': {
    rpc: ({ submit }) => ({ ...blind, submit: (signedXdr) => submit(signedXdr).then(forEver) }),
  },
  'before anything was built': { provider: { buildDeployment: forEver, buildStep: forEver } },
};

describe.each(Object.entries(deaths))('a process that dies %s', (_, death) => {
  let adapter: RunningAdapter;
  let isDying = false;

  beforeAll(async () => {
    const wrapProvider = (provider: EscrowProvider): EscrowProvider => {
      const dead = { ...provider, ...death.provider };
      return {
        ...provider,
        buildDeployment: (...args) => (isDying ? dead : provider).buildDeployment(...args),
        buildStep: (...args) => (isDying ? dead : provider).buildStep(...args),
      };
    };
    const wrapRpc = (rpc: LedgerRpc): LedgerRpc => {
      const dead = { ...rpc, ...death.rpc?.(rpc) };
      return {
        ...rpc,
        submit: (...args) => (isDying ? dead : rpc).submit(...args),
        evidenceOf: (...args) => (isDying ? dead : rpc).evidenceOf(...args),
        evidenceOfOvertaken: (...args) => (isDying ? dead : rpc).evidenceOfOvertaken(...args),
      };
    };
    adapter = await startAdapter({ ...dying, wrapProvider, wrapRpc });
  });
  beforeEach(() => {
    isDying = false;
  });
  afterAll(() => adapter.stop());

  /** The process that dies consumes the message; another one starts after its lease has expired. */
  async function dieOn(command: () => Promise<unknown>): Promise<() => Promise<void>> {
    isDying = true;
    await command();
    await eventually(async () => {
      const rows = await adapter.database.asAdmin(
        'select id from escrow_adapter.intents where closed_at is null and lease_until < now()',
      );
      expect(rows).toHaveLength(1);
    });
    isDying = false;
    return (await adapter.another(survivor)).stop;
  }

  it('leaves a deployment to another process, which creates one contract', async () => {
    let orderId = '';
    const stop = await dieOn(async () => {
      ({ orderId } = await requestContract(adapter));
    });
    await adapter.waitForReply(orderId, 'escrow.created');
    expect(await contractsOf(adapter, orderId)).toHaveLength(1);
    await stop();
  });

  it('leaves a funding to another process, which pays once', async () => {
    const order = await aCreatedContract(adapter);
    const stop = await dieOn(() => requestFunding(adapter, order));
    await adapter.waitForReply(order.orderId, 'escrow.funded');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
    await stop();
  });

  it.each([{ decision: 'RELEASE' }, { decision: 'REFUND' }] as const)(
    'leaves a $decision to another process',
    async (decided) => {
      const order = await aFundedContract(adapter, { parts: ['60.00', '40.00'] });
      const stop = await dieOn(() => requestSettlement(adapter, order, decided));
      const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
      expect(published.type).toBe(decided.decision === 'RELEASE' ? 'escrow.released' : 'escrow.refunded');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
      await stop();
    },
  );
});

describe('the lease of a dead process', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter(survivor);
  });
  afterAll(() => adapter.stop());

  const leases = (): Promise<readonly { readonly name: string }[]> =>
    adapter.database.asAdmin('select name from escrow_adapter.leases where until > now()');

  it('on source accounts expires, and others continue', async () => {
    const order = await aFundedContract(adapter);
    await eventually(async () => expect(await leases()).toEqual([]));
    await adapter.database.asAdmin(
      `update escrow_adapter.leases set token = 'of a dead process', until = now() + interval '1 second'`,
    );
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
  });

  it('on an intent that it stored but never started expires, and the intent is executed once', async () => {
    const order = await aFundedContract(adapter);
    const migrations = [messagingMigrations, intentsMigrations, fileURLToPath(escrowAdapter.migrations)];
    const dead = await adapter.database.open({ service: 'escrow-adapter', migrations });
    const unpublished = {
      ...adapter,
      publish: (...args: Parameters<typeof adapter.make>) => Promise.resolve(adapter.make(...args)),
    };
    const message = await requestSettlement(unpublished, order, { decision: 'RELEASE' });
    const worker = { reserve: (count: number) => ({ count, start: () => undefined }), wake: () => undefined };
    const lease = { owner: 'a dead process', seconds: 0.6 };
    const intent = intentOf(message, 'settle', intentKinds.settle);
    await intentRequestStore({ database: dead, worker, lease }).settle(intent, order.escrowId);
    await adapter.republish(message);
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    await adapter.republish(message);
    const repliesTo = ({ sagaRunId }: Envelope) => adapter.published.filter((reply) => reply.sagaRunId === sagaRunId);
    await eventually(() => expect(repliesTo(message)).toHaveLength(2));
    const published = repliesTo(message);
    expect(new Set(published.map(({ id }) => id)).size).toBe(1);
    expect(published.map(({ afterEventId }) => afterEventId)).toEqual([message.afterEventId, message.afterEventId]);
  });
});

describe('two concurrent processes', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter();
    await adapter.another();
  });
  afterAll(() => adapter.stop());

  it('execute every intent once, even for many orders of one seller', async () => {
    const sellerId = adapter.newId('usr');
    const orders = await Promise.all(Array.from({ length: 12 }, () => aFundedContract(adapter, { sellerId })));
    await Promise.all(orders.map((order) => requestSettlement(adapter, order, { decision: 'RELEASE' })));
    for (const { orderId } of orders)
      expect((await adapter.waitForReply(orderId, ...settlementReplies)).type).toBe('escrow.released');
    const rows = await adapter.database.asAdmin<{ readonly state: string; readonly count: number }>(
      'select state, count(*)::integer as count from escrow_adapter.ledger_transactions group by state',
    );
    expect(rows).toEqual([{ state: 'LANDED', count: orders.length * 5 }]);
    const published = adapter.published.filter(({ type }) => type === 'escrow.released');
    expect(published).toHaveLength(orders.length);
  });
});

describe('a payout past its point of no return', () => {
  it('is retried until it completes', async () => {
    let failures = 0;
    const wrapProvider = (provider: EscrowProvider): EscrowProvider => ({
      ...provider,
      buildStep: (contract, step, options) => {
        if (step.does !== 'release' || step.index !== 1 || failures >= 7) return provider.buildStep(contract, step, options);
        failures += 1;
        return Promise.reject(new Error('not today'));
      },
    });
    const adapter = await startAdapter({ wrapProvider });
    try {
      const order = await aFundedContract(adapter, { parts: ['60.00', '40.00'] });
      await requestSettlement(adapter, order, { decision: 'RELEASE' });
      const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
      expect(published.type).toBe('escrow.released');
      expect(failures).toBe(7);
    } finally {
      await adapter.stop();
    }
  });
});
