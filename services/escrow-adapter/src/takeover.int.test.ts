import type { Envelope } from '@holdfast/contracts/messages';
import { setTimeout as pause } from 'node:timers/promises';
import { createStoreIntentOnce, intentStore, knownSubject } from '@holdfast/intents';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { escrowAdapter } from './service.js';
import {
  aFundedContract,
  requestContract,
  requestMilestone,
  requestSettlement,
  settlementReplies,
  aCreatedContract,
  requestFunding,
} from './testing/orders.js';
import { payoutReplies, requestPayout } from './testing/payouts.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf, contractsOf } from './testing/sandbox-state.js';
import type { ContractRpc } from './use-cases/entry-ports.js';
import { intentKinds, type EscrowProvider } from './use-cases/ports.js';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';

const forEver = (): Promise<never> => new Promise(() => undefined);

/** A process that hangs stands for a dead one: it renews no lease and looks for no intent. */
const never = 3_600_000;
const dying = {
  leaseMs: never,
  workerLimits: { renewEveryMs: never, pollMs: never, lookEveryMs: never, drainTimeoutMs: 50 },
  accountLeases: { leaseMs: never, renewEveryMs: never },
} as const;
const expireEveryMs = 500;
const survivor = { workerLimits: { pollMs: 100 } } as const;

type Hang = () => Promise<never>;
type Death = {
  readonly provider?: Partial<EscrowProvider>;
  readonly network?: Partial<LedgerNetwork>;
  readonly rpc?: (rpc: ContractRpc) => Partial<ContractRpc>;
};

/** A dead process looks nothing up any more. */
const blind = { evidenceOf: forEver, evidenceOfOvertaken: forEver };

/** The points at which a process dies. */
const deaths: Readonly<Record<string, (hang: Hang) => Death>> = {
  'between the stored envelope and its submission': (hang) => ({ rpc: () => ({ ...blind, submit: hang }) }),
  'between the submission and the commit': (hang) => ({
    rpc: ({ submit }) => ({ ...blind, submit: (feeBump) => submit(feeBump).then(hang) }),
  }),
  'before anything was built': (hang) => ({
    provider: { buildDeployment: hang, buildStep: hang },
    network: { account: hang },
  }),
};

describe.each(Object.entries(deaths))('a process that dies %s', (_, deathWith) => {
  let adapter: RunningAdapter;
  let isDying = false;
  let hung = 0;
  const death = deathWith(() => {
    hung += 1;
    return forEver();
  });

  beforeAll(async () => {
    const wrapProvider = (provider: EscrowProvider): EscrowProvider => {
      const dead = { ...provider, ...death.provider };
      return {
        ...provider,
        buildDeployment: (...args) => (isDying ? dead : provider).buildDeployment(...args),
        buildStep: (...args) => (isDying ? dead : provider).buildStep(...args),
      };
    };
    const wrapNetwork = (network: LedgerNetwork): LedgerNetwork => {
      const dead = { ...network, ...death.network };
      return { ...network, account: (...args) => (isDying ? dead : network).account(...args) };
    };
    const wrapRpc = (rpc: ContractRpc): ContractRpc => {
      const dead = { ...rpc, ...death.rpc?.(rpc) };
      return {
        ...rpc,
        submit: (...args) => (isDying ? dead : rpc).submit(...args),
        evidenceOf: (...args) => (isDying ? dead : rpc).evidenceOf(...args),
        evidenceOfOvertaken: (...args) => (isDying ? dead : rpc).evidenceOfOvertaken(...args),
      };
    };
    adapter = await startAdapter({ ...dying, wrapProvider, wrapNetwork, wrapRpc });
  });
  afterAll(() => adapter.stop());

  /** The leases of the dying process last an hour. */
  async function expireLeases(): Promise<void> {
    const ofDying = `> now() + interval '10 minutes'`;
    const { asAdmin } = adapter.database;
    await asAdmin(
      `update escrow_adapter.intents set lease_until = '-infinity' where closed_at is null and lease_until ${ofDying}`,
    );
    await asAdmin(`update escrow_adapter.leases set until = '-infinity' where until ${ofDying}`);
  }

  /** A process that hangs may take another lease with what it has begun. A dead one would not. */
  async function keepExpiring(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await expireLeases();
      await pause(expireEveryMs);
    }
  }

  it('leaves a deployment, a funding, a release, a refund, two milestones and a payout to another process, which executes each once', async () => {
    const parts = ['60.00', '40.00'];
    const [toFund, toRelease, toRefund, ofMilestones] = await Promise.all([
      aCreatedContract(adapter),
      aFundedContract(adapter, { parts }),
      aFundedContract(adapter, { parts }),
      aFundedContract(adapter, { parts, releaseMode: 'milestone' }),
    ]);
    const address = await adapter.accounts.openOutside();
    isDying = true;
    const toDeploy = await requestContract(adapter);
    await requestFunding(adapter, toFund);
    await requestSettlement(adapter, toRelease, { decision: 'RELEASE' });
    await requestSettlement(adapter, toRefund, { decision: 'REFUND' });
    await requestMilestone(adapter, ofMilestones, { ref: 'part-0', decision: 'RELEASE' });
    await requestMilestone(adapter, ofMilestones, { ref: 'part-1', decision: 'REFUND' });
    const { withdrawalId } = await requestPayout(adapter, { address });
    await eventually(() => expect(hung).toBe(7));

    const taken = new AbortController();
    const expiring = keepExpiring(taken.signal);
    await adapter.another(survivor);

    const reply = async (id: string, ...types: readonly string[]) => (await adapter.waitForReply(id, ...types)).type;
    expect(await reply(toDeploy.orderId, 'escrow.created', 'escrow.creation_failed')).toBe('escrow.created');
    expect(await contractsOf(adapter, toDeploy.orderId)).toHaveLength(1);
    expect(await reply(toFund.orderId, 'escrow.funded', 'escrow.funding_failed')).toBe('escrow.funded');
    expect(await contractsOf(adapter, toFund.orderId)).toMatchObject([{ balance: 100 }]);
    expect(await reply(toRelease.orderId, ...settlementReplies)).toBe('escrow.released');
    expect(await contractsOf(adapter, toRelease.orderId)).toMatchObject([{ balance: 0 }]);
    expect(await reply(toRefund.orderId, ...settlementReplies)).toBe('escrow.refunded');
    expect(await contractsOf(adapter, toRefund.orderId)).toMatchObject([{ balance: 0 }]);
    const aboutMilestones = () =>
      adapter.published.filter(({ type, aggregateId }) => type.startsWith('milestone.') && aggregateId === ofMilestones.orderId);
    await eventually(() => expect(aboutMilestones()).toHaveLength(2));
    expect(await reply(ofMilestones.orderId, 'escrow.released', 'escrow.refunded')).toBe('escrow.released');
    expect(await contractsOf(adapter, ofMilestones.orderId)).toMatchObject([{ balance: 0 }]);
    expect(await reply(withdrawalId, ...payoutReplies)).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
    const states = await adapter.database.asAdmin('select distinct state from escrow_adapter.ledger_transactions');
    expect(states).toEqual([{ state: 'LANDED' }]);
    taken.abort();
    await expiring;
  });
});

