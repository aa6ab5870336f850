import { predecessorEventId } from './index.js';

describe('predecessorEventId', () => {
  it('is the id of a public message', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'escrow.released', afterEventId: 'evt_1' })).toBe('evt_2');
  });

  it('is the afterEventId of an internal message', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'order.fund_requested', afterEventId: 'evt_1' })).toBe('evt_1');
  });

  it('is undefined for an internal message without an afterEventId', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'order.reserve_requested' })).toBeUndefined();
  });
});
