import { event } from '../http/index.js';
import { allMessages } from '../messages/index.js';
import { asyncApiDocument } from './index.js';

const document = asyncApiDocument(allMessages, '1.2.3');
const events = allMessages.filter(({ visibility }) => visibility === 'public');

describe('the AsyncAPI document', () => {
  it('is of the version it was made for', () => {
    expect(document).toMatchObject({ asyncapi: '3.0.0', info: { version: '1.2.3' } });
  });

  it('has every event of the catalogue, the notices of the stream, and nothing internal', () => {
    const names = [...events.map(({ type }) => type), 'ping', 'gap'];
    expect(Object.keys(document.components.messages)).toEqual(names);
    expect(Object.keys(document.channels.events.messages)).toEqual(names);
  });

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    const isThere = (path: string): boolean => {
      const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      return found !== undefined;
    };
    expect(references.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(events)('shows an example of $type that keeps its contract', ({ type, payload }) => {
    const [example] = document.components.messages[type]?.examples ?? [];
    const shown = event.parse(example?.payload);
    expect(payload.safeParse(shown.payload).error).toBeUndefined();
  });
});
