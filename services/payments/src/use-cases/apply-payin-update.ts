import type { Context, Instant } from '@holdfast/kernel/context';
import type { TopupId } from '@holdfast/kernel/ids';
import { applyChange } from '@holdfast/sagas';
import { decidePayin, type PayinCase, type PayinDecision } from '../domain/payin-decision.js';
import type { PayinUpdate } from '../domain/provider-updates.js';
import { cancellationOf, isFinal, type Topup } from '../domain/topup.js';
import { topupKind } from './aggregate-kinds.js';
import { openUndocumented } from './open-undocumented.js';
import { openCase } from './open-case.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import { awaitConfirmation, cancel, credit, fail, process, unchanged, unconfirmed, type TopupChange } from './topup-changes.js';

/** `applied`: something changed. `unchanged`: nothing new. `unknown`: no top-up has this code or pay-in. */
export type UpdateResult = 'applied' | 'unchanged' | 'unknown';

type UpdateContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/**
 * Applies what was learned about a pay-in, from whichever source. Learning it again changes nothing. Invalid transitions are logged.
 */
export async function applyPayinUpdate(deps: Deps, update: PayinUpdate, ctx: UpdateContext): Promise<UpdateResult> {
  const found = await deps.topups.findByCodeOrPayin(update.code, update.providerId);
  if (found === undefined) return 'unknown';
  return deps.inTransaction((tx) => applyPayin(tx, found.id, update, ctx));
}

/** Applies the update in a transaction of the caller: state, events, saga run, audit entries and case are one commit. */
export async function applyPayin(
  tx: UnitOfWork,
  id: TopupId,
  update: PayinUpdate,
  ctx: UpdateContext,
): Promise<'applied' | 'unchanged'> {
  const before = await tx.topups.lock(id);
  if (before === undefined) throw new Error(`There is no top-up ${id}.`);
  const decision = decidePayin(before, update);
  const isOdd = !isFinal(before) && (await openUndocumented(tx, { payment: before, update }, ctx));
  if (!isOdd && isNothingNew(before, update, decision, ctx)) return 'unchanged';
  if (decision.does === 'case') {
    await openCaseOf(tx, before, decision, ctx);
    if (decision.isOtherPayin) return 'applied';
  }
  const change = withoutPolls(update, changeOf(before, update, decision, ctx));
  const actor = decision.does === 'cancel' ? cancellationOf(before, ctx.at)?.actor : undefined;
  const origin = originOfProvider(ctx.at, ctx.requestId);
  const after = applyChange(tx, topupKind, before, { change, origin: { ...origin, actor: actor ?? origin.actor } });
  ctx.log.info({ topupId: id, from: before.status, to: after.status, outcome: update.outcome }, 'top-up updated');
  return 'applied';
}

function isNothingNew({ id, status }: Topup, { outcome }: PayinUpdate, { does }: PayinDecision, { log }: UpdateContext): boolean {
  if (does === 'contradiction') log.warn({ topupId: id, status, outcome }, 'ignored an update that does not fit the top-up');
  return does === 'none' || does === 'contradiction';
}

/** An undocumented status is not polled for. */
function withoutPolls({ undocumentedStatus }: PayinUpdate, change: TopupChange): TopupChange {
  return undocumentedStatus === undefined ? change : { ...change, after: { ...change.after, nextPollAt: null } };
}

function changeOf(topup: Topup, update: PayinUpdate, decision: PayinDecision, { at }: UpdateContext): TopupChange {
  const known = unchanged(withPayin(topup, update));
  switch (decision.does) {
    case 'await':
      return awaitConfirmation(known, at, true);
    case 'process':
      return processed(known, at);
    case 'credit':
      return credited(processed(known, at), update, at);
    case 'fail':
      return fail(known, failureOf(update));
    case 'cancel':
      return cancel(known, cancellationOf(topup, at) ?? { canceledBy: topup.userId, reason: failureOf(update).reason });
    case 'case':
      return heldInCase(topup, known, decision.reason);
    case 'none':
    case 'contradiction':
      return known;
  }
}

function credited(change: TopupChange, { needsConfirmation = false }: PayinUpdate, at: Instant): TopupChange {
  return needsConfirmation ? unconfirmed(credit(change), at) : credit(change);
}

function failureOf({ outcome, reason }: PayinUpdate): { readonly reason: string; readonly errorCode: string | null } {
  const defaultText = outcome === 'canceled' ? 'The payment was canceled at the payment provider.' : 'The payment failed.';
  return { reason: reason?.text ?? defaultText, errorCode: reason?.code ?? null };
}

/** The id and the confirmation page of the pay-in are stored when they are first learned. */
function withPayin(topup: Topup, { providerId, confirmationUri }: PayinUpdate): Topup {
  return {
    ...topup,
    providerPayinId: topup.providerPayinId ?? (providerId === topup.id ? null : providerId),
    confirmationUri: topup.confirmationUri ?? confirmationUri ?? null,
  };
}

/** An update may overtake the response that creates the pay-in; the states in between are passed through in the same commit. */
function processed(change: TopupChange, at: TopupChange['after']['updatedAt']): TopupChange {
  const awaiting = change.after.status === 'TOPUP_CREATED' ? awaitConfirmation(change, at, false) : change;
  const { status, providerPayinId } = awaiting.after;
  if (status === 'TOPUP_PROCESSING') return awaiting;
  // The source of the update tries again; meanwhile the response that creates the pay-in names its id.
  if (providerPayinId === null) throw new Error(`The pay-in of top-up ${change.after.id} is not known yet.`);
  return process(awaiting, providerPayinId);
}

/** The money is in a case. A top-up that is still open fails; one that has ended stays as it is. */
function heldInCase(before: Topup, known: TopupChange, reason: string): TopupChange {
  const held = unchanged({ ...known.after, isInCase: true });
  return isFinal(before) ? held : fail(held, { reason, errorCode: null });
}

function openCaseOf(
  tx: UnitOfWork,
  { id, marketplaceId, userId }: Topup,
  { kind, payinId, amount, reason }: PayinCase,
  ctx: UpdateContext,
): Promise<boolean> {
  const source = { origin: 'payins', source: paymentProviderSource, sourceId: payinId } as const;
  return openCase(tx, { kind, marketplaceId, userId, amount, ...source, reason, relatedId: id }, ctx);
}

/** Where cases about pay-ins were found; their source id is the id of the pay-in. */
export const paymentProviderSource = 'payment_provider';
