type Leg = { readonly place: string; readonly ownerId?: string; readonly asset: string; readonly units: bigint };

/** One leg for each place, owner and asset; none where the units add up to zero. */
export function summed<Each extends Leg>(legs: readonly Each[]): readonly Each[] {
  const sums = new Map<string, Each>();
  for (const leg of legs) {
    const key = `${leg.place} ${leg.ownerId ?? ''} ${leg.asset}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? leg : { ...known, units: known.units + leg.units });
  }
  return [...sums.values()].filter(({ units }) => units !== 0n);
}
