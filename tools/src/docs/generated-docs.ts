import { asyncApiDocument } from '@holdfast/contracts/asyncapi';
import { allRoutes } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import { openApiDocument } from '@holdfast/contracts/openapi';
import { allSagas, allSequences } from '@holdfast/contracts/sagas';
import { errorsPage } from './errors-page.js';
import { eventsPage } from './events-page.js';
import { indexPage } from './index-page.js';
import type { Discovered } from './discover.js';
import { metricsPage } from './metrics-page.js';
import { sagasPage } from './sagas-page.js';
import { settingsPage } from './settings-page.js';
import { statesPage } from './states-page.js';

type GeneratedFile = { readonly file: string; readonly holds: string; readonly text: string };

/** Every generated file by name. The same code always gives the same texts. */
export function generatedDocs(version: string, { settings, states, metrics }: Discovered): ReadonlyMap<string, string> {
  const files: readonly GeneratedFile[] = [
    {
      file: 'openapi.json',
      holds: 'The HTTP interface as OpenAPI 3.1',
      text: `${JSON.stringify(openApiDocument(allRoutes, allMessages, version), null, 2)}\n`,
    },
    {
      file: 'asyncapi.json',
      holds: 'The event stream as AsyncAPI 3.0',
      text: `${JSON.stringify(asyncApiDocument(allMessages, version), null, 2)}\n`,
    },
    { file: 'events.md', holds: 'Events of the stream and messages between services', text: eventsPage(allMessages) },
    { file: 'errors.md', holds: 'Error codes, and which routes return them', text: errorsPage(allRoutes) },
    {
      file: 'sagas.md',
      holds: 'Sagas: the steps of each operation that involves several services',
      text: sagasPage(allSagas, allSequences),
    },
    { file: 'states.md', holds: 'State diagrams', text: statesPage(states) },
    { file: 'settings.md', holds: 'Settings of every process', text: settingsPage(settings) },
    { file: 'metrics.md', holds: 'Metrics of every process', text: metricsPage(metrics) },
  ];
  return new Map([['README.md', indexPage(files)], ...files.map(({ file, text }) => [file, text] as const)]);
}
