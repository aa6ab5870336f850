import type { Query } from './panel.js';

/** Median and slowest hundredth of a histogram, by these labels. */
export function quantiles(histogram: string, by: readonly string[] = []): readonly Query[] {
  const legend = by.map((label) => `{{${label}}}`).join(' ');
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${[...by, 'le'].join(', ')}) (rate(${histogram}[5m])))`,
    legend: `p${quantile * 100} ${legend}`.trim(),
  }));
}
