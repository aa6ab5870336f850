import { StrKey } from '@stellar/stellar-sdk';
import {
  ConfigError,
  readConfig,
  sagaStalledAfterMsOf,
  sandboxPassphrase,
  settlementTimeoutMsOf,
} from '@holdfast/process/config';
import { settings } from './config.js';

const fine = {
  LEDGER_HORIZON_URL: 'http://127.0.0.1:8090',
  LEDGER_RPC_URL: 'http://127.0.0.1:8090/rpc',
  LEDGER_NETWORK_PASSPHRASE: 'a network',
  USDC_ISSUER: 'GISSUER',
  TREASURY_SEED: 'S'.repeat(56),
  PLATFORM_SEED: 'S'.repeat(56),
  WALLET_MASTER_KEY: 'k'.repeat(44),
  ESCROW_PROVIDER_URL: 'http://127.0.0.1:8090/escrow-provider',
  ESCROW_PROVIDER_API_KEY: 'k'.repeat(32),
  ESCROW_FACTORY_SINGLE: StrKey.encodeContract(Buffer.alloc(32, 1)),
  ESCROW_FACTORY_MULTI: StrKey.encodeContract(Buffer.alloc(32, 2)),
  ESCROW_WASM_HASH_SINGLE: '1'.repeat(64),
  ESCROW_WASM_HASH_MULTI: '2'.repeat(64),
  ESCROW_FEE_ADDRESS: StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 3)),
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

describe('the time limit of a request', () => {
  it('follows from the network unless it is set', () => {
    const limitOf = (passphrase: string, set: Readonly<Record<string, string>> = {}): number =>
      settlementTimeoutMsOf(readConfig(settings, { ...fine, LEDGER_NETWORK_PASSPHRASE: passphrase, ...set }));
    expect(limitOf(sandboxPassphrase)).toBe(15_000);
    expect(limitOf('a network')).toBe(60_000);
    expect(limitOf('a network', { SETTLEMENT_TIMEOUT_MS: '5000' })).toBe(5_000);
    expect(settlementTimeoutMsOf({})).toBe(15_000);
    expect(sagaStalledAfterMsOf({})).toBe(30_000);
    expect(sagaStalledAfterMsOf({ LEDGER_NETWORK_PASSPHRASE: 'a network' })).toBe(120_000);
  });
});
