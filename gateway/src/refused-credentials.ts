import { randomUUID } from 'node:crypto';
import { toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import { refusalsMax, type Refusal } from '@holdfast/contracts/http';
import type { Job } from '@holdfast/work';
import type { Identity } from './identity.js';

export type RefusedCredentials = {
  /** Counts a refused credential. */
  readonly record: (address: string) => void;
  /** Reports the counts that have changed since the last report. */
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
/** The audit trail closes a minute this long after its start; counts that were not reported by then are lost. */
const reportableMs = 105_000;
/** Addresses counted separately in a minute. Further addresses share one entry. */
const addressesMax = 10_000;
const otherAddresses = 'other addresses';

type Counted = { count: number; reported: number };

/**
 * Counts refused credentials by address and minute for the audit trail. A report has the total of a minute, so that reporting it
 * twice is harmless. A process that dies loses at most five seconds of counts.
 */
export function createRefusedCredentials({ identity, clock, log }: Options): RefusedCredentials {
  const gatewayId = randomUUID();
  const minutes = new Map<number, Map<string, Counted>>();

  const record = (address: string): void => {
    const atMs = clock.epochMs();
    const minute = atMs - (atMs % minuteMs);
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
    const unreported = [...minutes].flatMap(([minute, counts]) => unreportedOf(minute, counts));
    for (let from = 0; from < unreported.length; from += refusalsMax) {
      const page = unreported.slice(from, from + refusalsMax);
      await identity.reportRefusals(
        gatewayId,
        page.map(({ refusal }) => refusal),
      );
      for (const { counted, refusal } of page) counted.reported = refusal.count;
    }
  };

  return { record, report, job: { name: 'report-refused-credentials', everyMs: reportEveryMs, run: report } };
}

type Unreported = { readonly counted: Counted; readonly refusal: Refusal };

function unreportedOf(minute: number, counts: ReadonlyMap<string, Counted>): readonly Unreported[] {
  return [...counts]
    .filter(([, { count, reported }]) => count > reported)
    .map(([address, counted]) => ({ counted, refusal: { address, minute: toInstant(minute), count: counted.count } }));
}
