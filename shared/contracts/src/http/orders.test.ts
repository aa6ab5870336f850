import {
  createOrder,
  disputeRoutes,
  feeBasisPointsOf,
  openDispute,
  orderRoutes,
  resolutionRoutes,
  resolveDispute,
} from './index.js';

const order = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '100.00' };
const milestones = [
  { ref: 'a', title: 'A', amount: '40.00' },
  { ref: 'b', title: 'B', amount: '60' },
];

function faultsOf(shape: typeof createOrder.body | typeof resolveDispute.body, given: unknown): readonly string[] {
  return (shape.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}

describe('the body of POST /orders', () => {
  it.each([
    [order, 'USD'],
    [{ ...order, milestones }, 'USD'],
    [{ ...order, title: '', currency: 'XLM', milestones: [], metadata: { platformFee: '2.5' } }, 'XLM'],
  ])('may be %j', (given, currency) => {
    expect(createOrder.body.parse(given)).toEqual({ ...given, currency });
  });

  it('is refused with all faults at once', () => {
    const given = {
      ...order,
      sellerId: 'usr_1',
      colour: 'red',
      milestones: [...milestones, { ref: 'a', title: '', amount: '1.00' }],
      metadata: { platformFee: 51 },
    };
    expect(faultsOf(createOrder.body, given)).toEqual([
      expect.stringMatching(/^milestones.2.title /),
      expect.stringContaining('"colour"'),
      'sellerId must not be the buyer',
      'milestones.2.ref is used by an earlier milestone',
      'milestones must have amounts that add up to the amount of the order',
      'metadata.platformFee must be a percentage from 0 to 50 with at most two decimals',
    ]);
  });

  it.each([
    ['a number as amount', { ...order, amount: 100 }],
    ['an exponent', { ...order, amount: '1e2' }],
    ['three places', { ...order, amount: '1.001' }],
    ['nothing at all', { ...order, amount: '0.00' }],
    ['an unknown currency', { ...order, currency: 'EUR' }],
    ['a title of 201 characters', { ...order, title: 'x'.repeat(201) }],
    ['an empty client reference', { ...order, clientOrderRef: '' }],
    [
      '51 milestones',
      { ...order, milestones: Array.from({ length: 51 }, (_, at) => ({ ref: `m${at}`, title: 'm', amount: '1' })) },
    ],
    ['milestones that are not a list', { ...order, milestones: {} }],
    ['milestones that are not objects', { ...order, milestones: [null, 7, 'x'] }],
    ['metadata that is not an object', { ...order, metadata: 7 }],
  ])('is refused with %s', (_, given) => {
    expect(createOrder.body.safeParse(given).success).toBe(false);
  });
});

describe('a platform fee', () => {
  it.each([
    [0, 0n],
    [5, 500n],
    ['2.5', 250n],
    [0.07, 7n],
    [50, 5_000n],
    ['50.00', 5_000n],
  ])('%j is %s basis points', (given, basisPoints) => {
    expect(feeBasisPointsOf(given)).toBe(basisPoints);
  });

  it.each([-1, 50.01, 1.005, '05', '+5', '5%', '', 1e-7, NaN, Infinity, null, true, {}])('is not %j', (given) => {
    expect(feeBasisPointsOf(given)).toBeUndefined();
  });
});

describe('the body of a resolution', () => {
  it.each([
    { decision: 'FULL_RELEASE' },
    { decision: 'FULL_REFUND', note: 'nothing was delivered' },
    { decision: 'SPLIT', releaseAmount: '0', refundAmount: '100.00' },
  ])('may be %j', (given) => {
    expect(resolveDispute.body.parse(given)).toEqual(given);
  });

  it('has both parts for a SPLIT, and none for other decisions', () => {
    expect(faultsOf(resolveDispute.body, { decision: 'SPLIT', releaseAmount: '1.00' })).toEqual(['refundAmount is missing']);
    expect(faultsOf(resolveDispute.body, { decision: 'FULL_REFUND', refundAmount: '1.00' })).toEqual([
      'decision must be SPLIT where refundAmount is given',
    ]);
  });
});

describe('the body of a dispute', () => {
  const dispute = { orderId: 'whatever', openedBy: 'BUYER', reason: 'OTHER' };

  it('may have an orderId, although the path decides', () => {
    expect(openDispute.body.safeParse(dispute).success).toBe(true);
    expect(openDispute.body.safeParse({ ...dispute, orderId: '' }).success).toBe(false);
    expect(openDispute.body.safeParse({ openedBy: 'BUYER', reason: 'OTHER' }).success).toBe(false);
  });

  it('has at most 20 references of 2,048 characters as evidence', () => {
    const withEvidence = (evidence: readonly string[]) => openDispute.body.safeParse({ ...dispute, evidence }).success;
    expect(withEvidence(Array.from({ length: 20 }, () => 'x'.repeat(2_048)))).toBe(true);
    expect(withEvidence(Array.from({ length: 21 }, () => 'x'))).toBe(false);
    expect(withEvidence(['x'.repeat(2_049)])).toBe(false);
  });
});

describe('the routes of orders and disputes', () => {
  it('ignore an Idempotency-Key and have the order envelope', () => {
    const routes = Object.values({ ...orderRoutes, ...resolutionRoutes, ...disputeRoutes });
    expect(new Set(routes.map(({ idempotent, family, service }) => `${String(idempotent)} ${family} ${service}`))).toEqual(
      new Set(['false order orders']),
    );
  });
});
