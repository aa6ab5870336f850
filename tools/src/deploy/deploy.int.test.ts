import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { providePrometheus } from '@holdfast/dev-servers/debian';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { dashboards } from './dashboards/index.js';
import { generatedDeploy } from './generated-deploy.js';
import { alertsOf, readRuleGroups, runbookOf } from './rule-files.js';

/** A busy machine may have to fetch promtool first. */
jest.setTimeout(300_000);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const runbooks = path.join(root, 'docs/operations/runbooks');

async function promtool(...args: readonly string[]): Promise<string> {
  const { paths } = await providePrometheus();
  const { stdout, stderr } = await promisify(execFile)(paths.promtool, args, { cwd: root });
  return stdout + stderr;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(path.join(root, folder))).map((name) => `${folder}/${name}`);
}

const testFile = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      promql_expr_test: z.array(z.object({ expr: z.string(), exp_samples: z.array(z.unknown()) })),
    }),
  ),
});

/** What the test files expect of a series or an alert: something or nothing. */
async function expectations(): Promise<readonly { readonly expr: string; readonly isEmpty: boolean }[]> {
  const texts = await Promise.all(
    (await filesIn('deploy/prometheus/tests')).map((file) => readFile(path.join(root, file), 'utf8')),
  );
  return texts
    .flatMap((text) => testFile.parse(parse(text)).tests)
    .flatMap((test) => test.promql_expr_test.map(({ expr, exp_samples: samples }) => ({ expr, isEmpty: samples.length === 0 })));
}

describe('the rules of Prometheus', () => {
  it('are valid, like the configuration that names them and Alertmanager', async () => {
    const checked = await promtool('check', 'config', 'deploy/prometheus/prometheus.yml');
    expect(checked).toContain(`${(await filesIn('deploy/prometheus/rules')).length} rule files found`);
    expect(checked).not.toContain('FAILED');
  });

  it('fire and stay silent as their tests say', async () => {
    expect(await promtool('test', 'rules', ...(await filesIn('deploy/prometheus/tests')))).not.toContain('FAILED');
  });

  it('have a firing and a silent test for each alert, and one for each recorded series', async () => {
    const groups = await readRuleGroups(root);
    const expected = await expectations();
    const isTested = (name: string, isEmpty: boolean): boolean =>
      expected.some((test) => test.isEmpty === isEmpty && test.expr.includes(`alertname="${name}"`));
    const alerts = alertsOf(groups).map(({ alert }) => alert);
    expect(alerts.filter((name) => !isTested(name, false) || !isTested(name, true))).toEqual([]);
    expect(recordedSeries(groups).filter((name) => !expected.some(({ expr, isEmpty }) => expr === name && !isEmpty))).toEqual([]);
  });

  it('have alerts with names of their own', async () => {
    const names = alertsOf(await readRuleGroups(root)).map(({ alert }) => alert);
    expect(names.filter((name, index) => names.indexOf(name) !== index || !name.startsWith('Holdfast'))).toEqual([]);
  });
});

describe('the runbooks', () => {
  it('exist for every alert with the section that its URL names, and name it', async () => {
    const missing: string[] = [];
    for (const rule of alertsOf(await readRuleGroups(root))) {
      const { file, anchor } = runbookOf(rule);
      const page = existsSync(path.join(root, file)) ? await readFile(path.join(root, file), 'utf8') : '';
      const isThere = page.includes(`\`${rule.alert}\``) && (anchor === undefined || anchorsIn(page).includes(anchor));
      if (!isThere) missing.push(`${rule.alert}: ${rule.annotations.runbook_url}`);
    }
    expect(missing).toEqual([]);
    expect(anchorsIn('# Slow\n\n## What to do?\n')).toEqual(['slow', 'what-to-do']);
  });

  it('are all listed, with every alert, on the index page', async () => {
    const index = await readFile(path.join(runbooks, 'README.md'), 'utf8');
    const pages = (await readdir(runbooks)).filter((name) => name !== 'README.md');
    const alerts = alertsOf(await readRuleGroups(root)).map(({ alert }) => `\`${alert}\``);
    expect([...pages.map((name) => `(${name})`), ...alerts].filter((wanted) => !index.includes(wanted))).toEqual([]);
  });
});

describe('the dashboards', () => {
  it('are generated from the code, like the manifest of the rules', async () => {
    const generated = await generatedDeploy(root);
    const texts = await Promise.all([...generated.keys()].map((file) => readFile(path.join(root, file), 'utf8')));
    expect(texts).toEqual([...generated.values()]);
    expect(await filesIn('deploy/grafana/dashboards')).toHaveLength(dashboards.length);
  });

  it('name only recorded series that there are', async () => {
    const recorded = recordedSeries(await readRuleGroups(root));
    const named = [...panelExpressions(), ...alertsOf(await readRuleGroups(root)).map(({ expr }) => expr)].flatMap(recordedIn);
    expect(named.filter((name) => !recorded.includes(name))).toEqual([]);
  });

  it('have expressions that Prometheus can parse', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-panels-'));
    const rules = panelExpressions().map((expr, index) => ({ record: `panel:${index}`, expr: expr.replaceAll(/\$\w+/g, 'x') }));
    await writeFile(path.join(folder, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules }] }));
    expect(await promtool('check', 'rules', path.join(folder, 'panels.yaml'))).toContain(`${rules.length} rules found`);
    await rm(folder, { recursive: true });
  });
});

/** The anchors that Markdown viewers make from the headings of a page. */
function anchorsIn(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

function recordedSeries(groups: Awaited<ReturnType<typeof readRuleGroups>>): readonly string[] {
  return groups.flatMap(({ rules }) => rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])));
}

/** The recorded series that an expression names. */
function recordedIn(expression: string): readonly string[] {
  return expression.match(/(?<![\w:])holdfast:[\w:]+/g) ?? [];
}

function panelExpressions(): readonly string[] {
  const panel = z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) });
  return dashboards.flatMap(({ panels }) => panels.flatMap((each) => panel.parse(each).targets.map(({ expr }) => expr)));
}
