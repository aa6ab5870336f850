import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Prometheus puts its external label in place of the braces, so that an installation names the address of its docs once. */
const docsUrl = '{{ $externalLabels.docs_url }}';

const alertRule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket', 'info']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.string().startsWith(`${docsUrl}/`),
  }),
});
const recordingRule = z.strictObject({
  record: z.string(),
  labels: z.strictObject({ slo: z.string() }).optional(),
  expr: z.string(),
});
const ruleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([alertRule, recordingRule])) })),
});

export type AlertRule = z.infer<typeof alertRule>;
export type RuleGroup = z.infer<typeof ruleFile>['groups'][number];

/** All rule groups below deploy/prometheus/rules, which are the source of the Kubernetes manifest as well. See ADR 0068. */
export async function readRuleGroups(root: string): Promise<readonly RuleGroup[]> {
  const folder = path.join(root, 'deploy/prometheus/rules');
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return files.flatMap((text) => ruleFile.parse(parse(text)).groups);
}

/** The page of an alert, as a path in this repository, and the section of it. See ADR 0084. */
export function runbookOf({ annotations }: AlertRule): { readonly file: string; readonly anchor: string | undefined } {
  const [page = '', anchor] = annotations.runbook_url.slice(docsUrl.length).split('#');
  return { file: `docs${page}`, anchor };
}

export function alertsOf(groups: readonly RuleGroup[]): readonly AlertRule[] {
  return groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
}
