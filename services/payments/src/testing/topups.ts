import type { TopupRecord } from '@holdfast/contracts/http';
import type { RunningPayments } from './running-payments.js';

/** A top-up that waits for its user. */
export async function aTopup(payments: RunningPayments, given: Readonly<Record<string, unknown>> = {}): Promise<TopupRecord> {
  const userId = given['userId'] ?? (await payments.aLinkedUser());
  const { status, data, body } = await payments.post('/topups', { amount: '50.00', ...given, userId });
  expect([status, body.error]).toEqual([201, undefined]);
  return data as TopupRecord;
}

export async function statusOf(payments: RunningPayments, id: string): Promise<string> {
  return (await payments.get(`/topups/${id}`)).data.status as string;
}

type Payin = { readonly id: string; readonly code: string; readonly status: string; readonly amount: number };

/** The pay-ins of a top-up at the provider. */
export async function payinsOf({ sandbox }: RunningPayments, id: string): Promise<readonly Payin[]> {
  const state = (await (await fetch(`${sandbox.controlUrl}/state`)).json()) as { readonly payins: readonly Payin[] };
  return state.payins.filter(({ code }) => code === id);
}

/** What the user, or the payer's bank, does at the provider. */
export async function atProvider(
  payments: RunningPayments,
  { providerPayinId }: Pick<TopupRecord, 'providerPayinId'>,
  move: 'confirm' | 'fail' | 'cancel',
): Promise<void> {
  expect((await payments.control(`/payins/${providerPayinId ?? ''}/${move}`, { reason: 'The card was declined.' })).status).toBe(
    200,
  );
}

export type PayinFault = { readonly operation: 'create-payin' | 'read'; readonly kind: string; readonly times?: number };

export async function setFault(payments: RunningPayments, fault: PayinFault): Promise<void> {
  expect((await payments.control('/faults', { target: 'payment-provider', ...fault })).status).toBe(201);
}

export async function clearFaults({ sandbox }: RunningPayments): Promise<void> {
  await fetch(`${sandbox.controlUrl}/faults`, { method: 'DELETE' });
}

/** The poller asks for the top-up at its next run. */
export async function makeDue({ database }: RunningPayments, id: string): Promise<void> {
  await database.asAdmin('update payments.topups set next_poll_at = now() where id = $1', [id]);
}

export async function makeExpired({ database }: RunningPayments, id: string): Promise<void> {
  await database.asAdmin(`update payments.topups set expires_at = now() - interval '1 second' where id = $1`, [id]);
}

export function typesOf({ eventsOf }: RunningPayments, id: string): readonly string[] {
  return eventsOf(id).map(({ type }) => type);
}
