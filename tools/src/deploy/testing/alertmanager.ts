import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { provideAlertmanager, startTool } from '@holdfast/dev-servers/debian';
import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { z } from 'zod';

type Labels = Readonly<Record<string, string>>;

const notification = z.object({ receiver: z.string(), alerts: z.array(z.object({ labels: z.record(z.string(), z.string()) })) });
const shownAlerts = z.array(
  z.object({ labels: z.record(z.string(), z.string()), status: z.object({ inhibitedBy: z.array(z.string()) }) }),
);

export type RunningAlertmanager = {
  /** The alerts fire until they are resolved. */
  readonly fire: (alerts: readonly Labels[]) => Promise<void>;
  readonly resolve: (alerts: readonly Labels[]) => Promise<void>;
  /** The names of the alerts that are held back now, sorted. */
  readonly inhibited: () => Promise<readonly string[]>;
  /** What the webhook has received so far: `<receiver> <alert>`. */
  readonly notified: () => readonly string[];
  readonly stop: () => Promise<void>;
};

const source = fileURLToPath(new URL('../../../../deploy/alertmanager/alertmanager.yml', import.meta.url));
const startTimeoutMs = 60_000;
const hourMs = 3_600_000;

/** The configuration of production with the address itself: Debian's version does not know `url_file` yet. */
export async function configurationWith(webhookUrl: string): Promise<string> {
  return (await readFile(source, 'utf8')).replaceAll(/url_file: .*/g, `url: ${webhookUrl}`);
}

/** What `amtool` says about a configuration. */
export async function amtool(configuration: string, args: (file: string) => readonly string[]): Promise<string> {
  const { paths } = await provideAlertmanager();
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-amtool-'));
  const file = path.join(folder, 'alertmanager.yml');
  try {
    await writeFile(file, configuration);
    return (await promisify(execFile)(paths.amtool, args(file))).stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An Alertmanager with the configuration of production that notifies without waiting, and a webhook that it notifies. */
export async function startAlertmanager(): Promise<RunningAlertmanager> {
  const { paths } = await provideAlertmanager();
  const webhook = await openWebhook();
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-alertmanager-'));
  const file = path.join(folder, 'alertmanager.yml');
  await writeFile(file, (await configurationWith(webhook.url)).replaceAll(/group_wait: .*/g, 'group_wait: 0s'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = [`--config.file=${file}`, `--storage.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
  const server = startTool([paths.alertmanager, ...flags, '--cluster.listen-address=']);
  await eventually(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), { timeoutMs: startTimeoutMs });
  const post = async (alerts: readonly Labels[], endsAt: number): Promise<void> => {
    const body = JSON.stringify(alerts.map((labels) => ({ labels, endsAt: new Date(endsAt).toISOString() })));
    const response = await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect([response.status, await response.text()]).toEqual([200, '']);
  };
  const now = (): number => performance.timeOrigin + performance.now();
  return {
    fire: (alerts) => post(alerts, now() + hourMs),
    resolve: (alerts) => post(alerts, now()),
    inhibited: async () => {
      const shown = shownAlerts.parse(await (await fetch(`${url}/api/v2/alerts`)).json());
      return shown
        .filter(({ status }) => status.inhibitedBy.length > 0)
        .map(({ labels }) => labels['alertname'] ?? '')
        .sort();
    },
    notified: webhook.notified,
    stop: async () => {
      await server.stop();
      await webhook.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Webhook = { readonly url: string; readonly notified: () => readonly string[]; readonly close: () => Promise<void> };

async function openWebhook(): Promise<Webhook> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { receiver, alerts } = notification.parse(body);
      received.push(...alerts.map(({ labels }) => `${receiver} ${labels['alertname'] ?? ''}`));
      response.end();
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/`,
    notified: () => received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
