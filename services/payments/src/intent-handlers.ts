import type { Handler } from '@holdfast/intents';
import { cancelPayin } from './use-cases/cancel-payin.js';
import { createPayin } from './use-cases/create-payin.js';
import type { Deps } from './use-cases/ports.js';

/** Kind of intent → use case. */
export function intentHandlers(deps: () => Deps): Readonly<Record<string, Handler>> {
  return {
    'create-payin': (intent, signal) => createPayin(deps(), intent, signal),
    'cancel-payin': (intent, signal) => cancelPayin(deps(), intent, signal),
  };
}
