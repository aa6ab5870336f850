const lumens = 10_000_000n;

/** A deployment pays for the storage of the new contract. */
export const deploymentFeeUnitsMax = 3n * lumens;
export const callFeeUnitsMax = lumens;
