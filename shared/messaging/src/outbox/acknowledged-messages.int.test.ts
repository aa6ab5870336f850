import { balanceDepositReceived, emergencyStopChanged, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { NonRetryableError } from '../broker/index.js';
import { openServices, type AcknowledgingService, type Services } from './testing/acknowledging-services.js';

const deposit: Payload<typeof balanceDepositReceived> = { userId: 'usr_1', amount: '5.00', currency: 'USD', operationId: '7' };
const frame = { aggregateId: 'usr_1', aggregateVersion: 1, marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };

describe.each(['in-process', 'rabbitmq'] as const)('a message that its consumers acknowledge, on %s', (driver) => {
  let server: TestDatabase;
  let services: Services;
  let adapter: AcknowledgingService;
  let ledger: AcknowledgingService;
  let identity: AcknowledgingService;
  let payments: AcknowledgingService;

  beforeAll(async () => {
    server = await testDatabase();
    services = await openServices(server, driver);
    adapter = await services.open('escrow-adapter', [emergencyStopChanged]);
    ledger = await services.open('ledger-balance', [balanceDepositReceived]);
    identity = await services.open('identity', []);
    payments = await services.open('payments', [emergencyStopChanged]);
    const orders = await services.open('orders', [emergencyStopChanged]);
    for (const service of [adapter, ledger, identity, orders]) await service.startConsuming();
  }, serverStartTimeoutMs);

  afterEach(() => {
    Object.assign(services.faults, { messagesToLose: 0, acknowledgementsToLose: 0, copies: 1, refusal: undefined });
  });

  afterAll(async () => {
    await services.close();
    await server.drop();
  });

  function publishDeposit(): Promise<Envelope> {
    return adapter.database.inTransaction(async (tx) =>
      adapter.outbox.add(tx, balanceDepositReceived, { ...frame, payload: deposit }),
    );
  }

  async function expectHandledOnce({ id }: Envelope): Promise<void> {
    await eventually(async () => expect(await adapter.awaited()).toEqual([]));
    expect((await ledger.effects()).filter((effect) => effect === id)).toEqual([id]);
  }

  it('is handled, acknowledged and gone', async () => {
    await expectHandledOnce(await publishDeposit());
  });

  it('is sent again when the broker has lost it, and handled once', async () => {
    services.faults.messagesToLose = 1;
    await expectHandledOnce(await publishDeposit());
  });

  it('is sent again when its acknowledgement is lost, and handled once', async () => {
    services.faults.acknowledgementsToLose = 1;
    await expectHandledOnce(await publishDeposit());
    expect(services.faults.acknowledgementsToLose).toBeLessThan(0); // a second one was sent
  });

  it('is handled once when it and its acknowledgement arrive several times and out of order', async () => {
    Object.assign(services.faults, { copies: 3, messagesToLose: 2, acknowledgementsToLose: 1 });
    const messages = await Promise.all(Array.from({ length: 10 }, publishDeposit));
    for (const message of messages) await expectHandledOnce(message);
  });

  it('is unacknowledged until its consumer has handled it', async () => {
    services.faults.refusal = new Error('not yet');
    const { id } = await publishDeposit();
    const unacknowledged = async () =>
      (await adapter.database.pool.query({ text: 'select from outbox where message_id = $1', values: [id] })).rows.length;
    expect(await unacknowledged()).toBe(1);
    services.faults.refusal = undefined;
    await eventually(async () => expect(await unacknowledged()).toBe(0));
    expect(await ledger.effects()).toContain(id);
  });

  it('is parked once while its handler refuses it, and handled by itself when the handler does not any more', async () => {
    services.faults.refusal = new NonRetryableError('cannot be handled');
    const message = await publishDeposit();
    await eventually(async () => {
      const [row] = await attempts(adapter);
      expect(row).toBeGreaterThan(1);
    });
    expect((await ledger.parked.list(10)).map(({ messageId }) => messageId)).toEqual([message.id]);
    services.faults.refusal = undefined;
    await expectHandledOnce(message);
    await eventually(async () => expect(await ledger.parked.list(10)).toEqual([]));
  });

  it('stays open only for the consumer that is away, and survives that its queue is purged meanwhile', async () => {
    const { id } = await identity.database.inTransaction(async (tx) =>
      identity.outbox.add(tx, emergencyStopChanged, { ...frame, payload: { isStopped: true } }),
    );
    expect(await identity.awaited()).toEqual([['orders', 'escrow-adapter', 'payments']]);
    await eventually(async () => expect(await identity.awaited()).toEqual([['payments']]));
    await eventually(async () => expect((await attempts(identity))[0]).toBeGreaterThan(1));
    expect([await adapter.effects(), await identity.awaited()]).toEqual([[id], [['payments']]]);

    await services.purge('payments');
    await payments.startConsuming();

    await eventually(async () => expect(await identity.awaited()).toEqual([]));
    expect([await adapter.effects(), await payments.effects()]).toEqual([[id], [id]]);
  });
});

async function attempts({ database }: AcknowledgingService): Promise<readonly number[]> {
  const { rows } = await database.pool.query<{ attempts: number }>('select attempts from outbox order by id');
  return rows.map((row) => row.attempts);
}
