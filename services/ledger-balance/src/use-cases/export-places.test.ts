import { exportPlaces } from './export-places.js';

it('the places of a marketplace are limited, and so are all of them; a place that is freed can be taken again', () => {
  const take = exportPlaces({ totalMax: 3, perMarketplaceMax: 2 });
  const free = [take('mkt_1'), take('mkt_1')];
  expect(() => take('mkt_1')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  free.push(take('mkt_2'));
  expect(() => take('mkt_3')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  free.forEach((freePlace) => freePlace());
  const again = [take('mkt_1'), take('mkt_1'), take('mkt_3')];
  expect(again).toHaveLength(3);
});
