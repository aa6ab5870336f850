import { mapPage, pageOf, toPage } from './index.js';

const listed = (...ids: readonly string[]) => Promise.resolve(ids.map((id) => ({ id })));

describe('a page', () => {
  it('has a next cursor if there are more items', async () => {
    expect(await pageOf(2, listed('c', 'b', 'a'))).toEqual({ items: [{ id: 'c' }, { id: 'b' }], nextCursor: 'b' });
  });

  it('has no next cursor if there are no more items', async () => {
    expect(await pageOf(2, listed('b', 'a'))).toEqual({ items: [{ id: 'b' }, { id: 'a' }], nextCursor: null });
    expect(await pageOf(2, listed())).toEqual({ items: [], nextCursor: null });
  });

  it('is refused with VALIDATION_ERROR after an unknown cursor', async () => {
    await expect(pageOf(2, Promise.resolve(undefined))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('has the cursor that `cursorOf` returns', () => {
    expect(toPage([{ ref: 'm1' }, { ref: 'm2' }], 1, ({ ref }) => ref)).toEqual({ items: [{ ref: 'm1' }], nextCursor: 'm1' });
  });

  it('has the same cursor after mapPage', () => {
    expect(mapPage({ items: [1, 2], nextCursor: 'c' }, String)).toEqual({ items: ['1', '2'], nextCursor: 'c' });
  });
});
