import { newMarketplace, patchMarketplace } from './marketplace.js';

const fresh = newMarketplace({ id: 'mkt_1', name: 'Crafts', createdAt: '2026-01-31T12:00:00.000000Z' });

describe('a marketplace', () => {
  it('has no deadlines of disputes until they are set', () => {
    expect(fresh).toMatchObject({ disputeResponsePeriod: null, disputeDecisionPeriod: null, onNoResponse: 'none', version: 1 });
  });

  it('keeps what a patch does not name, and null clears a period', () => {
    const set = patchMarketplace(fresh, { disputeResponsePeriod: 'P3D', onNoResponse: 'opener' });
    expect(set).toEqual({ ...fresh, disputeResponsePeriod: 'P3D', onNoResponse: 'opener', version: 2 });
    expect(patchMarketplace(set, { disputeResponsePeriod: null })).toEqual({ ...fresh, onNoResponse: 'opener', version: 3 });
  });

  it('is the same object after a patch that changes nothing', () => {
    expect(patchMarketplace(fresh, {})).toBe(fresh);
    expect(patchMarketplace(fresh, { name: 'Crafts', disputeDecisionPeriod: null, onNoResponse: undefined })).toBe(fresh);
  });
});
