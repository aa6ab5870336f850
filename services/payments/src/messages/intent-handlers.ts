import { cancelPayin } from '../use-cases/cancel-payin.js';
import { createPayin } from '../use-cases/create-payin.js';
import { uncountedWhileStopped } from '@holdfast/intents/provider-controls';
import { type Handler } from '@holdfast/intents';
import type { IntentKind } from '../use-cases/intent-kinds.js';
import type { Deps } from '../use-cases/ports.js';
import { returnCase } from '../use-cases/return-case.js';
import { sendPayout } from '../use-cases/send-payout.js';

/** Kind of intent → use case. */
export function intentHandlers(deps: () => Deps): Readonly<Record<IntentKind, Handler>> {
  return {
    'create-payin': (intent, signal) => createPayin(deps(), intent, signal),
    'cancel-payin': (intent, signal) => cancelPayin(deps(), intent, signal),
    'create-payout': (intent, signal) =>
      uncountedWhileStopped(deps().emergencyStop, (leased) => sendPayout(deps(), leased, signal))(intent, signal),
    'return-case': (intent, signal) =>
      uncountedWhileStopped(deps().emergencyStop, (leased) => returnCase(deps(), leased, signal))(intent, signal),
  };
}
