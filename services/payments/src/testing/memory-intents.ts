import type { Handler, Intent, IntentLease } from '@holdfast/intents';
import type { Clock } from '@holdfast/kernel/context';
import type { MessageId } from '@holdfast/kernel/ids';
import type { MemoryTables, MemoryTx } from '@holdfast/testing/memory';
import type { Deps, UnitOfWork } from '../use-cases/ports.js';
import type { IntentRow, PaymentTables } from './memory-rows.js';

export function intentsIn({ tables: { intents } }: MemoryTx<PaymentTables>, clock: Clock): UnitOfWork['intents'] {
  const openOf = (subject: string): IntentRow | undefined =>
    [...intents.values()].find((intent) => intent.subject === subject && !intent.isClosed);
  return {
    insert: (intent) => {
      if (intents.has(intent.id)) return;
      if (openOf(intent.subject) !== undefined)
        throw Object.assign(new Error(`There is an open intent of ${intent.subject}.`), { code: '23505' });
      const unclaimed = { workerState: {}, attempts: 0, leaseToken: 0, isClosed: false };
      intents.set(intent.id, { ...intent, ...unclaimed, createdAt: clock.now() });
    },
    close: async (lease) => void intents.set(lease.id, { ...requireLeased(intents, lease), isClosed: true }),
    findOpen: async (subject) => openOf(subject)?.id,
    // The worker runs an intent when a request waits for it.
    wake: () => undefined,
    requestOfOpen: async ({ subject, marketplaceId }, workerState) => {
      const open = openOf(subject);
      if (open?.marketplaceId !== marketplaceId) return;
      intents.set(open.id, { ...open, workerState: { ...open.workerState, ...workerState } });
    },
  };
}

function requireLeased(intents: PaymentTables['intents'], { id, leaseToken }: IntentLease): IntentRow {
  const intent = intents.get(id);
  if (intent === undefined || intent.isClosed || intent.leaseToken !== leaseToken)
    throw Object.assign(new Error(`the lease of intent ${id} was lost`), { name: 'LeaseLost' });
  return intent;
}

export type MemoryIntents = Deps['intents'] & {
  /** Begins a lease, which ends the one before. Undefined if the intent is closed. */
  readonly claim: (id: MessageId) => Promise<Intent | undefined>;
  /** What the runs of intents have thrown. */
  readonly failures: readonly unknown[];
};

/** `waitUntilClosed` runs the intent itself, once, in place of a worker. */
export function memoryIntents(
  { committed, inTransaction }: MemoryTables<PaymentTables>,
  handlers: Readonly<Record<string, Handler>>,
): MemoryIntents {
  const running = new Map<string, Promise<unknown>>();
  const failures: unknown[] = [];
  const claim: MemoryIntents['claim'] = (id) =>
    inTransaction(({ tables: { intents } }) => {
      const intent = intents.get(id);
      if (intent === undefined || intent.isClosed) return undefined;
      const { isClosed: _isClosed, ...claimed } = { ...intent, leaseToken: intent.leaseToken + 1 };
      intents.set(id, { ...claimed, isClosed: false });
      return { ...claimed, isFresh: claimed.leaseToken === 1 };
    });
  const run = async (id: MessageId): Promise<void> => {
    const intent = await claim(id);
    if (intent === undefined) return;
    await handlers[intent.kind]?.(intent, new AbortController().signal).catch((error: unknown) => failures.push(error));
  };
  return {
    failures,
    claim,
    findOpen: async (subject) =>
      [...committed().intents.values()].find((intent) => intent.subject === subject && !intent.isClosed)?.id,
    requireLease: async (lease) => void requireLeased(committed().intents, lease),
    waitUntilClosed: async (intentId) => {
      const id = intentId as MessageId;
      const ended = running.get(id) ?? run(id).finally(() => running.delete(id));
      running.set(id, ended);
      await ended;
      return committed().intents.get(id)?.isClosed ?? false;
    },
  };
}
