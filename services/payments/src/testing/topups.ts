import { apiPrefix, type TopupRecord } from '@holdfast/contracts/http';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { RunningPayments } from './running-payments.js';
import { signedWebhook } from './signed-webhook.js';

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

/** The poller reads the top-up at its next run. */
export async function makeDue({ database }: RunningPayments, id: string): Promise<void> {
  await database.asAdmin('update payments.topups set next_poll_at = now() where id = $1', [id]);
}

export async function makeExpired({ database }: RunningPayments, id: string): Promise<void> {
  await database.asAdmin(`update payments.topups set expires_at = now() - interval '1 second' where id = $1`, [id]);
}

/** Each event once: a busy broker may deliver a message twice. */
export function typesOf({ eventsOf }: RunningPayments, id: string): readonly string[] {
  return [...new Map(eventsOf(id).map((event) => [event.id, event.type])).values()];
}

type Raw = { readonly status: number; readonly text: string; readonly headers: Headers };

type PublicRequest = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request without a credential, as the gateway passes it on from browsers and providers. */
async function sendPublic({ url, database, clock }: RunningPayments, path: string, init: PublicRequest = {}): Promise<Raw> {
  const caller = { type: 'anonymous', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const signed = callerSigner({ secret: database.internalSecret, clock }).sign({ caller }, 'payments');
  const headers = { ...init.headers, [callerHeader]: signed };
  const response = await fetch(`${url}${apiPrefix}${path}`, { ...init, headers, redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The provider redirects the user's browser to the callback. */
export function returnBrowser(payments: RunningPayments, id: string, query = '?status=confirmed'): Promise<Raw> {
  return sendPublic(payments, `/topups/${id}/callback${query}`);
}

/** The provider reports a pay-in. */
export async function sendEvent(
  payments: RunningPayments,
  type: string,
  data: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { bytes, headers } = signedWebhook({ type, data });
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: bytes.toString() };
  const { status, text } = await sendPublic(payments, '/webhooks/payment-provider', init);
  expect(status).toBe(200);
  return JSON.parse(text);
}
