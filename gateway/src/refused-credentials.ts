import { randomUUID } from 'node:crypto';
import { toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import { refusalsMax, type Refusal } from '@holdfast/contracts/http';
import type { Job } from '@holdfast/service-host';
import type { Identity } from './identity.js';

export type RefusedCredentials = {
  /** Counts a credential that was refused. */
  readonly record: (address: string) => void;
  /** Tells what was counted since the last time. */
  readonly report: () => Promise<void>;
  readonly job: Job;
};

type Options = {
  readonly identity: Pick<Identity, 'reportRefusals'>;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly log: Log;
};

const reportEveryMs = 5_000;
const minuteMs = 60_000;
/** Later than this after its beginning a minute is closed in the trail, and what was not reported by then is lost. */
const reportableMs = 105_000;
/** Addresses counted one by one within a minute. The rest of a flood counts as one. */
const addressesMax = 10_000;
const otherAddresses = 'other addresses';

type Counted = { count: number; reported: number };

/**
 * For the audit trail: refused credentials by address and minute. Reports tell the whole count of a minute, so that one which
 * comes twice changes nothing; what a dying process had not reported is at most five seconds of it.
 */
export function createRefusedCredentials({ identity, clock, log }: Options): RefusedCredentials {
  const gatewayId = randomUUID();
  const minutes = new Map<number, Map<string, Counted>>();

  const record = (address: string): void => {
    const minute = clock.epochMs() - (clock.epochMs() % minuteMs);
    const counts = minutes.get(minute) ?? new Map<string, Counted>();
    minutes.set(minute, counts);
    const name = counts.has(address) || counts.size < addressesMax ? address : otherAddresses;
    const counted = counts.get(name) ?? { count: 0, reported: 0 };
    counted.count += 1;
    counts.set(name, counted);
  };

  const prune = (): void => {
    for (const [minute, counts] of minutes) {
      const isReported = [...counts.values()].every(({ count, reported }) => reported === count);
      const ageMs = clock.epochMs() - minute;
      if (ageMs > reportableMs && !isReported) log.warn({ addresses: counts.size }, 'refused credentials could not be reported');
      if (ageMs > reportableMs || (ageMs >= minuteMs && isReported)) minutes.delete(minute);
    }
  };

  const report = async (): Promise<void> => {
    prune();
    const waiting = [...minutes].flatMap(([minute, counts]) => unreported(minute, counts));
    for (let from = 0; from < waiting.length; from += refusalsMax) {
      const part = waiting.slice(from, from + refusalsMax);
      await identity.reportRefusals(
        gatewayId,
        part.map(({ refusal }) => refusal),
      );
      for (const { counted, refusal } of part) counted.reported = refusal.count;
    }
  };

  return { record, report, job: { name: 'report-refused-credentials', everyMs: reportEveryMs, run: report } };
}

type Waiting = { readonly counted: Counted; readonly refusal: Refusal };

function unreported(minute: number, counts: ReadonlyMap<string, Counted>): readonly Waiting[] {
  return [...counts]
    .filter(([, { count, reported }]) => count > reported)
    .map(([address, counted]) => ({ counted, refusal: { address, minute: toInstant(minute), count: counted.count } }));
}
