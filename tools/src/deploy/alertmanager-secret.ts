import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';

const source = 'deploy/alertmanager/alertmanager.yml';
const heading = `# Generated from ${source} by "npm run generate". Edit that file.\n`;

export function readAlertmanagerConfiguration(root: string): Promise<string> {
  return readFile(path.join(root, source), 'utf8');
}

/** The same configuration for the Prometheus operator, which takes it from a Secret although nothing in it is secret. */
export function alertmanagerSecret(configuration: string): string {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'alertmanager-holdfast', labels: { 'app.kubernetes.io/part-of': 'holdfast' } },
    stringData: { 'alertmanager.yaml': configuration },
  };
  return heading + stringify(manifest, { lineWidth: 0 });
}
