import { fileURLToPath } from 'node:url';
import { eventually } from '@holdfast/testing/eventually';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertsOf, readRuleGroups } from './rule-files.js';
import { amtool, configurationWith, startAlertmanager, type RunningAlertmanager } from './testing/alertmanager.js';

/** A busy machine may have to fetch the package first. */
jest.setTimeout(300_000);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const webhookUrl = 'http://127.0.0.1:9/';

/** Wrong books, foreign signatures, what only a person can end: no other fault explains these. */
const neverHeldBack = [
  'HoldfastBookBelowZero',
  'HoldfastInsolvent',
  'HoldfastLedgerDiscrepancies',
  'HoldfastMessagesParked',
  'HoldfastMoneyUnexplained',
  'HoldfastReconciliationDiffers',
  'HoldfastSagaStopped',
  'HoldfastSettlementContradicted',
  'HoldfastSettlementMismatch',
  'HoldfastSigningRefused',
  'HoldfastUnconfirmedPayment',
  'HoldfastUnknownOutflow',
];

const configuration = z.object({
  inhibit_rules: z.array(z.object({ source_matchers: z.array(z.string()), target_matchers: z.array(z.string()) })),
});

/** Every alert of the rules as it would reach Alertmanager. */
async function allAlerts(): Promise<readonly Readonly<Record<string, string>>[]> {
  return alertsOf(await readRuleGroups(root)).map(({ alert, labels, expr }) => {
    const slo = /slo="([\w-]+)"/.exec(expr)?.[1];
    const provider = alert.startsWith('HoldfastProvider') ? 'horizon' : undefined;
    return { alertname: alert, ...labels, ...(slo === undefined ? {} : { slo }), ...(provider === undefined ? {} : { provider }) };
  });
}

/** The names in a matcher such as `alertname=~"One|Two.*"`. */
function namesIn(matcher: string): readonly string[] {
  return (/^alertname=~?"(.+)"$/.exec(matcher)?.[1] ?? `no alert name: ${matcher}`).split('|');
}

describe('the configuration of Alertmanager', () => {
  it('is valid', async () => {
    const result = await amtool(await configurationWith(webhookUrl), (file) => ['check-config', file]);
    expect(result).toContain('3 receivers');
    await expect(amtool('receivers: nobody', (file) => ['check-config', file])).rejects.toThrow('check-config');
  });

  it.each([
    ['a page', ['severity=page', 'alertname=HoldfastProcessDown'], 'pages'],
    ['a page of other rules', ['severity=critical', 'alertname=KubeNodeNotReady'], 'pages'],
    ['a ticket', ['severity=ticket', 'alertname=HoldfastStreamLag'], 'tickets'],
    ['a notice', ['severity=info', 'alertname=HoldfastEmergencyStopped'], 'notices'],
    ['what has no severity', ['alertname=Other'], 'tickets'],
  ])('routes %s to its receiver', async (_, labels, receiver) => {
    const test = (file: string): readonly string[] => ['config', 'routes', 'test', `--config.file=${file}`, ...labels];
    expect(await amtool(await configurationWith(webhookUrl), test)).toBe(receiver);
  });

  it('names only alerts that there are', async () => {
    const names = (await allAlerts()).map(({ alertname = '' }) => alertname);
    const rules = configuration.parse(parse(await configurationWith(webhookUrl))).inhibit_rules;
    const patterns = rules.flatMap((rule) => [...rule.source_matchers, ...rule.target_matchers].flatMap(namesIn));
    expect(patterns.filter((pattern) => !names.some((name) => new RegExp(`^${pattern}$`).test(name)))).toEqual([]);
  });
});

describe('a running Alertmanager', () => {
  let alertmanager: RunningAlertmanager;
  let alerts: Awaited<ReturnType<typeof allAlerts>>;
  const causes = ['EmergencyStopped', 'DatabaseUnreachable', 'BrokerDisconnected', 'ServiceAbsent', 'ProcessDown'];
  const isCause = (name = ''): boolean => causes.includes(name.replace('Holdfast', '')) || /FastBurn$|BreakerOpen$/.test(name);
  const named = (name: string) => alerts.filter(({ alertname }) => alertname === name);

  beforeAll(async () => {
    alerts = await allAlerts();
    alertmanager = await startAlertmanager();
  });
  afterAll(() => alertmanager.stop());

  it('posts each alert to the webhook, with the receiver of its severity', async () => {
    const fired = alerts.filter(({ alertname }) => !isCause(alertname));
    await alertmanager.fire(fired);
    const receivers: Readonly<Record<string, string>> = { page: 'pages', ticket: 'tickets', info: 'notices' };
    const expected = fired.map(({ alertname = '', severity = '' }) => `${receivers[severity]} ${alertname}`);
    await eventually(() => expect(alertmanager.notified()).toEqual(expect.arrayContaining(expected)));
    expect(await alertmanager.inhibited()).toEqual([]);
  });

  it.each([
    ['HoldfastEmergencyStopped', 'HoldfastSagaStalled', 'HoldfastOutboxLag'],
    ['HoldfastDatabaseUnreachable', 'HoldfastErrorRateHigh', 'HoldfastTreasuryLow'],
    ['HoldfastBrokerDisconnected', 'HoldfastOutboxLag', 'HoldfastErrorRateHigh'],
    ['HoldfastServiceAbsent', 'HoldfastErrorRateHigh', 'HoldfastHistoryNotRead'],
    ['HoldfastProviderBreakerOpen', 'HoldfastProviderErrors', 'HoldfastErrorRateHigh'],
    ['HoldfastSloReadLatencyFastBurn', 'HoldfastSloReadLatencySlowBurn', 'HoldfastSloWebhookLagSlowBurn'],
  ])('holds back what follows from %s, until it is resolved', async (cause, consequence, other) => {
    await alertmanager.fire(named(cause));
    await eventually(async () => expect(await alertmanager.inhibited()).toContain(consequence));
    expect(await alertmanager.inhibited()).not.toContain(other);
    await alertmanager.resolve(named(cause));
    await eventually(async () => expect(await alertmanager.inhibited()).toEqual([]));
  });

  it('never holds back an alert about money, also when everything fires', async () => {
    await alertmanager.fire(alerts);
    await eventually(async () => expect((await alertmanager.inhibited()).length).toBeGreaterThan(20));
    const inhibited = await alertmanager.inhibited();
    expect(neverHeldBack.filter((name) => inhibited.includes(name) || named(name).length === 0)).toEqual([]);
  });
});
