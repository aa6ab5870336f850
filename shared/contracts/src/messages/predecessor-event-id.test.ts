import { predecessorEventId } from './index.js';

describe('the event that what comes of a message is shown after', () => {
  it('is the message itself where it is public', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'escrow.released', afterEventId: 'evt_1' })).toBe('evt_2');
  });

  it('is the one that was told before the message where it is internal', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'order.fund_requested', afterEventId: 'evt_1' })).toBe('evt_1');
  });

  it('is unknown where nothing was told before, or by a version that did not say', () => {
    expect(predecessorEventId({ id: 'evt_2', type: 'order.reserve_requested' })).toBeUndefined();
  });
});
