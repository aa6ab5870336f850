import { causeEventId, predecessorEventId } from './index.js';

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

describe('causeEventId', () => {
  it('is the id of a public event, and what an internal message carries on', () => {
    expect(causeEventId({ id: 'evt_2', type: 'escrow.released', causationId: 'evt_1' })).toBe('evt_2');
    expect(causeEventId({ id: 'evt_2', type: 'order.fund_requested', causationId: 'evt_1' })).toBe('evt_1');
    expect(causeEventId({ id: 'evt_2', type: 'order.reserve_requested' })).toBeUndefined();
  });
});
