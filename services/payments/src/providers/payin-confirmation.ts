import type { Settings } from '../config.js';
import type { PayinConfirmation } from '../use-cases/hold-ports.js';
import { isSandbox } from './provider-states.js';

/** With the time until the alert fires, a contradiction is known within a minute. */
const afterMsDefault = 40_000;
const readsMin = 8;
const readAgainMsMax = 5_000;

type Given = Pick<Settings, 'PAYMENT_PROVIDER_URL' | 'PAYIN_CONFIRMATION_MS'>;

/** The sandbox's own events need no confirmation, unless the setting says so. See ADR 0078. */
export function payinConfirmationOf({ PAYMENT_PROVIDER_URL, PAYIN_CONFIRMATION_MS: set }: Given): PayinConfirmation | undefined {
  const afterMs = set ?? (isSandbox(PAYMENT_PROVIDER_URL) ? 0 : afterMsDefault);
  return afterMs === 0 ? undefined : { afterMs, readAgainMs: Math.min(readAgainMsMax, afterMs / readsMin) };
}
