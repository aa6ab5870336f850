import { z } from 'zod';
import { createHttpClient } from '@holdfast/http/client';
import type { Faucet } from '../use-cases/treasury/ports.js';

const faucetTimeoutMs = 10_000;

/** The faucet of a test network. */
export function faucetAt(url: string): Faucet & { readonly close: () => Promise<void> } {
  const { origin, pathname } = new URL(url);
  const client = createHttpClient({
    baseUrl: origin,
    timeoutMs: faucetTimeoutMs,
    errors: { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' },
  });
  const give: Faucet = async (address, asset, amount) => {
    await client.request({ method: 'POST', path: pathname, body: { address, asset, amount }, responseSchema: z.unknown() });
  };
  return Object.assign(give, { close: client.close });
}
