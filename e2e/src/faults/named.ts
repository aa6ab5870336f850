/** For `it.each`, which begins the name of a test with the first element. */
export function named<Case extends { readonly name: string }>(cases: readonly Case[]): readonly (readonly [string, Case])[] {
  return cases.map((each) => [each.name, each] as const);
}
