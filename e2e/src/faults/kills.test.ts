import { initEscrow } from '@holdfast/contracts/sagas';
import { allInitKills, allKills } from './kill-cases.js';
import { providerCalls } from './saga-requests.js';

describe('the matrix of kills', () => {
  it('has a death before and after every provider operation, of an order and of init', () => {
    const held = (kills: readonly { readonly held?: { readonly operation: string } }[]) =>
      new Set(kills.flatMap((kill) => (kill.held === undefined ? [] : [kill.held.operation])));
    const ofInit = providerCalls.filter(({ saga }) => initEscrow.sagas.some((name) => name === saga));
    expect(held(allKills)).toEqual(new Set(providerCalls.map(({ operation }) => operation)));
    expect(held(allInitKills)).toEqual(new Set(ofInit.map(({ operation }) => operation)));
  });
});
