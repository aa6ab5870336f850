import type { Clock } from '@holdfast/kernel/context';
import type { Prove } from './prover.js';

export type DueProofs = {
  /** Proves what is due. Without a due transaction it costs no statement. */
  readonly prove: () => ReturnType<Prove>;
  /** A process has stored transactions that are due now. */
  readonly onClaimed: () => void;
};

type Deps = {
  readonly prove: Prove;
  /** In how many milliseconds the next transaction is due; undefined if none waits. */
  readonly nextDueInMs: () => Promise<number | undefined>;
  readonly clock: Pick<Clock, 'epochMs'>;
};

/** After this time the process looks for transactions without a notification. */
const lookEveryMs = 10_000;

export function dueProofs({ prove, nextDueInMs, clock }: Deps): DueProofs {
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let isNotified = false;
  return {
    prove: async () => {
      if (!isNotified && clock.epochMs() < dueAtMs) return [];
      // If the proof fails, the next call tries again.
      [isNotified, dueAtMs] = [false, Number.NEGATIVE_INFINITY];
      const published = await prove();
      dueAtMs = clock.epochMs() + Math.min((await nextDueInMs()) ?? lookEveryMs, lookEveryMs);
      return published;
    },
    onClaimed: () => {
      isNotified = true;
    },
  };
}
