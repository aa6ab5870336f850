import type { MeasuredSide, Sample } from './results.js';
import { spreadOf, type Spread } from './statistics.js';

/** One side of a comparison. `run` takes about the given time and returns its measurements. */
export type Side = { readonly name: string; readonly run: (durationMs: number) => Promise<Sample> };

export type Rounds = { readonly count: number; readonly durationMs: number; readonly warmUpMs: number };

/**
 * Runs every side once to warm up, then in rounds of alternating order, so that other load on the machine and growing tables
 * affect all sides alike.
 */
export async function measure(
  sides: readonly Side[],
  { count, durationMs, warmUpMs }: Rounds,
  onProgress: (fact: string) => void,
): Promise<readonly MeasuredSide[]> {
  const samples = new Map<string, Sample[]>(sides.map(({ name }) => [name, []]));
  onProgress(`warming up ${sides.length} sides`);
  for (const side of sides) refuseErrors(side.name, await side.run(warmUpMs));
  for (let round = 1; round <= count; round += 1) {
    onProgress(`round ${round} of ${count}`);
    for (const { name, run } of round % 2 === 1 ? sides : sides.toReversed()) {
      const sample = await run(durationMs);
      refuseErrors(name, sample);
      samples.get(name)?.push(sample);
      onProgress(`  ${name}: ${Math.round(sample.perSecond).toLocaleString('en')}/s`);
    }
  }
  return sides.map(({ name }) => ({ name, samples: samples.get(name) ?? [] }));
}

/** A side with failed calls has no result. */
function refuseErrors(name: string, { errors }: Sample): void {
  if (errors > 0) throw new Error(`${name}: ${errors} calls failed`);
}

export function rateOf({ samples }: MeasuredSide): Spread {
  return spreadOf(samples.map(({ perSecond }) => perSecond));
}

/** The fastest one by its median. */
export function fastest(sides: readonly MeasuredSide[]): MeasuredSide {
  const [first, ...others] = sides;
  if (first === undefined) throw new Error('there is nothing to choose from');
  return others.reduce((best, side) => (rateOf(side).median > rateOf(best).median ? side : best), first);
}

/** How much longer a call takes, round by round. Empty where the measuring tool does not report it. */
export function addedOf(side: MeasuredSide, baseline: MeasuredSide, which: 'p50Ms' | 'p99Ms'): Spread {
  return spreadOf(
    side.samples.map((sample, round) => (sample[which] ?? Number.NaN) - (baseline.samples[round]?.[which] ?? Number.NaN)),
  );
}

/** How many times as fast, round by round, since the two of one round ran close together. */
export function ratioOf(side: MeasuredSide, baseline: MeasuredSide): Spread {
  return spreadOf(side.samples.map(({ perSecond }, round) => perSecond / (baseline.samples[round]?.perSecond ?? Number.NaN)));
}
