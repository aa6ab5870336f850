/** A query of a panel. The legend names labels: `{{service}}`. */
export type Query = { readonly expr: string; readonly legend?: string };

export type PanelSpec = {
  readonly kind: 'timeseries' | 'stat' | 'table' | 'text';
  readonly title: string;
  readonly description?: string;
  readonly unit?: Unit;
  readonly queries: readonly Query[];
  /** Markdown, for panels of kind `text`. */
  readonly text?: string;
  /** Columns of 24. */
  readonly width: number;
  readonly height: number;
  /** The value from which a stat is red. */
  readonly redFrom?: number;
};

/** Names of Grafana's units. */
export type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'bool' | 'dateTimeFromNow';

type Options = Partial<Pick<PanelSpec, 'description' | 'unit' | 'width' | 'height' | 'redFrom'>>;

/** Curves over time. */
export function curves(title: string, queries: readonly Query[], options: Options = {}): PanelSpec {
  return { kind: 'timeseries', title, queries, width: 12, height: 8, ...options };
}

/** The present value. */
export function stat(title: string, expr: string, options: Options & { readonly legend?: string } = {}): PanelSpec {
  const { legend, ...rest } = options;
  return { kind: 'stat', title, queries: [{ expr, ...(legend === undefined ? {} : { legend }) }], width: 4, height: 4, ...rest };
}

/** Present values of all series, a row each. */
export function table(title: string, expr: string, options: Options = {}): PanelSpec {
  return { kind: 'table', title, queries: [{ expr }], width: 12, height: 8, ...options };
}

export function text(title: string, markdown: string, options: Options = {}): PanelSpec {
  return { kind: 'text', title, queries: [], text: markdown, width: 24, height: 5, ...options };
}

type Place = { readonly id: number; readonly x: number; readonly y: number };

export function toPanel(spec: PanelSpec, { id, x, y }: Place): object {
  const common = {
    id,
    type: spec.kind,
    title: spec.title,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    gridPos: { x, y, w: spec.width, h: spec.height },
  };
  if (spec.kind === 'text') return { ...common, options: { mode: 'markdown', content: spec.text ?? '' } };
  return {
    ...common,
    datasource,
    targets: spec.queries.map(toTarget(spec.kind)),
    fieldConfig: { defaults: { unit: spec.unit ?? 'short', ...colorsOf(spec) }, overrides: [] },
    options: optionsOf(spec.kind),
    ...(spec.kind === 'table' ? { transformations: withoutTime } : {}),
  };
}

/** A variable of every dashboard, so that they work with any name of the data source. */
export const datasource = { type: 'prometheus', uid: '${datasource}' };

function toTarget(kind: PanelSpec['kind']): (query: Query, index: number) => object {
  const isInstant = kind !== 'timeseries';
  return ({ expr, legend }, index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    expr,
    ...(legend === undefined ? {} : { legendFormat: legend }),
    ...(isInstant ? { instant: true, range: false } : {}),
    ...(kind === 'table' ? { format: 'table' } : {}),
  });
}

function colorsOf({ redFrom }: PanelSpec): object {
  if (redFrom === undefined) return {};
  const steps = [
    { color: 'green', value: null },
    { color: 'red', value: redFrom },
  ];
  return { thresholds: { mode: 'absolute', steps }, color: { mode: 'thresholds' } };
}

function optionsOf(kind: PanelSpec['kind']): object {
  if (kind === 'timeseries') return { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } };
  if (kind === 'stat') return { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', textMode: 'auto' };
  return { showHeader: true };
}

const withoutTime = [{ id: 'organize', options: { excludeByName: { Time: true } } }];
