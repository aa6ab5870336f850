import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { requestContract, type TestOrder } from './orders.js';
import { providerOutage } from './provider-outage.js';
import { startAdapter, type RunningAdapter } from './running-adapter.js';

/** The caller of internal routes. */
export const system = { type: 'system', id: 'sagas' } as const;

export const runOf = ({ sagaRunId }: Envelope): string => sagaRunId ?? '';

export type Resolving = Awaited<ReturnType<typeof startResolving>>;

/** An adapter whose runs can be resolved at once, by two persons above 500.00, and a provider with outages. */
export async function startResolving() {
  const outage = providerOutage();
  const adapter = await startAdapter({
    wrapProvider: outage.wrapProvider,
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
    /** A deployment that has landed, and whose contract the provider has lost. */
    aLostContract: async (given: Parameters<typeof requestContract>[1] = {}): Promise<TestOrder> => {
      outage.now.losesContracts = true;
      const order = await requestContract(adapter, given);
      await adapter.waitForReply(order.orderId, 'escrow.creation_unconfirmed');
      await eventually(async () => expect(await landedHash(order)).not.toBe(''), { timeoutMs: 25_000 });
      return order;
    },
  };
}

/** The hash of the order's first landed transaction of a step. */
function landedHashIn({ database }: RunningAdapter): (order: TestOrder, step?: string) => Promise<string> {
  return async ({ escrowId }, step = 'deploy') => {
    const [row] = await database.asAdmin<{ readonly hash: string }>(
      `select hash from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
       where subject = $1 and step = $2 and state = 'LANDED' limit 1`,
      [escrowId, step],
    );
    return row?.hash ?? '';
  };
}
