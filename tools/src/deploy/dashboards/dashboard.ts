import { datasource, toPanel, type PanelSpec } from './panel.js';

export type DashboardSpec = {
  /** Also the name of the file. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables?: readonly Variable[];
  /** Placed from left to right and from top to bottom. */
  readonly panels: readonly PanelSpec[];
};

/** The values of a label, to choose from. */
export type Variable = { readonly name: string; readonly label: string; readonly of: string };

export type Dashboard = { readonly uid: string; readonly panels: readonly object[] } & Readonly<Record<string, unknown>>;

const columns = 24;
/** Grafana migrates older ones when it loads them. */
const schemaVersion = 39;

export function dashboard(spec: DashboardSpec): Dashboard {
  return {
    uid: spec.uid,
    title: spec.title,
    description: spec.description,
    tags: ['holdfast'],
    schemaVersion,
    version: 1,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    links: [{ type: 'dashboards', title: 'Holdfast', tags: ['holdfast'], asDropdown: true, includeVars: false, keepTime: true }],
    annotations: { list: [firingAlerts] },
    templating: { list: [datasourceVariable, ...(spec.variables ?? []).map(toVariable)] },
    panels: place(spec.panels),
  };
}

/** Marks the time at which an alert began. */
const firingAlerts = {
  name: 'Alerts',
  enable: true,
  iconColor: 'red',
  datasource,
  expr: 'ALERTS{alertname=~"Holdfast.+",alertstate="firing",severity="page"}',
  titleFormat: '{{alertname}}',
  textFormat: '{{service}}',
  step: '60s',
};

const datasourceVariable = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0 };

function toVariable({ name, label, of }: Variable): object {
  const query = `label_values(${of}, ${name})`;
  const everything = { includeAll: true, multi: true, allValue: '.*', current: { text: 'All', value: '$__all' } };
  return { name, label, type: 'query', datasource, query: { query, refId: name }, refresh: 2, sort: 1, ...everything };
}

function place(panels: readonly PanelSpec[]): readonly object[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel, index) => {
    if (x + panel.width > columns) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const placed = toPanel(panel, { id: index + 1, x, y });
    x += panel.width;
    rowHeight = Math.max(rowHeight, panel.height);
    return placed;
  });
}
