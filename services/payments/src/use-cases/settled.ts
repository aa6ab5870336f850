/** Waits for the work and returns its result as a function, which throws if the work has failed. */
export async function settled<Result>(work: Promise<Result>): Promise<() => Result> {
  try {
    const result = await work;
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
