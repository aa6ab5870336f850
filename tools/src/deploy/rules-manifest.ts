import { stringify } from 'yaml';
import type { RuleGroup } from './rule-files.js';

const heading = '# Generated from deploy/prometheus/rules by "npm run generate". Edit those files.\n';

/** The same rules as a PrometheusRule of the Prometheus operator. */
export function rulesManifest(groups: readonly RuleGroup[]): string {
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'holdfast', labels: { 'app.kubernetes.io/part-of': 'holdfast' } },
    spec: { groups },
  };
  return heading + stringify(manifest, { lineWidth: 0 });
}
