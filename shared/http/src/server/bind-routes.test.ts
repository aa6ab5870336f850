import { z } from 'zod';
import { route } from '@holdfast/contracts/http';
import { bindRoutes } from './index.js';

const nothing = z.strictObject({});
const common = {
  service: 'orders', method: 'get', summary: 'Get', auth: 'read', idempotent: false, family: 'plain', params: nothing,
  malformedParams: 'NOT_FOUND', query: nothing, body: nothing, errors: [],
} as const; // prettier-ignore
const getText = route({ ...common, name: 'texts.get', path: '/text', success: { status: 200, data: z.string() } });
const listTexts = route({
  ...common,
  name: 'texts.list',
  path: '/texts',
  success: { status: 200, data: z.string(), list: true },
});
const routes = { getText, listTexts };

const handlers = {
  getText: () => Promise.resolve('a text'),
  listTexts: () => Promise.resolve({ items: ['a text'], nextCursor: null }),
};

describe('bindRoutes', () => {
  it('binds each declaration to the handler of its name', () => {
    const bound = bindRoutes(routes, handlers);
    expect(bound).toEqual([
      { declaration: getText, run: handlers.getText },
      { declaration: listTexts, run: handlers.listTexts },
    ]);
  });

  it('does not compile without a handler', () => {
    // @ts-expect-error A declared route without a handler.
    expect(() => bindRoutes(routes, { getText: handlers.getText })).toThrow('There is no handler for the route texts.list.');
  });

  it('does not compile with a handler that returns no page for a list', () => {
    // @ts-expect-error A text where the list needs a page.
    expect(bindRoutes(routes, { ...handlers, listTexts: handlers.getText })).toHaveLength(2);
  });
});
