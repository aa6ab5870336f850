const basisPointsPerPercent = 100n;

/** Basis points as a percentage without trailing zeros: 5, 2.5, 0.07. */
export function percentText(basisPoints: bigint): string {
  const whole = (basisPoints / basisPointsPerPercent).toString();
  const fraction = (basisPoints % basisPointsPerPercent).toString().padStart(2, '0').replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
