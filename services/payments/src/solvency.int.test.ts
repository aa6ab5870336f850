import { eventually } from '@holdfast/testing/eventually';
import { anOpenTopup, casesAbout, receivePayin, reportOf } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { emptyCustody } from './testing/simulated-books.js';
import { clearFaults } from './testing/topups.js';
import { bodyOf, commit, movePayout } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterEach(async () => {
  await clearFaults(payments);
  Object.assign(payments.custody, emptyCustody);
});
afterAll(() => payments.stop());

const changes = (change: string): readonly string[] =>
  payments.published
    .filter(({ type }) => type === 'reconciliation.provider_account_changed')
    .map(({ payload }) => payload as { readonly change: string; readonly amount: string })
    .filter((each) => each.change === change)
    .map(({ amount }) => amount);

const openCases = async (): Promise<readonly string[]> => {
  const { data } = (await payments.get('/reconciliation/cases?status=OPEN&limit=100')).data as {
    readonly data: readonly { readonly source: string; readonly sourceId: string; readonly amount: string }[];
  };
  return data.filter(({ source }) => source === 'solvency').map(({ sourceId, amount }) => `${sourceId.split(':')[0]} ${amount}`);
};

/** The stub of the journal does not book these, so a test does. */
async function book(): Promise<void> {
  const { data } = await payments.post('/reconciliation/reports', undefined);
  expect(data.reports).toHaveLength(3);
  payments.custody.terms = [...accountTerms(), ...userTerms()];
}

const sum = (amounts: readonly string[]): number => amounts.reduce((total, amount) => total + Number(amount), 0);

function accountTerms() {
  const [capital, fees] = [sum(changes('capital')), sum(changes('fees'))];
  return [
    { term: 'platform:capital', currency: 'USD', amount: capital.toFixed(2) },
    { term: 'platform:provider_costs', currency: 'USD', amount: (-fees).toFixed(2) },
    { term: 'external:provider_account', currency: 'USD', amount: (fees - capital).toFixed(2) },
  ] as const;
}

let owed = 0;

function userTerms() {
  return [{ term: 'available', currency: 'USD', amount: owed.toFixed(2) }] as const;
}

describe('solvency at the payment provider', () => {
  it('books what was there at first as capital, once, and each fee once', async () => {
    await book();
    await eventually(() => expect(changes('capital')).toEqual(['1000000.00']));
    const { payinId, id, userId } = await anOpenTopup(payments, '100.00');
    await receivePayin(payments, payinId);
    await payments.post(`/topups/${id}/refresh`, {});
    owed = 100;
    await book();
    await eventually(() => expect(changes('fees')).toEqual(['0.50']));
    await book();
    expect(await reportOf(payments)).toMatchObject({
      liabilities: '100.00',
      assets: '1000099.50',
      solvency: '999999.50',
      ownMoney: '999999.50',
      unexplained: '0.00',
    });
    expect([changes('capital'), changes('fees')]).toEqual([['1000000.00'], ['0.50']]);
    expect(await openCases()).toEqual([]);

    const { data } = await payments.post('/withdrawals', bodyOf(userId, { amount: '20.00' }));
    expect((await commit(payments, data.id)).status).toBe(200);
    expect(await reportOf(payments)).toMatchObject({ liabilities: '80.00', assets: '1000079.50', unexplained: '0.00' });
    await movePayout(payments, data.id, 'complete');
    owed = 80;
    await reportOf(payments);
    await book();
    expect(await reportOf(payments)).toMatchObject({ liabilities: '80.00', ownMoney: '999999.40', unexplained: '0.00' });
  });

  it('names money that is missing there, closes the case when it is back, and accepts what was written off', async () => {
    const move = (units: number) => payments.database.asAdmin('update payments.provider_capital set units = units + $1', [units]);
    await book();
    await move(70_000_000);
    expect(await reportOf(payments)).toMatchObject({ unexplained: '-7.00', difference: '0.00' });
    expect(await openCases()).toEqual(['unexplained -7.00']);
    await move(-70_000_000);
    expect(await reportOf(payments)).toMatchObject({ unexplained: '0.00' });
    expect(await openCases()).toEqual([]);

    await move(50_000_000);
    await reportOf(payments);
    const [found] = await casesAbout(payments, 'unexplained:USDC@0.00:-5.00');
    const resolve = { action: 'write_off', note: 'The owners have taken it.' };
    expect((await payments.post(`/reconciliation/cases/${found?.id}/resolve`, resolve)).status).toBe(200);
    expect(await reportOf(payments)).toMatchObject({ unexplained: '0.00', ownMoney: '999994.40' });
    await move(50_000_000);
    expect(await reportOf(payments)).toMatchObject({ unexplained: '-5.00' });
    expect(await openCases()).toEqual(['unexplained -5.00']);
    await move(-50_000_000);
  });

  it('is unknown without the provider, and XLM is reported', async () => {
    await payments.control('/faults', { target: 'payment-provider', operation: 'read', kind: 'error-before-effect' });
    const { data } = await payments.post('/reconciliation/reports', undefined);
    expect(data.reports).toMatchObject([
      { currency: 'USD', unavailable: ['paymentProvider'], solvency: null, difference: null },
      { currency: 'USDC', unavailable: ['paymentProvider'], solvency: null, difference: '0.00' },
      { currency: 'XLM', unavailable: [], solvency: '0.00', difference: '0.00' },
    ]);
    expect((await payments.get('/reconciliation/reports?limit=3')).data.data).toEqual(expect.arrayContaining(data.reports));
  });
});

