import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { provideAmtool } from '@holdfast/dev-servers/debian';
import { parse } from 'yaml';
import { z } from 'zod';

/** The labels of an alert. */
export type Alert = Readonly<Record<string, string>>;

const inhibitRule = z.strictObject({
  source_matchers: z.array(z.string()),
  target_matchers: z.array(z.string()),
  equal: z.array(z.string()).default([]),
});
export type InhibitRule = z.output<typeof inhibitRule>;

const source = fileURLToPath(new URL('../../../../deploy/alertmanager/alertmanager.yml', import.meta.url));

/** What `amtool` says about the configuration, with an address in it: Debian's version does not know `url_file` yet. */
export async function amtool(args: (file: string) => readonly string[], text?: string): Promise<string> {
  const { paths } = await provideAmtool();
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-amtool-'));
  const file = path.join(folder, 'alertmanager.yml');
  try {
    const configuration = text ?? (await readFile(source, 'utf8')).replaceAll(/url_file: .*/g, 'url: http://127.0.0.1:9/');
    await writeFile(file, configuration);
    return (await promisify(execFile)(paths.amtool, args(file))).stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function readInhibitRules(): Promise<readonly InhibitRule[]> {
  return z.object({ inhibit_rules: z.array(inhibitRule) }).parse(parse(await readFile(source, 'utf8'))).inhibit_rules;
}

/** The names of the alerts that are held back while all of these fire, sorted. */
export function heldBack(firing: readonly Alert[], rules: readonly InhibitRule[]): readonly string[] {
  const isHeldBack = (target: Alert): boolean =>
    rules.some(
      (rule) =>
        rule.target_matchers.every((matcher) => matches(target, matcher)) &&
        firing.some((cause) => isCause(cause, [rule]) && rule.equal.every((label) => cause[label] === target[label])),
    );
  return firing
    .filter(isHeldBack)
    .map(({ alertname = '' }) => alertname)
    .sort();
}

/** Whether an alert can hold back others. */
export function isCause(alert: Alert, rules: readonly InhibitRule[]): boolean {
  return rules.some((rule) => rule.source_matchers.every((matcher) => matches(alert, matcher)));
}

/** The pattern of a matcher such as `alertname=~"One|Two.*"`; it matches the whole value. */
export function patternOf(matcher: string): { readonly label: string; readonly alternatives: readonly string[] } {
  const [, label = '', , text = ''] = /^(\w+)=(~?)"(.+)"$/.exec(matcher) ?? [];
  if (label === '') throw new Error(`this test does not understand the matcher ${matcher}`);
  return { label, alternatives: text.split('|') };
}

function matches(alert: Alert, matcher: string): boolean {
  const { label, alternatives } = patternOf(matcher);
  return alternatives.some((alternative) => new RegExp(`^${alternative}$`).test(alert[label] ?? ''));
}
