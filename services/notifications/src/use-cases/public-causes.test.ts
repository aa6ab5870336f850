import { allSagas } from '@holdfast/shared/sagas';
import { aCredit, anEvent } from '../testing/messages.js';
import { causedByEvents, numberOf } from './public-causes.js';

describe('the cause of an event', () => {
  const followers = causedByEvents(allSagas);

  it.each(['order.escrow_funding', 'order.escrow_funded', 'order.in_progress'])('of %s is always an event', (type) => {
    expect(followers.has(type)).toBe(true);
  });

  it.each(['order.released', 'escrow.released', 'order.created', 'balance.escrow_settled'])(
    'of %s is not known to be one',
    (type) => {
      expect(followers.has(type)).toBe(false);
    },
  );
});

describe('the number of an event', () => {
  it('counts without gaps for each currency of a balance', () => {
    expect(numberOf(aCredit('usr_1', 3))).toEqual({ aggregate: 'ledger-balance Balance usr_1 USD', version: 3, isGapless: true });
  });

  it('may have gaps elsewhere', () => {
    expect(numberOf(anEvent({ aggregateId: 'ord_1' }))).toEqual({
      aggregate: 'orders Order ord_1 ',
      version: 1,
      isGapless: false,
    });
  });
});
