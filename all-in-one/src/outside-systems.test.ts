import { usesSandbox } from './outside-systems.js';

describe('usesSandbox', () => {
  it('is true unless one of the external systems is given', () => {
    expect(usesSandbox({})).toBe(true);
    expect(usesSandbox({ ESCROW_PROVIDER_URL: '' })).toBe(true);
    expect(usesSandbox({ ESCROW_PROVIDER_URL: 'https://provider.example' })).toBe(false);
  });

  it('is never true in production', () => {
    expect(usesSandbox({ NODE_ENV: 'production' })).toBe(false);
  });
});
