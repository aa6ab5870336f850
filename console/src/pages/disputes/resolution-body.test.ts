import { disputedAmount, resolutionBody } from './resolution-body.js';

const choice = { decision: 'SPLIT', toSeller: '30', note: ' ' } as const;

describe('the body of a resolution', () => {
  it('of a split gives the rest to the buyer, to the last unit', () => {
    expect(resolutionBody(choice, '100.00')).toEqual({ decision: 'SPLIT', releaseAmount: '30.00', refundAmount: '70.00' });
    expect(resolutionBody({ ...choice, toSeller: '0.0000001' }, '0.3000000')).toEqual({
      decision: 'SPLIT',
      releaseAmount: '0.0000001',
      refundAmount: '0.2999999',
    });
  });

  it.each(['', '1e3', '-1', '100.01', '1.00000001', 'NaN'])('is missing for a split with "%s"', (toSeller) => {
    expect(resolutionBody({ ...choice, toSeller }, '100.00')).toBeUndefined();
  });

  it('is missing for a split while the order is not known', () => {
    expect(resolutionBody(choice, undefined)).toBeUndefined();
  });

  it('has no amounts for a full decision, and the note without its edges', () => {
    expect(resolutionBody({ decision: 'FULL_REFUND', toSeller: '30', note: ' late ' }, '100.00')).toEqual({
      decision: 'FULL_REFUND',
      note: 'late',
    });
  });
});

describe('the disputed amount', () => {
  const order = { amounts: { disputed: '70.00' }, milestones: [{ ref: 'm1', amount: '40.00' }] } as never;

  it('belongs to the milestone, or to the order', () => {
    expect(disputedAmount({ milestoneRef: 'm1' }, order)).toBe('40.00');
    expect(disputedAmount({ milestoneRef: null }, order)).toBe('70.00');
    expect(disputedAmount({ milestoneRef: null }, undefined)).toBeUndefined();
  });
});