describe('a process that keeps running', () => {
  let adapter: RunningAdapter;
  let failuresLeft = 0;
  beforeAll(async () => {
    const wrapProvider = (provider: EscrowProvider): EscrowProvider => ({
      ...provider,
      buildStep: (contract, step, options) => {
        if (step.does !== 'release' || step.index !== 1 || failuresLeft === 0) return provider.buildStep(contract, step, options);
        failuresLeft -= 1;
        return Promise.reject(new Error('not today'));
      },
    });
    adapter = await startAdapter({ ...survivor, wrapProvider });
  });
  afterAll(() => adapter.stop());

  const leases = (): Promise<readonly { readonly name: string }[]> =>
    adapter.database.asAdmin('select name from escrow_adapter.leases where until > now()');

  it('waits until the leases of a dead one on source accounts have expired', async () => {
    const order = await aFundedContract(adapter);
    await eventually(async () => expect(await leases()).toEqual([]));
    await adapter.database.asAdmin(
      `update escrow_adapter.leases set token = 'of a dead process', until = now() + interval '300 milliseconds'`,
    );
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
  });

  it('executes an intent once that a dead one has stored but never started', async () => {
    const order = await aFundedContract(adapter);
    const migrations = migrationFoldersOf(escrowAdapter);
    const dead = await adapter.database.open({ service: 'escrow-adapter', migrations });
    const unpublished = {
      ...adapter,
      publish: (...args: Parameters<typeof adapter.make>) => Promise.resolve(adapter.make(...args)),
    };
    const message = await requestSettlement(unpublished, order, { decision: 'RELEASE' });
    const intents = intentStore({ database: dead, owner: 'a dead process', leaseMs: 300 });
    const storeOnce = createStoreIntentOnce({
      ...{ database: dead, intents, priorities: intentKinds },
      worker: { wake: () => undefined, reserve: () => undefined },
      outbox: { republish: () => Promise.reject(new Error('it was not stored before')) },
    });
    await storeOnce(message, 'settle', [knownSubject(order.escrowId)]);
    await intents.claim([message.id]);
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

  it('retries a settlement past its point of no return until it completes', async () => {
    const order = await aFundedContract(adapter, { parts: ['60.00', '40.00'] });
    failuresLeft = 7;
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
    expect(failuresLeft).toBe(0);
  });
});
