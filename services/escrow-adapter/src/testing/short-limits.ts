import type { Limits } from '../service.js';
import type { EscrowProviderPauses } from '../providers/escrow-provider.js';

/** The sandbox closes a ledger at once, so tests wait for less than on a network whose ledgers take seconds. */
export const shortLimits = {
  handlerLimits: { restoringRetryMs: 100 },
  submissionLimits: {
    ledgerPauseMs: 100,
    submitAgainAfterMs: { sent: 500, 'try-later': 400, refused: 400 },
    responseWaitMs: 300,
  },
} as const satisfies Limits;

export const shortPauses: EscrowProviderPauses = { rateLimitedMs: 100, unknownContractMs: 100, indexerRetryMs: 100 };
