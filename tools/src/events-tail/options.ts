import { parseArgs } from 'node:util';

export type TailOptions = {
  readonly isHelp: boolean;
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
  readonly isJson: boolean;
};

export const usage = [
  'npm run events:tail -- [options]',
  '',
  '  --type <type>           only events of this type; may be repeated',
  '  --resource <resource>   only events of this kind of thing, such as Order; may be repeated',
  '  --since <moment>        begin with what happened after this moment',
  '  --last-event-id <id>    begin after this event',
  '  --marketplace <id>      of this marketplace; for the master key',
  '  --json                  one event per line, as JSON',
  '  --url <url>             base URL of the platform, up to and including /api/v1',
  '  --key <key>             the API key; better set HOLDFAST_KEY, which nobody sees in a list of processes',
  '',
  'Left out, URL and key come from HOLDFAST_URL and HOLDFAST_KEY, else from what runs on the data folder.',
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
