import { z } from 'zod';

const sample = z.object({
  perSecond: z.number(),
  /** Null where the measuring tool does not report it. */
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  /** Processor time per call of the process that the side is about: it changes least when the machine is busy with other things. */
  cpuMicros: z.number().nullable(),
  errors: z.int(),
});

const side = z.object({ name: z.string(), samples: z.array(sample).readonly() });

const spread = z.object({ median: z.number(), min: z.number(), max: z.number() });

const table = z.object({
  title: z.string(),
  unit: z.string(),
  sides: z.array(side).readonly(),
  /** The side that the others are set in relation to. */
  baseline: z.string().nullable(),
  /** Whether the table also says how much longer each side takes than the baseline. */
  showsAdded: z.boolean().optional(),
});

/** What a table cannot show, as lines of text of equal width. */
const drawing = z.object({ title: z.string(), lines: z.array(z.string()).readonly() });

const target = z.object({
  work: z.string(),
  /** What `measured` counts: times something, a number a second, or milliseconds. */
  unit: z.string(),
  /** One of the two bounds. */
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
  measured: spread,
});

const machine = z.object({
  processor: z.string(),
  cores: z.int(),
  memoryGb: z.number(),
  system: z.string(),
  /** Name and version of everything that took part. */
  versions: z.record(z.string(), z.string()),
});

/** One full run of a benchmark, as it is stored in a file. */
export const report = z.object({
  name: z.string(),
  title: z.string(),
  measuredAt: z.string(),
  durationSeconds: z.number(),
  /** What was measured and how, one paragraph each. */
  about: z.array(z.string()).readonly(),
  machine,
  /** The load average of the last minute, before the first and after the last round. */
  load: z.object({ before: z.number(), after: z.number() }),
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
  tables: z.array(table).readonly(),
  drawings: z.array(drawing).readonly().optional(),
  targets: z.array(target).readonly(),
  /** Checks that passed after the run; the results of a run that fails one are not stored. */
  checks: z.array(z.string()).readonly(),
});

export type Sample = Readonly<z.output<typeof sample>>;
export type MeasuredSide = Readonly<z.output<typeof side>>;
export type Table = Readonly<z.output<typeof table>>;
export type Drawing = Readonly<z.output<typeof drawing>>;
export type Target = Readonly<z.output<typeof target>>;
export type Machine = Readonly<z.output<typeof machine>>;
export type Report = Readonly<z.output<typeof report>>;
