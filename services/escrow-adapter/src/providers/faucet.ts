import { z } from 'zod';
import { createHttpClient } from '@holdfast/http/client';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import type { Faucet } from '../use-cases/treasury/ports.js';

const faucetTimeoutMs = 10_000;

/** The faucet of a test network; undefined on others. */
export function connectFaucet({ config, lifecycle }: Pick<ServiceRuntime<Settings>, 'config' | 'lifecycle'>): Faucet | undefined {
  if (config.LEDGER_FAUCET_URL === undefined) return undefined;
  const { origin, pathname } = new URL(config.LEDGER_FAUCET_URL);
  const client = createHttpClient({
    baseUrl: origin,
    timeoutMs: faucetTimeoutMs,
    errors: { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' },
  });
  lifecycle.onStop('faucet client', client.close);
  return async (body) => {
    await client.request({ method: 'POST', path: pathname, body, responseSchema: z.unknown() });
  };
}
