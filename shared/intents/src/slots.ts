import type { Intent } from './intent.js';

/** Room for an intent that is stored with its lease. It is given back if the intent is not started. */
export type Slot<Subject = never> = {
  readonly start: (intent: Intent, subject?: Subject) => void;
  readonly giveBack: () => void;
};

/** Intents that are being claimed or stored, for which there must be room. */
type Reserved = { reserved: number };

export function reserveSlot<Subject>(state: Reserved, start: Slot<Subject>['start']): Slot<Subject> {
  state.reserved += 1;
  let isReserved = true;
  const giveBack = (): void => {
    if (isReserved) state.reserved -= 1;
    isReserved = false;
  };
  return {
    giveBack,
    start: (intent, subject) => {
      giveBack();
      start(intent, subject);
    },
  };
}

export async function withReserved<Result>(state: Reserved, intents: number, claim: () => Promise<Result>): Promise<Result> {
  state.reserved += intents;
  try {
    return await claim();
  } finally {
    state.reserved -= intents;
  }
}
