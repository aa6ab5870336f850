import { mapPage, pageOf, toPage } from './index.js';

const listed = (...ids: readonly string[]) => Promise.resolve(ids.map((id) => ({ id })));

describe('a page', () => {
  it('leads to the next one where there is more', async () => {
    expect(await pageOf(2, listed('c', 'b', 'a'))).toEqual({ items: [{ id: 'c' }, { id: 'b' }], nextCursor: 'b' });
  });

  it('is the last one where there is not', async () => {
    expect(await pageOf(2, listed('b', 'a'))).toEqual({ items: [{ id: 'b' }, { id: 'a' }], nextCursor: null });
    expect(await pageOf(2, listed())).toEqual({ items: [], nextCursor: null });
  });

  it('is refused after a cursor that is not in the list', async () => {
    await expect(pageOf(2, Promise.resolve(undefined))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('has the cursor that the list says', () => {
    expect(toPage([{ ref: 'm1' }, { ref: 'm2' }], 1, ({ ref }) => ref)).toEqual({ items: [{ ref: 'm1' }], nextCursor: 'm1' });
  });

  it('keeps its cursor when its items are shown in another form', () => {
    expect(mapPage({ items: [1, 2], nextCursor: 'c' }, String)).toEqual({ items: ['1', '2'], nextCursor: 'c' });
  });
});
