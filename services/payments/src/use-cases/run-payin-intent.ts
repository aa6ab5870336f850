import type { Intent, RunResult } from '@holdfast/intents';
import type { Context } from '@holdfast/kernel/context';
import { isId, type TopupId } from '@holdfast/kernel/ids';
import { type Actor, applyChange } from '@holdfast/sagas';
import type { Topup } from '../domain/topup.js';
import { topupKind } from './aggregate-kinds.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import { unchanged, type TopupChange } from './topup-changes.js';

/** Kinds of intents that act on a top-up. A top-up has at most one open intent. */
export type PayinIntentKind = 'create-payin' | 'cancel-payin';

/** Money comes in before it goes out. */
const priority = 1;

export function insertPayinIntent(
  tx: UnitOfWork,
  kind: PayinIntentKind,
  topup: Topup,
  ctx: Pick<Context, 'requestId' | 'at'>,
): void {
  const { id, marketplaceId, lastEventId } = topup;
  tx.intents.insert({
    id: tx.newId('evt'),
    kind,
    subject: id,
    priority,
    marketplaceId,
    correlationId: ctx.requestId,
    ...(lastEventId === null ? {} : { afterEventId: lastEventId }),
    requestedAt: ctx.at,
    payload: {},
  });
}

export type IntentContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/** What the provider's response means: written in the commit that closes the intent. */
export type WriteOutcome = (tx: UnitOfWork, ctx: IntentContext) => Promise<unknown>;

/**
 * Calls the provider outside of a transaction, then closes the intent and writes the outcome in one commit. If the process dies in
 * between, another run looks up what has happened. A request to cancel that came meanwhile is followed by its own intent.
 */
export async function runPayinIntent(
  deps: Deps,
  intent: Intent,
  callProvider: (topup: Topup) => Promise<WriteOutcome>,
): Promise<RunResult> {
  const id = topupIdOf(intent);
  const topup = await deps.topups.findByCodeOrPayin(id, null);
  if (topup === undefined) throw new Error(`There is no top-up ${id}.`);
  const write = await callProvider(topup);
  const ctx = { requestId: intent.correlationId, at: deps.clock.now(), log: deps.log };
  await deps.inTransaction(async (tx) => {
    await tx.intents.close(intent, ctx.at);
    await write(tx, ctx);
    const after = await tx.topups.lock(id);
    if (after?.status === 'TOPUP_AWAITING_USER_CONFIRMATION' && after.cancelRequest !== null)
      insertPayinIntent(tx, 'cancel-payin', after, ctx);
  });
  return 'closed';
}

function topupIdOf({ subject }: Intent): TopupId {
  if (!isId(subject, 'topup')) throw new Error(`The intent acts on ${subject}, which is not a top-up.`);
  return subject;
}

export const writeNothing: WriteOutcome = () => Promise.resolve();

/** Changes the top-up if its status is still the one that the provider was called in; otherwise another source was faster. */
export function writeChange({ id, status }: Topup, change: (topup: TopupChange) => TopupChange, actor?: Actor): WriteOutcome {
  return async (tx, ctx) => {
    const before = await tx.topups.lock(id);
    if (before?.status !== status) return;
    const origin = originOfProvider(ctx.at, ctx.requestId);
    applyChange(tx, topupKind, before, {
      change: change(unchanged(before)),
      origin: { ...origin, actor: actor ?? origin.actor },
    });
  };
}
