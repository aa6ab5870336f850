import { event } from '../http/index.js';
import { allMessages } from '../messages/index.js';
import { asyncApiDocument } from './index.js';

const document = asyncApiDocument(allMessages, '1.2.3');
const events = allMessages.filter(({ visibility }) => visibility === 'public');

describe('the AsyncAPI document', () => {
  it('has the given version', () => {
    expect(document).toMatchObject({ asyncapi: '3.0.0', info: { version: '1.2.3' } });
  });

  it('has every public event and the control messages of the stream, and no internal message', () => {
    const names = [...events.map(({ type }) => type), 'ping', 'gap'];
    expect(Object.keys(document.components.messages)).toEqual(names);
    expect(Object.keys(document.channels.events.messages)).toEqual(names);
  });

  it('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    const isThere = (path: string): boolean => {
      const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      return found !== undefined;
    };
    expect(references.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(events)('has a valid example of $type', ({ type, payload }) => {
    const [example] = document.components.messages[type]?.examples ?? [];
    const shown = event.parse(example?.payload);
    expect(payload.safeParse(shown.payload).error).toBeUndefined();
  });
});
