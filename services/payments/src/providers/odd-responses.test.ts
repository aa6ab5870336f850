import { isAppError } from '@holdfast/kernel/errors';
import { parseMoney } from '@holdfast/kernel/money';
import { ProviderRefused, type PaymentProvider } from '../use-cases/provider-ports.js';
import { anOddProvider, type OddProvider } from './testing/odd-provider.js';

let odd: OddProvider;
let provider: PaymentProvider;
let respond: OddProvider['respond'];

beforeEach(async () => {
  odd = await anOddProvider();
  ({ provider, respond } = odd);
});
afterEach(() => odd.close());

const codeOf = (error: unknown): string => (isAppError(error) ? error.code : String(error));
const payin = { id: 'p1', code: 'topup_1', status: 'CREATED', amount: 10 };
const payout = { id: 'p2', code: 'wd_1', status: 'CREATED', amount: 10 };

describe('statuses', () => {
  it.each([
    ['CREATED', 'open'],
    ['processing', 'processing'],
    ['Confirmed', 'succeeded'],
    ['failed', 'failed'],
    ['CANCELED', 'canceled'],
    ['PENDING', 'open'],
    ['BRIDGE_FAILED', 'failed'],
    ['bridge_canceled', 'canceled'],
  ])('a pay-in with the status %j is %s', async (status, outcome) => {
    respond(200, { ...payin, status });
    const found = await provider.findPayin('p1');
    expect([found?.outcome, found?.undocumentedStatus]).toEqual([outcome, undefined]);
  });

  it.each(['SOMETHING_NEW', '', 'constructor'])(
    'a payment with the undocumented status %j is open, and names it',
    async (status) => {
      respond(200, { ...payin, status });
      expect(await provider.findPayin('p1')).toMatchObject({ outcome: 'open', undocumentedStatus: status });
      respond(200, { ...payout, status });
      expect(await provider.findPayout('p2')).toMatchObject({ outcome: 'pending', undocumentedStatus: status });
    },
  );

  it.each([
    ['created', 'created'],
    ['COMMITTED', 'pending'],
    ['PENDING', 'pending'],
    ['pending_user_action', 'user-action'],
    ['completed', 'completed'],
    ['Failed', 'failed'],
    ['CANCELED', 'canceled'],
    ['CANCEL_REQUESTED', 'pending'],
    ['ERROR', 'pending'],
    ['BRIDGE_COMPLETED', 'pending'],
    ['COSMOEM_COMPLETED', 'pending'],
    ['PENDING_SIGNATURE', 'pending'],
  ])('a payout with the status %j is %s', async (status, outcome) => {
    respond(200, { ...payout, status });
    const found = await provider.findPayout('p2');
    expect([found?.outcome, found?.undocumentedStatus]).toEqual([outcome, undefined]);
  });
});

