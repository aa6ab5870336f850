import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { providePrometheus } from '@holdfast/dev-servers/debian';
import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { z } from 'zod';

export type RunningPrometheus = {
  /** The alerts that fire now. */
  readonly firing: () => Promise<readonly FiringAlert[]>;
  /** The newest values of an expression. */
  readonly query: (expression: string) => Promise<readonly number[]>;
  /** The rules that could not be evaluated, each with its error; also those that were not evaluated yet. */
  readonly failedRules: () => Promise<readonly string[]>;
  /** Where it serves the folder docs, as in docker-compose.yml; the runbook_url of an alert begins with it. */
  readonly docsUrl: string;
  readonly stop: () => Promise<void>;
};

const alert = z.object({
  state: z.string(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
});
export type FiringAlert = z.infer<typeof alert>;

const alertsResponse = z.object({ data: z.object({ alerts: z.array(alert) }) });
const queryResponse = z.object({ data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }) });
const rule = z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() });
const rulesResponse = z.object({ data: z.object({ groups: z.array(z.object({ rules: z.array(rule) })) }) });

const rulesFolder = fileURLToPath(new URL('../../../deploy/prometheus/rules', import.meta.url));
const docsFolder = fileURLToPath(new URL('../../../docs', import.meta.url));
const startTimeoutMs = 60_000;

/** Ends the server when the standard input is closed, which the kernel does when this process ends in any way. */
const guardianScript = '"$@" </dev/null & server=$!; cat >/dev/null; kill "$server"; wait "$server"';

/** A Prometheus with the rules of deploy/prometheus that scrapes this target every second, and lets alerts fire without waiting. */
export async function startPrometheus(target: string): Promise<RunningPrometheus> {
  const { paths } = await providePrometheus();
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-prometheus-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const docsUrl = `${url}/user`;
  await writeConfiguration(folder, { target, docsUrl });
  const flags = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.user-assets=${docsFolder}`,
  ];
  const command = [paths.prometheus, ...flags, '--log.level=warn', `--web.listen-address=127.0.0.1:${port}`];
  const guardian = spawn('/bin/sh', ['-c', guardianScript, 'holdfast-prometheus', ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(guardian, 'close');
  const read = async (route: string): Promise<unknown> =>
    (await fetch(`${url}${route}`, { signal: AbortSignal.timeout(5_000) })).json();
  const isReady = async (): Promise<void> => expect((await fetch(`${url}/-/ready`)).status).toBe(200);
  await eventually(isReady, { timeoutMs: startTimeoutMs });
  return {
    firing: async () => alertsResponse.parse(await read('/api/v1/alerts')).data.alerts.filter(({ state }) => state === 'firing'),
    query: async (expression) => {
      const { data } = queryResponse.parse(await read(`/api/v1/query?query=${encodeURIComponent(expression)}`));
      return data.result.map(({ value: [, text] }) => Number(text));
    },
    failedRules: async () => {
      const rules = rulesResponse.parse(await read('/api/v1/rules')).data.groups.flatMap((group) => group.rules);
      return rules
        .filter(({ health }) => health !== 'ok')
        .map(({ name, health, lastError }) => `${name}: ${lastError ?? health}`);
    },
    docsUrl,
    stop: async () => {
      guardian.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The rules of production, except for the time that an alert is pending: it would make a test last for minutes. */
async function writeConfiguration(
  folder: string,
  { target, docsUrl }: { readonly target: string; readonly docsUrl: string },
): Promise<void> {
  const rules = path.join(folder, 'rules');
  await cp(rulesFolder, rules, { recursive: true });
  for (const name of await readdir(rules)) {
    const text = await readFile(path.join(rules, name), 'utf8');
    await writeFile(path.join(rules, name), text.replaceAll(/^( +for:) .*$/gm, '$1 0s'));
  }
  const scrape = { job_name: 'holdfast', static_configs: [{ targets: [target] }] };
  const everySecond = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  const global = { ...everySecond, external_labels: { docs_url: docsUrl } };
  // JSON is YAML, too.
  const configuration = { global, rule_files: [`${rules}/*.yaml`], scrape_configs: [scrape] };
  await writeFile(path.join(folder, 'prometheus.yml'), JSON.stringify(configuration));
}
