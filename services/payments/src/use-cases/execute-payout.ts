import type { IntentLease } from '@holdfast/intents';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { Deps } from './ports.js';
import { ProviderRefused, type NewPayout, type ProviderCall } from './provider-ports.js';

/** What the payment provider has said: the status of the payout, or that it refuses to create it. */
export type PayoutResult = PayoutUpdate | { readonly refusal: ProviderRefused };

export type PayoutExecution = {
  readonly payout: NewPayout;
  /** Required right before each call that has an effect, so that a process without it stops. */
  readonly lease: IntentLease;
  /** Any other attempt looks the payout up before, because the outcome of an earlier call may be unknown. */
  readonly isFirstAttempt: boolean;
  /** Rejects while the payout must not be sent. Called right before it is created and before it is committed. */
  readonly assertAllowed?: () => Promise<void>;
  /** Called before the payout is committed. */
  readonly onCreated?: (created: PayoutUpdate) => Promise<unknown>;
  readonly call: ProviderCall;
};

type ExecutionDeps = Pick<Deps, 'provider' | 'emergencyStop' | 'payoutCap' | 'intents'>;

/**
 * The one way in which money leaves through the payment provider: creates the payout, compares it with what was requested, and
 * commits it. Nothing moves before the commit. Rejects while an outcome is unknown; the caller retries.
 */
export async function executePayout(deps: ExecutionDeps, execution: PayoutExecution): Promise<PayoutResult> {
  const created = await findOrCreate(deps, execution);
  if ('refusal' in created || created.outcome !== 'created') return created;
  await execution.onCreated?.(created);
  if (created.amount !== undefined && created.amount.units !== execution.payout.amount.units)
    return cancel(deps, execution, created, new ProviderRefused(null, 'The payment provider has changed the amount.'));
  return commit(deps, execution, created);
}

async function findOrCreate(deps: ExecutionDeps, execution: PayoutExecution): Promise<PayoutResult> {
  const { payout, lease, isFirstAttempt, call } = execution;
  const { provider, emergencyStop, intents } = deps;
  const earlier = isFirstAttempt ? undefined : await provider.findPayoutByCode(payout.code, call);
  if (earlier !== undefined) return earlier;
  await execution.assertAllowed?.();
  await emergencyStop.assertNotStopped();
  await intents.requireLease(lease);
  try {
    return await provider.createPayout(payout, call);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // A refusal may also mean that a payout with this code exists, from an attempt whose response was lost.
    return (await provider.findPayoutByCode(payout.code, call)) ?? { refusal: error };
  }
}

/** After a refused commit the status shows whether an earlier commit has succeeded. */
async function commit(deps: ExecutionDeps, execution: PayoutExecution, created: PayoutUpdate): Promise<PayoutUpdate> {
  const { code, amount } = execution.payout;
  await execution.assertAllowed?.();
  await deps.payoutCap.begin(code, amount.units);
  await deps.emergencyStop.assertNotStopped();
  await deps.intents.requireLease(execution.lease);
  try {
    await deps.provider.commitPayout(created.providerId, execution.call);
    return { ...created, outcome: 'pending' };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const current = await requirePayout(deps, execution, created);
    return current.outcome === 'created' ? cancel(deps, execution, created, error) : current;
  }
}

/** A payout that must not be sent is canceled at the provider first, so it cannot be committed after its amount was released. */
async function cancel(
  deps: ExecutionDeps,
  execution: PayoutExecution,
  created: PayoutUpdate,
  refusal: ProviderRefused,
): Promise<PayoutUpdate> {
  await deps.intents.requireLease(execution.lease);
  await deps.provider.cancelPayout(created.providerId, execution.call);
  const current = await requirePayout(deps, execution, created);
  if (current.outcome === 'created') throw new Error(`The payout ${created.providerId} is not canceled yet.`);
  return current.outcome === 'canceled' ? { ...current, reason: { code: refusal.code, text: refusal.message } } : current;
}

async function requirePayout(
  { provider }: ExecutionDeps,
  { call }: PayoutExecution,
  { providerId }: PayoutUpdate,
): Promise<PayoutUpdate> {
  const payout = await provider.findPayout(providerId, call);
  if (payout === undefined) throw new Error(`The payment provider does not find the payout ${providerId}.`);
  return payout;
}
