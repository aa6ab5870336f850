import { ConfigError, readConfig } from '@holdfast/service-host/config';
import { settings } from './config.js';

const fine = {
  LEDGER_NETWORK_URL: 'http://127.0.0.1:8090',
  LEDGER_NETWORK_PASSPHRASE: 'a network',
  USDC_ISSUER: 'GISSUER',
  TREASURY_SEED: 'S'.repeat(56),
  PLATFORM_SEED: 'S'.repeat(56),
  WALLET_MASTER_KEY: 'k'.repeat(44),
  ESCROW_PROVIDER_URL: 'http://127.0.0.1:8090/escrow-provider',
  ESCROW_PROVIDER_API_KEY: 'k'.repeat(32),
};

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(settings, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the settings', () => {
  it('require the prefix of the webhook secret', () => {
    expect(faultsOf({ ...fine, ESCROW_WEBHOOK_SECRET: 'whsec_something_else' })).toEqual([
      expect.stringContaining('ESCROW_WEBHOOK_SECRET is not valid; expected a secret that begins with esc_whsec_'),
    ]);
    expect(faultsOf({ ...fine, ESCROW_WEBHOOK_SECRET: 'esc_whsec_0123456789' })).toEqual([]);
  });

  it('require a webhook secret in production only', () => {
    expect(faultsOf(fine)).toEqual([]);
    expect(faultsOf({ ...fine, NODE_ENV: 'production' })).toEqual([expect.stringContaining('ESCROW_WEBHOOK_SECRET is missing')]);
  });

  it('report all faults at once', () => {
    const { ESCROW_PROVIDER_URL: _url, ...rest } = fine;
    expect(faultsOf({ ...rest, ESCROW_WEBHOOK_SECRET: 'wrong', ESCROW_INTENTS_CONCURRENT_MAX: 'many' })).toHaveLength(3);
  });
});
