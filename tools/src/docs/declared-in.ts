import { z } from 'zod';
import { listSettings } from '@holdfast/process/config';
import { serviceNames } from '@holdfast/contracts/services';
import { processMetrics, processSettings, serviceMetrics } from '@holdfast/service-kit';
import type { Moves } from '@holdfast/kernel/states';
import type { MetricDeclaration } from '@holdfast/observability';
import type { ProgramMetrics } from './metrics-page.js';
import type { ProgramSettings } from './settings-page.js';
import type { StateTable } from './states-page.js';

/** What a file exports, by name. */
export type Exports = Readonly<Record<string, unknown>>;

/** The settings that a program's config.ts exports as `settings`; for a service, the settings of every service process come first. */
export function settingsDeclaredIn(program: string, exported: Exports): ProgramSettings {
  const { settings } = exported;
  if (!(settings instanceof z.ZodObject)) throw new Error(`the config.ts of ${program} must export its schema as "settings"`);
  const service = serviceNames.find((name) => name === program);
  const common = service === undefined ? [] : listSettings(processSettings(service));
  return { program, settings: [...common, ...listSettings(settings)] };
}

/** The metrics that a program's metrics.ts exports as `metrics`, after the metrics of every process of its kind. */
export function metricsDeclaredIn(program: string, { metrics }: Exports): ProgramMetrics {
  const parsed = z.array(z.custom<MetricDeclaration>(isMetric)).safeParse(metrics);
  if (!parsed.success) throw new Error(`the metrics.ts of ${program} must export its declarations as "metrics"`);
  const service = serviceNames.find((name) => name === program);
  return { program, metrics: [...(service === undefined ? processMetrics : serviceMetrics(service)), ...parsed.data] };
}

const metricShape = z.object({
  type: z.enum(['counter', 'gauge', 'histogram']),
  name: z.string(),
  help: z.string(),
  labels: z.record(z.string(), z.union([z.string(), z.array(z.string()).readonly()])),
});

function isMetric(value: unknown): boolean {
  return metricShape.safeParse(value).success;
}

const movesName = /^(\w+)Moves$/;

/**
 * The state tables of a file: `disputeMoves` beside the tuple `disputeStatuses`, whose first member is the initial
 * state.
 */
export function statesDeclaredIn(file: string, exported: Exports): readonly StateTable[] {
  return Object.entries(exported).flatMap(([name, moves]) => {
    const aggregate = movesName.exec(name)?.[1];
    if (aggregate === undefined || !isMoves(moves)) return [];
    const states = exported[`${aggregate}Statuses`] ?? exported[`${aggregate}States`];
    const initial: unknown = Array.isArray(states) ? states[0] : undefined;
    if (typeof initial !== 'string') throw new Error(`${file} must export ${aggregate}Statuses beside ${name}`);
    return [{ aggregate: titleOf(aggregate), initial, moves }];
  });
}

const movesShape = z.record(z.string(), z.object({ from: z.array(z.string()).readonly(), to: z.string() }));

function isMoves(value: unknown): value is Moves<string, string> {
  return movesShape.safeParse(value).success;
}

/** `disputeMoves` is about a Dispute, `topUpMoves` about a Top up. */
function titleOf(aggregate: string): string {
  const words = aggregate.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
