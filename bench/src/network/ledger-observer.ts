import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** Notes when each ledger of the network was closed, more precisely than the whole seconds that the network reports. */
export type LedgerObserver = {
  /** Unix milliseconds. */
  readonly closedAt: (ledger: number) => number | undefined;
  readonly stop: () => Promise<void>;
};

const pollMs = 50;
const latestLedger = z.object({ result: z.object({ sequence: z.int() }) });
const request = { jsonrpc: '2.0', id: 1, method: 'getLatestLedger' };

export function observeLedgers(rpcUrl: string, now: () => number): LedgerObserver {
  const closed = new Map<number, number>();
  const stopping = new AbortController();
  const observe = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const sequence = await readLatest(rpcUrl).catch(() => undefined);
      if (sequence !== undefined && !closed.has(sequence)) closed.set(sequence, now());
      await pause(pollMs);
    }
  };
  const observed = observe();
  return {
    closedAt: (ledger) => closed.get(ledger),
    stop: async () => {
      stopping.abort();
      await observed;
    },
  };
}

/** Throws for an injected error of the node, which has no ledger. */
async function readLatest(rpcUrl: string): Promise<number> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return latestLedger.parse(await response.json()).result.sequence;
}
