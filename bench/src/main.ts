import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemClock } from '@holdfast/kernel/context';
import { credits } from './credits.js';
import type { Benchmark } from './frame/benchmark.js';
import { saveReport, writePage } from './frame/save-report.js';
import { loadNow } from './frame/machine.js';
import { printReport } from './frame/print.js';
import { gateway } from './gateway.js';
import { ledger } from './ledger.js';
import { messaging } from './messaging.js';
import { network } from './network.js';
import { orders } from './orders.js';
import { payments } from './payments.js';
import { statements } from './statements.js';
import { stream } from './stream.js';
import { webhooksOut } from './webhooks-out.js';
import { webhooks } from './webhooks.js';

/** `npm run bench -- [name…] [--quick]`; `page` alone writes the page of the last results again. */
const benchmarks: readonly Benchmark[] = [
  ledger,
  credits,
  gateway,
  messaging,
  orders,
  network,
  payments,
  statements,
  stream,
  webhooks,
  webhooksOut,
];
const quickFlag = '--quick';
const onlyPage = 'page';

const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== quickFlag);
const unknown = names.filter((name) => name !== onlyPage && !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}"; there are: ${benchmarks.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
} else {
  const chosen = benchmarks.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const benchmark of chosen) await runOne(benchmark, args.includes(quickFlag));
  if (!args.includes(quickFlag)) writePage(benchmarks.map(({ name }) => name));
}

async function runOne({ name, title, run }: Benchmark, isQuick: boolean): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), `holdfast-bench-${name}-`));
  const stops: (() => Promise<void>)[] = [];
  const before = loadNow();
  const begunAt = performance.now();
  try {
    const onProgress = (fact: string): void => console.error(`${name}: ${fact}`);
    const findings = await run({ isQuick, folder, onProgress, onEnd: (stop) => void stops.push(stop) });
    const durationSeconds = (performance.now() - begunAt) / 1_000;
    const load = { before, after: loadNow() };
    const report = { name, title, measuredAt: systemClock().now(), durationSeconds, load, ...findings };
    printReport(report);
    if (!isQuick) saveReport(report);
  } catch (error) {
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  } finally {
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error));
    rmSync(folder, { recursive: true, force: true });
  }
}
