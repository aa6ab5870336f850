import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documentOf } from './document.js';
import { report as reportShape, type Report } from './results.js';

const resultsFolder = fileURLToPath(new URL('../../results/', import.meta.url));
const page = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

export function saveReport(report: Report): void {
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(fileOf(report.name), `${JSON.stringify(report, undefined, 2)}\n`);
}

/** Writes the page of the last results; a benchmark that was never run in full is not on it. */
export function writePage(names: readonly string[]): void {
  const files = names.map(fileOf).filter((file) => existsSync(file));
  const reports = files.map((file) => reportShape.parse(JSON.parse(readFileSync(file, 'utf8'))));
  writeFileSync(page, documentOf(reports));
}

function fileOf(name: string): string {
  return `${resultsFolder}${name}.json`;
}
