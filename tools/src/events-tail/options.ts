import { parseArgs } from 'node:util';

export type TailOptions = {
  readonly isHelp: boolean;
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
  readonly isJson: boolean;
};

export const usage = [
  'npm run events:tail -- [options]',
  '',
  '  --type <type>           only events of this type; may be repeated',
  '  --resource <resource>   only events of this aggregate type, such as Order; may be repeated',
  '  --since <moment>        start after this time',
  '  --last-event-id <id>    start after this event',
  '  --marketplace <id>      of this marketplace, with the master key; left out: the default marketplace',
  '  --json                  one event per line, as JSON',
  '  --url <url>             base URL of the platform, up to and including /api/v1',
  '  --key <key>             the API key; HOLDFAST_KEY is safer, because a process list shows arguments',
  '',
  'Left out, URL and key come from HOLDFAST_URL and HOLDFAST_KEY, else from the platform that runs on the data folder.',
].join('\n');

export function readOptions(args: readonly string[]): TailOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      type: { type: 'string', multiple: true, default: [] },
      resource: { type: 'string', multiple: true, default: [] },
      since: { type: 'string' },
      'last-event-id': { type: 'string' },
      marketplace: { type: 'string' },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
    },
  });
  const { help: isHelp, json: isJson, url, key, since, marketplace } = values;
  const query = new URLSearchParams();
  for (const type of values.type) query.append('types', type);
  for (const resource of values.resource) query.append('resources', resource);
  if (since !== undefined) query.append('since', since);
  return {
    isHelp,
    url,
    key,
    path: query.size === 0 ? '/events' : `/events?${query.toString()}`,
    headers: marketplace === undefined ? {} : { 'x-marketplace-id': marketplace },
    lastEventId: values['last-event-id'],
    isJson,
  };
}
