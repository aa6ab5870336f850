import { may } from './session-context.js';

describe('what a credential may do', () => {
  it.each([
    ['read', true],
    ['write', false],
    ['support', false],
    ['master', false],
  ] as const)('with the scope read only: %s is %s', (scope, allowed) => {
    expect(may({ type: 'api_key', scopes: ['read'] }, scope)).toBe(allowed);
  });

  it('is everything with the master key, and never what only the master key may', () => {
    expect(may({ type: 'master', scopes: [] }, 'write')).toBe(true);
    expect(may({ type: 'api_key', scopes: ['read', 'write', 'support'] }, 'master')).toBe(false);
  });
});
