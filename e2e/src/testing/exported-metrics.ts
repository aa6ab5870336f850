import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { declaredMetrics } from '@holdfast/all-in-one/metrics-reference';
import { providePrometheus } from '@holdfast/dev-servers/debian';
import { labelCombinations, type MetricDeclaration } from '@holdfast/observability';

/** What these processes declare and do not export: metrics, and samples of listed label values. */
export function missingMetrics(page: string, processes: readonly string[]): readonly string[] {
  const lines = page.split('\n');
  return processes.flatMap((service) =>
    (declaredMetrics.get(service) ?? []).flatMap((declaration) => {
      if (!lines.includes(`# TYPE ${declaration.name} ${declaration.type}`)) return [declaration.name];
      const samples = lines.filter((line) => line.startsWith(`${sampleOf(declaration)}{`));
      return labelCombinations(declaration.labels)
        .map((labels) => Object.entries({ ...labels, service }).map(([label, value]) => `${label}="${value}"`))
        .filter((labels) => !samples.some((line) => labels.every((label) => line.includes(label))))
        .map((labels) => `${declaration.name}{${labels.join(',')}}`);
    }),
  );
}

function sampleOf({ name, type }: MetricDeclaration): string {
  return type === 'histogram' ? `${name}_count` : name;
}

/** What `promtool check metrics` finds; empty if the page is clean. */
export async function checkMetrics(page: string): Promise<string> {
  const { paths } = await providePrometheus();
  const promtool = spawn(paths.promtool, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  promtool.stdin.end(page);
  const [output, errors] = await Promise.all([text(promtool.stdout), text(promtool.stderr)]);
  return output + errors;
}