describe('amounts', () => {
  it.each([
    [0.07, '0.07'],
    [0.1, '0.10'],
    [1.15, '1.15'],
    [4.35, '4.35'],
    [99999999999.99, '99999999999.99'],
    ['12.30', '12.30'],
    [1.005, '1.005'],
    [1.234567, '1.234567'],
    [0.0000001, '0.0000001'],
    ['0.1234567', '0.1234567'],
  ])('%j is exactly %s', async (amount, text) => {
    respond(200, { ...payin, amount });
    expect((await provider.findPayin('p1'))?.amount).toEqual(parseMoney(text, 'USD'));
  });

  it.each([0.00000001, 1.00000001, -1, 1e21, 1e-8, 'ten', '', '1e3', null, undefined, {}, true])(
    '%j is malformed',
    async (amount) => {
      respond(200, { ...payin, amount });
      expect(await provider.findPayin('p1').catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    },
  );
});

describe('optional fields', () => {
  it('may be null or missing, and further ones are ignored', async () => {
    respond(200, { id: 'p2', status: 'FAILED', amount: 1, code: null, reasonCode: null, kycInformation: { any: 'thing' } });
    expect(await provider.findPayout('p2')).toEqual({
      providerId: 'p2',
      code: null,
      amount: parseMoney('1', 'USD'),
      outcome: 'failed',
      reason: null,
    });
  });

  it('a reason code may be a number; the reason does not name the provider', async () => {
    respond(200, { ...payout, status: 'FAILED', reasonCode: 415099, reasonDescription: 'Contact Airtm support' });
    expect((await provider.findPayout('p2'))?.reason).toEqual({ code: '415099', text: 'Contact the payment provider support' });
  });

  it.each([
    ['closed account', 'closed account'],
    ['Airtm has closed your Airtm account.', 'The payment provider has closed your payment provider account.'],
    [
      'Write to help@airtm.com, or see https://www.AirTM.com/help.',
      'Write to the payment provider, or see the payment provider.',
    ],
    ['It is an Airtm limit', 'It is a payment provider limit'],
  ])('the text %j is %j for users', async (reasonDescription, text) => {
    respond(200, { ...payout, status: 'FAILED', reasonCode: '415034', reasonDescription });
    expect((await provider.findPayout('p2'))?.reason).toEqual({ code: '415034', text });
  });

  it('a known reason code without a text has ours', async () => {
    respond(200, { ...payout, status: 'FAILED', reasonCode: '415034' });
    expect((await provider.findPayout('p2'))?.reason?.text).toBe('The balance of the payment account is too low.');
  });
});

describe('errors', () => {
  it.each([
    [400, { code: '415034', message: 'Airtm says: too low' }, 'The payment provider says: too low'],
    [400, { code: '415034', message: ' ' }, 'The balance of the payment account is too low.'],
    [422, { code: 415053 }, 'Payments from the country of this payment account are not possible.'],
    [422, { code: 415053, message: 7 }, 'Payments from the country of this payment account are not possible.'],
    [400, { code: '415777', message: '' }, 'The payment provider has refused the request.'],
  ])("%i %j is a refusal with the provider's text, else with ours", async (status, body, text) => {
    respond(status, body);
    const refusal = await provider.cancelPayin('p1').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProviderRefused);
    expect(refusal).toMatchObject({ code: String(body.code), message: text });
  });

  it.each([
    [400, '<html>proxy</html>'],
    [400, { message: 'no code' }],
    [401, { code: '415904', message: 'credentials' }],
    [403, { code: '415905', message: 'credentials' }],
    [408, ''],
    [429, { code: '415034', message: 'too many requests' }],
    [400, { code: '415999', message: 'unknown' }],
    [500, { code: '415034', message: 'broken' }],
    [502, '<html>'],
    [503, ''],
    [302, ''],
  ])('%i %j leaves the outcome unknown', async (status, body) => {
    respond(status, body);
    expect(await provider.cancelPayin('p1').catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([
    [404, { code: '415031', message: 'Payin not found' }],
    [400, { code: '415031', message: 'Payin not found' }],
    [404, { message: 'not found' }],
  ])('a look-up with %i %j finds nothing', async (status, body) => {
    respond(status, body);
    expect(await provider.findPayin('p1')).toBeUndefined();
  });

  it.each([
    [404, '<html>wrong address</html>'],
    [500, { code: '415031', message: 'Payin not found' }],
  ])('a look-up with %i %j is unknown', async (status, body) => {
    respond(status, body);
    expect(await provider.findPayin('p1').catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('the statement', () => {
  it('reads every page, and ignores amounts of payments that are not final', async () => {
    odd.server.removeAllListeners('request');
    const pages: Readonly<Record<string, unknown>> = {
      '/api/payins?perPage=1000': {
        items: [
          { ...payin, status: 'confirmed' },
          { ...payin, id: 'p3', amount: 'odd' },
        ],
        endCursor: 'c1',
      },
      '/api/payins?perPage=1000&after=c1': { items: [{ ...payin, id: 'p4', status: 'CONFIRMED', code: null }], endCursor: 'c2' },
    };
    odd.server.on('request', (request, res) => {
      res.writeHead(200).end(JSON.stringify(pages[request.url ?? ''] ?? { items: [], startCursor: null, endCursor: null }));
    });
    expect(await provider.statement()).toEqual({
      payins: [
        { providerId: 'p1', code: 'topup_1', amount: parseMoney('10', 'USD'), feeUnits: 0n },
        { providerId: 'p4', code: null, amount: parseMoney('10', 'USD'), feeUnits: 0n },
      ],
      payouts: [],
      unreadable: [],
      pendingPayouts: [],
    });
  });

  it('names final payments whose amount cannot be read, and has the others', async () => {
    respond(200, {
      items: [
        { ...payin, id: 'p5', status: 'CONFIRMED', amount: '1,5' },
        { id: 'p7', status: 'CONFIRMED' },
        { ...payin, status: 'CONFIRMED', amount: 1.234567 },
      ],
      endCursor: null,
    });
    expect(await provider.statement()).toMatchObject({
      payins: [{ providerId: 'p1', amount: parseMoney('1.234567', 'USD') }],
      unreadable: [
        { about: 'payin', providerId: 'p5', code: 'topup_1' },
        { about: 'payin', providerId: 'p7', code: null },
      ],
    });
  });

  it('has fees, and payouts that have left the balance', async () => {
    respond(200, {
      items: [
        { ...payout, status: 'COMPLETED', airtmFee: 0.05 },
        { ...payout, id: 'p6', status: 'Committed', airtmFee: 'odd' },
      ],
      endCursor: null,
    });
    expect(await provider.statement()).toMatchObject({
      payouts: [{ providerId: 'p2', feeUnits: 500_000n }],
      pendingPayouts: [{ providerId: 'p6', feeUnits: 0n }],
    });
  });

  it('is refused if the pages do not end', async () => {
    respond(200, { items: [payin], endCursor: 'same' });
    expect(await provider.statement().catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('the balance', () => {
  it.each([
    [1000000.07, 10_000_000_700_000n],
    [-5, -50_000_000n],
    ['12.34567891', undefined],
    [null, undefined],
  ])('%j', async (balance, units) => {
    respond(200, { balance });
    expect(await provider.balance().catch(() => undefined)).toBe(units);
  });
});