describe('solvency on the ledger network', () => {
  const term = (name: string, amount: string) => ({ term: name, currency: 'XLM', amount }) as const;
  const inXlm = () => reportOf(payments, 'XLM');

  it('names tokens that left, and that the platform owes more than it has', async () => {
    payments.custody.terms = [term('chain:capital', '-10.00'), term('chain:world', '4.00')];
    expect(await inXlm()).toMatchObject({ assets: '6.00', ownMoney: '10.00', unexplained: '-4.00' });
    expect(await openCases()).toContain('unexplained -4.00');
    payments.custody.terms = [term('available', '3.00'), term('external:manual', '-3.00')];
    expect(await inXlm()).toMatchObject({ solvency: '-3.00', ownMoney: '-3.00', unexplained: '0.00' });
    expect(await openCases()).toContain('shortfall -3.00');
    payments.custody.terms = [];
    await inXlm();
    expect((await openCases()).filter((found) => /shortfall|-4.00/.test(found))).toEqual([]);
  });

  it('names what the network shows at the treasury and the journal does not', async () => {
    const treasury = { place: 'treasury', ownerId: null, asset: 'XLM' } as const;
    payments.custody.journal = [{ ...treasury, amount: '10.00' }];
    payments.custody.network = [{ ...treasury, amount: '9.00' }];
    payments.custody.terms = [term('chain:capital', '-10.00')];
    expect(await inXlm()).toMatchObject({ assets: '9.00', unexplained: '-1.00', difference: '0.00' });
    expect(await casesAbout(payments, 'treasury:XLM:-1.00')).toMatchObject([{ status: 'OPEN' }]);
  });

  it('explains deposits that are too small or on their way', async () => {
    payments.custody.terms = [{ term: 'chain:world', currency: 'USDC', amount: '-0.005' }, ...accountTerms(), ...userTerms()];
    payments.custody.depositsWaiting = '0.005';
    expect(await reportOf(payments, 'USDC')).toMatchObject({
      unexplained: '0.00',
      inFlight: [{ kind: 'deposit', id: null, amount: '0.005' }],
    });
    payments.custody.terms = [{ term: 'chain:world', currency: 'USDC', amount: '-8.00' }, ...accountTerms(), ...userTerms()];
    Object.assign(payments.custody, { depositsWaiting: '0.00', depositsInFlight: '8.00', depositsPublished: '8.00' });
    expect(await reportOf(payments, 'USDC')).toMatchObject({ unexplained: '0.00' });
  });

  it('is not missing while the capital of a new installation is being booked', async () => {
    const owedByHand = [
      { term: 'available', currency: 'XLM', amount: '100.00' },
      { term: 'external:manual', currency: 'XLM', amount: '-100.00' },
    ] as const;
    const capital = { term: 'chain:capital', currency: 'XLM', amount: '-1000.00' } as const;
    Object.assign(payments.custody, { terms: owedByHand, nextTerms: [...owedByHand, capital] });
    expect(await reportOf(payments, 'XLM')).toMatchObject({ solvency: '900.00', unexplained: '0.00' });
    expect((await openCases()).filter((found) => found.startsWith('shortfall'))).toEqual([]);
  });
});
