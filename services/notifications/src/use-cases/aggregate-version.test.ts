import { aCredit, anEvent } from '../testing/messages.js';
import { aggregateVersionOf } from './aggregate-version.js';

describe('aggregateVersionOf', () => {
  it('is gapless for each currency of a balance', () => {
    expect(aggregateVersionOf(aCredit('usr_1', 3))).toEqual({
      aggregate: 'ledger-balance Balance usr_1 USD',
      version: 3,
      isGapless: true,
    });
  });

  it('may have gaps for every other aggregate', () => {
    expect(aggregateVersionOf(anEvent({ aggregateId: 'ord_1' }))).toEqual({
      aggregate: 'orders Order ord_1 ',
      version: 1,
      isGapless: false,
    });
  });
});
