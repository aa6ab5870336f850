import * as http from './index.js';

const listed: readonly unknown[] = [...http.allRoutes, ...Object.values(http.internalRoutes)];

function isRoute(value: unknown): value is http.RouteDeclaration {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

it('every declared route is in the list of its area, without which nobody can reach it', () => {
  const declared = Object.values<unknown>(http).filter(isRoute);
  expect(declared.filter((route) => !listed.includes(route)).map(({ name }) => name)).toEqual([]);
  expect(declared).toHaveLength(listed.length);
});
