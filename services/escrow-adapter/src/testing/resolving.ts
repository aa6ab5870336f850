import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { Step } from '../domain/steps.js';
import { requestContract, type TestOrder } from './orders.js';
import { buyerOf, doOutside } from './outside-steps.js';
import { providerOutage } from './provider-outage.js';
import { startAdapter, type RunningAdapter } from './running-adapter.js';
import { contractsOf } from './sandbox-state.js';

/** The caller of internal routes. */
export const system = { type: 'system', id: 'sagas' } as const;

export const runOf = ({ sagaRunId }: Envelope): string => sagaRunId ?? '';

export type Resolving = Awaited<ReturnType<typeof startResolving>>;

/** An adapter whose runs can be resolved at once, by two persons above 500.00, and outages of provider and network. */
export async function startResolving() {
  const outage = providerOutage();
  const adapter = await startAdapter({
    wrapProvider: outage.wrapProvider,
    wrapRpc: outage.wrapRpc,
    approvalAmount: '500.00',
    resolvableAfterMs: -1,
  });
  const inRun = (command: Envelope) => adapter.published.filter(({ sagaRunId }) => sagaRunId === runOf(command));
  const landedHash = landedHashIn(adapter);
  return {
    adapter,
    outage,
    landedHash,
    inRun,
    resolve: (command: Envelope, body: object) =>
      adapter.post(`/internal/saga-runs/${runOf(command)}/resolve`, { by: 'Ada', evidence: 'ticket 7', ...body }, system),
    repliesIn: (command: Envelope) =>
      inRun(command).filter(({ type }) => type.startsWith('escrow.') && !/unconfirmed|contradicted/.test(type)),
    auditsOf: ({ orderId }: TestOrder) =>
      adapter.published
        .filter(({ type }) => type === 'audit.recorded')
        .map(({ payload }) => payload as Readonly<Record<string, unknown>>)
        .filter(({ resourceId }) => resourceId === orderId),
    /** Begins something whose worker is then held before this step. */
    waitUntilHeld: async (step: (step: Step) => boolean, begin: () => Promise<Envelope>): Promise<Envelope> => {
      const before = outage.heldCount();
      outage.now.held = step;
      const command = await begin();
      await eventually(() => expect(outage.heldCount()).toBeGreaterThan(before));
      return command;
    },
    /** The buyer pays into the contract, by default 100.00. */
    fundOutside: async (order: TestOrder, units = 1_000_000_000n): Promise<string> => {
      outage.now.held = undefined;
      const buyer = (await adapter.first.adapter.deps.contracts.find(order.escrowId))?.addresses?.buyer ?? '';
      await adapter.accounts.give(buyer, 'USDC', order.amount);
      return doOutside(adapter, order, { does: 'fund', units }, buyerOf(order));
    },
    /** A deployment that has landed, but has moved something else than it must. */
    aMismatchedContract: async (given: Parameters<typeof requestContract>[1] = {}) => {
      outage.now.movesMore = true;
      const order = await requestContract(adapter, given);
      await eventually(async () => expect(await landedHash(order)).not.toBe(''));
      const [contract] = await contractsOf(adapter, order.orderId);
      return { ...order, contractId: contract?.contractId ?? '' };
    },
  };
}

/** The hash of the order's first landed transaction of a step. */
function landedHashIn({ database }: RunningAdapter): (order: TestOrder, step?: string) => Promise<string> {
  return async ({ escrowId }, step = 'deploy') => {
    const [row] = await database.asAdmin<{ readonly hash: string }>(
      `select hash from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
       where subject = $1 and step = $2 and state in ('LANDED', 'MISMATCHED') limit 1`,
      [escrowId, step],
    );
    return row?.hash ?? '';
  };
}
