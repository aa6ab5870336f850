import { eventually } from '@holdfast/testing/eventually';
import { casesAbout, reportOf } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { emptyCustody } from './testing/simulated-books.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterEach(() => {
  const { custody } = payments;
  Object.assign(custody, emptyCustody);
  delete custody.journalAtLedger;
});
afterAll(() => payments.stop());

const cases = (...ids: readonly string[]) => casesAbout(payments, ...ids);
const inUsdc = () => reportOf(payments, 'USDC');

const actionsOn = (caseId: string): readonly string[] => payments.auditsOf(caseId).map(({ action }) => action);

describe('the comparison with the ledger network', () => {
  const held = (ownerId: string, amount: string, place: 'wallet' | 'contract' | 'treasury' = 'wallet') =>
    ({ place, ownerId, asset: 'USDC', amount }) as const;

  it('has the sums of wallets and contracts and the ledger, without the money of the platform', async () => {
    const [userId, orderId] = [payments.aUser(), payments.newId('ord')];
    payments.custody.journal = [held(userId, '5.0000001'), held(orderId, '2.00', 'contract'), held('none', '99.00', 'treasury')];
    payments.custody.network = [...payments.custody.journal];
    payments.custody.ledger = 1_234;
    expect(await inUsdc()).toMatchObject({
      ledger: 1_234,
      journal: '7.0000001',
      ledgerNetwork: '7.0000001',
      paymentProvider: '0.00',
      difference: '0.00',
    });
    expect(await cases(userId, orderId)).toEqual([]);
  });

  it('compares the journal after the ledger that was read', async () => {
    const userId = payments.aUser();
    payments.custody.journal = [held(userId, '3.00')];
    payments.custody.network = [held(userId, '1.00')];
    payments.custody.journalAtLedger = [held(userId, '1.00')];
    expect(await inUsdc()).toMatchObject({ journal: '1.00', ledgerNetwork: '1.00', difference: '0.00' });
    expect(await cases(userId)).toEqual([]);
  });

  it('leaves accounts with transactions that the journal does not have yet for a later report', async () => {
    const [userId, otherId] = [payments.aUser(), payments.aUser()];
    payments.custody.journal = [held(userId, '1.00'), held(otherId, '2.00')];
    payments.custody.network = [held(userId, '3.00'), held(otherId, '9.00')];
    payments.custody.moving = [userId];
    expect(await inUsdc()).toMatchObject({ journal: '2.00', ledgerNetwork: '9.00', difference: '7.00' });
    expect(await cases(userId)).toEqual([]);
    expect(await cases(otherId)).toMatchObject([{ kind: 'unexplained_difference', amount: '7.00' }]);
  });

  it('opens one case about an account that differs, closes it when it does not, and opens it again', async () => {
    const userId = payments.aUser();
    payments.custody.journal = [held(userId, '1.00')];
    payments.custody.network = [held(userId, '3.00')];
    for (let round = 0; round < 2; round += 1)
      expect(await inUsdc()).toMatchObject({ journal: '1.00', ledgerNetwork: '3.00', difference: '2.00' });
    const [found] = await cases(userId);
    expect(found).toMatchObject({ kind: 'unexplained_difference', amount: '2.00', status: 'OPEN' });
    const caseId = found?.id ?? '';

    payments.custody.journal = [held(userId, '3.00')];
    expect(await inUsdc()).toMatchObject({ difference: '0.00' });
    expect(await cases(userId)).toMatchObject([{ status: 'RESOLVED', resolution: null }]);
    await eventually(() => expect(actionsOn(caseId)).toContain('CASE_CLOSED'));

    payments.custody.journal = [held(userId, '1.00')];
    await inUsdc();
    expect(await cases(userId)).toMatchObject([{ id: caseId, status: 'OPEN' }]);
    await eventually(() => expect(actionsOn(caseId)).toContain('RECONCILIATION_CASE_REOPENED'));
  });

  it('replaces the case when the difference becomes another one, also of a contract that has ended', async () => {
    const orderId = payments.newId('ord');
    const ofOrder = async () => (await cases(`contract:${orderId}:USDC:1.00`, `contract:${orderId}:USDC:4.00`)).toReversed();
    payments.custody.journal = [held(orderId, '5.00', 'contract')];
    payments.custody.network = [held(orderId, '6.00', 'contract')];
    await inUsdc();
    payments.custody.network = [held(orderId, '9.00', 'contract')];
    await inUsdc();
    expect(await ofOrder()).toMatchObject([{ status: 'RESOLVED' }, { status: 'OPEN' }]);
    payments.custody.journal = [held(orderId, '0.00', 'contract')];
    payments.custody.network = [held(orderId, '0.00', 'contract')];
    await inUsdc();
    expect(await ofOrder()).toMatchObject([{ status: 'RESOLVED' }, { status: 'RESOLVED' }]);
  });

  it('keeps what a person has decided about', async () => {
    const userId = payments.aUser();
    payments.custody.journal = [held(userId, '1.00')];
    payments.custody.network = [held(userId, '1.50')];
    await inUsdc();
    const [found] = await cases(userId);
    const resolve = { action: 'write_off', note: 'Known.' };
    expect((await payments.post(`/reconciliation/cases/${found?.id}/resolve`, resolve)).status).toBe(200);
    await inUsdc();
    expect(await cases(userId)).toMatchObject([{ status: 'RESOLVED', resolution: { action: 'write_off' } }]);
  });
});

describe('deposits that were published and not credited', () => {
  it('are a case of the sum that is missing, once, until they are credited', async () => {
    const { custody } = payments;
    Object.assign(custody, { depositsPublished: '150.00', depositsBooked: '50.00' });
    await inUsdc();
    await inUsdc();
    expect(await cases('deposits:USDC:100.00')).toMatchObject([
      { kind: 'unexplained_difference', amount: '100.00', userId: null, status: 'OPEN' },
    ]);
    Object.assign(custody, { depositsPublished: '150.00', depositsBooked: '150.00' });
    await inUsdc();
    expect(await cases('deposits:USDC:100.00')).toMatchObject([{ status: 'RESOLVED' }]);
    expect(await cases('deposits:USDC:0.00')).toEqual([]);
  });

  it('open no case while they are in flight, and one opens although others are', async () => {
    const { custody } = payments;
    Object.assign(custody, { depositsPublished: '90.00', depositsBooked: '70.00', depositsInFlight: '20.00' });
    await inUsdc();
    expect(await cases('deposits:USDC:20.00')).toEqual([]);
    Object.assign(custody, { depositsPublished: '90.00', depositsBooked: '65.00', depositsInFlight: '20.00' });
    await inUsdc();
    expect(await cases('deposits:USDC:5.00')).toMatchObject([{ status: 'OPEN' }]);
  });
});
