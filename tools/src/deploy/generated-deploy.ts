import { alertmanagerSecret, readAlertmanagerConfiguration } from './alertmanager-secret.js';
import { dashboards } from './dashboards/index.js';
import { readRuleGroups } from './rule-files.js';
import { rulesManifest } from './rules-manifest.js';

/** The generated files below deploy/, by path. */
export async function generatedDeploy(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['deploy/k8s/base/prometheus-rules.yaml', rulesManifest(await readRuleGroups(root))],
    ['deploy/k8s/base/alertmanager-config.yaml', alertmanagerSecret(await readAlertmanagerConfiguration(root))],
    ...dashboards.map((dashboard) => [`deploy/grafana/dashboards/${dashboard.uid}.json`, toText(dashboard)] as const),
  ]);
}

function toText(dashboard: object): string {
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
