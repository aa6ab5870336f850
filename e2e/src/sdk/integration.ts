// What a marketplace does with the SDK. The test copies this file into an empty project, and runs it there through a proxy that cuts connections.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Holdfast, isHoldfastError, verify, type HoldfastEvent, type Order } from '@holdfast/sdk';

const [baseUrl = '', apiKey = '', sandboxUrl = ''] = process.argv.slice(2);
const holdfast = new Holdfast({ apiKey, baseUrl });

const receiver = await startReceiver();
const stream = readStream();
const buyer = await aUser('buyer');
const seller = await aUser('seller');
const released = await playOrder();
const resolved = await playDispute();
const withdrawn = await playWithdrawal();
const events = await stream;
const received = await receiver.received();
const refusal = await holdfast.orders.get('ord_none').catch((error: unknown) => error);
const listed: string[] = [];
for await (const { id } of holdfast.orders.list({ limit: 1, buyerId: buyer })) listed.push(id);
const { available } = await holdfast.balances.get(buyer);
const summary = {
  released: [released.status, released.closeReason, released.operation],
  resolved: [resolved.status, resolved.resolutionDecision, resolved.releaseAmount, resolved.refundAmount],
  withdrawn: withdrawn.status,
  available,
  orders: listed.length,
  isRefused: isHoldfastError(refusal, 'ORDER_NOT_FOUND') && refusal.status === 404 && refusal.requestId !== '',
  events,
  received,
};
process.stdout.write(JSON.stringify(summary));

async function aUser(name: string): Promise<string> {
  const { id } = await holdfast.users.create({ externalUserId: `${name}-${crypto.randomUUID()}` });
  await holdfast.users.linkPaymentAccount(id, { email: `${id.toLowerCase()}@example.com` });
  return id;
}

async function anOrderInProgress(amount: string): Promise<Order> {
  const milestones = [{ ref: 'all', title: 'All of it', amount }];
  const { id } = await holdfast.orders.create({ buyerId: buyer, sellerId: seller, amount, title: 'Logo', milestones });
  await holdfast.orders.reserve(id);
  await holdfast.orders.createEscrow(id);
  return holdfast.orders.fundEscrow(id);
}

async function playOrder(): Promise<Order> {
  const topup = await holdfast.topups.create({ userId: buyer, amount: '300.00' });
  await atSandbox(`/payins/${topup.providerPayinId ?? ''}/confirm`);
  await until(async () => (await holdfast.topups.refresh(topup.id)).status === 'TOPUP_SUCCEEDED');
  const { id } = await anOrderInProgress('100.00');
  const { milestone } = await holdfast.orders.completeMilestone(id, 'all');
  if (milestone.status !== 'COMPLETED') throw new Error(milestone.status);
  return holdfast.orders.release(id, { reason: 'Work accepted' });
}

async function playDispute() {
  const order = await anOrderInProgress('100.00');
  const dispute = await holdfast.disputes.open(order.id, { openedBy: 'BUYER', reason: 'NOT_DELIVERED' });
  if (dispute.order.status !== 'DISPUTED') throw new Error(dispute.order.status);
  await holdfast.disputes.assign(dispute.id, { assignedTo: 'agent-1' });
  return holdfast.disputes.resolve(dispute.id, { decision: 'SPLIT', releaseAmount: '60', refundAmount: '40' });
}

async function playWithdrawal() {
  const destination = { type: 'bank', accountRef: 'account-7' } as const;
  const { id } = await holdfast.withdrawals.create({ userId: buyer, amount: '50.00', currency: 'USD', destination });
  const { providerPayoutId } = await holdfast.withdrawals.commit(id);
  await atSandbox(`/payouts/${providerPayoutId ?? ''}/complete`);
  await until(async () => (await holdfast.withdrawals.refresh(id)).status === 'WITHDRAWAL_COMPLETED');
  return holdfast.withdrawals.get(id);
}

/** The events up to the end of the withdrawal, and how often the stream was opened again. */
async function readStream() {
  const types: string[] = [];
  let disconnects = 0;
  const followed = holdfast.events.stream({ since: receiver.since, onDisconnect: () => void (disconnects += 1) });
  for await (const event of followed) {
    types.push(event.eventType);
    if (event.eventType === 'withdrawal.completed') break;
  }
  const lag = followed.lagMs ?? -1;
  return { types, disconnects, isLagKnown: lag >= 0, isResumable: followed.lastEventId !== undefined };
}

async function startReceiver() {
  const byType = new Map<string, HoldfastEvent>();
  let secret = '';
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => verify(body, request.headers, secret))
      .then((event) => {
        byType.set(event.eventType, event);
        response.writeHead(204).end();
      })
      .catch((error: unknown) => response.writeHead(isHoldfastError(error) ? 400 : 500).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = await holdfast.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/` });
  ({ secret } = endpoint);
  const refused = await fetch(endpoint.url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'evt_1' } });
  const received = async () => {
    await until(() => Promise.resolve(byType.has('withdrawal.completed')));
    await holdfast.webhookEndpoints.delete(endpoint.id);
    server.closeAllConnections();
    server.close();
    return { types: [...byType.keys()], unsigned: refused.status };
  };
  return { received, since: endpoint.createdAt };
}

async function atSandbox(path: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandboxUrl}/_sandbox${path}`, { method: 'POST', body: '{}', headers });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('it did not become true');
}
