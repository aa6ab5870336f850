import { fileURLToPath } from 'node:url';
import { alertsOf, readRuleGroups } from './rule-files.js';
import {
  amtool,
  heldBack,
  isCause,
  patternOf,
  readInhibitRules,
  type Alert,
  type InhibitRule,
} from './testing/alertmanager-configuration.js';

/** A busy machine may have to fetch amtool first. */
jest.setTimeout(300_000);

const root = fileURLToPath(new URL('../../../', import.meta.url));

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

/** Every alert of the rules, with the labels that its expression leaves. */
async function allAlerts(): Promise<readonly Alert[]> {
  return alertsOf(await readRuleGroups(root)).map(({ alert, labels, expr }) => {
    const slo = /slo="([\w-]+)"/.exec(expr)?.[1];
    const provider = alert.startsWith('HoldfastProvider') ? 'horizon' : undefined;
    return {
      alertname: alert,
      ...labels,
      ...(slo === undefined ? {} : { slo }),
      ...(provider === undefined ? {} : { provider }),
    };
  });
}

describe('the configuration of Alertmanager', () => {
  it('is valid', async () => {
    expect(await amtool((file) => ['check-config', file])).toContain('3 receivers');
    await expect(amtool((file) => ['check-config', file], 'receivers: nowhere')).rejects.toThrow('check-config');
  });

  it.each([
    ['a page', ['severity=page', 'alertname=HoldfastProcessDown'], 'pages'],
    ['a page of other rules', ['severity=critical', 'alertname=KubeNodeNotReady'], 'pages'],
    ['a ticket', ['severity=ticket', 'alertname=HoldfastStreamLag'], 'tickets'],
    ['a notice', ['severity=info', 'alertname=HoldfastEmergencyStopped'], 'notices'],
    ['what has no severity', ['alertname=Other'], 'tickets'],
  ])('routes %s to its receiver', async (_, labels, receiver) => {
    expect(await amtool((file) => ['config', 'routes', 'test', `--config.file=${file}`, ...labels])).toBe(receiver);
  });
});

describe('the inhibitions of Alertmanager', () => {
  let alerts: readonly Alert[];
  let rules: readonly InhibitRule[];

  beforeAll(async () => {
    alerts = await allAlerts();
    rules = await readInhibitRules();
  });

  it('name only alerts that there are', () => {
    const matchers = rules.flatMap((rule) => [...rule.source_matchers, ...rule.target_matchers]).map(patternOf);
    const names = matchers.flatMap(({ label, alternatives }) => (label === 'alertname' ? alternatives : [`a label ${label}`]));
    const isKnown = (name: string): boolean => alerts.some(({ alertname = '' }) => new RegExp(`^${name}$`).test(alertname));
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  });

  it.each([
    ['HoldfastEmergencyStopped', 'HoldfastSagaStalled', 'HoldfastOutboxLag'],
    ['HoldfastDatabaseUnreachable', 'HoldfastErrorRateHigh', 'HoldfastMessagesParked'],
    ['HoldfastBrokerDisconnected', 'HoldfastOutboxLag', 'HoldfastErrorRateHigh'],
    ['HoldfastServiceAbsent', 'HoldfastErrorRateHigh', 'HoldfastHistoryNotRead'],
    ['HoldfastProviderBreakerOpen', 'HoldfastProviderErrors', 'HoldfastErrorRateHigh'],
    ['HoldfastSloReadLatencyFastBurn', 'HoldfastSloReadLatencySlowBurn', 'HoldfastSloWebhookLagSlowBurn'],
  ])('hold back what follows from %s, and nothing else', (cause, consequence, other) => {
    const held = heldBack(
      alerts.filter((alert) => alert['alertname'] === cause || !isCause(alert, rules)),
      rules,
    );
    expect(held).toContain(consequence);
    expect(held).not.toContain(other);
  });

  it('never hold back an alert about money, also when everything fires', () => {
    const held = heldBack(alerts, rules);
    expect(held.length).toBeGreaterThan(20);
    const exists = (name: string): boolean => alerts.some(({ alertname }) => alertname === name);
    expect(neverHeldBack.filter((name) => held.includes(name) || !exists(name))).toEqual([]);
  });

  it('hold back the calls of the provider that fails, not the calls of others', () => {
    const of = (alertname: string, provider: string): Alert => ({ alertname, provider });
    const firing = [of('HoldfastProviderBreakerOpen', 'horizon'), of('HoldfastProviderErrors', 'ledger-rpc')];
    expect(heldBack(firing, rules)).toEqual([]);
  });
});
