import { startGateway } from '@holdfast/gateway';
import { findUser } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import { handle } from '@holdfast/http/server';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type NewId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { orders } from '@holdfast/orders';
import { startService } from '@holdfast/service-kit';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase } from '@holdfast/testing/postgres';
import { openObservedBroker, startStubService } from '@holdfast/testing/services';
import { gatewayDefaults } from '../testing/gateway-defaults.js';

export type GatewayAndOrders = {
  /** Sends a request to the gateway. The response must be a success. */
  readonly post: (path: string, body?: object) => Promise<{ readonly id: string }>;
  /** Creates an order whose escrow can be funded. */
  readonly anOrderToFund: () => Promise<string>;
  /** Resolves when all published messages have been handled. */
  readonly idle: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** No poll of the broker runs during a request. */
const pollSeldomMs = 600_000;
const masterKey = 'master-key-of-the-tests';
/** The same limits as with `npm start`. */
const rateLimit = { rateLimitMax: 1_000, rateLimitWindowSeconds: 60, rateLimitStore: 'memory' } as const;

/** The gateway and orders in this process, and no other service. `onFundRequested` is called when orders publishes that command. */
export async function startGatewayAndOrders(onFundRequested: () => void): Promise<GatewayAndOrders> {
  const [clock, lifecycle, database] = [systemClock(), createLifecycle({ log: silentLog }), await testDatabase()];
  const newId = idFactory(clock.epochMs);
  const { adminUrl, internalSecret } = database;
  const repliesTo = createReplies(clock, newId);
  const reply = (command: message.Envelope): void => {
    broker.publish(repliesTo(command)).catch(() => undefined); // after the end of the test the broker is closed
  };
  const { broker, idle } = await openObservedBroker(database, [orders.name], reply, { pollEveryMs: pollSeldomMs });
  lifecycle.onStop('broker', broker.close);
  const observed: typeof broker = {
    ...broker,
    publish: (envelopes, publishing) => {
      if (envelopes.some(({ type }) => type === message.orderFundRequested.type)) onFundRequested();
      return broker.publish(envelopes, publishing);
    },
  };
  const given = { adminUrl, internalSecret, clock, newId, lifecycle, log: silentLog, host: '127.0.0.1', port: 0 };
  const identity = await startStubService({ service: 'identity', secret: internalSecret, clock, routes: [findAnyUser] });
  lifecycle.onStop('identity', identity.stop);
  const env = { IDENTITY_URL: identity.url, LEDGER_BALANCE_URL: 'http://127.0.0.1:9' };
  const { url } = await startService(orders, { ...given, broker: observed, env });
  const gateway = await startGateway({
    ...given,
    ...gatewayDefaults(),
    ...rateLimit,
    broker,
    masterKey,
    serviceUrls: { orders: url },
  });
  lifecycle.onStop('gateway', gateway.stop);
  const post = postTo(gateway.url);
  return {
    post,
    idle,
    anOrderToFund: async () => {
      const { id } = await post('/orders', { buyerId: newId('usr'), sellerId: newId('usr'), amount: '100.00' });
      await post(`/orders/${id}/reserve`);
      await post(`/orders/${id}/escrow`);
      return id;
    },
    stop: async () => {
      await lifecycle.stop('the test is over');
      await database.drop();
    },
  };
}

const findAnyUser = handle(findUser, ({ params: { id } }) =>
  Promise.resolve({ id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1 } as const),
);

function postTo(url: string): GatewayAndOrders['post'] {
  return async (path, body = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    const { data } = JSON.parse(text) as { data: { data: { id: string } } };
    return data.data;
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Reply = readonly [declaration: message.MessageDeclaration, payload: Fields];

const balances = { availableBalance: '400.00', reservedBalance: '100.00' };

/** What ledger-balance and escrow-adapter reply on the way to a funded escrow, by the type of the command. */
const replies: Readonly<Record<string, (command: Fields, escrowId: unknown, now: string) => Reply>> = {
  [message.orderReserveRequested.type]: (command) => [message.balanceReservationMade, { ...command, ...balances }],
  [message.escrowDeployRequested.type]: ({ escrowId, orderId, amount, currency }) => [
    message.escrowCreated,
    { escrowId, orderId, amount, currency, providerContractId: 'C1' },
  ],
  [message.orderFundRequested.type]: ({ orderId, amount }, escrowId, fundedAt) => [
    message.escrowFunded,
    { orderId, escrowId, amount, fundedAt, providerContractId: 'C1' },
  ],
};

/** The orders of the test are funded one after the other, so that the last escrow that was deployed is the one to fund. */
function createReplies(clock: Clock, newId: NewId): (command: message.Envelope) => readonly message.Envelope[] {
  let escrowId: unknown;
  return (command) => {
    const fields = command.payload as Fields;
    const reply = replies[command.type]?.(fields, escrowId, clock.now());
    if (command.type === message.escrowDeployRequested.type) ({ escrowId } = fields);
    if (reply === undefined) return [];
    const [{ type, version, aggregateType }, payload] = reply;
    const head = { id: newId('evt'), type, version, aggregateType, occurredAt: clock.now(), causationId: command.id };
    return [{ ...command, ...head, payload }];
  };
}
